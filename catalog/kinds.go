package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/policy"
)

// A Kind is a kind of agent with all keys of its spec. Specs are parsed according to this table,
// and the help and docs/agents.md are generated from it.
type Kind struct {
	Name, Doc string
	Keys      []Key

	// Protocol is the protocol that a game must support. All games support the empty protocol.
	Protocol string
	// Make reads the options of a spec and returns a function that creates agents for the world. An
	// agent with a program among its keys is external and is not assumed to be repeatable.
	Make func(w *World, o *game.Options) (func() (search.Agent, error), error)

	Valueless bool // searches report only a move and no value

	hidden bool // only for games with hidden information

	// read replaces Make in the kinds of this package. It is nil for mix(...) and cheat(...), whose
	// specs do not consist of keys.
	read func(w *World, text string, o *game.Options, a AgentOptions) (*builder, error)
}

// key returns the key with the given name, or nil if there is none. The key option.NAME matches any
// name.
func (k *Kind) key(name string) *Key {
	prefix, _, dotted := strings.Cut(name, ".")
	for i := range k.Keys {
		if own := k.Keys[i].Name; own == name || dotted && own == prefix+".NAME" {
			return &k.Keys[i]
		}
	}
	return nil
}

// startsPrograms reports whether agents of this kind are external programs.
func (k *Kind) startsPrograms() bool {
	return slices.ContainsFunc(k.Keys, func(key Key) bool { return key.Type == aProgram })
}

// builder parses a spec of this kind with the options o.
func (k *Kind) builder(w *World, text string, o *game.Options, a AgentOptions) (*builder, error) {
	if k.read != nil {
		b, err := k.read(w, text, o, a)
		if err == nil {
			b.valueless = k.Valueless
		}
		return b, err
	}
	if k.Protocol != "" && w.Game.Dialect(k.Protocol) == nil {
		return nil, fmt.Errorf("%s supports positions of %s, not %s", k.Name, w.Entry.Name, w.Base().Spec)
	}
	make, err := k.Make(w, o)
	if err != nil {
		return nil, err
	}
	return &builder{make: make, traits: traits{identity: text, repeatable: !k.startsPrograms(), program: k.startsPrograms(), valueless: k.Valueless, agents: 1}}, nil
}

// WithKinds returns a copy of c with additional kinds of agents. They are available in games that
// support the kind's protocol.
func (c Catalog) WithKinds(more ...Kind) Catalog {
	for _, k := range more {
		for _, key := range k.Keys {
			if !slices.Contains(types, key.Type) {
				panic(fmt.Sprintf("catalog: key %s of kind %s: type %q: want one of %q", key.Name, k.Name, key.Type, types))
			}
		}
	}
	c = c.clone()
	for i := range c {
		c[i].kinds = slices.Concat(c[i].kinds, more)
	}
	return c
}

