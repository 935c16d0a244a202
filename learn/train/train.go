// Package train learns an evaluation while the evaluation plays against itself: the weights change
// after each game or batch of games. Its counterpart plyfit/learn/fit learns from existing data.
//
// A run has these steps:
//
//  1. [Defaults] returns the game's settings for one of the methods ([Names]).
//  2. [Run] makes a plan from the options: the initial model, its link, and the recipe of everything
//     on which the weights depend.
//  3. The method creates its learner from the plan.
//  4. [online.Run] drives the learner from checkpoint to checkpoint and measures its learning curve.
//     The [Result] contains the model with its provenance.
package train

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/settings"
	"plyfit/learn/online"
	"plyfit/models"
)

// Result is the result of a run.
type Result struct {
	Model  *models.Linear // includes its provenance
	Set    features.Set
	Recipe []online.RecipeItem // everything on which the weights depend
	Report *online.Report
}

// Run learns a model of w. The result depends only on the recipe, unless a time limit ends the run
// or several threads learn. An interrupted run resumes from its last checkpoint in o.Dir. Run
// returns an error if another process is using o.Dir.
func Run(ctx context.Context, w *catalog.World, o Options) (*Result, error) {
	p, c, err := prepare(w, &o)
	if err != nil {
		return nil, err
	}
	r, err := online.Run(ctx, c)
	if err != nil {
		return nil, err
	}
	m := *r.Model
	m.Provenance = &models.Provenance{
		Command: o.Command, Episodes: r.Episodes, Label: o.Wins.String(), Method: o.Method, Seed: o.Seed,
	}
	if r.Early {
		m.Provenance.Notes = append(m.Provenance.Notes, fmt.Sprintf("ended by its time limit after %d games; to repeat it, use --games %d in place of --time", r.Episodes, r.Episodes))
	}
	return &Result{Model: &m, Set: p.Set, Recipe: p.Recipe, Report: r}, nil
}

func prepare(w *catalog.World, o *Options) (*plan, online.Options, error) {
	p, err := newPlan(w, o)
	if err != nil {
		return nil, online.Options{}, err
	}
	learner, err := p.learner()
	if err != nil {
		return nil, online.Options{}, fmt.Errorf("train %s: %w", w.Spec, err)
	}
	c := online.Options{
		Learner: learner, Game: w.Game, Goal: p.Goal != nil, Recipe: p.Recipe, Episodes: p.Episodes, Time: o.Time, Chunk: p.Chunk, Conduct: o.Conduct,
	}
	return p, c, p.curve(&c.Curve)
}

// A plan is a run in preparation, from which a [method] creates its learner.
type plan struct {
	online.Task
	World *catalog.World
	// Recipe lists everything on which the weights depend.
	Recipe []online.RecipeItem
	// Chunk is the value of Chunk in [online.Options]. The default is 1.
	Chunk int
}

// Depends adds an item to the recipe.
func (p *plan) Depends(key string, value any) {
	p.Recipe = append(p.Recipe, online.RecipeItem{Key: key, Value: fmt.Sprint(value)})
}

// newPlan returns the part of the plan that is common to all methods.
func newPlan(w *catalog.World, o *Options) (*plan, error) {
	if err := settings.Check(o, o.Method); err != nil {
		return nil, err
	}
	p := &plan{Task: online.Task{Training: o.Training, Game: w.Game, Seed: o.Seed, Workers: o.Workers, Goal: w.Entry.Goal}, World: w, Chunk: 1}
	var err error
	if p.Set, err = w.Set(o.Set); err != nil {
		return nil, err
	}
	digest, err := p.start(o.From)
	if err != nil {
		return nil, err
	}
	if err := p.link(digest != ""); err != nil {
		return nil, err
	}
	m := p.Model
	if p.Frozen, err = m.Fix(p.Freeze); err != nil {
		return nil, err
	}
	if len(m.Table) > 0 && len(m.Weights) == len(p.Frozen) {
		p.Frozen = append(p.Frozen, models.Bias) // models of tables need no bias
	}
	p.Depends("game", w.Spec)
	p.Depends("features", p.Set.Name()+" "+m.Fingerprint)
	if digest != "" {
		p.Depends("init digest", digest)
	}
	if from := p.AverageFrom(); from >= 0 {
		p.Depends("averaged from game", from)
	}
	p.Depends("seed", p.Seed)
	return p, nil
}

