package catalog

import (
	"fmt"
	"math"
	"strings"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/spec"
	"plyfit/internal/text"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/mcts"
	"plyfit/search/policy"
)

// An Agent is the result of parsing an agent's spec. Its Name is the spec as the user wrote it. Its
// Identity is the spec with models replaced by their digests.
type Agent struct {
	search.Factory
	Evaluation *Evaluation // evaluation that the agent uses; nil if there is none or if it is unknown
	Program    bool        // whether the agent is an external program
	Valueless  bool        // whether its searches report no value
}

// AgentOptions contains the requirements of a command, as opposed to the user's own requirements.
type AgentOptions struct {
	Complete bool            // whether to find all best moves
	Observer search.Observer // called for each node; may be nil
	// Iteration, if not nil, is called after each completed depth of a search.
	Iteration  func(search.Result)
	Simulation func(line []game.Move, got []float64) // called after each simulation of mcts; see [mcts.Options]; may be nil
	Evaluation *Evaluation                           // used if the spec contains no evaluation; nil for the game's default
}

// deepEnough is the maximum value of the option depth in agents' specs.
const deepEnough = 1 << 10

// Agent parses the spec of an agent: KIND[:key=value,...] or mix(0.8*SPEC,0.2*SPEC). Nested specs
// are in parentheses.
func (w *World) Agent(text string, o AgentOptions) (*Agent, error) {
	if err := w.Entry.access.length(text); err != nil {
		return nil, fmt.Errorf("agent %w", err)
	}
	b, err := w.builder(text, o)
	if err != nil {
		return nil, fmt.Errorf("agent %w", err)
	}
	a, err := b.make()
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", text, err)
	}
	search.Close(a)
	return &Agent{search.Factory{
		Name: text, Identity: b.identity, New: b.make, Unrepeatable: !b.repeatable,
		Files: func() (map[string][]byte, error) { return contents(w.attached, b.attached) },
	}, b.evaluation, b.program, b.valueless}, nil
}

// Entrant returns the agent with the spec text. If text is only an evaluation, Entrant returns the
// planner with that evaluation. In both cases, the Name of the result is text.
func (w *World) Entrant(text, planner string) (search.Factory, error) {
	full := text
	if NamesEvaluation(text) {
		full = WithEval(planner, text)
	}
	a, err := w.Named(text, full)
	if err != nil && full == text && !strings.ContainsAny(text, ":(") { // a single word may have been meant as an evaluation
		err = fmt.Errorf("%w, or an evaluation: handwritten, learned, best, zero or a model file", err)
	}
	return a, err
}

// Named returns the agent with a spec under another name.
func (w *World) Named(name, text string) (search.Factory, error) {
	a, err := w.Agent(text, AgentOptions{})
	if err != nil {
		return search.Factory{}, err
	}
	a.Name = name
	return a.Factory, nil
}

// NamesEvaluation reports whether text is an evaluation rather than an agent: handwritten, learned,
// best, zero, a shipped model GAME/NAME, or a model file. Kinds of agents never contain a slash.
func NamesEvaluation(text string) bool {
	switch text {
	case "handwritten", "learned", "best", "zero":
		return true
	}
	return (strings.HasSuffix(text, ".json") || strings.Contains(text, "/")) && !strings.ContainsAny(text, ":(")
}

// WithEval adds an evaluation to an agent's spec. For mix(...), it is added to each agent.
func WithEval(agent, eval string) string {
	if strings.ContainsAny(eval, ",+()") {
		eval = "(" + eval + ")"
	}
	return with(agent, "eval="+eval)
}

// with adds an option to an agent's spec, or to the spec of each agent in a mixture.
func with(agent, option string) string {
	if inner, ok := mixed(agent); ok {
		if items, err := spec.List(inner); err == nil {
			for i, item := range items {
				number, part, _ := strings.Cut(item, "*")
				items[i] = fmt.Sprintf("%s*(%s)", strings.TrimSpace(number), with(spec.Unwrap(strings.TrimSpace(part)), option))
			}
			return "mix(" + strings.Join(items, ",") + ")"
		} // otherwise, parsing the spec reports the error
	}
	if strings.Contains(agent, ":") {
		return agent + "," + option
	}
	return agent + ":" + option
}

