package confirm

import (
	"context"
	"fmt"
	"math"

	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/learn"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/exact"
)

// board is a solved world: with it, what a policy loses is counted, not sampled.
type board struct {
	*exact.Solved
	world  *World
	depth  int // the greatest
	truth  []float64
	clean  *damage.Damaged
	expect [][]uint8 // by depth: expectimax with the truth at its leaves
	fear   [][]uint8 // minimax with it
}

// newBoard solves a world; solved are the games that are solved already.
func newBoard(ctx context.Context, w *World, solved map[string]*exact.Solved) (*board, error) {
	if solved[w.Game] == nil {
		e, err := damage.NewEvaluation(w.base, "handwritten")
		if err != nil {
			return nil, err
		}
		if solved[w.Game], err = exact.Solve(ctx, damage.NewContestant(e, 1)); err != nil {
			return nil, err
		}
	}
	b := &board{Solved: solved[w.Game], world: w, depth: w.Depths[len(w.Depths)-1]}
	b.clean = b.Sub.Damaged(damage.Damage{})
	b.truth = make([]float64, b.Len())
	for i, v := range b.Values(w.Slip) {
		b.truth[i] = elementary.Atanh(math.Max(-0.9999, math.Min(0.9999, v)))
	}
	b.expect, b.fear = b.expectimax(b.clean, b.truth, b.depth), b.minimax(b.clean, b.truth, b.depth)
	return b, nil
}

func (b *board) expectimax(l *damage.Damaged, args []float64, depth int) [][]uint8 {
	return b.PoliciesIn(l, args, b.world.Slip, damage.Averages, depth)
}

func (b *board) minimax(l *damage.Damaged, args []float64, depth int) [][]uint8 {
	return b.PoliciesIn(l, args, 0, damage.Opposes, depth)
}

// losses are what policies lose to others by depth; further is how many decisions deeper
// they look.
func (b *board) losses(of, to [][]uint8, further int) []float64 {
	out := make([]float64, b.depth)
	for d := range out {
		out[d] = study.Round(0.5-b.Score(of[d+further], to[d], b.world.Slip), 12) // sums of millions are rounded
	}
	return out
}

// boardKey is a cell's key.
type boardKey struct {
	Game     string      `json:"game"`
	World    study.World `json:"world"`
	Eval     string      `json:"eval"`
	Platt    string      `json:"platt"` // digests of curves
	Isotonic string      `json:"isotonic"`
	Depth    int         `json:"depth"`
	Planted  float64     `json:"planted,omitempty"`
	Seed     uint64      `json:"seed,omitempty"` // of what is planted
}

// Arms are what an evaluation loses by depth, from 1: a cell's result. On a board at
// every depth, elsewhere 0 where it is not measured.
type Arms struct {
	Minimax        []float64 `json:"minimax"`
	Expectimax     []float64 `json:"expectimax"`
	Platt          []float64 `json:"platt"` // expectimax, calibrated
	Isotonic       []float64 `json:"isotonic"`
	MinimaxMore    []float64 `json:"minimax_more"` // one decision farther
	ExpectimaxMore []float64 `json:"expectimax_more"`

	// Errors that were planted at one misfit, against the evaluation without them.
	NoiseMinimax []float64 `json:"noise_minimax,omitempty"`
	Noise        []float64 `json:"noise,omitempty"`
	Steep        []float64 `json:"steep,omitempty"`
}

// exactly works out the units of a solved world.
func (p *Protocol) exactly(ctx context.Context, s *study.Session, b *board, units []*unit) ([]Arms, error) {
	var keys []boardKey
	of := map[boardKey]*unit{}
	for _, u := range units {
		c := u.calibration
		k := boardKey{Game: b.world.Game, World: b.world.expectimax(), Eval: u.subject.Digest, Platt: c.ByPlatt().Model, Isotonic: c.ByIsotonic().Model, Depth: b.depth}
		if b.world.Planted > 0 && u.source.Base {
			k.Planted, k.Seed = b.world.Planted, named(u.own, "planted")
		}
		keys, of[k] = append(keys, k), u
	}
	return study.Cells(ctx, s, p.title("boards of "+b.world.ID), keys, nil, func(ctx context.Context, k boardKey) (Arms, error) {
		return b.arms(ctx, of[k], k)
	})
}

