package catalog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// Agent is an agent's spec as it was read: its Name is the spec as the user wrote
// it, its Identity the spec with the digests of the models that it names.
type Agent struct {
	search.Factory
	Evaluation *Evaluation // the evaluation that it uses; nil where there is none to tell
}

// AgentOptions are what a command, not its user, asks of an agent.
type AgentOptions struct {
	Complete bool            // find all best moves
	Observer search.Observer // told of every node
	// Iteration is told of each depth that a search has finished.
	Iteration  func(search.Result)
	Evaluation *Evaluation // the evaluation where the spec names none; nil: the game's default
}

// deepEnough stands for no limit of depth: no game here has a longer line of
// decisions that a search could finish.
const deepEnough = 1 << 10

// Agent reads an agent's spec: KIND[:key=value,...], where nested specs stand
// in parentheses, and mix(0.8*SPEC,0.2*SPEC).
func (w *World) Agent(text string, o AgentOptions) (*Agent, error) {
	b, err := w.builder(text, o)
	if err != nil {
		return nil, fmt.Errorf("agent %w", err)
	}
	a, err := b.make()
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", text, err)
	}
	search.Close(a)
	return &Agent{search.Factory{Name: text, Identity: b.identity, New: b.make, Unrepeatable: !b.repeatable}, b.evaluation}, nil
}

// WithEval is the spec of an agent with an evaluation put in.
func WithEval(agent, eval string) string {
	if strings.ContainsAny(eval, ",+()") {
		eval = "(" + eval + ")"
	}
	if strings.Contains(agent, ":") {
		return agent + ",eval=" + eval
	}
	return agent + ":eval=" + eval
}

// WithKey is the spec of an agent with the value of one key put in, in place of
// the one that it has.
func WithKey(agent, key, value string) (string, error) {
	if strings.ContainsAny(value, ",+()") {
		value = "(" + value + ")"
	}
	kind, options, _ := strings.Cut(agent, ":")
	var items []string
	if options != "" {
		list, err := spec.List(options)
		if err != nil {
			return "", err
		}
		for _, item := range list {
			if !strings.HasPrefix(item, key+"=") {
				items = append(items, item)
			}
		}
	}
	return kind + ":" + strings.Join(append(items, key+"="+value), ","), nil
}

// builder is an agent's spec after it was read.
type builder struct {
	make       func() (search.Agent, error)
	identity   string
	repeatable bool
	split      bool // equally good moves are drawn from
	file       bool // a model is named by its file, or by the digest of one
	evaluation *Evaluation
}

func (w *World) builder(text string, o AgentOptions) (*builder, error) {
	if inner, ok := strings.CutPrefix(text, "mix("); ok && strings.HasSuffix(inner, ")") {
		return w.mixBuilder(text, inner[:len(inner)-1], o)
	}
	if inner, ok := strings.CutPrefix(text, "cheat("); ok && strings.HasSuffix(inner, ")") {
		return w.cheatBuilder(inner[:len(inner)-1], o)
	}
	s, err := game.ParseSpec(text)
	if err != nil {
		return nil, err
	}
	if len(s.Wrappers) > 0 {
		return nil, fmt.Errorf("%s: an agent takes no +%s", text, s.Wrappers[0].Name)
	}
	if own, ok := w.Entry.Agents[s.Name]; ok {
		make, err := own(s.Options)
		if err != nil {
			return nil, err
		}
		return &builder{make: make, identity: text, repeatable: true}, nil
	}
	if e, ok := engines[s.Name]; ok && w.Entry.speaks(e.protocol) {
		return w.engine(text, &s)
	}
	kind, ok := agentKinds[s.Name]
	if !ok {
		names := append(slices.Sorted(maps.Keys(w.Entry.Agents)), w.Entry.engineKinds()...)
		names = append(names, agentNames...)
		return nil, fmt.Errorf("%s: unknown kind %q: want one of %s", text, s.Name, strings.Join(names, ", "))
	}
	return kind(w, text, s.Options, o)
}

