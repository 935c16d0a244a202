// Package diagnose measures how much an evaluation loses under expectimax and under minimax in a
// given world. It determines how much of the loss is due to the order of positions and how much to
// the scale of values, and gives advice.
//
// [Run] performs the following steps:
//
//  1. The evaluation plays against itself under expectimax. A sample of the decisions is drawn from
//     each game (games.go).
//  2. The values of the evaluation are compared with the outcomes of the games, which yields the
//     slope (calibration.go).
//  3. Several planners choose a move at each decision of the sample. The regret of each choice is
//     measured by expectimax with the calibrated evaluation and a deeper search (regret.go).
//  4. If games are short enough, each planner plays pairs of games with common luck against itself
//     with a deeper search (contest.go). Its loss is divided into a part for the order and a part
//     for the scale (regret.go).
//  5. The [Report] is printed or converted to a page (report.go; its text is in report.txt).
//
// The same options lead to the same result, because all measurements are limited by nodes, never by
// time (budget.go).
package diagnose

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game"
)

// Options specifies what is diagnosed and how thoroughly.
type Options struct {
	World      *catalog.World // single-player game or two-player game with a fixed sum, without hidden information
	Evaluation *catalog.Evaluation
	Depth      int     // search depth of both planners in decisions; 0 means 2, or 1 if 2 takes too long
	Games      int     // maximum number of games that the evaluation plays against itself; 0 means 600 with the default budget, and proportionally for other budgets
	Openings   int     // number of random decisions at the start of a game; 0 means 4 in two-player games and none in others
	Pairs      int     // maximum number of pairs per match; 0 means 1000 with the default budget, and proportionally for other budgets
	Seed       uint64  // seed of all random choices
	Budget     float64 // budget in CPU seconds, estimated from nodes; 0 means [DefaultBudget]
	Workers    int     // number of workers, at least 1; does not affect the result
	Program    string  // program name in the recommended commands; plyfit if empty
	Progress   func(stage string, done, of int)

	// The following fields belong to [Terms], which does not read Depth and Budget.
	Nodes int    // number of nodes per move; 0 means [DefaultNodes]
	Dir   string // run directory
}

// A Report contains the results of a diagnosis. Estimates are in Unit unless stated otherwise, and
// their intervals are 95% intervals.
type Report struct {
	Game       string `json:"game"`
	Eval       string `json:"eval"`
	Depth      int    `json:"depth"`   // search depth of the planners in decisions
	Further    int    `json:"further"` // number of additional decisions in the deeper search
	Seed       uint64 `json:"seed"`
	Unit       string `json:"unit"`
	Games      int    `json:"games"`     // number of games that the evaluation played against itself
	Valued     int    `json:"valued"`    // number of games at depth 1, from which the slope is computed
	Positions  int    `json:"positions"` // number of sampled positions at which planners chose a move
	Expectimax Loss   `json:"expectimax"`
	Minimax    *Loss  `json:"minimax,omitempty"` // nil if the world has no chance, because both planners are then the same
	Slope      Slope  `json:"slope"`

	Advice   []Advice   `json:"advice"`
	Worst    []Position `json:"worst"`
	Controls controls   `json:"controls"`
	Spent    spent      `json:"spent"`
	Notes    []string   `json:"notes,omitempty"`
}

// Loss is what a planner loses against a version of itself that searches deeper.
type Loss struct {
	Pairs  int            `json:"pairs"` // number of pairs of games; 0 if none were played and the estimates are per decision
	Loss   stats.Estimate `json:"loss"`
	Order  stats.Estimate `json:"order"`                // part of the loss that is due to the order of positions
	Scale  stats.Estimate `json:"scale"`                // part of the loss that is due to the scale of values; calibration recovers it
	Always bool           `json:"scale_is_0,omitempty"` // whether Scale is 0 by a theorem
	Blind  stats.Estimate `json:"no_evaluation"`        // loss of the planner without any evaluation
	Regret stats.Estimate `json:"regret"`               // regret per decision
}

// Advice is a recommendation with its gain under expectimax.
type Advice struct {
	Do       string         `json:"do"`
	Commands []string       `json:"commands,omitempty"` // commands that implement the recommendation
	Gain     stats.Estimate `json:"gain"`
}

