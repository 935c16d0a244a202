package experiments

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/experiments/draw"
)

var warp = study.Experiment{
	Name:     "warp",
	Question: "What does a strictly increasing warp of an evaluation cost under minimax, and what where there is chance?",
	Hypothesis: "Written 2026-11-21, before the first run: under minimax without chance no warp changes a single move. " +
		"Where there is chance every warp changes moves and costs points, the more the more chance there is, as soon as one looks two decisions ahead or more; " +
		"with one decision nothing changes at any slip, and a positive affine map changes nothing anywhere.",
	Withdrawn: "That exp(4z) costs more at slip .1 than at .3, which stood as a contradiction. Scores of two worlds are not comparable: the more luck, the less any mistake costs. As a share of a random move's its regret rises with slip.",
	Design: "One frozen evaluation a game, in 200 grades from the middle to a win, seen through strictly increasing warps; ends of the game and bounds are warped with it, " +
		"and the warp acts on the view of the player at the root. The same positions (6 to 20 random decisions from the start, no end at hand) and the same pairs of games " +
		"(openings of 8 random decisions, slips and dice in common, seats swapped) serve all warps. A move counts as changed where the clean search of the same depth holds it for worse than its best: " +
		"compared exactly where nothing is averaged, else with a tolerance of 1e-12. Regret is judged by that clean search and divided by that of a random move. " +
		"Under minimax without chance matches are short: where no move changes, every pair is the same two games. " +
		"Sample size: in a pilot the standard deviation of a pair's score was .29, so that 600 pairs give an interval of +-.023; the quick setting's 300 +-.03.",
	Takes:   []string{"game", "eval", "warp", "depth", "slip", "positions", "pairs"},
	Minutes: [3]float64{0.2, 5, 120},
	Run:     runWarp,
}

// arm is a game with the worlds in which the experiment tries it.
type arm struct {
	spec    string
	depths  []int
	slips   []float64
	hostile bool // its hostile twin beside it, in which nothing is averaged
	share   int  // of the positions and pairs: one in so many

	*damage.Subject
}

func warpArms(s *study.Session) ([]*arm, error) {
	arms := []*arm{{spec: "connect4", depths: []int{2, 3, 4}, slips: []float64{0, 0.1, 0.2, 0.3}, share: 1}}
	switch {
	case s.Over.Games != nil:
		arms = nil
		for _, g := range s.Over.Games {
			arms = append(arms, &arm{spec: g, depths: []int{2, 3}, slips: []float64{0, 0.1, 0.2, 0.3}, share: 1})
		}
	case s.Effort == study.Quick:
		arms[0].depths = []int{2, 3}
		arms = append(arms, &arm{spec: "connect4:dice=on", depths: []int{2}, slips: []float64{0}, share: 4})
	default:
		arms = append(arms,
			&arm{spec: "connect4:dice=on", depths: []int{2, 3}, slips: []float64{0}, share: 1},
			&arm{spec: "othello", depths: []int{2}, slips: []float64{0, 0.1, 0.2}, share: 4},
		)
		if s.Effort == study.Full {
			arms = append(arms, &arm{spec: "backgammon", depths: []int{1, 2}, slips: []float64{0}, hostile: true, share: 40})
		}
	}
	for _, a := range arms {
		a.depths, a.slips = study.Or(s.Over.Depths, a.depths), study.Or(s.Over.Slips, a.slips)
		var err error
		if a.Subject, err = damage.LoadSubject(s, a.spec); err != nil {
			return nil, err
		}
		if a.Base.Chancy() && len(a.slips) > 1 {
			a.slips = []float64{0} // it has chance of its own
		}
		a.spec = a.Base.Spec
	}
	return arms, nil
}

// warpCell is one place of the experiment: an arm, a depth, a slip, a warp.
type warpCell struct {
	*arm
	depth   int
	slip    float64
	hostile bool
	warp    damage.Damage
	changed study.Interval
	regret  study.Interval
	moves   float64 // changed moves, counted
	seen    int
	tally   study.Tally
	score   study.Interval
	losses  []float64 // shares of the points, by opening
	ply     []float64 // what the same planner loses there that looks one ply less deep
	plies   study.Interval
}

// inPlies prints the loss in plies; - where a ply is not clearly worth anything.
func (c *warpCell) inPlies() string {
	if !c.averages() {
		return "0"
	}
	if c.ply == nil || math.IsInf(c.plies.Low, -1) {
		return "-"
	}
	return c.plies.Format(1)
}

