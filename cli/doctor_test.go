package cli

import (
	"context"
	"slices"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/pig"
)

// sick is a set of pig in which every term but the first has something wrong with it.
func sick() features.Set {
	type standing struct{ own, other, sign float64 }
	return features.Terms[standing]{
		Name:          "pig/sick",
		Antisymmetric: true,
		View:          func(s game.State) game.Player { return s.(*pig.State).Player() },
		Prepare: func(t *standing, st game.State, p game.Player) {
			s := st.(*pig.State)
			*t = standing{float64(s.Score(p)), float64(s.Score(1 - p)), 1}
			if p == 1 {
				t.sign = -1
			}
		},
		List: []features.Term[standing]{
			{Name: "lead", Value: func(t *standing) float64 { return t.own - t.other }},
			{Name: "nothing", Value: func(t *standing) float64 { return 0 }},
			{Name: "constant", Value: func(t *standing) float64 { return t.sign }},
			{Name: "lead again", Value: func(t *standing) float64 { return 3 * (t.own - t.other) }},
			{Name: "both", Value: func(t *standing) float64 { return t.own + 2*t.other }},
		},
	}.Set()
}

// forgetful is a position of pig whose hash leaves the turn total out.
type forgetful struct{ *pig.State }

func (f forgetful) Hash() uint64 {
	return uint64(f.Score(0))<<16 | uint64(f.Score(1))<<8 | uint64(f.Player())
}

func TestExamine(t *testing.T) {
	g, err := pig.New(game.NewOptions("pig", "target=30"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := examine(context.Background(), g, sick(), 50, 1)
	if err != nil {
		t.Fatal(err)
	}
	got := r.complaints()
	for _, want := range []string{
		"nothing: always 0",
		"constant: always 1",
		"lead again: always 3 times lead",
		"both: does not turn over",
	} {
		if !slices.ContainsFunc(got, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("no line %q in %q", want, got)
		}
	}
	if len(got) != 4 {
		t.Errorf("%d findings, want 4: %q", len(got), got)
	}
	if r.Positions < 500 || r.Distinct < 100 || !(r.Played > 0 && r.Extracted > 0) {
		t.Errorf("%+v: want some hundred positions and their speed", r)
	}

	blind := *g
	blind.New = func() game.State { return forgetful{g.New().(*pig.State)} }
	x := &examination{report: &examined{}, seen: map[uint64]int{}}
	s := blind.New()
	for _, m := range []game.Move{pig.Roll, 3} {
		x.hash(s)
		s.Play(m)
	}
	x.hash(s)
	if len(x.report.collisions) == 0 || !strings.Contains(x.report.collisions[0], "share the hash") {
		t.Errorf("collisions %q: the start and the die in the air share a hash", x.report.collisions)
	}
}
