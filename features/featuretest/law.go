// Package featuretest tests whether a feature set meets its contract.
//
// The test of a set calls [Law] with its game. Law plays random games and checks, in every
// position, that the set meets the contract of package features. It also checks that the compiled
// form agrees with Extract.
package featuretest

import (
	"math"
	"slices"
	"sync"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// Games is the number of random games that Law plays. If PLYFIT_LONG is not set, Law plays a sixth
// of them.
const Games = 60

// Law fails t if set violates its contract in positions of g, which must not have wrappers.
func Law(t *testing.T, g *game.Game, set features.Set) {
	t.Helper()
	l := newLaw(t, g, set)
	t.Run("names", l.names)
	sound := t.Run("views", func(t *testing.T) {
		if err := l.views(); err != nil {
			t.Fatal(err)
		}
	})
	if !sound {
		return // Extract may panic for an invalid player, which would hide the message.
	}
	t.Run("positions", l.positions)
	t.Run("compiled", l.compiled)
	t.Run("pruned", l.pruned)
	t.Run("allocations", l.allocations)
	t.Run("hidden", l.veiled)
	t.Run("goroutines", l.goroutines)
}

type law struct {
	g     *game.Game
	set   features.Set
	model *models.Linear // model with random weights
	games int
}

func newLaw(t *testing.T, g *game.Game, set features.Set) *law {
	t.Helper()
	if g.Base() != g {
		t.Fatalf("%s is wrapped; want a game without wrappers", g.Spec)
	}
	l := &law{g: g, set: set, games: Games}
	if !vectors.Long() {
		l.games /= 6
	}
	// New panics if a table is not last.
	l.model = models.New(g.Name, set.Name(), set.Blocks())
	seed := uint64(1)
	draw := func() float64 { seed = game.Mix(seed); return float64(int32(seed)) / math.MaxInt32 }
	for i := range l.model.Weights {
		l.model.Weights[i] = draw()
	}
	for i := range l.model.Table {
		l.model.Table[i] = float32(draw())
	}
	l.model.Bias = draw()
	return l
}

// play calls visit for the unfinished positions of random games determined by seed. If begin is not
// nil, it is called at the start of each game. If before is not nil, it is called before every
// move.
func (l *law) play(seed uint64, visit func(s game.State), begin func(s game.State), before func(s game.State, m game.Move)) {
	for range l.games {
		s := l.g.New()
		if begin != nil {
			begin(s)
		}
		for plies := 0; s.Turn() != game.Nobody && plies < min(l.g.MaxPlies, 400); plies++ {
			visit(s)
			moves := s.Moves(nil)
			seed = game.Mix(seed)
			m := moves[seed%uint64(len(moves))]
			if before != nil {
				before(s, m)
			}
			s.Play(m)
		}
	}
}

func (l *law) names(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range l.set.Blocks() {
		if b.Name == "" || b.Len < 1 {
			t.Errorf("block %q has %d features; want a name and at least one feature", b.Name, b.Len)
		}
		labels := b.Len
		if b.Table {
			labels = min(b.Len, 1000)
		}
		for i := range labels {
			name := b.FeatureName(i)
			if name == "" || seen[name] {
				t.Fatalf("feature %d of block %s is named %q; want a unique name", i, b.Name, name)
			}
			seen[name] = true
		}
	}
	if models.Fingerprint(l.set.Blocks()) != l.model.Fingerprint {
		t.Error("Blocks differs between two calls")
	}
}

// aggregate sorts x by index, merges equal terms, and removes zeros.
func aggregate(x models.Vector) models.Vector {
	return slices.DeleteFunc(slices.Clone(x).Merge(), func(t models.Term) bool { return t.Value == 0 })
}

func (l *law) positions(t *testing.T) {
	active := make([]bool, len(l.model.Weights))
	prefix := models.Term{Index: 12345, Value: 6}
	x := models.Vector{prefix}
	seen := 0
	l.play(2, func(s game.State) {
		seen++
		text, hash := s.String(), s.Hash()
		again, err := l.g.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for p := range game.Player(l.g.Players) {
			x = l.set.Extract(s, p, x[:1])
			if x[0] != prefix {
				t.Fatalf("%s: Extract changed existing terms in the buffer", text)
			}
			if s.String() != text || s.Hash() != hash {
				t.Fatalf("%s: Extract changed the position", text)
			}
			for _, term := range x[1:] {
				if term.Index < 0 || int(term.Index) >= l.model.Len() || term.Value-term.Value != 0 {
					t.Fatalf("%s: term %+v: want an index below %d and a finite value", text, term, l.model.Len())
				}
				if int(term.Index) < len(active) && term.Value != 0 {
					active[term.Index] = true
				}
			}
			got := aggregate(x[1:])
			if parsed := aggregate(l.set.Extract(again, p, nil)); !slices.Equal(got, parsed) {
				t.Fatalf("%s from the point of view of player %d: %v if played, %v if parsed", text, p, got, parsed)
			}
		}
	}, nil, nil)
	if placer, ok := l.set.(features.TupleIndexer); ok {
		l.placed(t, placer)
	}
	for i, a := range active {
		if !a {
			t.Logf("%s is 0 in all %d positions", l.model.Name(int32(i)), seen)
		}
	}
}

// placed checks that the indices of a TupleIndexer agree with Extract.
func (l *law) placed(t *testing.T, set features.TupleIndexer) {
	at := make([]int32, set.Placements())
	dense := int32(len(l.model.Weights))
	l.play(6, func(s game.State) {
		for p := range game.Player(l.g.Players) {
			x := set.Dense(s, p, nil)
			set.Indices(s, p, at)
			for _, i := range at {
				x = append(x, models.Term{Index: dense + i, Value: 1})
			}
			if got, want := aggregate(x), aggregate(set.Extract(s, p, nil)); !slices.Equal(got, want) {
				t.Fatalf("%s from the point of view of player %d: %v by indices, %v by extraction", s, p, got, want)
			}
		}
	}, nil, nil)
}

func (l *law) compiled(t *testing.T) {
	c, ok := l.set.(features.Compiler)
	if !ok || c.Compile(l.g, l.model) == nil {
		t.Skip("the set compiles nothing")
	}
	l.agree(t)
}

// pruned checks that the sums remain correct without a group of terms, because evaluators leave out
// groups without weights.
func (l *law) pruned(t *testing.T) {
	if _, ok := l.set.(features.Pruner); !ok {
		t.Skip("the set computes all terms")
	}
	for _, g := range models.Groups(l.set.Blocks()) {
		short := *l
		short.model, short.games = l.model.Clone(), 1
		for _, i := range g.Features {
			if int(i) < len(l.model.Weights) {
				short.model.Weights[i] = 0
			}
		}
		short.agree(t)
	}
}

// agree checks that an evaluator agrees with the sum over Extract.
func (l *law) agree(t *testing.T) {
	slow, fast := features.NewReference(l.g, l.set, l.model), features.NewEvaluator(l.g, l.set, l.model)
	tracking, tracked := fast.Clone().Tracking()
	all := map[string]func(game.State, game.Player) float64{"compiled": fast.Evaluate}
	if tracked {
		all["tracked"] = tracking.Evaluate
	}
	check := func(s game.State) {
		for p := range game.Player(l.g.Players) {
			want := slow.Evaluate(s, p)
			most := float64(1e-9 * math.Max(1, math.Abs(want))) // also allows for the rounding of 32-bit values
			for _, x := range l.set.Extract(s, p, nil) {
				most += float64(0x1p-24 * math.Abs(l.model.Weight(x.Index)*float64(x.Value)))
			}
			for how, sum := range all {
				if got := sum(s, p); !(math.Abs(got-want) <= most) {
					t.Fatalf("%s for player %d: %v %s, %v extracted", s, p, got, how, want)
				}
			}
		}
	}
	begin := func(s game.State) {
		if tracked {
			tracking.Reset(s)
		}
	}
	l.play(3, func(s game.State) {
		check(s)
		if !tracked {
			return
		}
		// Try every move and undo it, as in a search.
		for _, m := range s.Moves(nil) {
			tracking.Push(s, m)
			s.Play(m)
			if s.Turn() != game.Nobody {
				check(s)
			}
			s.Undo()
			tracking.Pop()
		}
		check(s)
	}, begin, func(s game.State, m game.Move) {
		if tracked {
			tracking.Push(s, m)
		}
	})
}

func (l *law) allocations(t *testing.T) {
	e := features.NewEvaluator(l.g, l.set, l.model)
	var x models.Vector
	plies := 0
	l.play(4, func(s game.State) {
		if plies++; plies%50 != 0 {
			return
		}
		view := l.set.View(s)
		work := func() {
			x = l.set.Extract(s, view, x[:0])
			e.Evaluate(s, view)
		}
		work()
		if n := testing.AllocsPerRun(5, work); n > 0 {
			t.Fatalf("%s: %v allocations in Extract and Evaluate, want 0", s, n)
		}
	}, nil, nil)
}

func (l *law) goroutines(t *testing.T) {
	short := *l
	short.games = 4
	sums := make([]float64, 4)
	var wait sync.WaitGroup
	shared := features.NewEvaluator(l.g, l.set, l.model)
	for i := range sums {
		e := shared.Clone()
		wait.Go(func() {
			short.play(5, func(s game.State) { sums[i] += e.Evaluate(s, 0) }, nil, nil)
		})
	}
	wait.Wait()
	for _, sum := range sums {
		if sum != sums[0] {
			t.Fatalf("concurrent goroutines compute different sums: %v", sums)
		}
	}
}

// Shipped loads the built-in model at path and binds it to set. t fails if there is an error.
func Shipped(t testing.TB, g *game.Game, set features.Set, path string) *models.Linear {
	t.Helper()
	f, err := models.LoadFS(models.ShippedFiles(), path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := features.Bind(set, g, f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