// mixBuilder reads the inside of mix(...): weights and agents.
func (w *World) mixBuilder(text, inner string, o AgentOptions) (*builder, error) {
	o.Observer, o.Iteration = nil, nil
	var parts []*builder
	weights, err := mixture(text, inner, func(nested string) error {
		part, err := w.builder(nested, o)
		parts = append(parts, part)
		return err
	})
	if err != nil {
		return nil, err
	}
	b := &builder{repeatable: true}
	var names []string
	for i, part := range parts {
		b.repeatable = b.repeatable && part.repeatable
		b.file = b.file || part.file
		names = append(names, fmt.Sprintf("%v*(%s)", weights[i], part.identity))
	}
	b.identity = "mix(" + strings.Join(names, ",") + ")"
	b.make = func() (search.Agent, error) {
		agents := make([]search.Agent, len(parts))
		for i, part := range parts {
			var err error
			if agents[i], err = part.make(); err != nil {
				for _, made := range agents[:i] {
					search.Close(made)
				}
				return nil, err
			}
		}
		return policy.NewMixAgent(weights, agents)
	}
	return b, nil
}

// mixture reads PROBABILITY*SPEC,... and hands each spec to nested.
func mixture(text, inner string, nested func(text string) error) (weights []float64, err error) {
	items, err := spec.List(inner)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, item := range items {
		number, part, ok := strings.Cut(item, "*")
		p, err := spec.Number(strings.TrimSpace(number))
		if !ok || err != nil || !(p > 0 && p <= 1) {
			return nil, fmt.Errorf("%s: %q: want PROBABILITY*AGENT", text, item)
		}
		if err := nested(spec.Unwrap(strings.TrimSpace(part))); err != nil {
			return nil, err
		}
		weights, sum = append(weights, p), sum+p
	}
	if math.Abs(sum-1) > 1e-9 {
		return nil, fmt.Errorf("%s: the probabilities sum to %v: want 1", text, sum)
	}
	return weights, nil
}

// kind reads the options of one kind of agent.
type kind func(w *World, text string, o *game.Options, a AgentOptions) (*builder, error)

// agentKinds are the kinds of agents by name.
var agentKinds map[string]kind

var agentNames = []string{"random", "greedy", "minimax", "alphabeta", "expectimax", "maxn", "paranoid", "mcts", "pimc", "ismcts", "strategy", "response", "cheat(...)", "mix(...)"}

func init() {
	// Here and not in the declaration, since policies lead back to agents.
	agentKinds = map[string]kind{
		"random":     planner((*draft).random),
		"greedy":     planner((*draft).greedy, keyEval, keyLeaf, keyAssume, keyTies),
		"minimax":    planner((*draft).minimax, keyEval, keyLeaf, keyAssume, keyTies, keyLimits),
		"alphabeta":  planner((*draft).alphaBeta, keyEval, keyLeaf, keyAssume, keyTies, keyLimits, keyOrder, keyTable, keyQuiescence, keyThreads),
		"expectimax": planner((*draft).expectimax, keyEval, keyLeaf, keyAssume, keyTies, keyLimits, keyOrder, keyTable, keyPrune, keyThreads),
		"maxn":       planner((*draft).maxN, keyEval, keyLeaf, keyAssume, keyTies, keyLimits, keyPruneMaxN),
		"paranoid":   planner((*draft).paranoid, keyEval, keyLeaf, keyAssume, keyTies, keyLimits),
		"mcts":       planner((*draft).mcts, keyEval, keyLeaf, keyAssume, keyTies, keySimulations),
		"pimc":       pimcKind,
		"strategy":   strategyKind,
		"response":   responseKind,
		"ismcts":     planner((*draft).ismcts, keyEval, keyTies, keyTrees),
	}
}

// draft is an agent's options in the making: what cannot be shared between agents
// is made anew for each of them.
type draft struct {
	search.Expectimax // the kind with the most options; each takes those that it has
	whole             bool
	simulations       int
	exploration       float64
	multiple          bool // ismcts: a tree for each player
	rollouts          bool // ismcts: leaves are played out

	evaluation *Evaluation
	eval       string         // as the spec names it
	assumed    string         // likewise, where it is a policy
	policy     *policyBuilder // of assume=POLICY
}