// averages reports whether there is chance in the cell.
func (c *warpCell) averages() bool { return c.slip > 0 || c.Base.Chancy() && !c.hostile }

func (c *warpCell) world() string {
	switch {
	case c.hostile:
		return c.spec + "+adversary"
	case c.slip > 0:
		return fmt.Sprintf("%s+slip=%v", c.spec, c.slip)
	}
	return c.spec
}

func runWarp(ctx context.Context, s *study.Session) (*study.Results, error) {
	warps, err := damage.WarpsOf(s)
	if err != nil {
		return nil, err
	}
	arms, err := warpArms(s)
	if err != nil {
		return nil, err
	}
	cells, err := warpChoices(ctx, s, arms, append(slices.Clone(warps), damage.AffineControl))
	if err != nil {
		return nil, err
	}
	played, err := warpDuels(ctx, s, cells)
	if err != nil {
		return nil, err
	}
	f, err := warpResults(arms, warps, cells)
	if err == nil {
		f.Data = append(f.Data, damage.PairData("matches", played)...)
	}
	return f, err
}

// subjectsOf are the arms' subjects by the name of their game.
func subjectsOf(arms []*arm) map[string]*damage.Subject {
	m := map[string]*damage.Subject{}
	for _, a := range arms {
		m[a.spec] = a.Subject
	}
	return m
}

// warpChoices searches positions, one decision ahead and as far as the arms
// have it.
func warpChoices(ctx context.Context, s *study.Session, arms []*arm, damages []damage.Damage) ([]*warpCell, error) {
	positions := s.Positions(300, 600, 10000)
	var cells []*warpCell
	for _, a := range arms {
		var keys []damage.Choices
		depths := a.depths
		if !slices.Contains(depths, 1) && !a.Base.Chancy() {
			depths = append([]int{1}, depths...)
		}
		for _, d := range depths {
			keys = append(keys, damage.Choices{Game: a.spec, Eval: a.Digest, Slips: a.slips, Depth: d, Damages: damages})
			if a.hostile {
				keys = append(keys, damage.Choices{Game: a.spec, Eval: a.Digest, Slips: []float64{0}, Depth: d, Damages: damages, Hostile: true})
			}
		}
		found, err := damage.ChooseAll(ctx, s, "choices in "+a.spec, subjectsOf(arms), keys, max(damage.CellPositions, positions/a.share))
		if err != nil {
			return nil, err
		}
		for i, k := range keys {
			r := &found[i]
			for j, p := range k.Slips {
				for l, d := range damages {
					at := j*len(damages) + l
					c := &warpCell{arm: a, depth: k.Depth, slip: p, hostile: k.Hostile, warp: d, seen: len(r.Changed[at])}
					for _, x := range r.Changed[at] {
						c.moves += x
					}
					c.changed, c.regret = study.Exactly(c.moves/float64(c.seen)), study.Exactly(0)
					if c.moves > 0 {
						c.changed = study.MeanOf(r.Changed[at], s.Seed)
						c.regret = study.RatioOf(r.Regret[at], r.Random[j], s.Seed)
					}
					cells = append(cells, c)
				}
			}
		}
	}
	return cells, nil
}

// fewPairs are enough where no move changes.
const fewPairs = 10

// warpDuels plays the matches of the cells that search two decisions deep or more.
func warpDuels(ctx context.Context, s *study.Session, cells []*warpCell) ([]damage.Played, error) {
	pairs := s.Pairs(300, 600, 10000)
	subjects := damage.Subjects{}
	var matches []damage.Match
	var of []*warpCell
	yards := map[yardstick]int{} // the place of the match of one ply less
	for _, c := range cells {
		if c.warp.Kind == damage.Affine || !slices.Contains(c.depths, c.depth) {
			continue
		}
		subjects.Add(c.Subject)
		world := study.World{Slip: c.slip, Hostile: c.hostile}
		d := damage.Match{Game: c.spec, Eval: c.Digest, World: world, Assumes: world, Depth: c.depth, Damage: c.warp, Plies: damage.OpeningPlies, Pairs: max(damage.CellPairs, pairs/c.share)}
		if !c.averages() {
			d.Pairs = fewPairs
		}
		matches, of = append(matches, d), append(of, c)
		if yard := yardstickOf(c); c.averages() && c.depth > 1 && yards[yard] == 0 {
			yards[yard] = len(matches)
			d.Damage, d.Anchor = damage.Damage{}, damage.OnePly
			matches, of = append(matches, d), append(of, nil)
		}
	}
	played, err := damage.PlayAll(ctx, s, "matches", subjects, matches)
	if err != nil {
		return nil, err
	}
	for i, p := range played {
		c := of[i]
		if c == nil {
			continue
		}
		t := p.Points.Tally()
		c.tally, c.score, c.losses = t, study.ScoreOf(t, s.Seed), p.Points.Losses()
		if at := yards[yardstickOf(c)]; c.averages() && at > 0 {
			c.ply = played[at].Points.Losses()
			c.plies = study.Ratio(study.Nested{c.losses}, study.Nested{c.ply}, s.Seed)
		}
	}
	return played, nil
}

