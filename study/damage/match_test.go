package damage

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"plyfit/internal/vectors"
	"plyfit/study"
)

func playMatch(t *testing.T, u *Subject, k Match) study.Pairs {
	t.Helper()
	k.Game, k.Eval, k.Plies, k.Seed = u.Base.Spec, u.Digest, OpeningPlies, 1
	return vectors.Must(u.Play(context.Background(), k))
}

// Planner and world are separate: in a slippery world minimax, which assumes no
// slip, plays every pair of a warp as if there were none, whatever expectimax
// makes of it; one decision ahead both planners lose alike, pair by pair, to any
// error.
func TestPlannersInOneWorld(t *testing.T) {
	u := newTestSubject(t, "connect4:columns=5,rows=4", "handwritten")
	slippery := study.World{Slip: 0.3}
	cube, noise := Damage{Kind: Power, By: 3}, Damage{Kind: Noise, By: 1, Seed: 5}
	for _, p := range playMatch(t, u, Match{World: slippery, Depth: 3, Damage: cube, Pairs: 40}) {
		if p != 2 {
			t.Fatalf("minimax and a warp: %d half points, want 2 in every pair", p)
		}
	}
	if p := playMatch(t, u, Match{World: slippery, Assumes: slippery, Depth: 3, Damage: cube, Pairs: 40}); p.Tally()[2] == 40 {
		t.Error("expectimax and a warp: no pair is lost or won")
	}
	minimax := playMatch(t, u, Match{World: slippery, Depth: 1, Damage: noise, Pairs: 60})
	expectimax := playMatch(t, u, Match{World: slippery, Assumes: slippery, Depth: 1, Damage: noise, Pairs: 60})
	if !slices.Equal(minimax, expectimax) || minimax.Tally()[2] == 60 {
		t.Errorf("one decision ahead, noise: %v under minimax, %v under expectimax; want the same and not all 2", minimax, expectimax)
	}
	if p := playMatch(t, u, Match{Depth: 1, Damage: noise, Pairs: 60}); slices.Equal(p, minimax) {
		t.Error("the world changes nothing")
	}
}

// A game with chance of its own: a hostile nature in the planner's mind is
// minimax, which no warp moves; the world rolls its dice as ever.
func TestHostileNatureInMind(t *testing.T) {
	u := newTestSubject(t, "connect4:dice=on", "handwritten")
	hard := Damage{Kind: exponential, By: 4}
	if p := playMatch(t, u, Match{Assumes: study.World{Hostile: true}, Depth: 2, Damage: hard, Pairs: 20}); p.Tally()[2] != 20 {
		t.Errorf("minimax against dice: %v half points, want 2 in every pair", p)
	}
	if p := playMatch(t, u, Match{Depth: 2, Damage: hard, Pairs: 20}); p.Tally()[2] == 20 {
		t.Error("expectimax: no pair is lost or won")
	}
}

// What a pair becomes follows from its own number, not from the part that it is
// played in; the draws of an error share no opening.
func TestOpenings(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	noises := []Damage{{Kind: Noise, By: 1, Seed: 1}, {Kind: Noise, By: 1, Seed: 2}, {Kind: Noise, By: 1, Seed: 3}}
	k := Match{Depth: 1, Damage: noises[0], Pairs: 30}
	whole := playMatch(t, u, k)
	k.From, k.Pairs = 10, 20
	if part := playMatch(t, u, k); !slices.Equal(part, whole[10:]) {
		t.Errorf("pairs 10 to 29 are %v alone and %v among 30", part, whole[10:])
	}
	seen := map[uint64]bool{}
	pairs := 0
	for _, m := range (Match{Seed: 1}).Draws(noises, 50) {
		pairs += m.Pairs
		for i := range m.Pairs {
			if seed := m.OpeningSeed(i); seen[seed] {
				t.Fatalf("%v: opening %d was played by another draw", m.Damage, i)
			} else {
				seen[seed] = true
			}
		}
	}
	if pairs != 50 {
		t.Errorf("draws play %d pairs, want 50", pairs)
	}
}

// TestYardsticks checks that yardsticks lose to the clean evaluation, the more the weaker they are.
func TestYardsticks(t *testing.T) {
	u := newTestSubject(t, "connect4", "")
	score := func(kind Kind) float64 {
		return playMatch(t, u, Match{World: study.World{Slip: 0.1}, Assumes: study.World{Slip: 0.1}, Depth: 2, Damage: Damage{Kind: kind}, Pairs: 100}).Tally().Mean()
	}
	ply, random := score(OnePly), score(Random)
	if !(random < 0.15 && random < ply && ply < 0.5) {
		t.Errorf("random scores %v, one ply less %v; want less than .15, more than that, and less than .5", random, ply)
	}
	if zero := score(Blind); !(random < zero && zero < 0.5) {
		t.Errorf("an evaluation of nothing scores %v, want between %v and .5", zero, random)
	}
	if _, err := u.Play(context.Background(), Match{Depth: 1, Damage: Damage{Kind: OnePly}, Pairs: 1}); err == nil {
		t.Error("one ply less than depth 1 is played")
	}
}