func (d *draft) random() (search.Agent, error) { return policy.NewRandom(), nil }

func (d *draft) greedy() (search.Agent, error) {
	return search.NewGreedy(search.Greedy{Game: d.Game, Eval: d.Eval, Leaf: d.Leaf, Assume: d.Assume, Ties: d.Ties, Complete: d.Complete, Observer: d.Observer})
}

func (d *draft) minimax() (search.Agent, error) {
	return search.NewMinimax(search.Minimax{
		Game: d.Game, Eval: d.Eval, Depth: d.Depth, Nodes: d.Nodes, Time: d.Time, Leaf: d.Leaf, Assume: d.Assume, Ties: d.Ties,
		Complete: d.Complete, Observer: d.Observer, Iteration: d.Iteration,
	})
}

func (d *draft) alphaBeta() (search.Agent, error) {
	return search.NewAlphaBeta(search.AlphaBeta{
		Game: d.Game, Eval: d.Eval, Depth: d.Depth, Nodes: d.Nodes, Time: d.Time, Leaf: d.Leaf, Assume: d.Assume, Ties: d.Ties,
		Complete: d.Complete, Observer: d.Observer, Iteration: d.Iteration,
		Quiescence: d.Quiescence, Order: d.Order, Table: d.Table, Threads: d.Threads, Fork: d.Fork,
	})
}

func (d *draft) expectimax() (search.Agent, error) { return search.NewExpectimax(d.Expectimax) }

func (d *draft) many() search.Many {
	return search.Many{
		Game: d.Game, Eval: d.Eval, Depth: d.Depth, Nodes: d.Nodes, Time: d.Time, Leaf: d.Leaf, Assume: d.Assume, Ties: d.Ties,
		Complete: d.Complete, Whole: d.whole, Observer: d.Observer,
	}
}

func (d *draft) maxN() (search.Agent, error)     { return search.NewMaxN(d.many()) }
func (d *draft) paranoid() (search.Agent, error) { return search.NewParanoid(d.many()) }

func (d *draft) mcts() (search.Agent, error) {
	return mcts.New(mcts.Options{
		Game: d.Game, Eval: d.Eval, Time: d.Time, Leaf: d.Leaf, Assume: d.Assume, Ties: d.Ties, Complete: d.Complete,
		Simulations: d.simulations, Exploration: d.exploration,
	})
}

// key reads some of the options into a draft.
type key func(w *World, o *game.Options, d *draft) error

// planner is the kind of agent that make makes of the options that the keys read.
func planner(make func(*draft) (search.Agent, error), keys ...key) kind {
	return func(w *World, text string, o *game.Options, a AgentOptions) (*builder, error) {
		d := &draft{evaluation: a.Evaluation}
		d.Game, d.Complete, d.Observer, d.Iteration = w.Game, a.Complete, a.Observer, a.Iteration
		for _, read := range keys {
			if err := read(w, o, d); err != nil {
				return nil, err
			}
		}
		if err := o.Err(); err != nil {
			return nil, err
		}
		if d.Leaf == "" && d.evaluation != nil {
			d.Leaf = d.evaluation.Leaves
		}
		b := &builder{
			repeatable: d.Time == 0 && d.Threads <= 1 && (d.policy == nil || d.policy.repeatable),
			identity:   d.identity(text), split: d.Ties == search.Random, evaluation: d.evaluation,
			file: namesFile(d.eval) || d.policy != nil && d.policy.file,
		}
		b.make = func() (search.Agent, error) {
			one := *d
			if d.evaluation != nil {
				one.Fork = d.evaluation.New
				one.Eval = one.Fork()
			}
			if d.policy != nil {
				p, err := d.policy.make()
				if err != nil {
					return nil, err
				}
				one.Assume = assume.Assumption{Kind: assume.Policy, Policy: p}
			}
			return make(&one)
		}
		return b, nil
	}
}