// arms are what a unit loses.
func (b *board) arms(ctx context.Context, u *unit, k boardKey) (out Arms, err error) {
	args := b.Arguments(u.subject.Argument(u.subject.Model).Of)
	raw, hostile := b.expectimax(b.clean, args, b.depth+1), b.minimax(b.clean, args, b.depth+1)
	out.Minimax, out.MinimaxMore = b.losses(hostile, b.fear, 0), b.losses(hostile, b.fear, 1)
	out.Expectimax, out.ExpectimaxMore = b.losses(raw, b.expect, 0), b.losses(raw, b.expect, 1)
	if err := ctx.Err(); err != nil {
		return out, err
	}
	calibrated := func(d damage.Damage) []float64 {
		return b.losses(b.expectimax(b.Sub.Damaged(d), args, b.depth), b.expect, 0)
	}
	out.Platt, out.Isotonic = calibrated(u.calibration.ByPlatt()), calibrated(u.calibration.ByIsotonic())
	if k.Planted == 0 || ctx.Err() != nil {
		return out, ctx.Err()
	}
	planted := damage.NewContestant(u.subject.Evaluation, k.Seed)
	if err := planted.Pool(); err != nil {
		return out, err
	}
	noise, err := planted.Sized(ctx, planted.Drawn("noise", mostNoise, 1, func(by float64, seed uint64) damage.Damage {
		return damage.Damage{Kind: damage.Noise, By: by, Seed: seed}
	}), k.Planted)
	if err != nil {
		return out, err
	}
	steep, err := planted.Sized(ctx, damage.Scales()[1], k.Planted)
	if err != nil {
		return out, err
	}
	l := b.Sub.Damaged(noise[0])
	out.Noise = b.losses(b.expectimax(l, args, b.depth), raw, 0)
	out.NoiseMinimax = b.losses(b.minimax(l, args, b.depth), hostile, 0)
	out.Steep = b.losses(b.expectimax(b.Sub.Damaged(steep[0]), args, b.depth), raw, 0)
	return out, nil
}

// mostNoise is the strongest noise that is tried, of the link's argument.
const mostNoise = 8

// blind are the losses of planners without an evaluation.
func (b *board) blind() (minimax, expectimax []float64) {
	l := b.Sub.Blind()
	return b.losses(b.minimax(l, b.truth, b.depth), b.fear, 0), b.losses(b.expectimax(l, b.truth, b.depth), b.expect, 0)
}

// controls are what a board must show, of which the last two could fail by the design:
// of a planted error of scale Platt's calibration takes .3 at least (not all, since grades
// next to the ends of the range are lost), and one of order is not taken for one of scale.
// Where a planted error costs too little nothing is said. A board at which one of these
// fails is left out; the first, a theorem, takes all verdicts back.
func (b *board) controls(ctx context.Context) ([]study.Check, error) {
	name := func(text string) string { return b.world.ID + ": " + text }
	var out []study.Check
	same := b.losses(b.expectimax(b.clean, b.truth, b.depth), b.expect, 0)
	out = append(out, study.Check{Name: name("the truth at the leaves loses nothing"), Passed: largest(same) == 0, Figure: fmt.Sprintf("at most %.3g", largest(same))})
	if b.depth < plantedDepth {
		return out, nil
	}
	steeper := func(v float64, i int) float64 { return float64(plantedScale * v) }
	noisy := func(v float64, i int) float64 {
		return v + float64(plantedNoise*damage.Normal(uint64(i), game.Seed(b.world.Seeds[0], 0xc0)))
	}
	for _, c := range []struct {
		text string
		bend func(v float64, i int) float64
		low  float64 // that Platt's calibration takes of the loss
		high float64
	}{{"a planted error of scale is mended by calibrating", steeper, 0.3, 1.01}, {"a planted error of order is not taken for one of scale", noisy, -0.2, 0.3}} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		args := make([]float64, len(b.truth))
		for i, v := range b.truth {
			args[i] = c.bend(v, i)
		}
		loss := b.losses(b.expectimax(b.clean, args, b.depth), b.expect, 0)[plantedDepth-1]
		platt := damage.Calibration{Platt: learn.Platt{Slope: b.slope(args)}}.ByPlatt()
		left := b.losses(b.expectimax(b.Sub.Damaged(platt), args, b.depth), b.expect, 0)[plantedDepth-1]
		share := 1 - left/loss
		out = append(out, study.Check{Name: name(c.text), Passed: share >= c.low && share <= c.high || loss < leastPlanted, Figure: fmt.Sprintf("takes %.3f of a loss of %.4f", share, loss)})
	}
	return out, nil
}

// slope is Platt's for arguments of tanh beside the truth, by least squares over what
// random games meet.
func (b *board) slope(args []float64) float64 {
	off := func(slope float64) (sum float64) {
		for i, x := range args {
			d := elementary.Tanh(slope*x) - elementary.Tanh(b.truth[i])
			sum += float64(b.Reach(i) * float64(d*d))
		}
		return sum
	}
	low, high := 0.0, 3.0
	for high-low > 1e-3 {
		a, c := low+(high-low)/3, high-(high-low)/3
		if off(a) < off(c) {
			high = c
		} else {
			low = a
		}
	}
	return (low + high) / 2
}

const (
	plantedDepth = 2
	plantedScale = 6
	plantedNoise = 0.5   // of log odds over 2
	leastPlanted = 0.002 // loss that says something
)

func largest(x []float64) (most float64) {
	for _, v := range x {
		most = math.Max(most, math.Abs(v))
	}
	return most
}
