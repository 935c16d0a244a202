package arena

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"plyfit/search"
)

func TestTournament(t *testing.T) {
	dir := t.TempDir()
	tour := Tournament{
		Match:    Config{Game: newRace(2, 3), Pairs: 30, Seed: 3, Workers: 2},
		Entrants: []search.Factory{randomly("random"), last("high"), first("low")},
		Dir:      dir,
	}
	r, err := tour.Play(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Matches) != 3 || r.Standings[0].Name != "high" || r.Standings[2].Name != "low" {
		t.Errorf("standings:\n%s", r.Text())
	}
	points, of := 0.0, 0
	for _, s := range r.Standings {
		points, of = points+s.Points, of+s.Of
		if !s.Rating.Known {
			t.Errorf("%s has no rating: %s", s.Name, s.Rating.Lacks)
		}
	}
	if points != 180 || of != 360 {
		t.Errorf("%v points of %d, want 180 of 360", points, of)
	}
	again, err := tour.Play(context.Background())
	if d := cmp.Diff(r, again, cmpopts.IgnoreUnexported(Result{})); d != "" || err != nil {
		t.Errorf("resumed: %v %s", err, d)
	}
	if _, err := json.Marshal(r); err != nil {
		t.Error(err)
	}
	tour.Gauntlet, tour.Dir = true, ""
	if r, err := tour.Play(context.Background()); err != nil || len(r.Matches) != 2 || !strings.Contains(r.Text(), "random") {
		t.Errorf("gauntlet: %v\n%s", err, r.Text())
	}
	// Games of one are rated by who got more.
	tour.Match.Game = newRace(1, 4)
	if r, err := tour.Play(context.Background()); err != nil || r.Standings[0].Name != "high" {
		t.Errorf("solo: %v\n%s", err, r.Text())
	}
	tour.Entrants = tour.Entrants[:1]
	if _, err := tour.Play(context.Background()); err == nil {
		t.Error("a tournament of one was played")
	}
}