// WithKey sets a key in an agent's spec, replacing an existing value. The value cannot introduce
// other keys, even if it is supplied by another program through a UCI option.
func WithKey(agent, key, value string) (string, error) {
	value, err := spec.Wrap(value)
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	kind, options, _ := strings.Cut(agent, ":")
	var items []string
	if options != "" {
		list, err := spec.List(options)
		if err != nil {
			return "", err
		}
		for _, item := range list {
			if had, _, _ := strings.Cut(item, "="); !strings.EqualFold(had, key) {
				items = append(items, item)
			}
		}
	}
	return kind + ":" + strings.Join(append(items, key+"="+value), ","), nil
}

type builder = builderOf[search.Agent]

type builderOf[P any] struct {
	traits
	make       func() (P, error)
	split      bool // moves with equal values share the probability
	evaluation *Evaluation
}

// traits contains properties of the spec of an agent or policy.
type traits struct {
	identity   string // spec in which models are replaced by their digests
	repeatable bool
	program    bool // whether the agent is an external program
	valueless  bool // whether its searches report no value
	file       bool // whether a model or strategy is specified by GAME/NAME, a file or a digest
	attached   []attachment
	agents     int // number of agents in the spec, including nested ones
}

// nest combines t with the traits of a nested spec. It leaves identity, program and valueless
// unchanged.
func (t *traits) nest(part traits) {
	t.repeatable = t.repeatable && part.repeatable
	t.file = t.file || part.file
	t.attached = append(t.attached, part.attached...)
	t.agents += part.agents
}

// builder parses an agent's spec and checks it against its author's access.
func (w *World) builder(text string, o AgentOptions) (*builder, error) {
	b, err := w.read(text, o)
	if err != nil {
		return nil, err
	}
	if a := w.Entry.access; a != nil {
		if most := a.Limits.Agents; most > 0 && b.agents > most {
			return nil, refused(text, fmt.Sprintf("at most %d agents in one spec, not %d", most, b.agents))
		}
		if a.Repeatable && !b.repeatable {
			return nil, refused(text, "an agent that plays identically on every machine, with one thread and without a time limit or an external program")
		}
	}
	return b, nil
}

func (w *World) read(written string, o AgentOptions) (*builder, error) {
	if inner, ok := mixed(written); ok {
		o.Observer, o.Iteration, o.Simulation = nil, nil, nil
		return mixture(written, inner, policy.NewMixAgent, func(nested string) (*builder, error) { return w.builder(nested, o) })
	}
	if inner, ok := strings.CutPrefix(written, "cheat("); ok && strings.HasSuffix(inner, ")") {
		return w.cheatBuilder(inner[:len(inner)-1], o)
	}
	s, err := game.ParseSpec(written)
	if err != nil {
		return nil, err
	}
	if len(s.Wrappers) > 0 {
		return nil, fmt.Errorf("%s: an agent cannot have the wrapper +%s", written, s.Wrappers[0].Name)
	}
	k, ok := w.Entry.kind(s.Name)
	if !ok {
		if err := spec.Gone("agent", s.Name); err != nil {
			return nil, err
		}
		names := list.Map(w.Kinds(), func(k Kind) string { return k.Name })
		return nil, fmt.Errorf("%s: unknown kind %q: want one of %s%s", written, s.Name, strings.Join(names, ", "), text.Hint(s.Name, names))
	}
	if err := w.Entry.access.permit(w.Entry, written, &k, s.Options); err != nil {
		return nil, err
	}
	return k.builder(w, written, s.Options, o)
}

// mixed reports whether text has the form mix(...), and returns the part in parentheses.
func mixed(text string) (inner string, ok bool) {
	inner, ok = strings.CutPrefix(text, "mix(")
	if !ok || !strings.HasSuffix(inner, ")") {
		return "", false
	}
	return inner[:len(inner)-1], true
}

// mixture parses PROBABILITY*SPEC,... and calls nested for each spec. The result creates the mixture
// by passing its parts to mix.
func mixture[P any](text, inner string, mix func([]float64, []P) (P, error), nested func(text string) (*builderOf[P], error)) (*builderOf[P], error) {
	items, err := spec.List(inner)
	if err != nil {
		return nil, err
	}
	all := traits{repeatable: true, valueless: true, agents: 1}
	sum, weights, names, parts := 0.0, make([]float64, len(items)), make([]string, len(items)), make([]func() (P, error), len(items))
	for i, item := range items {
		number, part, ok := strings.Cut(item, "*")
		p, err := spec.Number(strings.TrimSpace(number))
		if !ok || err != nil || !(p > 0 && p <= 1) {
			return nil, fmt.Errorf("%s: %q: want PROBABILITY*AGENT", text, item)
		}
		known, err := nested(spec.Unwrap(strings.TrimSpace(part)))
		if err != nil {
			return nil, err
		}
		all.nest(known.traits)
		all.valueless = all.valueless && known.valueless
		names[i] = fmt.Sprintf("%v*(%s)", p, known.identity)
		weights[i], parts[i], sum = p, known.make, sum+p
	}
	if math.Abs(sum-1) > 1e-9 {
		return nil, fmt.Errorf("%s: the probabilities sum to %v; want 1", text, sum)
	}
	all.identity = "mix(" + strings.Join(names, ",") + ")"
	return &builderOf[P]{traits: all, make: func() (whole P, err error) {
		list := make([]P, len(parts))
		for i, part := range parts {
			if list[i], err = part(); err != nil {
				for _, p := range list[:i] {
					if a, ok := any(p).(search.Agent); ok {
						search.Close(a)
					}
				}
				return whole, err
			}
		}
		return mix(weights, list)
	}}, nil
}

