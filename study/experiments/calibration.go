package experiments

import (
	"context"
	"fmt"
	"slices"

	"plyfit/catalog"
	"plyfit/models"
	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/experiments/draw"
)

var calibration = study.Experiment{
	Name:     "calibration",
	Question: "Does calibrating a learned evaluation make it play better?",
	Hypothesis: "Written 2026-11-22, before the first run: calibrating the link on other games than the evaluation was learned from gains points under expectimax, and exactly nothing under minimax. " +
		"What was known: a cube of the evaluation learned without slip had once won .550 against it under expectimax, and a referee's scaling of a dice model's link had moved its strength from .376 to .437 for one model and by nothing for another.",
	Design: "Learned evaluations in worlds of chance: connect four with slip .2 with two shipped models that were learned without slip, and with the one that was learned with it (calibrated already: a control), connect four with a die with models of temporal differences, several training seeds. Each plays games against itself there, one decision ahead, from seeds that no match uses; its values are set against what came of them. " +
		"Two calibrations, both strictly increasing: Platt scaling (slope and shift of the log odds) and the isotonic curve with 2 percent of a straight line. Calibrated against as it was, same planner, world, depth, openings and luck, in pairs. Minimax must choose the same moves; that is checked. Beside it the hand-written evaluation as opponent, before and after. Intervals are over training seeds where there are several, else over openings, and then hold for that model alone.",
	Takes:   []string{"game", "eval", "depth", "pairs"},
	Minutes: [3]float64{0.1, 6, 120},
	Run:     runCalibration,
}

// calibrationCase is an evaluation in a world: its subjects are those of several
// training seeds, or one.
type calibrationCase struct {
	name     string
	world    study.World
	subjects []*damage.Subject
	found    []damage.Calibration
	mended   []*damage.Subject // by Platt
	rival    damage.Damage     // the hand-written evaluation in the damaged one's place
}

func (c *calibrationCase) minimax() study.World {
	return study.World{Hostile: c.subjects[0].Base.Chancy()}
}

// calibrationKinds are what an evaluation becomes.
var calibrationKinds = []string{"Platt", "isotonic"}

func (c *calibrationCase) damages(kind string) []damage.Damage {
	var out []damage.Damage
	for _, f := range c.found {
		if kind == "Platt" {
			out = append(out, f.ByPlatt())
		} else {
			out = append(out, f.ByIsotonic())
		}
	}
	return out
}

func runCalibration(ctx context.Context, s *study.Session) (*study.Results, error) {
	cases, err := calibrationCases(ctx, s)
	if err != nil {
		return nil, err
	}
	games := s.Pick(300, 3000, 10000)
	for _, c := range cases {
		if err := c.calibrate(ctx, s, games); err != nil {
			return nil, err
		}
	}
	depths := slices.Sorted(slices.Values(study.Or(s.Over.Depths, [][]int{{2}, {2}, {2, 3}}[s.Effort])))
	m := calibrationMatches{cases: cases, depths: depths, losses: map[calibrationArm]study.Nested{}}
	played, err := m.play(ctx, s, s.Pairs(200, 500, 10000))
	if err != nil {
		return nil, err
	}
	f := &study.Results{Data: damage.PairData("matches", played)}
	if err := m.results(f); err != nil {
		return nil, err
	}
	return f, nil
}

