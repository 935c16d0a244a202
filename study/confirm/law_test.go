package confirm

import (
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/study/damage"
	"plyfit/study/exact"
)

// The shift of a move is the second-order term of E g(v): of a spread that is small what
// is left is smaller by far.
func TestShift(t *testing.T) {
	for _, slope := range []float64{0.3, 0.7, 1, 2} {
		for _, m := range []float64{-0.6, 0.1, 0.5} {
			const spread = 0.02
			bent := (gOf(slope, m-spread) + gOf(slope, m+spread)) / 2
			g := gOf(slope, m)
			rise := slope * (1 - g*g) / (1 - m*m)
			want := (bent - g) / rise
			got, _, variance := shift(below{m, m*m + spread*spread, bent}, slope)
			if math.Abs(got-want) > 0.05*math.Abs(want)+1e-9 || math.Abs(variance-spread*spread) > 1e-12 {
				t.Errorf("slope %v at %v: shift %v of variance %v, want %v", slope, m, got, variance, want)
			}
		}
	}
}

// Where gaps are spread evenly and shifts are small beside them, what the law says is
// what choosing by E v gives away.
func TestOrder2(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const slope = 0.4
	var all []choice
	of := func(mean, spread float64) below {
		return below{mean, mean*mean + spread*spread, (gOf(slope, mean-spread) + gOf(slope, mean+spread)) / 2}
	}
	for range 200_000 {
		gap := 0.04 * random.Float64()
		a, b := of(0.5, 0.04), of(0.5-gap, 0)
		if random.IntN(2) == 0 {
			a, b = of(0.5, 0), of(0.5-gap, 0.04)
		}
		all = append(all, choice{[]below{a, b}, 1})
	}
	p := passOf(all, slope)
	if math.Abs(p.Density-12.5)/12.5 > 0.05 { // 1/.04 on one side of 0 alone
		t.Errorf("density %v, want 12.5", p.Density)
	}
	if math.Abs(p.Order2/p.Direct-1) > 0.15 || p.Direct == 0 {
		t.Errorf("the law says %v, found is %v", p.Order2, p.Direct)
	}
	if one := passOf(all, 1); one.Order2 > 1e-20 {
		t.Errorf("of a slope of 1 the law says %v", one.Order2)
	}
}

// On a solved board evaluations that are the truth on a wrong scale lose what the pass
// says, up to a constant: in order and in proportion.
func TestLawOnBoard(t *testing.T) {
	w := &World{ID: "t", Game: "tictactoe", Slip: 0.3, Measure: exactly, Seeds: []uint64{1, 1}, Depths: []int{1, 2}, Tested: []int{2}, Calibrate: 10}
	p := &Protocol{Worlds: []World{*w}}
	if err := p.checkWorld("w", w, catalog.All()); err != nil {
		t.Fatal(err)
	}
	b, err := newBoard(t.Context(), w, map[string]*exact.Solved{})
	if err != nil {
		t.Fatal(err)
	}
	u := damage.NewContestant(b.Sub.Evaluation, 5)
	list, err := met(t.Context(), u, w, 300, 2, 9)
	if err != nil {
		t.Fatal(err)
	}
	at := b.Numbers()
	var said, found []float64
	for _, c := range []float64{1, 1.5, 2, 3, 5, 8} {
		args := make([]float64, len(b.truth))
		for i, v := range b.truth {
			args[i] = c * v
		}
		l := &probe{slope: 1 / c, leaf: func(s game.State) float64 {
			if s.Turn() == game.Nobody {
				return s.Utility(0)
			}
			return elementary.Tanh(args[at(s.Hash())])
		}}
		var all []choice
		for _, s := range list {
			all = append(all, l.choose(s.Clone(), 2))
		}
		q := passOf(all, l.slope)
		if c == 1 && (q.Direct > 1e-9 || q.Order2 > 1e-20) {
			t.Errorf("of the truth itself the pass says %v and %v", q.Direct, q.Order2)
		}
		said = append(said, q.Direct)
		found = append(found, b.losses(b.expectimax(b.clean, args, 2), b.expect, 0)[1])
	}
	var preds []Prediction
	for i := range said {
		preds = append(preds, Prediction{Predicted: said[i], Observed: found[i]})
	}
	f := fitOf(preds, func(Prediction) bool { return true })
	if f.correlation < 0.8 || found[0] != 0 {
		t.Errorf("said %v, found %v: correlation %.2f", said, found, f.correlation)
	}
	t.Logf("said %v, found %v: correlation %.2f, slope %.2f", said, found, f.correlation, f.slope)
}