// A draft collects the options of an agent. Parts that cannot be shared are created for each agent.
type draft struct {
	search.Options
	simulations int
	exploration float64
	multiple    bool // ismcts: whether each player has a separate tree
	rollouts    bool // mcts, ismcts: whether leaves are evaluated by playouts
	temperature float64
	share       float64 // softmax: fraction of moves drawn uniformly

	watch func(line []game.Move, got []float64)

	evaluation *Evaluation
	eval       string         // as written in the spec
	assumed    string         // value of assume= as written in the spec, if it is a policy
	policy     *policyBuilder // policy in assume=; may be nil
}

func (d *draft) random() (search.Agent, error) { return policy.NewRandom(), nil }

func (d *draft) minimax() (search.Agent, error)    { return search.NewMinimax(d.Options) }
func (d *draft) alphaBeta() (search.Agent, error)  { return search.NewAlphaBeta(d.Options) }
func (d *draft) expectimax() (search.Agent, error) { return search.NewExpectimax(d.Options) }
func (d *draft) greedy() (search.Agent, error)     { return search.NewGreedy(d.withoutIteration()) }
func (d *draft) maxN() (search.Agent, error)       { return search.NewMaxN(d.withoutIteration()) }
func (d *draft) paranoid() (search.Agent, error)   { return search.NewParanoid(d.withoutIteration()) }

// withoutIteration returns the options of an agent that does not report iterations.
func (d *draft) withoutIteration() search.Options {
	o := d.Options
	o.Iteration = nil
	return o
}

func (d *draft) mcts() (search.Agent, error) {
	o := mcts.Options{
		Game: d.Game, Eval: d.Eval, Time: d.Time, Leaf: d.Leaf, Assume: d.Assume, Ties: d.Ties, Complete: d.Complete,
		Simulations: d.simulations, Exploration: d.exploration, Nodes: d.Nodes,
	}
	if d.rollouts {
		o.Rollout = policy.Uniform{}
	}
	o.Watch = d.watch
	return mcts.New(o)
}

// planner returns a kind of agent. The function make creates an agent from the options read by the
// given keys.
func planner(name, doc string, make func(*draft) (search.Agent, error), options ...keys) Kind {
	k := Kind{Name: name, Doc: doc}
	for _, o := range options {
		k.Keys = append(k.Keys, o.docs...)
	}
	k.read = func(w *World, text string, o *game.Options, a AgentOptions) (*builder, error) {
		d := &draft{evaluation: a.Evaluation, watch: a.Simulation}
		d.Game, d.Complete, d.Observer, d.Iteration = w.Game, a.Complete, a.Observer, a.Iteration
		for _, k := range options {
			if err := k.read(w, o, d); err != nil {
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
			traits: traits{identity: d.identity(text), repeatable: d.Time == 0 && d.Threads <= 1, file: namesFile(d.eval), agents: 1},
			split:  d.Ties == search.Random, evaluation: d.evaluation,
		}
		if d.evaluation != nil && d.evaluation.Model != nil {
			b.attached = append(b.attached, attachment{short(d.evaluation.Digest), func() ([]byte, error) { return d.evaluation.Model.File().Bundle() }})
		}
		if d.policy != nil {
			b.nest(d.policy.traits)
		}
		b.make = func() (search.Agent, error) {
			one := *d
			if d.evaluation != nil {
				one.Eval = d.evaluation.New()
				if d.Threads > 1 {
					one.Fork = d.evaluation.New
				}
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
	return k
}

// identity returns the spec with model names, which may be local paths, replaced by digests.
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

// renamed returns an agent's spec in which the given value of a key is replaced by another one. It
// does not change nested specs.
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
