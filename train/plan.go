package train

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/optimiser"
	"plyfit/learn/online/runner"
	"plyfit/models"
)

// Plan is a run in the making: what a [Method] makes its learner of.
type Plan struct {
	Options
	World *catalog.World
	Task  online.Task
	// AverageFrom is the episode from which on the weights are averaged; negative:
	// never.
	AverageFrom int
	// Recipe lists what the weights depend on; a method adds its own.
	Recipe []runner.RecipeItem
	// Chunk is how many episodes the method plays with the same weights; 1 unless it
	// says otherwise.
	Chunk int
}

// Depends adds to the recipe.
func (p *Plan) Depends(key string, value any) {
	p.Recipe = append(p.Recipe, runner.RecipeItem{Key: key, Value: fmt.Sprint(value)})
}

// steps are the step sizes by a rule.
func (p *Plan) steps(rule optimiser.StepRule) optimiser.Steps {
	return optimiser.Steps{Rule: rule, Alpha: p.Alpha, Decay: p.Decay, AverageFrom: p.AverageFrom}
}

// newPlan makes what all methods have in common.
func newPlan(w *catalog.World, o Options) (*Plan, error) {
	p := &Plan{Options: o, World: w, Chunk: 1, AverageFrom: -1}
	set, err := w.Set(o.Set)
	if err != nil {
		return nil, err
	}
	m, digest, err := p.start(set)
	if err != nil {
		return nil, err
	}
	if err := p.link(m, digest != ""); err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	if p.Average > 0 {
		p.AverageFrom = p.Episodes - int(p.Average*float64(p.Episodes))
	}
	p.Task = online.Task{Game: w.Game, Set: set, Model: m, Seed: p.Seed, Openings: p.Openings, Epsilon: p.Epsilon, Workers: p.Workers, Goal: w.Entry.Goal}
	if p.Task.Frozen, err = freeze(m, p.Frozen); err != nil {
		return nil, err
	}
	if len(m.Table) > 0 && len(m.Weights) == len(p.Task.Frozen) {
		p.Task.Frozen = append(p.Task.Frozen, models.Bias) // tables need none
	}
	p.Depends("game", w.Spec)
	p.Depends("features", set.Name()+" "+m.Fingerprint)
	p.Depends("method", p.Method.Name)
	p.Depends("init", p.Init)
	if digest != "" {
		p.Depends("init digest", digest)
	} else if p.Init.Random {
		p.Depends("noise", p.Init.Noise)
	}
	p.Depends("link", m.Link.Kind)
	if m.Link.Kind != models.Identity {
		p.Depends("scale", m.Link.Scale)
	}
	p.Depends("label", labelOf(p.Wins))
	p.Depends("frozen", frozenTerms(p.Frozen))
	p.Depends("alpha", p.Alpha)
	p.Depends("lambda", p.Lambda)
	p.Depends("tc", p.TC)
	if p.AverageFrom >= 0 {
		p.Depends("averaged from game", p.AverageFrom)
	}
	p.Depends("epsilon", p.Epsilon)
	p.Depends("openings", p.Openings)
	p.Depends("seed", p.Seed)
	return p, nil
}

// check finds options that cannot be.
func (p *Plan) check() error {
	switch {
	case !(p.Wins >= 0 && p.Wins <= 1):
		return fmt.Errorf("label wins:%v: want a share from 0 to 1", p.Wins)
	case !(p.Average >= 0 && p.Average <= 1):
		return fmt.Errorf("average=%v: want a share of the games, 0 to 1", p.Average)
	case p.Time < 0 || p.CheckpointEvery < 0:
		return fmt.Errorf("--time %v --checkpoint-every %v: want no negative times", p.Time, p.CheckpointEvery)
	case p.Bounded && p.Method != TD:
		return fmt.Errorf("--bounded: %s does not know it: td does", p.Method)
	case p.Coherence != 0 && p.Method != TD:
		return fmt.Errorf("--coherence: %s does not know it: td does", p.Method)
	}
	return nil
}

