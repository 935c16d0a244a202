package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"plyfit/internal/report"
)

var truth = Experiment{
	Name:     "truth",
	Question: "What do a wrong scale and noise cost where perfect play is known and nothing is sampled?",
	Hypothesis: "Written 2026-11-21, before the first run: on a solved board a warp costs exactly nothing without slip and something with it; " +
		"noise of the same size costs less with slip than without. From an evaluation that is calibrated (the exact value with slip .2) every warp has more regret than none; " +
		"from an imperfect one some warp may improve it. " +
		"For 2048, written on the same day before its first run here, but after caution's figures of played games had been seen: a taste for risk costs minimax exactly nothing against a hostile nature; from the calibrated evaluation it costs expectimax something from two decisions on; " +
		"noise of the same error costs expectimax more than the taste does, yet less than it costs minimax, each as a share of a random move's regret in its own world; and some taste for risk improves the hand-written evaluation.",
	Design: "Connect four on 5 columns and 4 rows: all 3,945,711 positions, their exact values for every slip, the choices of planners of every depth at each of them, and the score of damaged against clean " +
		"over all openings of four random decisions, all by passes over the numbered positions: there is no sampling error. Two bases: the exact value with slip .2, in 200 grades, as a calibrated evaluation; and the linear one. " +
		"Warps and noise have the same error after the best affine fit; exp(4z) stands beside them at its own. Noise has several seeds, each of them exact. Regret is over the positions of random games, against perfect play in that world. Beside it pig to 50 points: what damaged planners lose of their probability to win against perfect play, all decisions counted. " +
		"And 2048 on 2x2 and 3x3, every position solved by layers of the tiles' sum, from the highest down; the quick setting ends 3x3 with the first 64. Two bases again: the exact value after a move, calibrated for the game as it is, and the hand-written evaluation. Damage is a taste for risk, exp(gain/scale), or a fear of it, -exp(-gain/scale), and noise with the same root-mean-square error after the best affine fit within trees of two decisions. " +
		"Expectimax is judged in the game, minimax against a nature that does its worst; regret is a mean over the choices that perfect play meets, and expected final scores are worked out, not played. Of equally good moves a planner draws one. Scales were set before the first run: that of caution, and 3 and 1/3 times as much; on 2x2 a tenth of them.",
	Takes:   []string{"game", "eval", "warp", "depth", "slip", "error"},
	Minutes: [3]float64{1, 13, 46},
	Run:     runTruth,
}

// truthCell is a damage in a world: a cell's key.
type truthCell struct {
	Game   string  `json:"game"`
	Eval   string  `json:"eval"`
	Base   string  `json:"base"` // exact or linear
	Damage Damage  `json:"damage"`
	Slip   float64 `json:"slip"`
	Depth  int     `json:"depth"` // 1 to that
	Seed   uint64  `json:"seed"`
}

// calibratedAt is the slip whose exact values are the calibrated base.
const calibratedAt = 0.2

// bases of the evaluation on the solved board.
const (
	exactBase  = "exact"
	linearBase = "linear"
)

// board is a solved game with what its cells share.
type board struct {
	*Solved
	see  map[string][]float64 // x at each position, by base
	subs map[string]*Subject  // with the leaves' x of the base

	mu    sync.Mutex
	exact map[float64][]float64
	clean map[string][][]uint8
}

func (s *Session) board(ctx context.Context, spec string) (*board, error) {
	u, err := s.Subject(spec)
	if err != nil {
		return nil, err
	}
	g, err := Solve(ctx, u)
	if err != nil {
		return nil, err
	}
	b := &board{Solved: g, see: map[string][]float64{linearBase: g.x}, subs: map[string]*Subject{linearBase: u}, exact: map[float64][]float64{}, clean: map[string][][]uint8{}}
	calibrated := make([]float64, g.Len())
	for i, v := range b.values(calibratedAt) {
		calibrated[i] = math.Atanh(math.Max(-0.9999, math.Min(0.9999, v)))
	}
	b.see[exactBase] = calibrated
	at := make(map[uint64]int, len(u.leaves))
	for i := range u.leaves {
		at[u.leaves[i].hash] = -1
	}
	for i, h := range g.hash {
		if _, wanted := at[h]; wanted {
			at[h] = i
		}
	}
	exact := *u
	exact.leaves = slices.Clone(u.leaves)
	for i := range exact.leaves {
		l := &exact.leaves[i]
		l.x = calibrated[at[l.hash]]
	}
	exact.rank()
	b.subs[exactBase] = &exact
	return b, nil
}

