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

// Agent is an agent's spec as it was read: its Name is the spec as the user wrote
// it, its Identity the spec with the digests of the models that it names.
type Agent struct {
	search.Factory
	Evaluation *Evaluation // the evaluation that it uses; nil where there is none to tell
	Program    bool        // it is a program of others
	Valueless  bool        // its searches report no value
}

// AgentOptions are what a command, not its user, asks of an agent.
type AgentOptions struct {
	Complete bool            // find all best moves
	Observer search.Observer // told of every node
	// Iteration is called with each depth that a search has finished.
	Iteration  func(search.Result)
	Simulation func(line []game.Move, got []float64) // called with each simulation of mcts, as [mcts.Options] says
	Evaluation *Evaluation                           // the evaluation where the spec names none; nil: the game's default
}

// deepEnough means no limit of depth: no search here could finish a longer line.
const deepEnough = 1 << 10

// Agent reads an agent's spec: KIND[:key=value,...], where nested specs stand
// in parentheses, and mix(0.8*SPEC,0.2*SPEC).
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

// Entrant is who plays for text, under its name: an agent, or where an evaluation is named
// alone the planner with that evaluation.
func (w *World) Entrant(text, planner string) (search.Factory, error) {
	full := text
	if NamesEvaluation(text) {
		full = WithEval(planner, text)
	}
	a, err := w.Agent(full, AgentOptions{})
	switch {
	case err != nil && full == text && !strings.ContainsAny(text, ":("): // one word may have been meant for an evaluation
		return search.Factory{}, fmt.Errorf("%w, or an evaluation: handwritten, learned, best, zero or a model file", err)
	case err != nil:
		return search.Factory{}, err
	}
	a.Name = text
	return a.Factory, nil
}

// NamesEvaluation reports whether an agent is named by its evaluation alone: handwritten, learned,
// best, zero, a shipped model as GAME/NAME, or a model file. No kind has a slash.
func NamesEvaluation(text string) bool {
	switch text {
	case "handwritten", "learned", "best", "zero":
		return true
	}
	return (strings.HasSuffix(text, ".json") || strings.Contains(text, "/")) && !strings.ContainsAny(text, ":(")
}

// WithEval is an agent's spec with an evaluation put in, in mix(...) into each agent.
func WithEval(agent, eval string) string {
	if strings.ContainsAny(eval, ",+()") {
		eval = "(" + eval + ")"
	}
	return with(agent, "eval="+eval)
}

// with is the spec of an agent, or of all agents of a mixture, with one option more.
func with(agent, option string) string {
	if inner, ok := mixed(agent); ok {
		if items, err := spec.List(inner); err == nil {
			for i, item := range items {
				number, part, _ := strings.Cut(item, "*")
				items[i] = fmt.Sprintf("%s*(%s)", strings.TrimSpace(number), with(spec.Unwrap(strings.TrimSpace(part)), option))
			}
			return "mix(" + strings.Join(items, ",") + ")"
		} // else anyone who reads the spec says what is wrong with it
	}
	if strings.Contains(agent, ":") {
		return agent + "," + option
	}
	return agent + ":" + option
}

// WithKey is an agent's spec with one key's value replaced. The value, which may come from a
// program by an option of UCI, cannot name another key.
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

type builder struct {
	traits
	make       func() (search.Agent, error)
	split      bool // equally good moves are drawn from
	evaluation *Evaluation
}

// traits are what is known of a spec of an agent or a policy beside what it makes.
type traits struct {
	identity   string // the spec with the digests of the models that it names
	repeatable bool
	program    bool // of others
	valueless  bool // its searches report no value
	file       bool // a model is named by its file, or by the digest of one
	attached   []attachment
	agents     int // that it speaks of, nested ones included
}

// nest adds what is known of a spec that is nested in t's; identities apart.
func (t *traits) nest(part traits) {
	t.repeatable = t.repeatable && part.repeatable
	t.file = t.file || part.file
	t.attached = append(t.attached, part.attached...)
	t.agents += part.agents
}

// builder reads an agent's spec, within the access of who wrote it.
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
			return nil, refused(text, "an agent that plays the same on every machine: no limit by time, one thread and no program of others")
		}
	}
	return b, nil
}

