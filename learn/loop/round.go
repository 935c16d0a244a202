package loop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/learn/fit"
	"plyfit/learn/validate"
	"plyfit/models"
)

// A Round is one round of self-play and fitting.
type Round struct {
	Agent    string             `json:"agent"`
	Data     *datasets.Manifest `json:"data"`
	Outcome  stats.Estimate     `json:"outcome"` // mean outcome of player 0 over the episodes
	Loss     float64            `json:"held_out_loss"`
	R2       *float64           `json:"held_out_r2"` // nil if no rows are held out or all labels are equal
	Strength arena.Result       `json:"strength"`    // result of the round's model in a short match

	// Accepted is set if later rounds build on the model. The first model of a run from scratch is
	// accepted. Any other model is accepted or rejected by the result of Match, its match against
	// the best earlier model. Losses compares the two models by squared error on held-out rows.
	Accepted bool          `json:"accepted"`
	Match    *arena.Result `json:"match,omitempty"`
	Losses   *Losses       `json:"losses,omitempty"`
}

// Losses contains the mean squared errors of two models on the round's held-out rows, in squared
// units of the label.
type Losses struct {
	New  float64 `json:"new"`
	Best float64 `json:"best"` // best model before the round
}

// Disagree reports whether the match and the held-out loss favour different models.
func (r *Round) Disagree() bool {
	return r.Losses != nil && r.Accepted != (r.Losses.New <= r.Losses.Best)
}

func (o *Result) rounds(ctx context.Context) error {
	c := &o.Options
	best := c.Recipe.Prior
	if best != "" {
		var err error
		if _, o.Learned, err = c.World.Model(best); err != nil {
			return err
		}
	}
	for k := 1; k <= c.Recipe.Rounds; k++ {
		round, fitted, err := c.round(ctx, k, best)
		if err != nil {
			return err
		}
		if o.Learned != nil { // the feature set of a late round may have more features
			if _, o.Learned, err = c.World.ModelOver(best, c.set(k)); err != nil {
				return err
			}
		}
		if err := c.accept(ctx, k, round, fitted, o.Learned, best); err != nil {
			return err
		}
		if o.Rounds = append(o.Rounds, *round); round.Accepted {
			if o.Fitted != nil {
				o.Fitted.Close()
			}
			o.Shipped, o.Fitted, o.Learned, best = k, fitted, fitted.Model, c.modelPath(k)
		} else {
			fitted.Close()
		}
		text := fmt.Sprintf("round %d of %d: %d games, %s against %s", k, c.Recipe.Rounds, round.Data.Episodes, shareText(&round.Strength), c.opponent())
		if round.Match != nil {
			text += ", " + ending(shareText(round.Match), round.Accepted)
		}
		c.printf("%s", text)
		c.log("round", map[string]any{"round": k, "digest": round.Data.Digest, "held_out_loss": round.Loss, "accepted": round.Accepted})
	}
	if o.Shipped == 0 {
		return proc.Failure(fmt.Errorf("no model won a match in %d rounds of %d episodes against %s; use a larger --games", c.Recipe.Rounds, c.Recipe.Episodes, c.Recipe.Prior))
	}
	return o.Learned.File().Save(o.Model)
}

func (c *Options) modelPath(k int) string {
	return filepath.Join(c.Dir, fmt.Sprintf("round-%d", k), "model.json")
}

// dataPath returns the directory of the data set for round k. The data set of the last round is the
// run's own.
func (c *Options) dataPath(k int) string {
	if k == c.Recipe.Rounds {
		return filepath.Join(c.Dir, "data")
	}
	return filepath.Join(c.Dir, fmt.Sprintf("round-%d", k), "data")
}