func (b *board) values(slip float64) []float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.exact[slip] == nil {
		b.exact[slip] = b.Values(slip)
	}
	return b.exact[slip]
}

// cleanPolicies are those of the undamaged evaluation.
func (b *board) cleanPolicies(base string, slip float64, depth int) [][]uint8 {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := fmt.Sprint(base, slip, depth)
	if b.clean[key] == nil {
		b.clean[key] = b.Policies(b.sub.lens(Damage{}), b.see[base], slip, depth)
	}
	return b.clean[key]
}

// judge is one cell: what the damaged planners of each depth are worth.
func (b *board) judge(_ context.Context, k truthCell) ([]Judged, error) {
	u := b.subs[k.Base]
	clean := b.cleanPolicies(k.Base, k.Slip, k.Depth)
	damaged := clean
	if k.Damage.Kind != Clean {
		damaged = b.Policies(u.lens(u.finish(k.Damage)), b.see[k.Base], k.Slip, k.Depth)
	}
	exact := b.values(k.Slip)
	out := make([]Judged, k.Depth)
	for d := range out {
		out[d] = b.Judge(damaged[d], clean[d], exact, k.Slip)
	}
	return out, nil
}

// smallBoard is connect four that is solved in seconds.
const smallBoard = "connect4:columns=5,rows=4"

func runTruth(ctx context.Context, s *Session) (*Findings, error) {
	spec := smallBoard
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
		f := &Findings{}
		return f, s.truth2048(ctx, f, []smallTiles{{spec, 0}})
	}
	b, err := s.board(ctx, spec)
	if err != nil {
		return nil, err
	}
	slips := or(s.Over.Slips, [][]float64{{0, 0.3}, {0, 0.1, 0.2, 0.3}, {0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5}}[s.Setting])
	depth := slices.Max(or(s.Over.Depths, []int{s.Pick(3, 6, 8)}))
	var keys []truthCell
	for _, base := range []string{exactBase, linearBase} {
		e, err := b.subs[base].Equalise(s.Over.Error, noFeature, s.Pick(2, 5, 10))
		if err != nil {
			return nil, err
		}
		list := []Damage{{}, e.Power, e.Exp, {Kind: Exp, By: 4}}
		if s.Over.Warps != nil {
			warps, err := warpsOf(s)
			if err != nil {
				return nil, err
			}
			list = append([]Damage{{}}, warps...)
		}
		if base == exactBase {
			list = append(list, e.Noises...)
		}
		for _, d := range list {
			for _, p := range slips {
				keys = append(keys, truthCell{b.sub.Base.Spec, b.sub.Digest, base, d, p, depth, s.Seed})
			}
		}
	}
	found, err := Cells(ctx, s, "positions", keys, nil, b.judge)
	if err != nil {
		return nil, err
	}
	f, err := truthFindings(b, keys, found, slips, depth)
	if err != nil || len(s.Over.Games) > 0 || s.Over.Eval != "" { // an evaluation of another game is none of theirs
		return f, err
	}
	if err := s.pigRegrets(ctx, f, smallPig); err != nil {
		return nil, err
	}
	boards := []smallTiles{{"2048:size=2", 0}, {"2048:size=3", 0}}
	if s.Setting == Quick {
		boards[1].goal = quickGoal
	}
	return f, s.truth2048(ctx, f, boards)
}

// quickGoal is the exponent of the tile with which 2048 on 3x3 ends in the quick
// setting: 64.
const quickGoal = 6

// solvedLine is what is known of a damage, or of all seeds of noise, by slip
// and depth.
type solvedLine struct {
	damage Damage
	of     map[float64][][]Judged // by slip and depth: one a seed
}

// interval is the mean over seeds of noise, with its range as the interval: the
// seeds are all that was drawn.
func (l *solvedLine) interval(slip float64, depth int, of func(Judged) float64) Interval {
	var x []float64
	for _, j := range l.of[slip][depth-1] {
		x = append(x, of(j))
	}
	i := Interval{Low: slices.Min(x), High: slices.Max(x)}
	for _, v := range x {
		i.Value += v / float64(len(x))
	}
	if len(x) == 1 {
		i.Value = x[0]
	}
	return i
}