// commonKinds returns the kinds that do not belong to individual games, in the order in which they
// are listed. Some of them are only for games with hidden information. It is a function because a
// variable would lead to an initialisation cycle: the functions that read nested agents refer to
// the kinds.
func commonKinds() []Kind {
	assumeKey := keys{[]Key{{"assume", anAgent, []string{"world", "chance", "adversary", "uniform", "base", "AGENT"}, "best play by the opponent; minimax and alphabeta treat chance as an adversary, whereas other agents average over it",
		"model of the opponent or of chance: an AGENT (random, greedy, mix(...)) plays for the opponents, or for chance in single-player games; one of these words models chance: world (as it is), chance (its probabilities), adversary, uniform, base (without the slips of +slip)"}}, keyAssume}
	planners := []Kind{
		planner("random", "a legal move drawn uniformly", (*draft).random),
		planner("greedy", "the move that leads to the best evaluation", (*draft).greedy, evalKey, leafKey, assumeKey, tiesKey),
		planner("minimax", "the best move against best replies, with chance as an adversary", (*draft).minimax, evalKey, leafKey, assumeKey, tiesKey, limitKeys),
		planner("alphabeta", "minimax with alpha-beta pruning", (*draft).alphaBeta, evalKey, leafKey, assumeKey, tiesKey, limitKeys, orderKey, tableKey, quiescenceKey, selectiveKey, threadsKey),
		planner("expectimax", "minimax that averages over chance, or over an opponent modelled by assume=", (*draft).expectimax, evalKey, leafKey, assumeKey, tiesKey, limitKeys, orderKey, tableKey, pruneKeys, threadsKey),
		planner("maxn", "all players maximise their own utility", (*draft).maxN, evalKey, leafKey, assumeKey, tiesKey, limitKeys, shallowKey),
		planner("paranoid", "all other players minimise the searching player's utility", (*draft).paranoid, evalKey, leafKey, assumeKey, tiesKey, limitKeys),
		planner("mcts", "Monte Carlo tree search (UCT)", (*draft).mcts, evalKey, leafKey, assumeKey, tiesKey, simulationKeys, rolloutsKey),
		planner("softmax", "a random move, with higher probabilities for better moves, to imitate human errors", (*draft).softmax, evalKey, leafKey, temperatureKeys),
	}
	planners[0].Valueless, planners[len(planners)-1].Valueless = true, true // random, softmax
	ismcts := planner("ismcts", "Monte Carlo tree search over information sets", (*draft).ismcts, evalKey, tiesKey, treeKeys, rolloutsKey)
	hidden := []Kind{
		{Name: "pimc", Doc: "searches of sampled positions that are consistent with the player's information", read: pimcKind, Keys: append([]Key{
			{"agent", anAgent, []string{"AGENT"}, "greedy", "agent that searches the sampled positions"},
			{"samples", aSample, []string{"N"}, "20", "number of sampled positions"},
			{"eval", aModel, []string{"as for AGENT"}, "AGENT's own", "evaluation used by AGENT"},
		}, tiesKey.docs...)},
		ismcts,
		{Name: "strategy", Doc: "a strategy written by plyfit exploit", Valueless: true, read: strategyKind,
			Keys: []Key{{"file", aFile, []string{"FILE"}, "none (required)", "the strategy"}}},
		{Name: "response", Doc: "the best response to an agent", Valueless: true, read: responseKind, Keys: []Key{
			{"to", anAgent, []string{"AGENT"}, "random", "opponent; its strategy is estimated from its moves"},
			{"samples", aSample, []string{"N"}, "100", "number of moves sampled per information set"},
		}},
		{Name: "cheat(...)", Doc: "cheat(AGENT) has access to the whole position; useful as a bound, but not a fair opponent"},
	}
	for i := range hidden {
		hidden[i].hidden, hidden[i].Doc = true, "for hidden information: "+hidden[i].Doc
	}
	mix := Kind{Name: "mix(...)", Doc: "one of several agents, drawn for each move: mix(0.8*AGENT,0.2*AGENT)"}
	return append(append(planners, hidden...), mix)
}

// Kinds returns the kinds of agents that can play in this world, with the defaults of its game. The
// game's own kinds come first, followed by those added to the catalog and those of all games.
func (w *World) Kinds() []Kind {
	var out []Kind
	for _, k := range w.Entry.allKinds() {
		if k.hidden && !w.Hidden || !w.Entry.speaks(k.Protocol) {
			continue
		}
		k.Keys = slices.Clone(k.Keys)
		for i := range k.Keys {
			switch key := &k.Keys[i]; {
			case k.Make != nil: // its keys specify their own defaults
			case key.Name == "depth":
				key.Default = fmt.Sprintf("%d, unless there is another limit", w.depth())
			case key.Name == "eval":
				if key.Default = "zero"; w.Entry.Ships("handwritten") {
					key.Default = "handwritten"
				}
				key.Values = append(w.Entry.ModelNames(), "zero", "FILE")
			}
		}
		out = append(out, k)
	}
	return out
}

// Kinds returns all kinds of agents except those of individual games.
func (c Catalog) Kinds() []Kind {
	var e Entry
	if len(c) > 0 {
		e.kinds = c[0].kinds
	}
	return e.allKinds()
}

// allKinds returns all kinds of the entry's game, including those with unsupported protocols and
// those for hidden information.
func (e *Entry) allKinds() []Kind {
	own := list.Map(slices.Sorted(maps.Keys(e.Agents)), func(name string) Kind {
		return Kind{Name: name, Doc: "of " + e.Name + " alone", Make: func(_ *World, o *game.Options) (func() (search.Agent, error), error) {
			return e.Agents[name](o)
		}}
	})
	return slices.Concat(own, e.kinds, commonKinds())
}

// kind returns the kind with the given name. ok is false if there is none, or if its specs have a
// different form, such as mix(...).
func (e *Entry) kind(name string) (k Kind, ok bool) {
	for _, k := range e.allKinds() {
		if k.Name == name && (k.read != nil || k.Make != nil) && e.speaks(k.Protocol) {
			return k, true
		}
	}
	return Kind{}, false
}

func (w *World) depth() int {
	depth := cmp.Or(w.Entry.Depth, 3)
	return min(depth, cmp.Or(w.Entry.limits().Depth, depth))
}

// keyType is the type of a key's value. It determines how an [Access] restricts the key.
type keyType string