// labelOf names what is learned: outcome, wins, or wins:SHARE.
func labelOf(wins float64) string {
	switch wins {
	case 0:
		return "outcome"
	case 1:
		return "wins"
	}
	return fmt.Sprintf("wins:%v", wins)
}

// start is the model that learning begins with; digest is that of a model that was
// given, "" where none was.
func (p *Plan) start(set features.Set) (m *models.Linear, digest string, err error) {
	w := p.World
	if found := p.Init.Model; found != nil {
		if p.Init.Set.Name() != set.Name() {
			return nil, "", fmt.Errorf("init %s: a model of %s: want one of %s", p.Init.Name, p.Init.Set.Name(), set.Name())
		}
		if digest, err = found.File().Digest(); err != nil {
			return nil, "", err
		}
		m = found.Clone() // shipped tables are shared
		m.Errors, m.BiasError, m.Provenance = nil, 0, nil
		m.Fingerprint = features.Fingerprint(set, w.Game) // it is learned on in this world
		return m, digest, nil
	}
	m = features.New(set, w.Game)
	m.Range = w.Range()
	if w.Chancy() {
		m.Leaves = models.Afterstate
	}
	if !p.Init.Random {
		return m, "", p.optimism(set, m)
	}
	if !(p.Init.Noise >= 0) {
		return nil, "", fmt.Errorf("noise=%v: want a number of at least 0", p.Init.Noise)
	}
	rng := (&online.Task{Seed: p.Seed}).Random(-1)
	for i := range m.Weights {
		m.Weights[i] = p.Init.Noise * rng.NormFloat64()
	}
	for i := range m.Table {
		m.Table[i] = float32(p.Init.Noise * rng.NormFloat64())
	}
	return m, "", nil
}

// optimism gives the tables of m what they say of every position at first.
func (p *Plan) optimism(set features.Set, m *models.Linear) error {
	if p.Init.Optimism == 0 {
		return nil
	}
	placer, ok := set.(features.Placer)
	if !ok || len(m.Table) == 0 {
		return fmt.Errorf("--optimism %v: %s has no tables: want a set of tables, as 2048/4x6 is", p.Init.Optimism, set.Name())
	}
	share := float32(p.Init.Optimism / float64(placer.Placements()))
	for i := range m.Table {
		m.Table[i] = share
	}
	return nil
}

// link gives m its link; started says that it has one already.
func (p *Plan) link(m *models.Linear, started bool) error {
	kind, base := p.Link, p.World.Base()
	if kind == "" && !started {
		kind = models.Identity
		if base.Players == 2 && base.Max-base.Min < 1e9 {
			kind = models.Tanh
		}
	}
	switch {
	case kind == "":
	case kind != models.Identity && kind != models.Tanh && kind != models.Logistic:
		return fmt.Errorf("link %q: want identity, tanh or logistic", kind)
	case started && kind != m.Link.Kind:
		return fmt.Errorf("link %s: the model to begin with has %s", kind, m.Link.Kind)
	case kind == models.Identity:
		m.Link = models.Link{Kind: kind}
	case p.Scale < 0 || p.Scale != p.Scale:
		return fmt.Errorf("scale=%v: want a number above 0", p.Scale)
	case p.Scale == 0:
		m.Link = models.Link{Kind: kind, Scale: 1}
	default:
		m.Link = models.Link{Kind: kind, Scale: p.Scale}
	}
	switch {
	case p.Scale != 0 && m.Link.Kind == models.Identity:
		return fmt.Errorf("--scale %v: link identity has no scale", p.Scale)
	case p.Scale != 0 && m.Link.Scale != p.Scale:
		return fmt.Errorf("--scale %v: the model to begin with has %v", p.Scale, m.Link.Scale)
	}
	return nil
}

// frozenTerms lists terms with the weights that they keep.
func frozenTerms(frozen map[string]float64) string {
	if len(frozen) == 0 {
		return "none"
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(frozen)) {
		all = append(all, fmt.Sprintf("%s=%v", name, frozen[name]))
	}
	return strings.Join(all, ", ")
}

// freeze gives the named terms their weights in m.
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