// identity is the spec with the digests of models in place of their names, which
// may be paths of one machine.
func (d *draft) identity(text string) string {
	identity := text
	if d.policy != nil {
		identity = renamed(identity, "assume", d.assumed, "("+d.policy.identity+")")
	}
	if d.evaluation == nil || d.evaluation.Digest == "" {
		return identity
	}
	digest := short(d.evaluation.Digest)
	if d.eval != "" {
		return renamed(identity, "eval", d.eval, digest)
	}
	return WithEval(identity, digest)
}

// renamed is the spec of an agent with another value in place of the one that a
// key of its own, not of a spec nested in it, has.
func renamed(text, key, value, by string) string {
	kind, options, _ := strings.Cut(text, ":")
	items, err := spec.List(options)
	if err != nil {
		panic("catalog: " + text + " was read before: " + err.Error())
	}
	for i, item := range items {
		if item == key+"="+value || item == key+"=("+value+")" {
			items[i] = key + "=" + by
		}
	}
	return kind + ":" + strings.Join(items, ",")
}

func keyEval(w *World, o *game.Options, d *draft) error {
	name := o.String("eval", "")
	d.eval = name
	if name == "" && d.evaluation != nil {
		return nil
	}
	var err error
	d.evaluation, err = w.Evaluation(name)
	return err
}

func keyLeaf(_ *World, o *game.Options, d *draft) error {
	d.Leaf = models.Leaves(o.String("leaf", "", string(models.Decision), string(models.Afterstate)))
	return nil
}

func keyTies(_ *World, o *game.Options, d *draft) error {
	if o.String("ties", "first", "first", "random") == "random" {
		d.Ties = search.Random
	}
	return nil
}

func keyLimits(w *World, o *game.Options, d *draft) error {
	d.Depth = o.Int("depth", 0, 1, deepEnough)
	d.Nodes = int64(o.Int("nodes", 0, 1, math.MaxInt))
	d.Time = o.Duration("time", 0)
	if d.Depth == 0 && d.Nodes == 0 && d.Time == 0 {
		if d.Depth = w.Entry.Depth; d.Depth == 0 {
			d.Depth = 3
		}
	}
	return nil
}

func keyOrder(_ *World, o *game.Options, d *draft) error {
	if o.String("order", "auto", "auto", "natural") == "natural" {
		d.Order = search.Natural
	}
	return nil
}

func keyTable(_ *World, o *game.Options, d *draft) error {
	const most = 1 << 16
	text := o.String("table", "")
	n, err := strconv.Atoi(text)
	switch {
	case text == "off":
		d.Table = -1
	case err == nil && n >= 1 && n <= most:
		d.Table = n
	case o.Has("table"):
		o.Fail("table", fmt.Sprintf("off, or megabytes from 1 to %d", most))
	}
	return nil
}

func keyPrune(_ *World, o *game.Options, d *draft) error {
	d.Prune = map[string]search.Prune{"": search.PruneDefault, "none": search.NoPrune, "star1": search.Star1, "star2": search.Star2}[o.String("prune", "", "none", "star1", "star2")]
	d.MinProb = o.Float("minprob", 0, 0, 1)
	d.Samples = o.Int("samples", 0, 1, 1<<20)
	return nil
}

func keyPruneMaxN(_ *World, o *game.Options, d *draft) error {
	if o.String("prune", "shallow", "none", "shallow") == "none" {
		d.whole = true
	}
	return nil
}

func keyQuiescence(_ *World, o *game.Options, d *draft) error {
	d.Quiescence = o.Bool("quiescence", false)
	return nil
}

func keyThreads(_ *World, o *game.Options, d *draft) error {
	d.Threads = o.Int("threads", 1, 1, 256)
	return nil
}

func keySimulations(_ *World, o *game.Options, d *draft) error {
	d.simulations = o.Int("simulations", 1000, 1, 1<<30)
	d.exploration = o.Float("exploration", 0, 0, 1e6)
	d.Time = o.Duration("time", 0)
	return nil
}
