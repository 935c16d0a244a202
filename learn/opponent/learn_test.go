package opponent

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game/play"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// player returns the decisions from games that the agent plays against itself. Each game is a
// group.
func player(t *testing.T, w *catalog.World, agent string, games int) (list []Decision) {
	t.Helper()
	a := vectors.Must(vectors.Must(w.Agent(agent, catalog.AgentOptions{})).New())
	defer search.Close(a)
	for k := range games {
		a.Begin(uint64(k))
		s := w.New()
		e := play.Episode{Luck: &play.Dice{Random: rand.New(rand.NewPCG(1, uint64(k)))}}
		for e.Begin(s, 0, play.NoLimit); e.Next(); {
			m := vectors.Must(a.Search(t.Context(), s)).Move
			list = append(list, Decision{s.String(), s.MoveString(m), k})
			e.Play(m)
		}
	}
	return list
}

// TestValues checks that the values of moves differ by the same amounts as in a softmax, whose
// values come from greedy search. It covers worlds with slips.
func TestValues(t *testing.T) {
	for _, spec := range []string{"tictactoe", "connect4", "othello", "checkers", "chess", "backgammon", "connect4+slip=0.2", "backgammon+slip=0.3"} {
		w := vectors.Must(catalog.All().World(spec))
		e := vectors.Must(w.Evaluation(""))
		list := player(t, w, "random", 2)
		d := vectors.Must(extract(t.Context(), w.Game, e.Set, e.Model, list, 2))
		greedy := vectors.Must(search.NewGreedy(search.Options{Game: w.Game, Eval: e.New(), Leaf: e.Leaves}))
		at := 0
		for _, one := range list {
			s := vectors.Must(w.Parse(one.Position))
			moves := s.Moves(nil)
			if len(moves) < 2 {
				continue
			}
			r, n := vectors.Must(greedy.Search(t.Context(), s)), &d.nodes[at]
			values, _ := d.values(n, e.Model, nil, nil)
			for i, v := range values {
				if got, want := (v-values[0])*(w.Max-w.Min), r.Root[i].Value-r.Root[0].Value; math.Abs(got-want) > 1e-6 {
					t.Fatalf("%s, %v %v %s: %s is worth %v more than the first, greedy says %v", spec, moves, r.Root, one.Position, s.MoveString(moves[i]), got, want)
				}
			}
			if s.MoveString(moves[n.chosen]) != one.Move {
				t.Fatalf("%s, %s: move %d was played, want %s", spec, one.Position, n.chosen, one.Move)
			}
			at++
		}
		if at != len(d.nodes) || at == 0 {
			t.Errorf("%s: %d decisions, want %d", spec, len(d.nodes), at)
		}
	}
}

// TestGradient checks the gradient of the likelihood against finite differences.
func TestGradient(t *testing.T) {
	w := vectors.Must(catalog.All().World("connect4"))
	e := vectors.Must(w.Evaluation("handwritten,tempo=1,centre=0.5"))
	d := vectors.Must(extract(t.Context(), w.Game, e.Set, e.Model, player(t, w, "random", 5), 1))
	const step = 1e-5
	k := len(e.Model.Weights)
	at := func(j int, by float64) []float64 {
		m, x, sums := e.Model.Clone(), point{2, -1}, make([]float64, k+4)
		if j < k {
			m.Weights[j] += by
		} else {
			x[j-k] += by
		}
		d.gradient(m, x, d.nodes, func(int) bool { return true }, sums)
		return sums
	}
	for j := range k + 2 {
		want := (at(j, step)[k+3] - at(j, -step)[k+3]) / (2 * step)
		if got := at(j, 0)[j]; math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("parameter %d: the gradient is %v, differences give %v", j, got, want)
		}
	}
}

// TestLearn checks a model learned from the games of two players. It must predict moves nearly as
// well as the player's own evaluation. If the player has different weights, it must be better than
// the start, and one and three workers must give the same model. If the player has the starting
// weights, the player's temperature and fraction of random moves must be within the intervals.
func TestLearn(t *testing.T) {
	const temperature, random = 0.05, 0.1
	w := vectors.Must(catalog.All().World("connect4"))
	for _, c := range []struct {
		eval string
		gain float64 // minimum gain in the fraction of moves matched
	}{{"handwritten", -0.02}, {"(handwritten,centre=-0.4,tempo=0,safe-moves=-0.3)", 0.02}} {
		e, his := vectors.Must(w.Evaluation("")), vectors.Must(w.Evaluation(strings.Trim(c.eval, "()")))
		list := player(t, w, "softmax:temperature=0.05,random=0.1,eval="+c.eval, 150)
		r := vectors.Must(Learn(t.Context(), w.Game, e.Set, e.Model, list, 3, 1))
		all := func(int) bool { return true }
		x := point{-math.Log(temperature), math.Log(random / (1 - random))}
		d := vectors.Must(extract(t.Context(), w.Game, e.Set, e.Model, list, 1))
		truth, _ := d.choices(his.Model, all).score(x, nil)
		truth /= float64(len(d.nodes))
		start, model := r.Measures[1], r.Measures[2]
		t.Logf("%s: truth %.3f, start %v, model %v, gain %v, T %+v, e %+v", c.eval, truth, start.LogLikelihood, model.LogLikelihood, r.Gain, r.Fitted.Temperature, r.Fitted.Random)
		if model.LogLikelihood.Low > truth || model.LogLikelihood.High < truth-0.02 {
			t.Errorf("%s: the model's log likelihood is %v, the player's %v", c.eval, model.LogLikelihood, truth)
		}
		if r.Gain.Value < c.gain || c.gain > 0 && model.LogLikelihood.Value < start.LogLikelihood.Value+0.05 {
			t.Errorf("%s: the model matches %v more than the start, want %v", c.eval, r.Gain, c.gain)
		}
		if e := r.Start; c.gain < 0 && (temperature < e.Temperature.Low || temperature > e.Temperature.High || random < e.Random.Low || random > e.Random.High) {
			t.Errorf("a temperature of %+v and a share of %+v, want %v and %v", e.Temperature, e.Random, temperature, random)
		}
		if c.gain < 0 {
			continue
		}
		again := vectors.Must(Learn(t.Context(), w.Game, e.Set, e.Model, list, 3, 3))
		if a, b := vectors.Must(r.Model.File().Digest()), vectors.Must(again.Model.File().Digest()); a != b {
			t.Errorf("%s: another model by three workers", c.eval)
		}
	}
}