const (
	aWord     keyType = "word"      // one of the key's words, or text that does not refer to anything outside the spec
	aNumber   keyType = "number"    // number to which none of the [Limits] applies
	aDepth    keyType = "depth"     // number of decisions to look ahead
	aMemory   keyType = "megabytes" // amount of memory
	aSample   keyType = "samples"   // number of playouts or sampled positions
	aThread   keyType = "threads"   // number of threads used by a search
	aDuration keyType = "duration"  // duration of a search or an answer
	anAgent   keyType = "agent"     // spec of an agent
	aModel    keyType = "model"     // evaluation: a name or a file
	aFile     keyType = "strategy"  // file of a strategy
	aProgram  keyType = "program"   // program with its arguments
)

var types = []keyType{aWord, aNumber, aDepth, aMemory, aSample, aThread, aDuration, anAgent, aModel, aFile, aProgram}

// A Key is an option of a kind.
type Key struct {
	Name    string   `json:"name"`
	Type    keyType  `json:"type"`
	Values  []string `json:"values"`  // possible values; placeholders are in capitals
	Default string   `json:"default"` // value if the spec does not contain the key
	Doc     string   `json:"doc"`
}

// keys combines some of a kind's options with the function that reads them into a draft.
type keys struct {
	docs []Key
	read func(w *World, o *game.Options, d *draft) error
}

// word returns an option whose value is one of its words. If the default is not one of them, take
// is called with an empty string when the spec does not contain the option.
func word(k Key, take func(d *draft, word string)) keys {
	k.Type = aWord
	usual := ""
	if slices.Contains(k.Values, k.Default) {
		usual = k.Default
	}
	return keys{[]Key{k}, func(_ *World, o *game.Options, d *draft) error {
		take(d, o.String(k.Name, usual, k.Values...))
		return nil
	}}
}

// onOff returns an option that is off by default.
func onOff(name, doc string, take func(d *draft, on bool)) keys {
	return keys{[]Key{{name, aWord, []string{"on", "off"}, "off", doc}}, func(_ *World, o *game.Options, d *draft) error {
		take(d, o.Bool(name, false))
		return nil
	}}
}