// yardstick is what cells share whose losses are measured by the same ply.
type yardstick struct {
	game  string
	depth int
	slip  float64
}

func yardstickOf(c *warpCell) yardstick { return yardstick{c.spec, c.depth, c.slip} }

func warpResults(arms []*arm, warps []damage.Damage, cells []*warpCell) (*study.Results, error) {
	f := &study.Results{}
	data := study.Data{Name: "cells", Head: []string{"game", "slip", "hostile", "depth", "warp", "misfit", "positions", "changed", "changed_low", "changed_high", "regret", "regret_low", "regret_high", "pairs", "score", "score_low", "score_high", "plies"}}
	for _, c := range cells {
		pairs := c.tally.Pairs()
		score := []any{"", "", ""}
		if pairs > 0 {
			score = []any{c.score.Value, c.score.Low, c.score.High}
		}
		data.Row(append([]any{c.spec, c.slip, c.hostile, c.depth, c.warp, study.Round(c.Misfit(c.warp), 4), c.seen, c.changed.Value, c.changed.Low, c.changed.High,
			c.regret.Value, c.regret.Low, c.regret.High, pairs}, append(score, c.inPlies())...)...)
	}
	f.Data = append(f.Data, data)
	for _, a := range arms {
		if len(a.slips) > 1 {
			if err := warpFigures(f, a, warps, cells); err != nil {
				return nil, err
			}
		}
		f.Tables = append(f.Tables, warpTable(a, warps, cells))
	}
	warpFindings(f, arms[0], warps, cells)
	return f, nil
}

func warpFigures(f *study.Results, a *arm, warps []damage.Damage, cells []*warpCell) error {
	lines := func(depth int, y func(c *warpCell) study.Interval) []draw.Line {
		out := make([]draw.Line, len(warps))
		for i, w := range warps {
			out[i].Name, out[i].Color = w.String(), draw.Scale
			for _, c := range cells {
				if c.arm == a && c.depth == depth && !c.hostile && c.warp.String() == w.String() {
					out[i].Add(c.slip, y(c))
				}
			}
		}
		return out
	}
	for _, kind := range []struct {
		name, title, ylabel, caption string
		scale                        float64
		y                            func(c *warpCell) study.Interval
	}{
		{"score", "Score of the warped against the clean evaluation", "share of the points", "Points of the warped evaluation in pairs of games against the clean one, same planner, depth and world. Dotted: equals. Worlds differ from left to right: points may be compared within one only.", 1, func(c *warpCell) study.Interval { return c.score }},
		{"changed", "Moves changed by a warp", "changed moves, percent", "Positions in which the warped planner chooses a move that the clean one holds for worse than its best.", 100, func(c *warpCell) study.Interval { return c.changed }},
		{"regret", "Regret of a warped evaluation", "regret, percent of a random move's", "What the warped planner's moves lose by the judgement of the clean search of the same depth, as a share of what random moves lose.", 100, func(c *warpCell) study.Interval { return c.regret }},
	} {
		var panels []report.Chart
		for _, d := range a.depths {
			p := draw.Panel(fmt.Sprintf("depth %d", d), "probability p that a move slips", kind.ylabel, a.slips, lines(d, func(c *warpCell) study.Interval {
				i := kind.y(c)
				return study.Interval{Value: kind.scale * i.Value, Low: kind.scale * i.Low, High: kind.scale * i.High}
			}))
			if kind.name == "score" {
				p.Level = new(0.5)
			}
			panels = append(panels, p)
		}
		draw.SameScale(panels)
		fig, err := draw.Figure(kind.name+"-"+a.Base.Name, kind.title+", "+a.spec, kind.caption+" With 95% bootstrap intervals; at p = 0 nothing is averaged.", panels...)
		if err != nil {
			return err
		}
		f.Figures = append(f.Figures, fig)
	}
	return nil
}