// learner creates the method's learner and adds all its settings to the recipe.
func (p *plan) learner() (online.Learner, error) {
	m, err := methodNamed(p.Method)
	if err != nil {
		return nil, err
	}
	l, err := m.Learner(p)
	for _, s := range settings.Of(&p.Training) {
		if key := s.Key(p.Method); key != "" {
			p.Depends(key, s)
		}
	}
	return l, err
}

// These are values of Init: weights drawn from a normal distribution, and weights of 0.
const (
	Random = "random"
	zero   = "zero"
)

// start sets the initial model. It returns the digest of the given model, or "" if there is none.
func (p *plan) start(from *Start) (digest string, err error) {
	w, init := p.World, p.Init
	if from == nil && init != zero && init != Random {
		return "", fmt.Errorf("init %q: want zero, random or a model", init)
	}
	if p.Optimism != 0 && init != zero {
		return "", fmt.Errorf("optimism=%v, init=%s: want init zero", p.Optimism, init)
	}
	if from != nil {
		if from.Set.Name() != p.Set.Name() {
			return "", fmt.Errorf("init %s: the model has features %s; want features %s", init, from.Set.Name(), p.Set.Name())
		}
		if digest, err = from.Model.File().Digest(); err != nil {
			return "", err
		}
		m := from.Model.Clone() // copy the model, because models shipped with plyfit are shared
		m.Errors, m.BiasError, m.Provenance = nil, 0, nil
		m.Fingerprint = features.Fingerprint(p.Set, w.Game) // the model continues to learn in this world
		p.Model = m
		return digest, nil
	}
	m := features.New(p.Set, w.Game)
	m.Range = w.Range()
	if w.Chancy() {
		m.Leaves = models.Afterstate
	}
	p.Model = m
	if init == zero {
		return "", p.optimism()
	}
	const deviation = 0.01
	rng := p.Task.Random(-1)
	for i := range m.Weights {
		m.Weights[i] = deviation * rng.NormFloat64()
	}
	for i := range m.Table {
		m.Table[i] = float32(deviation * rng.NormFloat64())
	}
	return "", nil
}

// optimism sets the initial weights so that every position has the value Optimism.
func (p *plan) optimism() error {
	if p.Optimism == 0 {
		return nil
	}
	tuples, ok := p.Set.(features.TupleIndexer)
	if !ok {
		return fmt.Errorf("optimism=%v: want pattern tables, not features %s", p.Optimism, p.Set.Name())
	}
	for i := range p.Model.Table {
		p.Model.Table[i] = float32(p.Optimism / float64(tuples.Placements()))
	}
	return nil
}

// link sets the model's link and copies it to the settings. If started is set, the model already
// has a link.
func (p *plan) link(started bool) error {
	m, base, link := p.Model, p.World.Base(), models.Link{Kind: p.Link, Scale: p.Scale}
	switch {
	case started:
		link = m.Link
	case link.Kind == "" && base.Players == 2 && base.Max-base.Min < 1e9:
		link.Kind = models.Tanh
	case link.Kind == "":
		link.Kind = models.Identity
	}
	if link.Kind == models.Identity {
		link.Scale = 0
	} else if link.Scale == 0 && !started {
		link.Scale = 1
	}
	switch {
	case p.Link != "" && p.Link != link.Kind:
		return fmt.Errorf("link %s: the initial model has link %s", p.Link, link.Kind)
	case p.Scale != 0 && link.Kind == models.Identity:
		return fmt.Errorf("scale=%v: link identity has no scale", p.Scale)
	case p.Scale != 0 && p.Scale != link.Scale:
		return fmt.Errorf("scale=%v: the initial model has scale %v", p.Scale, link.Scale)
	}
	m.Link, p.Link, p.Scale = link, link.Kind, link.Scale
	return nil
}
