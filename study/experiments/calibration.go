package experiments

import (
	"context"
	"fmt"
	"slices"

	"plyfit/catalog"
	"plyfit/report"
	"plyfit/study"
	"plyfit/study/bases"
	"plyfit/study/damage"
	"plyfit/study/grid"
)

var calibration = described(study.Experiment{
	Name:    "calibration",
	Takes:   []string{"game", "eval", "depth", "pairs"},
	Minutes: [3]float64{0.1, 6, 120},
	Run:     runCalibration,
})

// calibrationCase is an evaluation in a world: its units are those of several training
// seeds, or one.
type calibrationCase struct {
	*grid.Grid
	found []damage.Calibration // of each unit
}

// calibrationSlip is the slip of worlds whose game has no chance of its own.
const calibrationSlip = 0.2

func runCalibration(ctx context.Context, s *study.Session) (*study.Results, error) {
	cases, err := calibrationCases(ctx, s)
	if err != nil {
		return nil, err
	}
	depths := slices.Sorted(slices.Values(append(study.Or(s.Over.Depths, [][]int{{2}, {2}, {2, 3}}[s.Effort]), 1)))
	f := &study.Results{Tables: []report.Table{offTable()}}
	var played []damage.Played
	for _, c := range cases {
		c.Depths, c.Pairs = slices.Compact(depths), s.Pairs(200, 500, 10000)
		if err := c.calibrate(ctx, s, s.Pick(300, 3000, 10000)); err != nil {
			return nil, err
		}
		if err := c.Measure(ctx, s); err != nil {
			return nil, err
		}
		f.Tables[0].Rows = append(f.Tables[0].Rows, c.off())
		f.Checks = append(f.Checks, c.Checks()...)
		t := c.Table()
		t.Caption += " A calibration is an error with the opposite sign: what it loses below 0 is its gain."
		f.Tables = append(f.Tables, t)
		c.gains(f)
		played = append(played, c.Played...)
	}
	f.Headline = "Calibrating by Platt scaling gains under expectimax, as a share of the points:" + f.Headline[:len(f.Headline)-1] + ". Under minimax nothing, by theorem."
	f.Data = damage.PairData("matches", played)
	return f, nil
}