func truthLines(base string, keys []truthCell, found [][]Judged, depth int) []*solvedLine {
	var lines []*solvedLine
	for i, k := range keys {
		if k.Base != base {
			continue
		}
		var l *solvedLine
		for _, have := range lines {
			if have.damage.Kind == k.Damage.Kind && (k.Damage.Kind == Noise || have.damage.String() == k.Damage.String()) {
				l = have
			}
		}
		if l == nil {
			l = &solvedLine{k.Damage, map[float64][][]Judged{}}
			lines = append(lines, l)
		}
		if l.of[k.Slip] == nil {
			l.of[k.Slip] = make([][]Judged, depth)
		}
		for d := range depth {
			l.of[k.Slip][d] = append(l.of[k.Slip][d], found[i][d])
		}
	}
	return lines
}

func score(j Judged) float64  { return round(j.Score, 12) } // sums of millions are rounded
func regret(j Judged) float64 { return j.Regret / j.Random }

func truthFindings(b *board, keys []truthCell, found [][]Judged, slips []float64, depth int) (*Findings, error) {
	f := &Findings{Notes: []string{fmt.Sprintf("%s has %d positions and %d moves. Bars on noise are its seeds' range; everything else is exact.", b.sub.Base.Spec, b.Len(), len(b.next))}}
	data := Data{Name: "cells", Head: []string{"game", "base", "damage", "noise_seed", "misfit", "slip", "depth", "regret", "random_regret", "worse_choices", "score"}}
	for i, k := range keys {
		for d, j := range found[i] {
			data.Row(k.Game, k.Base, k.Damage, k.Damage.Seed, round(b.subs[k.Base].Misfit(k.Damage), 4), k.Slip, d+1, j.Regret, j.Random, j.Worse, score(j))
		}
	}
	f.Data = append(f.Data, data)
	lines := truthLines(exactBase, keys, found, depth)
	if err := truthFigures(f, b, lines, slips, depth); err != nil {
		return nil, err
	}
	linear := truthLines(linearBase, keys, found, depth)
	f.Tables = append(f.Tables,
		truthTable("The calibrated base: the exact value with slip 0.2", b.subs[exactBase], lines, slips, depth),
		truthTable("The imperfect base: the linear evaluation. Where a warp's regret is below that of clean, it improved it", b.subs[linearBase], linear, slips, depth))
	truthVerdicts(f, lines, linear, slips, depth)
	return f, nil
}

func truthFigures(f *Findings, b *board, lines []*solvedLine, slips []float64, depth int) error {
	series := func(x []float64, y func(l *solvedLine, x float64) Interval, from int) []line {
		var out []line
		for k, l := range lines[from:] {
			s := line{name: l.damage.label(b.subs[exactBase]), style: from + k + 1}
			for _, v := range x {
				s.add(v, y(l, v))
			}
			out = append(out, s)
		}
		return out
	}
	left := panel(fmt.Sprintf("Score against the clean evaluation, depth %d", min(shown, depth)), "probability p that a move slips", "share of the points", slips,
		series(slips, func(l *solvedLine, p float64) Interval { return l.interval(p, min(shown, depth), score) }, 1))
	left.Level = ptr(0.5)
	most := slices.Max(slips)
	var depths []float64
	for d := range depth {
		depths = append(depths, float64(d+1))
	}
	right := panel(fmt.Sprintf("True regret, p = %v", most), "depth, decisions", "regret, percent of a random move's", depths,
		series(depths, func(l *solvedLine, d float64) Interval {
			i := l.interval(most, int(d), regret)
			return Interval{100 * i.Value, 100 * i.Low, 100 * i.High}
		}, 0))
	right.YMin = ptr(0)
	fig, err := figure("solved", "Damage to a calibrated evaluation, "+b.sub.Base.Spec+", all positions",
		"Exact: no position and no game was sampled. Bars on noise are the range of its seeds. The evaluation is the exact value with slip 0.2, in 200 grades.", left, right)
	f.Figures = append(f.Figures, fig)
	return err
}

// label is the name in legends, with the error where it has one.
func (d Damage) label(u *Subject) string {
	switch d.Kind {
	case Clean:
		return "clean"
	case Noise:
		return fmt.Sprintf("noise, error %.2f", u.Misfit(d))
	}
	return fmt.Sprintf("%v, error %.2f", d, u.Misfit(d))
}

