package damage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"math"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/elementary"
	"plyfit/learn"
	"plyfit/models"
	"plyfit/study"
)

// Calibration is how far an evaluation's values are off in games of one world: a
// cell's result.
type Calibration struct {
	Platt learn.Platt `json:"platt"`
	// Isotonic is the mean outcome by player 0's grade from -Grades on, in half
	// ranges, made non-decreasing; between grades that were not met a straight line.
	Isotonic []float64 `json:"isotonic"`
}

// CalibrationGames is what a calibration is learned from: a cell's key.
type CalibrationGames struct {
	Game  string      `json:"game"`
	Eval  string      `json:"eval"` // its digest
	World study.World `json:"world"`
	Games int         `json:"games"`
	Seed  uint64      `json:"seed"`
}

// calibrationPlies is the most random decisions at the beginning of a game that a
// calibration is learned from.
const calibrationPlies = 8

// Calibrate plays games of the evaluation against itself, one decision ahead, after
// 0 to 8 random decisions, and compares its values with what came of them. Games
// cut off have no outcome.
func (u *Subject) Calibrate(ctx context.Context, k CalibrationGames) (Calibration, error) {
	g, err := k.World.Of(u.Base.Game)
	if err != nil {
		return Calibration{}, err
	}
	agent := u.Planner(k.World, 1, Damage{})
	arg := u.Argument(u.Model)
	var all points
	for i := range uint64(k.Games) {
		if err := ctx.Err(); err != nil {
			return Calibration{}, err
		}
		random := study.NewRand(k.Seed, 0xca11b, i)
		dice := &play.Dice{Random: random}
		s := g.New()
		e := play.Episode{Luck: dice}
		e.Begin(s, 0, g.MaxPlies)
		from, opening := len(all), random.IntN(calibrationPlies+1)
		for e.Next() {
			if e.Decisions < opening {
				e.Play(dice.Uniform(s))
				continue
			}
			if u.Evaluation.Leaves != models.Afterstate {
				all = append(all, point{x: arg.Of(game.Base(s)), episode: i})
			}
			r, err := agent.Search(ctx, s)
			if err != nil {
				return Calibration{}, err
			}
			e.Play(r.Move)
			if u.Evaluation.Leaves == models.Afterstate && s.Turn() != game.Nobody {
				all = append(all, point{x: arg.Of(game.Base(s)), episode: i})
			}
		}
		if e.Truncated() {
			all = all[:from]
			continue
		}
		y := float64(u.Terminal(game.Base(s).Utility(0))) / Grades
		for j := range all[from:] {
			all[from+j].y = y
		}
	}
	return all.calibrate(ctx)
}

// point is a position's argument of tanh and what came of it for player 0, in half
// ranges.
type point struct {
	x, y    float64
	episode uint64
}

type points []point

// All implements [datasets.Samples]: the one feature is x.
func (p points) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for _, at := range p {
			if !yield(&datasets.Sample{X: models.Vector{{Index: 0, Value: float32(at.x)}, {Index: models.Bias, Value: 1}}, Y: at.y, Weight: 1, Episode: at.episode}, nil) {
				return
			}
		}
	}
}

func (p points) calibrate(ctx context.Context) (c Calibration, err error) {
	if len(p) == 0 {
		return c, fmt.Errorf("calibration: %w", learn.Senseless("every game was cut off, so there are no results to fit to"))
	}
	m := models.New("", "", []models.Block{{Name: "x", Len: 1}})
	m.Weights[0], m.Link = 1, models.Link{Kind: models.Tanh, Scale: 1}
	if c.Platt, err = learn.FitPlatt(ctx, m, p, -1, 1, nil); err != nil {
		return c, fmt.Errorf("calibration: %w", err)
	}
	sum, n := make([]float64, 2*Grades+1), make([]float64, 2*Grades+1)
	for _, at := range p {
		k := gradeOf(at.x) + Grades
		sum[k], n[k] = sum[k]+at.y, n[k]+1
	}
	var met []int
	var mean, weight []float64
	for k := range sum {
		if n[k] > 0 {
			met, mean, weight = append(met, k), append(mean, sum[k]/n[k]), append(weight, n[k])
		}
	}
	c.Isotonic = interpolate(met, learn.Isotonic(mean, weight))
	return c, nil
}

// interpolate spreads values at some grades over all of them; the ends of the game
// are what they are.
func interpolate(at []int, y []float64) []float64 {
	out := make([]float64, 2*Grades+1)
	from, low := 0, -1.0
	at, y = append(at[:len(at):len(at)], 2*Grades), append(y[:len(y):len(y)], 1)
	for i, to := range at {
		for k := from; k <= to; k++ {
			out[k] = y[i]
			if to > from {
				out[k] = low + float64((y[i]-low)*float64(k-from)/float64(to-from))
			}
		}
		from, low = to, y[i]
	}
	out[0] = -1
	return out
}

// Shares of a straight line in a calibration, so that neighbouring grades stay
// apart: the isotonic curve's steps are flat, a steep link is flat near the ends.
const (
	flatSteps = 0.02
	flatEnds  = 1e-5
)

// ByPlatt is the evaluation with the link that fits: Slope and Shift on log odds.
func (c Calibration) ByPlatt() Damage {
	return curve(flatEnds, func(u float64, _ int) float64 {
		return elementary.Tanh(float64(c.Platt.Slope*elementary.Atanh(u)) + float64(c.Platt.Shift/2))
	})
}

// ByIsotonic is the evaluation seen through the isotonic curve, made strictly
// increasing.
func (c Calibration) ByIsotonic() Damage {
	return curve(flatSteps, func(_ float64, k int) float64 { return c.Isotonic[k] })
}

// curve is the calibration that makes of(u, k) of the value u in place k, and some
// of the straight line; the ends of the game stay.
func curve(line float64, of func(u float64, k int) float64) Damage {
	d := Damage{Kind: Calibrated, Curve: make([]float64, 2*Grades+1)}
	d.Curve[0], d.Curve[2*Grades] = -1, 1
	for k := 1; k < 2*Grades; k++ {
		u := float64(k-Grades) / Grades
		d.Curve[k] = float64((1-line)*math.Max(-1, math.Min(1, of(u, k)))) + float64(line*u)
	}
	d.Model = digestOf(d.Curve)
	return d
}

// Seen is another model seen through a calibration of its own values.
func (d Damage) Seen(through Damage) Damage {
	d.Curve, d.Model = through.Curve, d.Model+" "+through.Model
	return d
}

func digestOf(curve []float64) string {
	h := sha256.New()
	for _, v := range curve {
		binary.Write(h, binary.LittleEndian, v) // into a hash, which never fails
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}
