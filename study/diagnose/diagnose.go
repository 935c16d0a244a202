// Package diagnose says what an evaluation loses under expectimax and under minimax in one world, how
// much of that is the order that it puts positions in and how much the scale of its values, and what
// to do about it.
//
// The journey of [Run]:
//
//  1. The evaluation plays against itself under expectimax. Decisions of each game are a sample (games.go).
//  2. Its values are compared with the outcomes of the games: the slope (calibration.go).
//  3. At each decision of the sample several planners choose. Expectimax that searches further, with the
//     calibrated evaluation, measures what each choice gives away: its regret (regret.go).
//  4. If games are short enough, each planner plays pairs of games with common luck against itself
//     searching further. Its loss in them is divided by the regrets (contest.go).
//  5. The [Report] is printed or becomes a page (report.go, its prose in report.txt).
//
// Everything follows from the seed alone: what is measured is limited by nodes, never by time (budget.go).
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

// Options are what is diagnosed and how thoroughly.
type Options struct {
	World      *catalog.World // a game of one player or of two who get a fixed sum, with nothing hidden
	Evaluation *catalog.Evaluation
	Depth      int     // decisions that both planners search; 0: 2, or 1 if more takes too long
	Games      int     // of the evaluation against itself, at most; 0: 600, and with a larger budget more
	Openings   int     // random decisions at the beginning of a game; 0: 4 in games of two, else none
	Pairs      int     // of each match, at most; 0: 1000, and with a larger budget more
	Seed       uint64  // everything random follows from it
	Budget     float64 // CPU seconds, reckoned by nodes; 0: [DefaultBudget]
	Workers    int     // never changes the result; 0: one
	Program    string  // the command that advice names; "": plyfit
	Progress   func(stage string, done, of int)
}

// Report is what was found. Figures are in Unit unless they say otherwise; all have 95% intervals,
// clustered by game.
type Report struct {
	Game       string `json:"game"`
	Eval       string `json:"eval"`
	Depth      int    `json:"depth"`   // decisions that the planners search
	Further    int    `json:"further"` // how many more those search that they are measured by
	Seed       uint64 `json:"seed"`
	Unit       string `json:"unit"`
	Games      int    `json:"games"`     // against itself
	Valued     int    `json:"valued"`    // games one decision ahead that the slope comes from
	Positions  int    `json:"positions"` // of them at which planners chose
	Expectimax Loss   `json:"expectimax"`
	Minimax    *Loss  `json:"minimax,omitempty"` // nil: no chance in the world, so that both are one
	Slope      Slope  `json:"slope"`

	Advice   []Advice   `json:"advice"`
	Worst    []Position `json:"worst"`
	Controls controls   `json:"controls"`
	Spent    spent      `json:"spent"`
	Notes    []string   `json:"notes,omitempty"`
}

// Loss is what a planner loses against itself searching further.
type Loss struct {
	Pairs  int            `json:"pairs"` // of games by which it was measured; 0: none, and figures are of a decision
	Loss   stats.Estimate `json:"loss"`
	Order  stats.Estimate `json:"order"`                // of it by the order of positions
	Scale  stats.Estimate `json:"scale"`                // by the scale of values: what a calibration gains against it
	Always bool           `json:"scale_is_0,omitempty"` // Scale is 0 by a theorem, and was where it was measured
	Blind  stats.Estimate `json:"no_evaluation"`        // the loss of the planner with no evaluation at all
	Regret stats.Estimate `json:"regret"`               // a decision
}

// Advice is one thing to do, and what it gains under expectimax.
type Advice struct {
	Do       string         `json:"do"`
	Commands []string       `json:"commands,omitempty"` // that do it
	Gain     stats.Estimate `json:"gain"`
}

// Position is one at which expectimax gives much away.
type Position struct {
	Position string  `json:"position"`
	Board    string  `json:"board"` // as the game draws it
	Chosen   string  `json:"chosen"`
	Better   string  `json:"better"`
	Value    float64 `json:"value"`        // of Chosen, in the mover's view, in the game's units, by the search further
	Best     float64 `json:"better_value"` // of Better
	Terms    []term  `json:"terms,omitempty"`
	Ending   []term  `json:"ending,omitempty"` // the sums, and a search's value
}

type term struct {
	Name           string  `json:"name"`
	Chosen, Better float64 // the feature
	Difference     float64 // of what it adds to the sum: Better's less Chosen's
}

// controls are figures that are known beforehand: 0 unless the instrument is broken.
type controls struct {
	Identity float64 `json:"identity"`        // regret of a decision that a calibration by a slope of 1 adds
	DepthOne int     `json:"depth_one"`       // decisions at which minimax and expectimax differ one decision ahead,
	Asked    int     `json:"depth_one_asked"` // of these, in games without chance but slips
	Minimax  int     `json:"minimax_changed"` // decisions at which calibrating changed the choice of minimax
}

// spent is what a diagnosis took, and what it had to do without.
type spent struct {
	Budget  float64  `json:"budget"`  // CPU seconds, reckoned
	Seconds float64  `json:"seconds"` // of them that it took
	Nodes   int64    `json:"nodes"`
	Less    []string `json:"less,omitempty"` // what the budget had no room for, in words
}

type diagnosis struct {
	Options
	spending spending
	unit     float64      // of the report's unit in one of utility
	chancy   bool         // nature moves by chance
	dice     bool         // and not by slips alone
	link     link         // of the calibrated evaluation
	curve    *curve       // the best increasing map; nil: there are too few games
	pilot    []game.State // of random games
	games    []played
	valued   []played // one decision ahead, for the slope
	samples  []sample
	found    []choices
	report   Report
}

// Run diagnoses an evaluation. An error is ctx's, or says which option cannot be diagnosed.
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
		return nil, fmt.Errorf("diagnose: %s: an adversary moves for nature, who leaves nothing to average: want the world of chance", w.Spec)
	}
	if _, fixed := w.FixedSum(); w.Players > 2 || w.Players == 2 && !fixed {
		return nil, fmt.Errorf("diagnose: %s: want a game of one player, or of two who get a fixed sum", w.Spec)
	}
	o.Workers, o.Program, o.Budget = max(1, o.Workers), cmp.Or(o.Program, "plyfit"), cmp.Or(o.Budget, DefaultBudget)
	if o.Openings == 0 && w.Players == 2 {
		o.Openings = 4 // so that games differ
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
	d.report = Report{Game: w.Spec, Eval: o.Evaluation.Name, Seed: o.Seed, Unit: "points a game", Advice: []Advice{}, Worst: []Position{}}
	if w.Players == 2 && w.Max-w.Min <= 2 {
		d.unit, d.report.Unit = 1/(w.Max-w.Min), "of the points"
	}
	return d, nil
}

func (d *diagnosis) note(format string, args ...any) {
	d.report.Notes = append(d.report.Notes, fmt.Sprintf(format, args...))
}
