package td

import (
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
)

// seats is a set that says nothing but in whose view a position is taken.
type seats struct{}

func (seats) Name() string                  { return "doudizhu/seats" }
func (seats) Blocks() []features.Block      { return []features.Block{{Name: "seat", Len: 3}} }
func (seats) View(s game.State) game.Player { return max(s.Turn(), 0) }
func (seats) Extract(_ game.State, p game.Player, x models.Vector) models.Vector {
	return append(x, models.Term{Index: int32(p), Value: 1})
}

// TestApart: where each player has a value of his own, a position counts in the view
// of the one who moved to it, whose best move is that of the largest value, and what
// is learned of a seat is what that seat gets.
func TestApart(t *testing.T) {
	g, _ := onlinetest.Set(t, "doudizhu", "doudizhu/hand")
	m := models.New(g.Name, "doudizhu/seats", seats{}.Blocks())
	m.Link = models.Link{Kind: models.Tanh, Scale: 1}
	l, err := New(online.Task{Training: features.Training{Alpha: 0.1, Lambda: 1, Batch: 1}, Game: g, Set: seats{}, Model: m, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	e := &l.games[0]
	l.actors[0].play(0, e)
	for k, s := range e.steps {
		seen := []int32{models.Bias, int32(s.who)}
		var got []int32
		for _, term := range e.terms[s.from:s.to] {
			got = append(got, term.Index)
		}
		if want := game.Player(k % 3); s.who != want || !slices.Equal(got, seen) {
			t.Fatalf("step %d: of player %d with terms %v, want player %d and %v", k, s.who, got, want, seen)
		}
	}
	var mean [3]float64
	const games = 300
	for n := range games {
		onlinetest.Advance(t, l, n, n+1)
		for p, end := range l.games[0].ends {
			mean[p] += end / games
		}
	}
	for p, want := range mean {
		if got := l.scale.Value(m.Bias + m.Weights[p]); (got > 0) != (want > 0) || want == 0 {
			t.Errorf("seat %d is taken to be worth %v, and gets %v", p, got, want)
		}
	}
}