// calibrationCases are the evaluations that are calibrated.
func calibrationCases(ctx context.Context, s *study.Session) ([]*calibrationCase, error) {
	if s.Over.Eval != "" {
		return givenCases(s)
	}
	var out []*calibrationCase
	games := s.Over.Games
	if games == nil {
		var err error
		if out, err = slipCases(s); err != nil {
			return nil, err
		}
		games = []string{"connect4:dice=on"}
	}
	for _, spec := range games {
		w, err := s.Catalog.World(spec)
		if err != nil {
			return nil, err
		}
		if w.Players != 2 || !w.Chancy() || w.Inside != nil {
			return nil, fmt.Errorf("game %s: want a game of two with chance of its own, in which models are learned here, without +", spec)
		}
		for _, n := range [][]int{{2000}, {2000}, {2000, 10000}}[s.Effort] {
			c := &calibrationCase{name: fmt.Sprintf("%s, TD of %d games", w.Spec, n)}
			if c.subjects, err = diceSubjects(ctx, s, w, n); err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	for _, c := range out {
		if err := c.against(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// givenCases are the evaluation that --eval names, in each game, connect four where
// none is given: a game without chance of its own has slips.
func givenCases(s *study.Session) (out []*calibrationCase, err error) {
	for _, spec := range study.Or(s.Over.Games, []string{"connect4"}) {
		w, err := s.Catalog.World(spec)
		if err != nil {
			return nil, err
		}
		e, err := damage.NewEvaluation(w, s.Over.Eval)
		if err != nil {
			return nil, err
		}
		c := &calibrationCase{name: w.Spec + ", " + s.Over.Eval, subjects: []*damage.Subject{damage.NewContestant(e, s.Seed)}}
		if !w.Chancy() {
			c.world = study.World{Slip: calibrationSlip}
		}
		if err := c.against(); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// calibrationSlip is the slip of worlds whose game has no chance of its own.
const calibrationSlip = 0.2

// slipCases are connect four's shipped models with slips.
func slipCases(s *study.Session) (out []*calibrationCase, err error) {
	base, err := s.Catalog.World("connect4")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"learned", "models/learned/connect4-treestrap.json", "models/learned/connect4-slip.json"} {
		e, err := damage.NewEvaluation(base, name)
		if err != nil {
			return nil, err
		}
		out = append(out, &calibrationCase{name: "connect4, " + name, world: study.World{Slip: calibrationSlip}, subjects: []*damage.Subject{damage.NewContestant(e, s.Seed)}})
	}
	return out, nil
}

// diceSubjects are models of temporal differences, by training seed.
func diceSubjects(ctx context.Context, s *study.Session, w *catalog.World, games int) ([]*damage.Subject, error) {
	set, err := w.Set("")
	if err != nil {
		return nil, err
	}
	var keys []learningCurve
	for seed := range uint64(s.Pick(2, 8, 8)) {
		keys = append(keys, learningCurve{Game: w.Spec, Checkpoints: []int{games}, Alpha: 0.02, Lambda: 0.7, Seed: s.Seed + seed})
	}
	found, err := study.Cells(ctx, s, fmt.Sprintf("learning %s, %d games", w.Spec, games), keys, nil, func(ctx context.Context, k learningCurve) ([]checkpoint, error) { return k.learn(ctx, w, set) })
	if err != nil {
		return nil, err
	}
	var out []*damage.Subject
	for i, marks := range found {
		m := blank(w, set)
		copy(m.Weights, marks[0].Weights)
		m.Bias = marks[0].Bias
		e, err := damage.EvaluationOf(w, fmt.Sprintf("TD, seed %d", keys[i].Seed), set, m)
		if err != nil {
			return nil, err
		}
		out = append(out, damage.NewContestant(e, s.Seed))
	}
	return out, nil
}

// against makes the hand-written evaluation the rival, where it has the features of
// the learned one.
func (c *calibrationCase) against() error {
	u := c.subjects[0]
	if !u.Base.Entry.Ships("handwritten") {
		return nil
	}
	_, m, err := u.Base.Model("handwritten")
	if err != nil {
		return err
	}
	digest, err := m.File().Digest()
	if err != nil {
		return err
	}
	if m.Features == u.Model.Features {
		c.rival = damage.Damage{Kind: damage.Other, By: 1, Model: digest[:12], Linear: m, Name: "handwritten"}
	}
	return nil
}

// calibrate plays the games that calibrations are learned from.
func (c *calibrationCase) calibrate(ctx context.Context, s *study.Session, games int) error {
	var keys []damage.CalibrationGames
	for _, u := range c.subjects {
		keys = append(keys, damage.CalibrationGames{Game: u.Base.Spec, Eval: u.Digest, World: c.world, Games: games, Seed: s.Seed})
	}
	of := map[string]*damage.Subject{}
	for _, u := range c.subjects {
		of[u.Digest] = u
	}
	var err error
	c.found, err = study.Cells(ctx, s, "games of "+c.name, keys, nil, func(ctx context.Context, k damage.CalibrationGames) (damage.Calibration, error) {
		return of[k.Eval].Calibrate(ctx, k)
	})
	if err != nil || c.rival.Kind == damage.Clean || !c.subjects[0].Model.Link.Bounded() {
		return err
	}
	for i, u := range c.subjects {
		v, err := u.Recalibrated(c.found[i])
		if err != nil {
			return err
		}
		c.mended = append(c.mended, v)
	}
	return nil
}

// calibrationArm is a kind of match of a case.
type calibrationArm struct {
	of    int // the case
	arm   study.Arm
	after bool // the clean side is the one that Platt has mended
}

type calibrationMatches struct {
	cases  []*calibrationCase
	depths []int
	losses map[calibrationArm]study.Nested // a row a training seed
}

// rivalError is what arms against the hand-written evaluation are called.
const rivalError = "handwritten"

func (m *calibrationMatches) arm(of int, assumes study.World, depth int, kind string, after bool) calibrationArm {
	c := m.cases[of]
	return calibrationArm{of, study.Arm{Game: c.subjects[0].Base.Spec, World: c.world, Assumes: assumes, Error: kind, Depth: depth}, after}
}

func (m *calibrationMatches) play(ctx context.Context, s *study.Session, pairs int) ([]damage.Played, error) {
	subjects := damage.Subjects{}
	var matches []damage.Match
	var of []calibrationArm
	for n, c := range m.cases {
		for _, u := range slices.Concat(c.subjects, c.mended) {
			subjects.Add(u)
		}
		each := (pairs + len(c.subjects) - 1) / len(c.subjects)
		for _, d := range append([]int{1}, m.depths...) {
			for _, assumes := range []study.World{c.world, c.minimax()} {
				for i, u := range c.subjects {
					k := damage.Match{Game: u.Base.Spec, Eval: u.Digest, World: c.world, Assumes: assumes, Depth: d, Plies: damage.OpeningPlies, Stream: uint64(i), Pairs: each}
					for _, kind := range calibrationKinds {
						k.Damage = c.damages(kind)[i]
						if k.Pairs = each; d == 1 || assumes != c.world {
							k.Pairs = min(each, controlPairs)
						}
						matches, of = append(matches, k), append(of, m.arm(n, assumes, d, kind, false))
					}
					if c.mended == nil || d == 1 {
						continue
					}
					k.Damage, k.Pairs = c.rival, each
					matches, of = append(matches, k), append(of, m.arm(n, assumes, d, rivalError, false))
					k.Eval = c.mended[i].Digest
					matches, of = append(matches, k), append(of, m.arm(n, assumes, d, rivalError, true))
				}
			}
		}
	}
	played, err := damage.PlayAll(ctx, s, "matches", subjects, matches)
	for i, p := range played {
		m.losses[of[i]] = append(m.losses[of[i]], p.Points.Losses())
	}
	return played, err
}

// gain is what the calibrated evaluation wins from the one as it was, as a share of
// the points: the opposite of a loss.
func (m *calibrationMatches) gain(a calibrationArm) study.Nested {
	var out study.Nested
	for _, row := range m.losses[a] {
		gains := make([]float64, len(row))
		for i, loss := range row {
			gains[i] = -loss
		}
		out = append(out, gains)
	}
	return out
}

// linkOf names the link of a model.
func linkOf(m *models.Linear) string {
	if !m.Link.Bounded() {
		return "none"
	}
	return string(m.Link.Kind)
}

func (m *calibrationMatches) results(f *study.Results) error {
	f.Checks = m.checks()
	f.Tables = append(f.Tables, m.offTable(), m.gainTable(f), m.rivalTable())
	var lines []draw.Line
	for n, c := range m.cases {
		l := draw.Line{Name: c.name}
		for _, d := range m.depths {
			l.Add(float64(d), m.gain(m.arm(n, c.world, d, "Platt", false)).Interval())
		}
		lines = append(lines, l)
	}
	var ticks []float64
	for _, d := range m.depths {
		ticks = append(ticks, float64(d))
	}
	p := draw.Panel("", "depth, decisions", "gain under expectimax, share of the points", ticks, lines)
	p.Level = new(0.0)
	fig, err := draw.Figure("gain", "What calibrating a learned evaluation gains under expectimax",
		"Calibrated by Platt scaling against as it was, same planner, world, openings and luck. Under minimax the gain is exactly 0. 95% intervals over training seeds where there are several, else over openings.", p)
	f.Figures = append(f.Figures, fig)
	return err
}

// offTable says how far the evaluations were off.
func (m *calibrationMatches) offTable() report.Table {
	t := report.Table{Head: []string{"evaluation", "link", "slope", "shift", "loss before", "after"}, Words: 2,
		Caption: "Platt scaling: log odds of the outcome are slope times those of the evaluation, plus shift; a slope below 1 is an evaluation too sure of itself. Standard errors are clustered by game; of several training seeds the first. Loss: mean logistic loss of the positions fitted."}
	for _, c := range m.cases {
		p := c.found[0].Platt
		t.Rows = append(t.Rows, []string{c.name, linkOf(c.subjects[0].Model), fmt.Sprintf("%.3f ±%.3f", p.Slope, p.SlopeError), fmt.Sprintf("%.3f ±%.3f", p.Shift, p.ShiftError), study.Number(p.Before, 4), study.Number(p.After, 4)})
	}
	return t
}

func (m *calibrationMatches) gainTable(f *study.Results) report.Table {
	t := report.Table{Head: []string{"evaluation", "calibration", "depth", "expectimax", "minimax"}, Words: 2,
		Caption: "Gain of the calibrated evaluation against itself as it was, share of the points, under the same planner in the same world."}
	for n, c := range m.cases {
		for _, kind := range calibrationKinds {
			for _, d := range m.depths {
				i := m.gain(m.arm(n, c.world, d, kind, false)).Interval()
				t.Rows = append(t.Rows, []string{c.name, kind, fmt.Sprint(d), i.Format(3), m.gain(m.arm(n, c.minimax(), d, kind, false)).Interval().Format(3)})
				f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("%s: calibrating (%s) gains points under expectimax, %d decisions ahead", c.name, kind, d), i, study.Above, 0, "gain "+i.Format(3)))
				if kind == "Platt" && d == m.depths[len(m.depths)-1] {
					f.Headline += fmt.Sprintf(" %s %s;", c.name, i.Format(3))
				}
			}
		}
	}
	f.Headline = fmt.Sprintf("%d decisions ahead, calibrating by Platt scaling gains under expectimax, as a share of the points:%s. Under minimax nothing.", m.depths[len(m.depths)-1], f.Headline[:len(f.Headline)-1])
	return t
}

// rivalTable is the strength against the hand-written evaluation.
func (m *calibrationMatches) rivalTable() report.Table {
	t := report.Table{Head: []string{"evaluation", "depth", "planner", "as it was", "calibrated", "difference"}, Words: 1,
		Caption: "Share of the points against the hand-written evaluation under the same planner, on the same openings; calibrated is by Platt."}
	for n, c := range m.cases {
		if c.mended == nil {
			continue
		}
		for _, d := range m.depths {
			for _, planner := range []struct {
				name    string
				assumes study.World
			}{{"expectimax", c.world}, {"minimax", c.minimax()}} {
				before, after := m.losses[m.arm(n, planner.assumes, d, rivalError, false)], m.losses[m.arm(n, planner.assumes, d, rivalError, true)]
				diff := make(study.Nested, len(before))
				for i := range before {
					diff[i] = make([]float64, len(before[i]))
					for j := range before[i] {
						diff[i][j] = after[i][j] - before[i][j]
					}
				}
				t.Rows = append(t.Rows, []string{c.name, fmt.Sprint(d), planner.name, plusHalf(before.Interval()).Format(3), plusHalf(after.Interval()).Format(3), diff.Interval().Format(3)})
			}
		}
	}
	return t
}

// plusHalf is the score of the side whose opponent loses so much.
func plusHalf(i study.Interval) study.Interval {
	return study.Interval{Value: i.Value + 0.5, Low: i.Low + 0.5, High: i.High + 0.5}
}

// checks are the theorems: a strictly increasing map changes nothing under minimax,
// nor one decision ahead.
func (m *calibrationMatches) checks() []study.Check {
	var minimax, depthOne, cells, ones int
	for a, rows := range m.losses {
		if a.arm.Error == rivalError {
			continue
		}
		moved := 0
		for _, row := range rows {
			for _, loss := range row {
				if loss != 0 {
					moved++
				}
			}
		}
		if a.arm.Depth == 1 {
			depthOne, ones = depthOne+moved, ones+1
		} else if a.arm.Assumes != a.arm.World {
			minimax, cells = minimax+moved, cells+1
		}
	}
	return []study.Check{
		{Name: "under minimax no calibration gains or loses anything", Passed: minimax == 0, Figure: fmt.Sprintf("%d pairs in %d cells", minimax, cells)},
		{Name: "one decision ahead no calibration gains or loses anything", Passed: depthOne == 0, Figure: fmt.Sprintf("%d pairs in %d cells", depthOne, ones)},
	}
}