// round runs self-play and a fit. The parameter model is the evaluation that plays, either a file
// or the evaluation to improve. It is empty in the first round of a run from scratch.
func (c *Options) round(ctx context.Context, k int, model string) (*Round, *fit.Result, error) {
	agent := c.Recipe.First
	if model != "" {
		agent = catalog.WithEval(c.planner(k), model)
	}
	data, identity, err := c.selfPlay(ctx, selfPlay{
		what: fmt.Sprintf("round %d of %d: games", k, c.Recipe.Rounds), agent: agent,
		dir: c.dataPath(k), episodes: c.episodes(k), seed: game.Seed(c.Seed, game.StreamRound, uint64(k)),
	})
	if err != nil {
		return nil, nil, err
	}
	options, err := c.fitOptions(k, model)
	if err != nil {
		return nil, nil, err
	}
	var fitted *fit.Result
	err = c.timeFit(fmt.Sprintf("round %d of %d: the fit to %d positions", k, c.Recipe.Rounds, data.Manifest.Records), c.episodes(k), data.Manifest.Records, func() (err error) {
		fitted, err = fit.Run(ctx, c.World, data, options)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(filepath.Dir(c.modelPath(k)), 0o755); err != nil {
		return nil, nil, err
	}
	fitted.Model.Provenance.Command = c.Command
	if err := fitted.Model.File().Save(c.modelPath(k)); err != nil {
		return nil, nil, err
	}
	r := &Round{Agent: identity, Data: &data.Manifest, Loss: fitted.Report.HeldOutLoss, R2: fitted.Report.Figures().HeldOutR2}
	if r.Outcome, err = meanOutcome(data); err != nil {
		return nil, nil, err
	}
	contest := Contest{World: c.World, Planner: c.planner(k), A: "learned", B: c.opponent(), Pairs: c.shortMatch(), Seed: c.Seed, file: fmt.Sprintf("round-%d", k)}
	if err := c.play(ctx, &contest, c.modelPath(k)); err != nil {
		return nil, nil, err
	}
	r.Strength = contest.Result
	return r, fitted, nil
}

// planner returns the planner for round k, without its eval option.
func (c *Options) planner(k int) string {
	if k <= c.Recipe.EarlyRounds {
		return c.Recipe.Early
	}
	return c.Recipe.Planner
}

// set returns the feature set for the fit in round k. "" means the game's default.
func (c *Options) set(k int) string {
	if k > c.Recipe.EarlyRounds && c.Recipe.LateSet != "" {
		return c.Recipe.LateSet
	}
	return c.Recipe.Set
}

func (c *Options) episodes(k int) int {
	if k <= c.Recipe.EarlyRounds && c.Recipe.EarlyEpisodes > 0 {
		return c.Recipe.EarlyEpisodes
	}
	return c.Recipe.Episodes
}

// fitOptions returns the recipe's options for the fit in round k. The parameter before is the best
// earlier evaluation, or "" if there is none.
func (c *Options) fitOptions(k int, before string) (fit.Options, error) {
	r := &c.Recipe
	named, steps := r.Method, r.Steps
	if r.LateSet != "" && k <= r.EarlyRounds {
		named, steps = "", 0
	}
	method, err := fit.MethodNamed(named)
	if err != nil {
		return fit.Options{}, err
	}
	frozen, err := c.World.FrozenIn(c.set(k))
	if err != nil {
		return fit.Options{}, err
	}
	o := fit.Options{
		Set: c.set(k), Method: method, Steps: steps, Label: c.label(k), Lambda: r.Lambda, Penalty: r.Penalty,
		Leaves: r.Leaves, Frozen: frozen, Seed: c.Seed, Workers: c.Workers,
	}
	name, shown := r.Prior, r.Prior
	if r.Chain && before != "" && before != r.Prior {
		name, shown = before, "round before"
	}
	if name != "" {
		_, prior, err := c.World.ModelOver(name, o.Set)
		if err != nil {
			return o, err
		}
		o.Prior, o.PriorName, o.Quiet = prior, shown, r.Quiet
		o.Scale.Prior = prior.Link.Kind != models.Identity
	}
	return o, nil
}

func (c *Options) label(k int) fit.Label {
	r := &c.Recipe
	if r.Returns > 0 && (k > 1 || r.Prior != "") {
		return fit.ReturnLabel(r.Returns)
	}
	return fit.OutcomeLabel()
}

// shortMatch returns the number of pairs that a round plays to measure its point on the learning
// curve.
func (c *Options) shortMatch() int { return max(20, c.Recipe.Pairs/2) }

// accept plays a match between the model of round k and the best earlier one. The model is accepted
// unless it scores less than 50%. If the run improves an existing evaluation, the model must score
// more than 50%. The games differ from those in the contests, so that no reported result is used
// for selection.
func (c *Options) accept(ctx context.Context, k int, r *Round, fitted *fit.Result, before *models.Linear, best string) error {
	r.Accepted = true
	if best == "" {
		return nil
	}
	t := c.trialMatch(fmt.Sprintf("accept-%d", k), best, game.StreamAccept, uint64(k))
	t.Planner = c.planner(k)
	if err := c.play(ctx, &t, c.modelPath(k)); err != nil {
		return err
	}
	r.Match, r.Accepted = &t.Result, lead(&t.Result) > 0 || c.Recipe.Prior == "" && !(lead(&t.Result) < 0)
	var err error
	r.Losses, err = c.losses(ctx, fitted, before)
	return err
}

// losses returns the squared errors, on the fit's held-out rows, of the fitted model and of another
// model with the same features.
func (c *Options) losses(ctx context.Context, fitted *fit.Result, other *models.Linear) (*Losses, error) {
	base := c.World.Base()
	loss := func(m *models.Linear) (float64, error) {
		view := validate.Reading{Rows: func(s *datasets.Sample) bool { return fitted.Held(s.Episode) }, Link: m.Link, Lo: base.Min, Hi: base.Max}
		all, err := validate.SquaredErrors(ctx, m, fitted.Samples, view, 1, func(*datasets.Sample) int { return 0 })
		return all[0], err
	}
	var l Losses
	var err error
	if l.New, err = loss(fitted.Model); err != nil {
		return nil, err
	}
	l.Best, err = loss(other)
	return &l, err
}

// meanOutcome returns the mean utility of player 0 over the episodes that were not truncated.
func meanOutcome(data *datasets.Set) (stats.Estimate, error) {
	var outcomes []float64
	last, any := uint64(0), false
	for r, err := range data.Records() {
		if err != nil {
			return stats.Estimate{}, err
		}
		if any && r.Episode == last || r.Truncated {
			continue
		}
		last, any = r.Episode, true
		outcomes = append(outcomes, r.Outcome[0])
	}
	return stats.MeanOf(outcomes), nil
}
