package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/search"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// race is a game for tests. Players take turns choosing a stake from 1 to 3, which is multiplied by
// the roll of a three-sided die. After the last round, the highest total wins. In the single-player
// game, the total is the score.
type race struct {
	players, rounds int
	path            []game.Move // alternating stakes and dice
}

var (
	_ game.State   = (*race)(nil)
	_ game.Chancer = (*race)(nil)
	_ game.Scorer  = (*race)(nil)
)

func newRace(players, rounds int) *game.Game {
	g := &game.Game{Name: "race", Spec: fmt.Sprintf("race:players=%d,rounds=%d", players, rounds),
		Players: players, Sum: game.Zero, Min: -1, Max: float64(max(1, players-1)), MaxPlies: 1000}
	if players == 1 {
		g.Sum, g.Min, g.Max = game.General, 0, float64(9*rounds)
	}
	g.New = func() game.State { return &race{players: players, rounds: rounds} }
	g.Parse = func(text string) (game.State, error) {
		r := &race{players: players, rounds: rounds}
		for i, c := range strings.TrimPrefix(text, "start") {
			m := game.Move(c - '1')
			if m > 2 || r.Turn() == game.Nobody {
				return nil, &game.PositionError{Game: "race", Text: text, At: i, Want: "1, 2 or 3"}
			}
			r.Play(m)
		}
		r.path = append([]game.Move(nil), r.path...)
		return r, nil
	}
	g.ParseMove = game.FindMove
	return g
}

func (r *race) mover() game.Player { return game.Player(len(r.path) / 2 % r.players) }

func (r *race) Turn() game.Player {
	switch {
	case len(r.path) == 2*r.players*r.rounds:
		return game.Nobody
	case len(r.path)%2 == 1:
		return game.Chance
	}
	return r.mover()
}

func (r *race) Moves(dst []game.Move) []game.Move {
	if r.Turn() == game.Nobody {
		return dst
	}
	return append(dst, 0, 1, 2)
}

func (r *race) Play(m game.Move)       { r.path = append(r.path, m) }
func (r *race) Undo()                  { r.path = r.path[:len(r.path)-1] }
func (r *race) Prob(game.Move) float64 { return 1. / 3 }
func (r *race) For() game.Player       { return r.mover() }
func (r *race) Clone() game.State {
	return &race{r.players, r.rounds, append([]game.Move(nil), r.path...)}
}
func (r *race) MoveString(m game.Move) string { return fmt.Sprint(m + 1) }

func (r *race) String() string {
	text := "start"
	for _, m := range r.path {
		text += r.MoveString(m)
	}
	return text
}

func (r *race) Hash() uint64 {
	h := uint64(r.players)
	for _, m := range r.path {
		h = game.Mix(h ^ uint64(m+1))
	}
	return h
}

func (r *race) Score(p game.Player) float64 {
	sum := 0.0
	for i := 0; i+1 < len(r.path); i += 2 {
		if game.Player(i/2%r.players) == p {
			sum += float64((r.path[i] + 1) * (r.path[i+1] + 1))
		}
	}
	return sum
}

func (r *race) Utility(p game.Player) float64 {
	if r.players == 1 {
		return r.Score(0)
	}
	best, n := 0.0, 0
	for q := range r.players {
		switch s := r.Score(game.Player(q)); {
		case s > best:
			best, n = s, 1
		case s == best:
			n++
		}
	}
	// Each player pays one, and the winners share the total.
	u := -1.0
	if r.Score(p) == best {
		u += float64(r.players) / float64(n)
	}
	return u
}

// player is an agent that chooses moves with a function.
type player struct {
	rng  *rand.Rand
	rule func(rng *rand.Rand, s game.State, moves []game.Move) (game.Move, error)
}

func (p *player) Begin(seed uint64) { p.rng = rand.New(rand.NewPCG(seed, seed)) }

func (p *player) Search(_ context.Context, s game.State) (search.Result, error) {
	m, err := p.rule(p.rng, s, s.Moves(nil))
	return search.Result{Move: m}, err
}

func entrant(name string, rule func(rng *rand.Rand, s game.State, moves []game.Move) (game.Move, error)) search.Factory {
	return search.Factory{Name: name, New: func() (search.Agent, error) { return &player{rule: rule}, nil }}
}

func randomly(name string) search.Factory {
	return entrant(name, func(rng *rand.Rand, _ game.State, moves []game.Move) (game.Move, error) {
		return moves[rng.IntN(len(moves))], nil
	})
}

func first(name string) search.Factory {
	return entrant(name, func(_ *rand.Rand, _ game.State, moves []game.Move) (game.Move, error) { return moves[0], nil })
}

func last(name string) search.Factory {
	return entrant(name, func(_ *rand.Rand, _ game.State, moves []game.Move) (game.Move, error) {
		return moves[len(moves)-1], nil
	})
}

// sometimes returns an agent that plays the last move with probability p and a random move
// otherwise.
func sometimes(name string, p float64) search.Factory {
	return entrant(name, func(rng *rand.Rand, _ game.State, moves []game.Move) (game.Move, error) {
		if rng.Float64() < p {
			return moves[len(moves)-1], nil
		}
		return moves[rng.IntN(len(moves))], nil
	})
}

var errTired = errors.New("tired")

func TestTournament(t *testing.T) {
	dir := t.TempDir()
	tour := Tournament{
		Match:    Config{Game: newRace(2, 3), Pairs: 30, Seed: 3, Workers: 2},
		Entrants: []search.Factory{randomly("random"), last("high"), first("low")},
		Dir:      dir,
	}
	r := vectors.Must(tour.Play(context.Background()))
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
	// In single-player games, ratings are computed from comparisons of scores.
	tour.Match.Game = newRace(1, 4)
	if r, err := tour.Play(context.Background()); err != nil || r.Standings[0].Name != "high" {
		t.Errorf("solo: %v\n%s", err, r.Text())
	}
	tour.Entrants = tour.Entrants[:1]
	if _, err := tour.Play(context.Background()); err == nil {
		t.Error("a tournament of one was played")
	}
}