// A Position is a decision at which the regret of expectimax is among the largest.
type Position struct {
	Position string  `json:"position"`
	Board    string  `json:"board"` // drawing of the position
	Chosen   string  `json:"chosen"`
	Better   string  `json:"better"`
	Value    float64 `json:"value"`        // value of Chosen according to the deeper search, from the mover's point of view and in the game's units
	Best     float64 `json:"better_value"` // value of Better
	Terms    []term  `json:"terms,omitempty"`
	Ending   []term  `json:"ending,omitempty"` // sums of the terms, and the value of the search if one was needed
}

type term struct {
	Name           string  `json:"name"`
	Chosen, Better float64 // values of the term's feature after the two moves
	Difference     float64 // the term's contribution to the sum after Better minus that after Chosen
}

// controls contains checks of the measurements. Except for rounding, Identity and DepthOne are 0 in
// theory, and so is Minimax if calibration leaves the values of finished games unchanged.
type controls struct {
	Identity float64 `json:"identity"`        // additional regret per decision caused by a calibration with slope 1
	DepthOne int     `json:"depth_one"`       // number of decisions at which minimax and expectimax differ at depth 1
	Asked    int     `json:"depth_one_asked"` // number of decisions compared; 0 if there is chance other than slips
	Minimax  int     `json:"minimax_changed"` // number of decisions at which calibration changed the choice of minimax
}

// spent describes the cost of a diagnosis and its limitations.
type spent struct {
	Budget  float64  `json:"budget"`  // in CPU seconds, estimated
	Seconds float64  `json:"seconds"` // estimated CPU seconds used
	Nodes   int64    `json:"nodes"`
	Less    []string `json:"less,omitempty"` // descriptions of the parts that the budget did not allow
}

type diagnosis struct {
	Options
	spending spending
	unit     float64      // the report's unit per unit of utility
	chancy   bool         // whether there are chance moves
	dice     bool         // whether there are chance moves other than slips
	link     link         // calibration of the evaluation
	curve    *curve       // best increasing map; nil if there are too few games
	pilot    []game.State // positions from random games
	games    []played
	valued   []played // games at depth 1, for the slope
	samples  []sample
	found    []choices
	report   Report
}

// Run diagnoses an evaluation. It returns an error if ctx is done or if the options do not allow a
// diagnosis.
func Run(ctx context.Context, o Options) (*Report, error) {
	d, err := newDiagnosis(o)
	if err != nil {
		return nil, err
	}
	return &d.report, d.run(ctx)
}

func (d *diagnosis) run(ctx context.Context) error {
	for _, stage := range []func(context.Context) error{d.choose, d.play, d.calibrate, d.measure, d.contest} {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	d.divide()
	d.advise()
	d.account()
	d.worst()
	return nil
}

func (d *diagnosis) progress(stage string, n int) func(done int) {
	return func(done int) { d.Progress(stage, done, n) }
}

func newDiagnosis(o Options) (*diagnosis, error) {
	w := o.World
	if err := game.RefuseHidden("diagnose", w.Game); err != nil {
		return nil, err
	}
	if _, hostile := game.As[*game.Adversary](w.New()); hostile {
		return nil, fmt.Errorf("diagnose: %s: an adversary moves for nature, so there is nothing to average; want the world with chance", w.Spec)
	}
	if _, fixed := w.FixedSum(); w.Players > 2 || w.Players == 2 && !fixed {
		return nil, fmt.Errorf("diagnose: %s: want a single-player game, or a two-player constant-sum game", w.Spec)
	}
	o.Workers, o.Program, o.Budget = max(1, o.Workers), cmp.Or(o.Program, "plyfit"), cmp.Or(o.Budget, DefaultBudget)
	if o.Openings == 0 && w.Players == 2 {
		o.Openings = 4 // makes the games differ
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if !(o.Budget >= leastBudget) || math.IsInf(o.Budget, 0) {
		return nil, fmt.Errorf("diagnose: a budget of %v CPU seconds: want at least %d", o.Budget, leastBudget)
	}
	d := &diagnosis{Options: o, unit: 1, chancy: w.Chancy()}
	d.spending.budget = float64(o.Budget * unitsPerSecond)
	_, d.dice = game.As[game.Chancer](w.Base().New())
	d.link = d.identity()
	d.report = Report{Game: w.Spec, Eval: o.Evaluation.Name, Seed: o.Seed, Unit: "points per game", Advice: []Advice{}, Worst: []Position{}}
	if w.Players == 2 && w.Max-w.Min <= 2 {
		d.unit, d.report.Unit = 1/(w.Max-w.Min), "of the points"
	}
	return d, nil
}

func (d *diagnosis) note(format string, args ...any) {
	d.report.Notes = append(d.report.Notes, fmt.Sprintf(format, args...))
}