// Options that several kinds have in common.
var (
	evalKey = keys{[]Key{{"eval", aModel, []string{"handwritten", "learned", "best", "zero", "GAME/NAME", "FILE"}, "handwritten if available for the game, otherwise zero",
		"evaluation; (NAME,TERM=WEIGHT,...) changes the weights of some terms"}}, func(w *World, o *game.Options, d *draft) (err error) {
		d.eval = o.String("eval", "")
		if d.eval != "" || d.evaluation == nil {
			d.evaluation, err = w.Evaluation(d.eval)
		}
		return err
	}}
	leafKey = word(Key{Name: "leaf", Values: []string{"decision", "afterstate"}, Default: "as the model requires", Doc: "positions to evaluate: decisions, or positions right after a move"},
		func(d *draft, word string) { d.Leaf = models.Leaves(word) })
	tiesKey = word(Key{Name: "ties", Values: []string{"first", "random", "plain"}, Default: "first", Doc: "choice among equally good moves; first: prefer the fastest certain win; plain: take the first move"},
		func(d *draft, word string) {
			d.Ties = map[string]search.Ties{"random": search.Random, "plain": search.Plain}[word]
		})
	limitKeys = keys{[]Key{
		{"depth", aDepth, []string{"N"}, "depends on the game", "number of decisions to search; the maximum if there is another limit"},
		{"nodes", aNumber, []string{"N"}, "no limit", "number of nodes to search with iterative deepening"},
		{"time", aDuration, []string{"DURATION"}, "no limit", "search time with iterative deepening, such as 100ms or 2s"},
	}, func(w *World, o *game.Options, d *draft) error {
		d.Depth = o.Int("depth", 0, 1, deepEnough)
		d.Nodes = int64(o.Int("nodes", 0, 1, math.MaxInt))
		d.Time = o.Duration("time", 0)
		if d.Depth == 0 && d.Nodes == 0 && d.Time == 0 {
			d.Depth = w.depth()
		}
		return nil
	}}
	orderKey = word(Key{Name: "order", Values: []string{"auto", "natural"}, Default: "auto", Doc: "move ordering: chosen by the search (auto) or the game's own order (natural)"},
		func(d *draft, word string) { d.Order = map[string]search.Order{"natural": search.Natural}[word] })
	tableKey      = keys{[]Key{{"table", aMemory, []string{"off", "MEGABYTES"}, "64", "transposition table"}}, readTable}
	quiescenceKey = onOff("quiescence", "search captures and similar moves beyond the depth limit", func(d *draft, on bool) { d.Quiescence = on })
	threadsKey    = keys{[]Key{{"threads", aThread, []string{"N"}, "1", "number of threads, which share one table"}}, func(_ *World, o *game.Options, d *draft) error {
		d.Threads = o.Int("threads", 1, 1, 256)
		return nil
	}}
	pruneKeys = keys{[]Key{
		{"prune", aWord, []string{"none", "star1", "star2"}, "depends on the game", "pruning at chance nodes (Ballard 1983)"},
		{"minprob", aNumber, []string{"P"}, "0", "evaluate immediately if the probability of a line is at most P"},
		{"samples", aSample, []string{"N"}, "all", "number of chance moves to sample instead of searching all of them"},
	}, func(_ *World, o *game.Options, d *draft) error {
		d.Prune = map[string]search.Prune{"": search.PruneDefault, "none": search.NoPrune, "star1": search.Star1, "star2": search.Star2}[o.String("prune", "", "none", "star1", "star2")]
		d.MinProb = o.Float("minprob", 0, 0, 1)
		d.Samples = o.Int("samples", 0, 1, 1<<20)
		return nil
	}}
	selectiveKey = word(Key{Name: "prune", Values: []string{"exact", "selective"}, Default: "exact",
		Doc: "selective: null-move pruning and late move reductions (results are no longer exact)"},
		func(d *draft, word string) { d.Prune = map[string]search.Prune{"selective": search.Selective}[word] })
	shallowKey = word(Key{Name: "prune", Values: []string{"none", "shallow"}, Default: "shallow", Doc: "shallow pruning if the sum of utilities is bounded (Korf 1991)"},
		func(d *draft, word string) { d.Prune = map[string]search.Prune{"none": search.NoPrune}[word] })
	simulationKeys = keys{[]Key{
		{"simulations", aSample, []string{"N"}, "1000, unless there is another limit", "playouts or evaluations"},
		{"exploration", aNumber, []string{"C"}, "0.71", "UCT exploration constant for values from 0 to 1"},
		{"nodes", aSample, []string{"N"}, "no limit", "number of nodes to search; all of them stay in memory"},
		{"time", aDuration, []string{"DURATION"}, "no limit", "search time: 100ms, 2s"},
	}, func(w *World, o *game.Options, d *draft) error {
		d.simulations = o.Int("simulations", 0, 1, 1<<30)
		d.exploration = o.Float("exploration", 0, 0, 1e6)
		if d.simulations == 0 && (o.Has("nodes") || o.Has("time")) {
			d.simulations = w.Entry.limits().Samples
		}
		d.Nodes = int64(o.Int("nodes", 0, 1, math.MaxInt))
		d.Time = o.Duration("time", 0)
		return nil
	}}
	treeKeys = keys{[]Key{
		{"simulations", aSample, []string{"N"}, "1000", "number of sampled positions, one per simulation"},
		{"exploration", aNumber, []string{"C"}, "depends on the utility range", "UCT exploration constant"},
		{"observers", aWord, []string{"single", "multiple"}, "single", "single: one tree for all players; multiple: one tree per player"},
	}, func(_ *World, o *game.Options, d *draft) error {
		d.simulations = o.Int("simulations", 1000, 1, 1<<30)
		d.exploration = o.Float("exploration", 0, 0, 1e6)
		d.multiple = o.String("observers", "single", "single", "multiple") == "multiple"
		return nil
	}}
	temperatureKeys = keys{[]Key{{"temperature", aNumber, []string{"T"}, "the model's, else " + strconv.FormatFloat(policy.Temperature, 'g', -1, 64), "loss, as a fraction of the utility range, that reduces a move's probability by a factor of e"},
		{"random", aNumber, []string{"P"}, "the model's, else 0", "fraction of moves drawn uniformly"}},
		func(_ *World, o *game.Options, d *draft) error {
			var own models.Softmax
			if e := d.evaluation; e != nil && e.Model != nil {
				own = e.Model.Softmax
			}
			d.temperature = o.Float("temperature", cmp.Or(own.Temperature, policy.Temperature), 1e-6, 1e6)
			d.share = o.Float("random", own.Random, 0, 1)
			return nil
		}}
	rolloutsKey = onOff("rollouts", "evaluate leaves by random playouts", func(d *draft, on bool) { d.rollouts = on })
)

func readTable(w *World, o *game.Options, d *draft) error {
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
	default:
		const usual = 64 // default of the search
		if limit := w.Entry.limits().Megabytes; limit < usual {
			d.Table = limit // 0 means no limit, and also selects the default
		}
	}
	return nil
}