func truthTable(caption string, u *Subject, lines []*solvedLine, slips []float64, depth int) report.Table {
	t := report.Table{Head: []string{"damage", "slip", "depth", "regret, %", "worse choices, %", "score"}, Words: 1, Caption: caption + ". Regret: of a random move's, against perfect play in that world."}
	for _, l := range lines {
		for _, p := range slips {
			for _, d := range []int{min(2, depth), depth} {
				worse := l.interval(p, d, func(j Judged) float64 { return j.Worse })
				t.Rows = append(t.Rows, []string{l.damage.label(u), fmt.Sprint(p), fmt.Sprint(d), Interval{100 * l.interval(p, d, regret).Value, 0, 0}.plain(2),
					Interval{100 * worse.Value, 0, 0}.plain(1), l.interval(p, d, score).Format(4)})
			}
		}
	}
	return t
}

// plain prints the figure without its interval.
func (i Interval) plain(places int) string { return number(i.Value, places) }

func truthVerdicts(f *Findings, lines, linear []*solvedLine, slips []float64, depth int) {
	least, most := slices.Min(slips), slices.Max(slips)
	if least > 0 || most == 0 {
		return
	}
	clean := lines[0]
	warps, costly := 0, 0
	contrast := func(l *solvedLine, depth int) Interval { // loss with slip less loss without
		a, b := l.interval(0, depth, score), l.interval(most, depth, score)
		return Interval{a.Value - b.Value, a.Low - b.High, a.High - b.Low}
	}
	// At the depth of the headline, and as far as the experiment looks.
	looks := []int{min(shown, depth)}
	if depth > shown {
		looks = append(looks, depth)
	}
	var noise Interval
	for _, l := range lines[1:] {
		name := l.damage.String()
		if l.damage.Kind == Noise {
			name = "noise"
			noise = contrast(l, looks[0])
		} else {
			warps++
			free := l.interval(0, depth, score)
			f.Verdicts = append(f.Verdicts, Judge(name+" costs exactly nothing without slip", free, Equals, 0.5, "score "+free.Format(4)))
		}
		for i, d := range looks {
			c := contrast(l, d)
			if l.damage.Kind == Noise {
				f.Verdicts = append(f.Verdicts, Judge(fmt.Sprintf("noise costs less with slip %v than without, depth %d", most, d), c, Below, 0, "loss of score with slip less loss without: "+c.Format(4)+", seeds' range"))
				continue
			}
			v := Judge(fmt.Sprintf("%s costs more with slip %v than without, depth %d", name, most, d), c, Above, 0, "loss of score with slip less loss without: "+c.Format(4)+", exact")
			if i == 0 && v.Outcome == Supported {
				costly++
			}
			f.Verdicts = append(f.Verdicts, v)
		}
		if l.damage.Kind != Noise {
			r := exactly(l.interval(most, depth, regret).Value - clean.interval(most, depth, regret).Value)
			f.Verdicts = append(f.Verdicts, Judge(fmt.Sprintf("from a calibrated evaluation %s has more true regret than none at slip %v", name, most), r, Above, 0, fmt.Sprintf("%.3f%% of a random move's more, exact", 100*r.Value)))
		}
	}
	better, at := 0.0, ""
	for _, l := range linear[1:] {
		for _, p := range slips {
			for d := 2; d <= depth && p > 0; d++ {
				if gain := linear[0].interval(p, d, regret).Value - l.interval(p, d, regret).Value; gain > better {
					better, at = gain, fmt.Sprintf("%v at slip %v, depth %d", l.damage, p, d)
				}
			}
		}
	}
	where := fmt.Sprintf("%s: %.2f%% of a random move's regret less", at, 100*better)
	if at == "" {
		where = "none did"
	}
	f.Verdicts = append(f.Verdicts, Judge("some warp improves the imperfect linear evaluation", exactly(better), Above, 0, where))
	than := "less"
	if noise.Value > 0 {
		than = "more"
	}
	f.Headline = fmt.Sprintf("On a solved board, all positions counted, %d decisions ahead: %d of %d warps of a calibrated evaluation cost exactly nothing without slip and something with slip %v; noise costs %.3f of the points %s with slip than without.",
		looks[0], costly, warps, most, math.Abs(noise.Value), than)
}

// shown is the depth of the figure of scores and of the headline.
const shown = 3
