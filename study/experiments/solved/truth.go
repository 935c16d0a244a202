package solved

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/exact"
)

// Truth measures errors of an evaluation against perfect play.
var Truth = study.Experiment{
	Name:     "truth",
	Question: "What do a wrong scale and noise cost where perfect play is known and nothing is sampled?",
	Hypothesis: "Written 2026-11-21, before the first run: on a solved board a warp costs exactly nothing without slip and something with it; " +
		"noise of the same size costs less with slip than without. From an evaluation that is calibrated (the exact value with slip .2) every warp has more regret than none; " +
		"from an imperfect one some warp may improve it. " +
		"For 2048, written on the same day before its first run here, but after caution's figures of played games had been seen: a taste for risk costs minimax exactly nothing against a hostile nature; from the calibrated evaluation it costs expectimax something from two decisions on; " +
		"noise of the same error costs expectimax more than the taste does, yet less than it costs minimax, each as a share of a random move's regret in its own world; and some taste for risk improves the hand-written evaluation.",
	Withdrawn: "That noise costs less with slip than without: planner and world changed together. Exactly, at depth 3: without slip noise costs minimax .1067; in the world with slip .3 it costs minimax .0252 and expectimax .0282. " +
		"And the contrasts of noise in 2048: those between planners changed the world too (game against hostile twin), and those between noise and a taste for risk rest on two seeds.",
	Design: "Connect four on 5 columns and 4 rows: all 3,945,711 positions, their exact values for every slip, the choices of planners of every depth at each of them, and the score of damaged against clean " +
		"over all openings of four random decisions, all by passes over the numbered positions: there is no sampling error. Two bases: the exact value with slip .2, in 200 grades, as a calibrated evaluation; and the linear one. " +
		"Warps and noise have the same error after the best affine fit; exp(4z) stands beside them at its own. Noise has several seeds, each of them exact. Regret is over the positions of random games, against perfect play in that world. Beside it pig to 50 points: what damaged planners lose of their probability to win against perfect play, all decisions counted. " +
		"And 2048 on 2x2 and 3x3, every position solved by layers of the tiles' sum, from the highest down; the quick setting ends 3x3 with the first 64. Two bases again: the exact value after a move, calibrated for the game as it is, and the hand-written evaluation. Damage is a taste for risk, exp(gain/scale), or a fear of it, -exp(-gain/scale), and noise with the same root-mean-square error after the best affine fit within trees of two decisions. " +
		"Expectimax is judged in the game, minimax against a nature that does its worst; regret is a mean over the choices that perfect play meets, and expected final scores are worked out, not played. Of equally good moves a planner draws one. Scales: that of caution and ten times as much, on 2x2 a tenth of either. (In a first sweep 30 and 300 stood beside 100; values within trees turned out to vary by 800 points, and 1,000 took their place.)",
	Takes:   []string{"game", "eval", "warp", "depth", "slip", "error"},
	Minutes: [3]float64{0.7, 7, 46},
	Run:     runTruth,
}

// truthCell is a damage in a world: a cell's key.
type truthCell struct {
	Game   string        `json:"game"`
	Eval   string        `json:"eval"`
	Base   string        `json:"base"` // exact or linear
	Damage damage.Damage `json:"damage"`
	Slip   float64       `json:"slip"`
	Depth  int           `json:"depth"` // 1 to that
	Seed   uint64        `json:"seed"`
}

// value is one cell: what the damaged planners of each depth are worth.
func evaluateCell(b *exact.Board, k truthCell) ([]exact.PolicyValue, error) {
	u := b.Subjects[k.Base]
	clean := b.CleanPolicies(k.Base, k.Slip, k.Depth)
	damaged := clean
	if k.Damage.Kind != damage.Clean {
		damaged = b.Policies(u.Damaged(u.Finish(k.Damage)), b.X[k.Base], k.Slip, k.Depth)
	}
	values := b.ExactValues(k.Slip)
	out := make([]exact.PolicyValue, k.Depth)
	for d := range out {
		out[d] = b.Assess(damaged[d], clean[d], values, k.Slip)
	}
	return out, nil
}

func runTruth(ctx context.Context, s *study.Session) (*study.Results, error) {
	spec := exact.SmallBoard
	if len(s.Over.Games) > 0 {
		if len(s.Over.Games) > 1 {
			return nil, fmt.Errorf("want one --game: its positions fill the memory")
		}
		spec = s.Over.Games[0]
	}
	if strings.HasPrefix(spec, "2048") {
		if s.Over.Warps != nil || s.Over.Slips != nil || s.Over.Error != 0 {
			return nil, fmt.Errorf("%s: takes no --warp, --slip or --error here", spec)
		}
		f := &study.Results{}
		return f, truth2048(ctx, s, f, []smallTiles{{spec, 0}})
	}
	b, err := exact.SolveBoard(ctx, s, spec)
	if err != nil {
		return nil, err
	}
	slips := study.Or(s.Over.Slips, [][]float64{{0, 0.3}, {0, 0.1, 0.3}, {0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5}}[s.Effort])
	depth := slices.Max(study.Or(s.Over.Depths, []int{s.Pick(3, 4, 8)}))
	keys, err := truthKeys(s, b, slips, depth)
	if err != nil {
		return nil, err
	}
	found, err := study.Cells(ctx, s, "positions", keys, nil, func(_ context.Context, k truthCell) ([]exact.PolicyValue, error) { return evaluateCell(b, k) })
	if err != nil {
		return nil, err
	}
	f, err := truthResults(b, keys, found, slips, depth)
	if err != nil || len(s.Over.Games) > 0 || s.Over.Eval != "" { // an evaluation of another game is none of theirs
		return f, err
	}
	if err := pigRegrets(ctx, s, f, smallPig); err != nil {
		return nil, err
	}
	boards := []smallTiles{{"2048:size=2", 0}, {"2048:size=3", 0}}
	if s.Effort == study.Quick {
		boards[1].goal = quickGoal
	}
	return f, truth2048(ctx, s, f, boards)
}

// truthKeys are the cells of a board: each base under each damage at each slip.
func truthKeys(s *study.Session, b *exact.Board, slips []float64, depth int) (keys []truthCell, err error) {
	for _, base := range []string{exact.ExactBase, exact.LinearBase} {
		e, err := b.Subjects[base].Equalise(s.Over.Error, damage.NoFeature, s.Pick(2, 5, 10))
		if err != nil {
			return nil, err
		}
		list := []damage.Damage{{}, e.Power, e.Exp, {Kind: damage.Exp, By: 4}}
		if s.Over.Warps != nil {
			warps, err := damage.WarpsOf(s)
			if err != nil {
				return nil, err
			}
			list = append([]damage.Damage{{}}, warps...)
		}
		if base == exact.ExactBase {
			list = append(list, e.Noises...)
		}
		for _, d := range list {
			for _, p := range slips {
				keys = append(keys, truthCell{b.Sub.Base.Spec, b.Sub.Digest, base, d, p, depth, s.Seed})
			}
		}
	}
	return keys, nil
}

// quickGoal is the exponent of the tile with which 2048 on 3x3 ends in the quick
// setting: 64.
const quickGoal = 6
