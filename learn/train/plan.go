package train

import (
	"fmt"
	"maps"
	"slices"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/settings"
	"plyfit/learn/online"
	"plyfit/models"
)

// plan is a run in the making: what a [method] makes its learner of.
type plan struct {
	online.Task
	World *catalog.World
	// Recipe lists what the weights depend on.
	Recipe []online.RecipeItem
	// Chunk is how many episodes the method plays with the same weights; 1 by default.
	Chunk int
}

// Depends adds to the recipe.
func (p *plan) Depends(key string, value any) {
	p.Recipe = append(p.Recipe, online.RecipeItem{Key: key, Value: fmt.Sprint(value)})
}

// newPlan makes what all methods have in common.
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
	if p.Frozen, err = freeze(m, p.Freeze); err != nil {
		return nil, err
	}
	if len(m.Table) > 0 && len(m.Weights) == len(p.Frozen) {
		p.Frozen = append(p.Frozen, models.Bias) // tables need none
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

// learner makes the method's learner, and adds all settings to the recipe.
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

// Random is the Init of weights drawn from a normal distribution, zero that of none.
const (
	Random = "random"
	zero   = "zero"
)

// start makes the model that learning begins with; digest is that of a given model, else "".
func (p *plan) start(from *Start) (digest string, err error) {
	w, init := p.World, p.Init
	if from == nil && init != zero && init != Random {
		return "", fmt.Errorf("init %q: want zero, random or a model", init)
	}
	if from != nil {
		if from.Set.Name() != p.Set.Name() {
			return "", fmt.Errorf("init %s: a model of %s: want one of %s", init, from.Set.Name(), p.Set.Name())
		}
		if digest, err = from.Model.File().Digest(); err != nil {
			return "", err
		}
		m := from.Model.Clone() // shipped tables are shared
		m.Errors, m.BiasError, m.Provenance = nil, 0, nil
		m.Fingerprint = features.Fingerprint(p.Set, w.Game) // it is learned on in this world
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
		return "", nil
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

// link gives the model its link, and the settings the model's, where it has one (started).
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
		return fmt.Errorf("link %s: the model to begin with has %s", p.Link, link.Kind)
	case p.Scale != 0 && link.Kind == models.Identity:
		return fmt.Errorf("scale=%v: link identity has no scale", p.Scale)
	case p.Scale != 0 && p.Scale != link.Scale:
		return fmt.Errorf("scale=%v: the model to begin with has %v", p.Scale, link.Scale)
	}
	m.Link, p.Link, p.Scale = link, link.Kind, link.Scale
	return nil
}

func freeze(m *models.Linear, frozen map[string]float64) ([]int32, error) {
	index := map[string]int32{}
	for i := range m.Weights {
		index[m.Name(int32(i))] = int32(i)
	}
	var out []int32
	for _, name := range slices.Sorted(maps.Keys(frozen)) {
		i, ok := index[name]
		if !ok {
			return nil, fmt.Errorf("frozen term %q: %s has none of that name outside of tables", name, m.Features)
		}
		m.Weights[i] = frozen[name]
		out = append(out, i)
	}
	return out, nil
}