// someWarps are of each kind that a user may ask for.
func someWarps() []Damage {
	return []Damage{{Kind: Power, By: 0.5}, {Kind: Power, By: 3}, {Kind: tangent, By: 4}, {Kind: exponential, By: 2}, {Kind: exponential, By: 4}, {Kind: ranked}}
}

func TestParseWarp(t *testing.T) {
	for text, want := range map[string]Damage{
		"sqrt": {Kind: Power, By: 0.5}, "cube": {Kind: Power, By: 3}, "ranks": {Kind: ranked}, "exp:-2": {Kind: exponential, By: -2}, "tanh:4": {Kind: tangent, By: 4}, "power:2.5": {Kind: Power, By: 2.5},
	} {
		got, err := ParseWarp(text)
		if err != nil || got.Kind != want.Kind || got.By != want.By {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "square", "power", "power:0", "power:-1", "exp:0", "tanh:x", "power:40", "exp:100", "noise:1"} {
		if d, err := ParseWarp(text); err == nil || !strings.Contains(err.Error(), "warp") {
			t.Errorf("%q: %+v, %v; want an error", text, d, err)
		}
	}
}

// All warps keep the ends of the range and neighbouring grades apart.
func TestWarpsIncrease(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	for _, d := range append(someWarps(), Damage{Kind: exponential, By: -4}) {
		d = u.Finish(d)
		table := d.table()
		if math.Abs(table[0]+1) > 1e-12 || math.Abs(table[2*Grades]-1) > 1e-12 {
			t.Errorf("%v: from %v to %v", d, table[0], table[2*Grades])
		}
		if err := d.bendable(); err != nil {
			t.Error(err)
		}
	}
}

// Damages of one size have the same error, an affine map has none, and what cannot
// become so large says so, as does a sizing that was stopped.
func TestSized(t *testing.T) {
	ctx := context.Background()
	u := newTestSubject(t, "connect4", "handwritten")
	if m := u.Misfit(AffineControl); m > 1e-6 {
		t.Errorf("an affine map has error %v", m)
	}
	feature := vectors.Must(u.Underweighted(ctx, ""))
	list := append(u.Solo(2), feature)
	common := vectors.Must(u.CommonSize(ctx, list))
	for _, size := range []float64{common, common / 2} {
		for _, k := range list {
			d := vectors.Must(u.Sized(ctx, k, size))
			if m := u.Misfit(d[0]); math.Abs(m-size) > 0.004 {
				t.Errorf("%v has error %.4f, want %.4f", d[0], m, size)
			}
		}
	}
	if _, err := u.Sized(ctx, list[0], 0.9); err == nil {
		t.Error("an error of .9 is out of reach")
	}
	if _, err := u.Underweighted(ctx, "no-such-term"); err == nil {
		t.Error("no such feature")
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	if _, err := u.Sized(stopped, list[0], common); err == nil {
		t.Error("a sizing that was stopped goes on")
	}
	if _, err := u.CommonSize(stopped, list); err == nil {
		t.Error("the common size is looked for though that was stopped")
	}
	if _, err := newSubject(stopped, u.Evaluation, 1); err == nil {
		t.Error("leaves are sampled though that was stopped")
	}
	if _, err := vectors.Must(u.Planner(study.World{Slip: 0.2}, 4, Damage{})).Search(stopped, u.Positions(0, 1)[0]); err == nil {
		t.Error("a planner that was stopped names a move")
	}
}

// The noise of a position has mean 0 and deviation 1 over positions, and differs
// from seed to seed.
func TestNormal(t *testing.T) {
	const n = 40000
	var sum, squares, across float64
	for i := range uint64(n) {
		x, y := normal(i*77, 1), normal(i*77, 2)
		sum += x
		squares += x * x
		across += x * y
	}
	if m := sum / n; math.Abs(m) > 0.02 {
		t.Errorf("mean %v", m)
	}
	if v := squares / n; math.Abs(v-1) > 0.03 {
		t.Errorf("variance %v", v)
	}
	if c := across / n; math.Abs(c) > 0.02 {
		t.Errorf("covariance of two seeds %v", c)
	}
}

// FuzzWarp: what is read as a warp does not panic on its range.
func FuzzWarp(f *testing.F) {
	for _, text := range []string{"sqrt", "cube", "ranks", "power:2", "tanh:3", "exp:4", "exp:-1e9", "power:NaN", "exp:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseWarp(text); err != nil && err.Error() == "" {
			t.Error("an error without a text")
		}
	})
}