func (w *World) read(written string, o AgentOptions) (*builder, error) {
	if inner, ok := mixed(written); ok {
		return w.mixBuilder(written, inner, o)
	}
	if inner, ok := strings.CutPrefix(written, "cheat("); ok && strings.HasSuffix(inner, ")") {
		return w.cheatBuilder(inner[:len(inner)-1], o)
	}
	s, err := game.ParseSpec(written)
	if err != nil {
		return nil, err
	}
	if len(s.Wrappers) > 0 {
		return nil, fmt.Errorf("%s: an agent takes no +%s", written, s.Wrappers[0].Name)
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

// mixed reports whether an agent's spec is mix(...), and what is inside.
func mixed(text string) (inner string, ok bool) {
	inner, ok = strings.CutPrefix(text, "mix(")
	if !ok || !strings.HasSuffix(inner, ")") {
		return "", false
	}
	return inner[:len(inner)-1], true
}

// mixBuilder reads the inside of mix(...): weights and agents.
func (w *World) mixBuilder(text, inner string, o AgentOptions) (*builder, error) {
	o.Observer, o.Iteration, o.Simulation = nil, nil, nil
	all, make, err := mixture(text, inner, policy.NewMixAgent, func(nested string) (traits, func() (search.Agent, error), error) {
		part, err := w.builder(nested, o)
		if err != nil {
			return traits{}, nil, err
		}
		return part.traits, part.make, nil
	})
	if err != nil {
		return nil, err
	}
	return &builder{traits: all, make: make}, nil
}

// mixture reads PROBABILITY*SPEC,..., each spec by nested; all is what is known of the whole, which
// made makes by mix of its parts.
func mixture[P any](text, inner string, mix func([]float64, []P) (P, error), nested func(text string) (traits, func() (P, error), error)) (all traits, made func() (P, error), err error) {
	items, err := spec.List(inner)
	if err != nil {
		return all, nil, err
	}
	all = traits{repeatable: true, valueless: true, agents: 1}
	sum, weights, names, parts := 0.0, make([]float64, len(items)), make([]string, len(items)), make([]func() (P, error), len(items))
	for i, item := range items {
		number, part, ok := strings.Cut(item, "*")
		p, err := spec.Number(strings.TrimSpace(number))
		if !ok || err != nil || !(p > 0 && p <= 1) {
			return all, nil, fmt.Errorf("%s: %q: want PROBABILITY*AGENT", text, item)
		}
		known, make, err := nested(spec.Unwrap(strings.TrimSpace(part)))
		if err != nil {
			return all, nil, err
		}
		all.nest(known)
		all.valueless = all.valueless && known.valueless
		names[i] = fmt.Sprintf("%v*(%s)", p, known.identity)
		weights[i], parts[i], sum = p, make, sum+p
	}
	if math.Abs(sum-1) > 1e-9 {
		return all, nil, fmt.Errorf("%s: the probabilities sum to %v: want 1", text, sum)
	}
	all.identity = "mix(" + strings.Join(names, ",") + ")"
	return all, func() (whole P, err error) {
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
	}, nil
}

// draft is an agent's options in the making; unshareable parts are made anew for each agent.
type draft struct {
	search.Options
	simulations int
	exploration float64
	multiple    bool // ismcts: a tree for each player
	rollouts    bool // mcts, ismcts: leaves are played out
	temperature float64
	share       float64 // softmax: of moves that are drawn uniformly

	watch func(line []game.Move, got []float64)

	evaluation *Evaluation
	eval       string         // as the spec names it
	assumed    string         // likewise, where it is a policy
	policy     *policyBuilder // of assume=POLICY
}

func (d *draft) random() (search.Agent, error) { return policy.NewRandom(), nil }

func (d *draft) minimax() (search.Agent, error)    { return search.NewMinimax(d.Options) }
func (d *draft) alphaBeta() (search.Agent, error)  { return search.NewAlphaBeta(d.Options) }
func (d *draft) expectimax() (search.Agent, error) { return search.NewExpectimax(d.Options) }
func (d *draft) greedy() (search.Agent, error)     { return search.NewGreedy(d.untold()) }
func (d *draft) maxN() (search.Agent, error)       { return search.NewMaxN(d.untold()) }
func (d *draft) paranoid() (search.Agent, error)   { return search.NewParanoid(d.untold()) }

// untold are the options of an agent that tells of no iterations.
func (d *draft) untold() search.Options {
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

// planner is the kind of agent that make makes of the options that the keys read.
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

// identity is the spec with models' digests in place of names, which may be local paths.
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
