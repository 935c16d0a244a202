package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/spec"
	"plyfit/learn/online"
	"plyfit/models"
)

// trainPlan is a run in the making.
type trainPlan struct {
	*trainFlags
	world *catalog.World
	set   features.Set
	task  online.Task
	steps online.Steps
	// recipe lists what the weights depend on; a method adds its own.
	recipe []online.Setting
	wins   float64 // share of who wins in the label
	chunk  int     // games that the method plays with the same weights
}

// depends adds to the recipe.
func (p *trainPlan) depends(key string, value any) {
	p.recipe = append(p.recipe, online.Setting{Key: key, Value: fmt.Sprint(value)})
}

// trainPlan reads what all methods have in common.
func (a *app) trainPlan(cmd *cobra.Command, w *catalog.World, f *trainFlags) (*trainPlan, error) {
	changed := cmd.Flags().Changed
	p := &trainPlan{trainFlags: f, world: w, chunk: 1}
	var err error
	if p.set, err = w.Set(f.set); err != nil {
		return nil, err
	}
	m, start, err := p.start()
	if err != nil {
		return nil, err
	}
	base, chancy := w.Base(), w.Chancy()
	if !changed("link") && start == nil {
		f.link = string(models.Identity)
		if base.Players == 2 && base.Max-base.Min < 1e9 {
			f.link = string(models.Tanh)
		}
	}
	switch kind := models.LinkKind(f.link); {
	case f.link == "" && start != nil:
	case kind != models.Identity && kind != models.Tanh && kind != models.Logistic:
		return nil, fmt.Errorf("link %q: want identity, tanh or logistic", f.link)
	case start != nil && kind != m.Link.Kind:
		return nil, fmt.Errorf("link %s: the model to begin with has %s", f.link, m.Link.Kind)
	case kind == models.Identity:
		m.Link = models.Link{Kind: kind}
	default:
		if !(f.scale > 0) {
			return nil, fmt.Errorf("scale=%v: want a number above 0", f.scale)
		}
		m.Link = models.Link{Kind: kind, Scale: f.scale}
	}
	if p.wins, err = winsShare(f.label); err != nil {
		return nil, err
	}
	recipe := w.Recipe()
	if !changed("openings") {
		f.openings = recipe.Openings
	}
	if !changed("curve-openings") && !chancy {
		f.curveOpenings = max(6, f.openings)
	}
	if !changed("epsilon") && !chancy {
		f.epsilon = 0.1
	}
	switch f.method {
	case "td":
	case "policy":
		if !changed("alpha") {
			f.alpha = 0.014
		}
		if !changed("batch") {
			f.batch = 400
		}
	default:
		if !changed("epsilon") && !chancy {
			f.epsilon = 0.02 // the searches themselves see what else could be played
		}
		if !changed("alpha") {
			f.alpha = 0.02
		}
		if !changed("batch") {
			f.batch = 16
		}
	}
	if !changed("average") && len(m.Table) > 0 {
		f.average = 0
	}
	if !(f.average >= 0 && f.average <= 1) {
		return nil, fmt.Errorf("average=%v: want a share of the games, 0 to 1", f.average)
	}
	p.steps = online.Steps{Alpha: f.alpha, TC: f.tc, AverageFrom: -1}
	if f.average > 0 {
		p.steps.AverageFrom = f.games - int(f.average*float64(f.games))
	}
	frozen, err := w.FrozenIn(p.set.Name())
	if err != nil {
		return nil, err
	}
	if changed("freeze") {
		if frozen, err = frozenTerms(f.frozen); err != nil {
			return nil, err
		}
	}
	p.task = online.Task{Game: w.Game, Set: p.set, Model: m, Seed: f.seed, Openings: f.openings, Epsilon: f.epsilon, Workers: f.workers, Goal: w.Entry.Goal}
	if p.task.Frozen, err = freezeIn(m, frozen); err != nil {
		return nil, err
	}
	if len(m.Table) > 0 && len(m.Weights) == len(p.task.Frozen) {
		p.task.Frozen = append(p.task.Frozen, models.Bias) // tables need none
	}
	p.depends("game", w.Spec)
	p.depends("features", p.set.Name()+" "+m.Fingerprint)
	p.depends("method", f.method)
	p.depends("init", f.init)
	if start != nil {
		p.depends("init digest", *start)
	} else if f.init == "random" {
		p.depends("noise", f.noise)
	}
	p.depends("link", m.Link.Kind)
	if m.Link.Kind != models.Identity {
		p.depends("scale", m.Link.Scale)
	}
	p.depends("label", f.label)
	p.depends("frozen", frozen)
	p.depends("alpha", f.alpha)
	p.depends("lambda", f.lambda)
	p.depends("tc", f.tc)
	if p.steps.AverageFrom >= 0 {
		p.depends("averaged from game", p.steps.AverageFrom)
	}
	p.depends("epsilon", f.epsilon)
	p.depends("openings", f.openings)
	p.depends("seed", f.seed)
	return p, nil
}

// winsShare reads a label: outcome, wins or wins:SHARE.
func winsShare(label string) (float64, error) {
	switch label {
	case "outcome":
		return 0, nil
	case "wins":
		return 1, nil
	}
	if text, ok := strings.CutPrefix(label, "wins:"); ok {
		if x, err := spec.Number(text); err == nil && x >= 0 && x <= 1 {
			return x, nil
		}
	}
	return 0, fmt.Errorf("label %q: want outcome, wins, or wins:SHARE with a share from 0 to 1", label)
}

// start is the model that learning begins with; digest is that of a file, nil
// where none is named.
func (p *trainPlan) start() (m *models.Linear, digest *string, err error) {
	w := p.world
	m = features.New(p.set, w.Game)
	m.Range = w.Range()
	if w.Chancy() {
		m.Leaves = models.Afterstate
	}
	switch p.init {
	case "zero":
		return m, nil, nil
	case "random":
		if !(p.noise >= 0) {
			return nil, nil, fmt.Errorf("noise=%v: want a number of at least 0", p.noise)
		}
		rng := (&online.Task{Seed: p.seed}).Random(-1)
		for i := range m.Weights {
			m.Weights[i] = p.noise * rng.NormFloat64()
		}
		for i := range m.Table {
			m.Table[i] = float32(p.noise * rng.NormFloat64())
		}
		return m, nil, nil
	}
	set, found, err := w.Model(p.init)
	if err != nil {
		return nil, nil, fmt.Errorf("init: %w", err)
	}
	if set.Name() != p.set.Name() {
		return nil, nil, fmt.Errorf("init %s: a model of %s: want one of %s", p.init, set.Name(), p.set.Name())
	}
	d, err := found.File().Digest()
	if err != nil {
		return nil, nil, err
	}
	m = found.Clone() // shipped tables are shared
	m.Errors, m.BiasError, m.Provenance = nil, 0, nil
	m.Fingerprint = features.Fingerprint(p.set, w.Game) // it is learned on in this world
	return m, &d, nil
}

// freezeIn gives the named terms their weights in m.
func freezeIn(m *models.Linear, frozen map[string]float64) ([]int32, error) {
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