func warpTable(a *arm, warps []damage.Damage, cells []*warpCell) report.Table {
	t := report.Table{
		Head: []string{"world", "depth", "warp", "error", "changed moves, %", "regret, %", "points lost", "plies", "nElo"}, Words: 3,
		Caption: fmt.Sprintf("%s with the %s evaluation. Error: root-mean-square, after the best affine fit, in half ranges of utility. Regret: of a random move's. Points lost to the clean evaluation by the planner that knows the world, its share of them; in plies: that over what the same planner loses that looks one ply less deep, - where this is not clearly above 0; nElo: normalised Elo.", a.spec, a.Name),
	}
	for _, c := range cells {
		if c.arm != a || c.tally.Pairs() == 0 {
			continue
		}
		t.Rows = append(t.Rows, []string{c.world(), fmt.Sprint(c.depth), c.warp.String(), fmt.Sprintf("%.3f", c.Misfit(c.warp)),
			study.Percent(c.changed), study.Percent(c.regret), study.TInterval(c.losses).Format(3), c.inPlies(), study.Number(-c.tally.NormalisedElo(), 0)})
	}
	return t
}

func warpFindings(f *study.Results, a *arm, warps []damage.Damage, cells []*warpCell) {
	count := func(of func(c *warpCell) bool) (moves float64, seen int) {
		for _, c := range cells {
			if of(c) {
				moves += c.moves
				seen += c.seen
			}
		}
		return moves, seen
	}
	none := func(theorem string, of func(c *warpCell) bool) {
		if moves, seen := count(of); seen > 0 {
			f.Checks = append(f.Checks, study.Check{Name: a.spec + ": " + theorem, Passed: moves == 0, Figure: fmt.Sprintf("%.0f of %d choices", moves, seen)})
		}
	}
	none("under minimax without chance no warp changes a move", func(c *warpCell) bool { return !c.averages() && c.warp.Kind != damage.Affine })
	none("one decision ahead no warp changes a move at any slip", func(c *warpCell) bool {
		return c.depth == 1 && !c.Base.Chancy() && c.slip > 0 && c.warp.Kind != damage.Affine
	})
	none("a positive affine map changes no move where there is chance", func(c *warpCell) bool { return c.averages() && c.warp.Kind == damage.Affine })

	depth := a.depths[len(a.depths)-1]
	most := slices.Max(a.slips)
	costs, undecided, free := warpCosts(f, a, warps, cells, depth, most)
	moves, seen := count(func(c *warpCell) bool { return !c.averages() && c.warp.Kind != damage.Affine })
	f.Headline = fmt.Sprintf("A strictly increasing warp changed %.0f of %d moves under minimax without chance; in %s with slip %v, %d decisions ahead, %d of %d warps cost points, %d did not, and %d are not decided.",
		moves, seen, a.spec, most, depth, costs, costs+undecided+free, free, undecided)
}

// warpCosts says of each warp whether it costs points at the largest slip, as findings,
// and counts them.
func warpCosts(f *study.Results, a *arm, warps []damage.Damage, cells []*warpCell, depth int, slip float64) (costs, undecided, free int) {
	find := func(w damage.Damage) *warpCell {
		for _, c := range cells {
			if c.arm == a && c.depth == depth && c.slip == slip && !c.hostile && c.warp.String() == w.String() && c.averages() {
				return c
			}
		}
		return nil
	}
	for _, w := range warps {
		c := find(w)
		if c == nil {
			continue
		}
		v := study.Decide(fmt.Sprintf("%s costs points in %s, depth %d", w, c.world(), depth), c.score, study.Below, 0.5, "score "+c.score.Format(3)+", plies "+c.inPlies()).OrNegligible(c.score, 0.5, study.SmallestEffect)
		if c.inPlies() != "-" {
			v = v.OrNegligible(c.plies, 0, halfPly)
		}
		f.Findings = append(f.Findings, v)
		switch v.Support {
		case study.Supported:
			costs++
		case study.NotDecided:
			undecided++
		default:
			free++
		}
	}
	return costs, undecided, free
}