// calibrationCases are the evaluations that are calibrated: the one that --eval names, or
// connect four's shipped models with slips and, in games with chance of their own, models
// of temporal differences.
func calibrationCases(ctx context.Context, s *study.Session) (out []*calibrationCase, err error) {
	games, evals := s.Over.Games, []string{s.Over.Eval}
	if s.Over.Eval != "" {
		games = study.Or(games, []string{"connect4"})
	} else if games == nil {
		games, evals = []string{"connect4", "connect4:dice=on"}, []string{"learned", "models/learned/connect4-treestrap.json", "models/learned/connect4-slip.json"}
	}
	for _, spec := range games {
		w, err := s.Catalog.World(spec)
		if err != nil {
			return nil, err
		}
		trained := w.Chancy() && s.Over.Eval == ""
		if trained != (s.Over.Eval == "") && s.Over.Games != nil {
			return nil, fmt.Errorf("game %s: want a game of two with chance of its own, in which models are learned here, or --eval", spec)
		}
		if trained {
			for _, n := range [][]int{{2000}, {2000}, {2000, 10000}}[s.Effort] {
				units, err := trainedUnits(ctx, s, w, n)
				if err != nil {
					return nil, err
				}
				if out, err = addCase(s, out, fmt.Sprintf("%s, TD of %d games", w.Spec, n), units); err != nil {
					return nil, err
				}
			}
			continue
		}
		for _, eval := range evals {
			e, err := damage.NewEvaluation(w, eval)
			if err != nil {
				return nil, err
			}
			if out, err = addCase(s, out, w.Spec+", "+eval, []*damage.Subject{damage.NewContestant(e, s.Seed)}); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func addCase(s *study.Session, list []*calibrationCase, name string, units []*damage.Subject) ([]*calibrationCase, error) {
	g, err := grid.Of(s, name, units, []float64{calibrationSlip})
	return append(list, &calibrationCase{Grid: g}), err
}

// trainedUnits are models of temporal differences, by training seed.
func trainedUnits(ctx context.Context, s *study.Session, w *catalog.World, games int) (out []*damage.Subject, err error) {
	var list []bases.Training
	for seed := range uint64(s.Pick(2, 8, 8)) {
		list = append(list, bases.Training{Game: w.Spec, Method: "td", Games: games, Seed: s.Seed + seed})
	}
	found, err := bases.TrainAll(ctx, s, fmt.Sprintf("learning %s, %d games", w.Spec, games), w, list)
	if err != nil {
		return nil, err
	}
	for i, t := range list {
		u, err := t.Subject(ctx, w, found[i])
		if err != nil {
			return nil, err
		}
		out = append(out, damage.NewContestant(u.Evaluation, s.Seed))
	}
	return out, nil
}

// calibrate plays the games that calibrations are learned from.
func (c *calibrationCase) calibrate(ctx context.Context, s *study.Session, games int) (err error) {
	var keys []damage.CalibrationGames
	of := map[string]*damage.Subject{}
	for _, u := range c.Units {
		of[u.Digest] = u
		keys = append(keys, damage.CalibrationGames{Game: u.Base.Spec, Eval: u.Digest, World: c.Worlds[0], Games: games, Seed: s.Seed})
	}
	c.found, err = study.Cells(ctx, s, "games of "+c.Name, keys, nil, func(ctx context.Context, k damage.CalibrationGames) (damage.Calibration, error) {
		return of[k.Eval].Calibrate(ctx, k)
	})
	if err != nil {
		return err
	}
	platt, isotonic := grid.Error{Name: "Platt"}, grid.Error{Name: "isotonic"}
	for _, x := range c.found {
		platt.Draws, isotonic.Draws = append(platt.Draws, []damage.Damage{x.ByPlatt()}), append(isotonic.Draws, []damage.Damage{x.ByIsotonic()})
	}
	c.Errors = []grid.Error{platt, isotonic}
	return nil
}

// gains are the claims that calibrating gains.
func (c *calibrationCase) gains(f *study.Results) {
	w := c.Worlds[0]
	for n := range c.Errors {
		e := &c.Errors[n]
		for _, d := range c.Depths[1:] {
			gain := c.Contrast(e, w, d).Expectimax.Interval().Times(-1)
			gain.Low, gain.High = gain.High, gain.Low
			f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("%s: calibrating (%s) gains points under expectimax, %d decisions ahead", c.Name, e.Name, d), gain, study.Above, 0, "gain "+gain.Format(4)))
			if n == 0 && d == c.Depths[len(c.Depths)-1] {
				f.Headline += fmt.Sprintf(" %s, %d decisions ahead, %s;", c.Name, d, gain.Format(4))
			}
		}
	}
}

// offTable says how far the evaluations were off, a row a case.
func offTable() report.Table {
	return report.Table{Head: []string{"evaluation", "link", "slope", "shift", "loss before", "after"}, Words: 2,
		Caption: "Platt scaling: log odds of the outcome are slope times those of the evaluation, plus shift; a slope below 1 is an evaluation too sure of itself. Standard errors are clustered by game; of several training seeds the first. Loss: mean logistic loss of the positions fitted."}
}

func (c *calibrationCase) off() []string {
	link, p := c.Units[0].Model.Link, c.found[0].Platt
	name := "none"
	if link.Bounded() {
		name = string(link.Kind)
	}
	return []string{c.Name, name, fmt.Sprintf("%.3f ±%.3f", p.Slope, p.SlopeError), fmt.Sprintf("%.3f ±%.3f", p.Shift, p.ShiftError), study.Number(p.Before, 4), study.Number(p.After, 4)}
}
