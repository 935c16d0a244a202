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
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/policy"
)

// Kind is a kind of agents, with all that its spec may say: the one table that specs
// are read by, and help and docs/agents.md are made of.
type Kind struct {
	Name, Doc string
	Keys      []Key

	// Protocol is what a game needs a dialect of for such agents to play it; "": all do.
	Protocol string
	// Make reads the options of a spec for the world and returns what makes the agents. An agent
	// with a program among its keys is external, and nothing guarantees that it plays alike twice.
	Make func(w *World, o *game.Options) (func() (search.Agent, error), error)

	Valueless bool // searches report no value, only a move

	hidden bool // for games in which something is hidden

	// read stands in place of Make for kinds of this package; nil for those whose spec is
	// no list of keys: mix(...) and cheat(...).
	read func(w *World, text string, o *game.Options, a AgentOptions) (*builder, error)
}

// key is the key of that name, nil where the kind has none; option.NAME has any NAME.
func (k *Kind) key(name string) *Key {
	prefix, _, dotted := strings.Cut(name, ".")
	for i := range k.Keys {
		if own := k.Keys[i].Name; own == name || dotted && own == prefix+".NAME" {
			return &k.Keys[i]
		}
	}
	return nil
}

// startsPrograms reports whether agents of the kind are programs of others.
func (k *Kind) startsPrograms() bool {
	return slices.ContainsFunc(k.Keys, func(key Key) bool { return key.Type == aProgram })
}

// builder reads a spec of the kind, whose options are o.
func (k *Kind) builder(w *World, text string, o *game.Options, a AgentOptions) (*builder, error) {
	if k.read != nil {
		b, err := k.read(w, text, o, a)
		if err == nil {
			b.valueless = k.Valueless
		}
		return b, err
	}
	if k.Protocol != "" && w.Game.Dialect(k.Protocol) == nil {
		return nil, fmt.Errorf("%s tells positions of %s, not of %s", k.Name, w.Entry.Name, w.Base().Spec)
	}
	make, err := k.Make(w, o)
	if err != nil {
		return nil, err
	}
	return &builder{make: make, traits: traits{identity: text, repeatable: !k.startsPrograms(), program: k.startsPrograms(), valueless: k.Valueless, agents: 1}}, nil
}

// WithKinds is c with more kinds of agents for games that have a dialect of their protocol.
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

// commonKinds are those that every game has, in the order in which they are reported. It is
// no variable, since policies lead back to agents.
func commonKinds() []Kind {
	assumeKey := keys{[]Key{{"assume", anAgent, []string{"world", "chance", "adversary", "uniform", "base", "AGENT"}, "the opponent plays best; chance is an adversary to minimax and alphabeta, an average to others",
		"model of the opponent or of chance: with AGENT (random, greedy, mix(...)) the opponents move as it does, in a game of one player chance; a word models chance: world as it is, chance by its probabilities, adversary, uniform, base without the slips of +slip"}}, keyAssume}
	planners := []Kind{
		planner("random", "any legal move, all alike", (*draft).random),
		planner("greedy", "the move after which the evaluation is best", (*draft).greedy, evalKey, leafKey, assumeKey, tiesKey),
		planner("minimax", "the best move against the best replies; nature is an adversary", (*draft).minimax, evalKey, leafKey, assumeKey, tiesKey, limitKeys),
		planner("alphabeta", "minimax from fewer nodes", (*draft).alphaBeta, evalKey, leafKey, assumeKey, tiesKey, limitKeys, orderKey, tableKey, quiescenceKey, selectiveKey, threadsKey),
		planner("expectimax", "minimax with averages over chance, and over an opponent that assume= models", (*draft).expectimax, evalKey, leafKey, assumeKey, tiesKey, limitKeys, orderKey, tableKey, pruneKeys, threadsKey),
		planner("maxn", "each player maximises his own utility", (*draft).maxN, evalKey, leafKey, assumeKey, tiesKey, limitKeys, shallowKey),
		planner("paranoid", "all others minimise the utility of the one who searches", (*draft).paranoid, evalKey, leafKey, assumeKey, tiesKey, limitKeys),
		planner("mcts", "Monte Carlo tree search (UCT)", (*draft).mcts, evalKey, leafKey, assumeKey, tiesKey, simulationKeys, rolloutsKey),
		planner("softmax", "draws its moves, the likelier the better the evaluation after them: it errs as people do", (*draft).softmax, evalKey, leafKey, temperatureKeys),
	}
	planners[0].Valueless, planners[len(planners)-1].Valueless = true, true // random, softmax
	ismcts := planner("ismcts", "Monte Carlo tree search over what a player can tell apart", (*draft).ismcts, evalKey, tiesKey, treeKeys, rolloutsKey)
	hidden := []Kind{
		{Name: "pimc", Doc: "searches positions drawn from what the player cannot tell apart", read: pimcKind, Keys: append([]Key{
			{"agent", anAgent, []string{"AGENT"}, "greedy", "who searches the drawn positions"},
			{"samples", aSample, []string{"N"}, "20", "positions drawn"},
			{"eval", aModel, []string{"as of AGENT"}, "AGENT's own", "what AGENT evaluates by"},
		}, tiesKey.docs...)},
		ismcts,
		{Name: "strategy", Doc: "plays a strategy that plyfit exploit wrote", Valueless: true, read: strategyKind,
			Keys: []Key{{"file", aFile, []string{"FILE"}, "none: it must be given", "the strategy"}}},
		{Name: "response", Doc: "the best response to an agent", Valueless: true, read: responseKind, Keys: []Key{
			{"to", anAgent, []string{"AGENT"}, "random", "the agent, whose strategy is found by asking it"},
			{"samples", aSample, []string{"N"}, "100", "questions for each information set"},
		}},
		{Name: "cheat(...)", Doc: "cheat(AGENT) sees everything; a bound for the others, no fair opponent"},
	}
	for i := range hidden {
		hidden[i].hidden, hidden[i].Doc = true, "where something is hidden: "+hidden[i].Doc
	}
	mix := Kind{Name: "mix(...)", Doc: "one of several agents, drawn anew for each move: mix(0.8*AGENT,0.2*AGENT)"}
	return append(append(planners, hidden...), mix)
}

// Kinds are the kinds of agents that play in this world, with the defaults of its game:
// the game's own first, then those that the catalog was given, then those of every game.
func (w *World) Kinds() []Kind {
	var out []Kind
	for _, k := range w.Entry.allKinds() {
		if k.hidden && !w.Hidden || !w.Entry.speaks(k.Protocol) {
			continue
		}
		k.Keys = slices.Clone(k.Keys)
		for i := range k.Keys {
			switch key := &k.Keys[i]; {
			case k.Make != nil: // it says its own
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

// Kinds are the kinds of agents that there are, those of one game apart.
func (c Catalog) Kinds() []Kind {
	var e Entry
	if len(c) > 0 {
		e.kinds = c[0].kinds
	}
	return e.allKinds()
}

// allKinds are the kinds that the entry's game has if it supports their protocols and hidden
// information. Only the game knows its own keys, so restricted callers get none of them.
func (e *Entry) allKinds() []Kind {
	var own []Kind
	for _, name := range slices.Sorted(maps.Keys(e.Agents)) {
		own = append(own, Kind{Name: name, Doc: "of " + e.Name + " alone", Make: func(_ *World, o *game.Options) (func() (search.Agent, error), error) {
			return e.Agents[name](o)
		}})
	}
	return slices.Concat(own, e.kinds, commonKinds())
}

// kind is the kind of that name among those of the entry's game; ok is false where there
// is none, or where it is written in another way, as mix(...) is.
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

// keyType says what the value of a key is. What an [Access] asks of the key follows from it.
type keyType string

const (
	aWord     keyType = "word"      // one of the key's words, or a text that names nothing outside of the spec
	aNumber   keyType = "number"    // a number that memory and time do not grow with, or that a limit of time ends
	aDepth    keyType = "depth"     // decisions to look ahead
	aMemory   keyType = "megabytes" // of memory
	aSample   keyType = "samples"   // playouts, or positions drawn
	aThread   keyType = "threads"   // of one search
	aDuration keyType = "duration"  // of one search, or of one answer
	anAgent   keyType = "agent"     // an agent's spec
	aModel    keyType = "model"     // an evaluation, by its name or its file
	aFile     keyType = "strategy"  // the file of a strategy
	aProgram  keyType = "program"   // a program with its arguments
)

var types = []keyType{aWord, aNumber, aDepth, aMemory, aSample, aThread, aDuration, anAgent, aModel, aFile, aProgram}

// Key is one option of a kind.
type Key struct {
	Name    string   `json:"name"`
	Type    keyType  `json:"type"`
	Values  []string `json:"values"`  // what it takes: words as they are written, or in capitals what stands there
	Default string   `json:"default"` // where the spec does not name it
	Doc     string   `json:"doc"`
}

// keys are some options of a kind, and what reads them into a draft.
type keys struct {
	docs []Key
	read func(w *World, o *game.Options, d *draft) error
}

// word is an option that takes one of its words. Where a default is none of them, "" is
// what a spec without the option says.
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

// onOff is an option that is off unless it is asked for.
func onOff(name, doc string, take func(d *draft, on bool)) keys {
	return keys{[]Key{{name, aWord, []string{"on", "off"}, "off", doc}}, func(_ *World, o *game.Options, d *draft) error {
		take(d, o.Bool(name, false))
		return nil
	}}
}

// Options that several kinds have.
var (
	evalKey = keys{[]Key{{"eval", aModel, []string{"handwritten", "learned", "best", "zero", "GAME/NAME", "FILE"}, "handwritten where it is shipped, else zero",
		"the evaluation; (NAME,TERM=WEIGHT,...) has other weights for some terms"}}, func(w *World, o *game.Options, d *draft) (err error) {
		d.eval = o.String("eval", "")
		if d.eval != "" || d.evaluation == nil {
			d.evaluation, err = w.Evaluation(d.eval)
		}
		return err
	}}
	leafKey = word(Key{Name: "leaf", Values: []string{"decision", "afterstate"}, Default: "as the model was made for", Doc: "where the evaluation is asked: where a player decides, or right after a move"},
		func(d *draft, word string) { d.Leaf = models.Leaves(word) })
	tiesKey = word(Key{Name: "ties", Values: []string{"first", "random", "plain"}, Default: "first", Doc: "which of equally good moves: first takes the soonest of certain wins, plain simply the first move"},
		func(d *draft, word string) {
			d.Ties = map[string]search.Ties{"random": search.Random, "plain": search.Plain}[word]
		})
	limitKeys = keys{[]Key{
		{"depth", aDepth, []string{"N"}, "by the game", "decisions of the players to look ahead; with a limit besides, the deepest"},
		{"nodes", aNumber, []string{"N"}, "no limit", "nodes to search, deepening"},
		{"time", aDuration, []string{"DURATION"}, "no limit", "how long to search, deepening: 100ms, 2s"},
	}, func(w *World, o *game.Options, d *draft) error {
		d.Depth = o.Int("depth", 0, 1, deepEnough)
		d.Nodes = int64(o.Int("nodes", 0, 1, math.MaxInt))
		d.Time = o.Duration("time", 0)
		if d.Depth == 0 && d.Nodes == 0 && d.Time == 0 {
			d.Depth = w.depth()
		}
		return nil
	}}
	orderKey = word(Key{Name: "order", Values: []string{"auto", "natural"}, Default: "auto", Doc: "order of moves: the search's, or the game's own"},
		func(d *draft, word string) { d.Order = map[string]search.Order{"natural": search.Natural}[word] })
	tableKey      = keys{[]Key{{"table", aMemory, []string{"off", "MEGABYTES"}, "64", "transposition table"}}, readTable}
	quiescenceKey = onOff("quiescence", "follow captures and the like beyond the horizon", func(d *draft, on bool) { d.Quiescence = on })
	threadsKey    = keys{[]Key{{"threads", aThread, []string{"N"}, "1", "threads that share one table"}}, func(_ *World, o *game.Options, d *draft) error {
		d.Threads = o.Int("threads", 1, 1, 256)
		return nil
	}}
	pruneKeys = keys{[]Key{
		{"prune", aWord, []string{"none", "star1", "star2"}, "by the game", "at chance nodes (Ballard 1983)"},
		{"minprob", aNumber, []string{"P"}, "0", "evaluate at once where a line has at most this probability"},
		{"samples", aSample, []string{"N"}, "all", "draw so many of nature's moves in place of all"},
	}, func(_ *World, o *game.Options, d *draft) error {
		d.Prune = map[string]search.Prune{"": search.PruneDefault, "none": search.NoPrune, "star1": search.Star1, "star2": search.Star2}[o.String("prune", "", "none", "star1", "star2")]
		d.MinProb = o.Float("minprob", 0, 0, 1)
		d.Samples = o.Int("samples", 0, 1, 1<<20)
		return nil
	}}
	selectiveKey = word(Key{Name: "prune", Values: []string{"exact", "selective"}, Default: "exact",
		Doc: "selective: fewer nodes by null moves and late moves searched less deep; no longer exact"},
		func(d *draft, word string) { d.Prune = map[string]search.Prune{"selective": search.Selective}[word] })
	shallowKey = word(Key{Name: "prune", Values: []string{"none", "shallow"}, Default: "shallow", Doc: "cut where a sum bounds all players (Korf 1991)"},
		func(d *draft, word string) { d.Prune = map[string]search.Prune{"none": search.NoPrune}[word] })
	simulationKeys = keys{[]Key{
		{"simulations", aSample, []string{"N"}, "1000, unless there is another limit", "playouts or evaluations"},
		{"exploration", aNumber, []string{"C"}, "0.71", "the constant of UCT, values being taken from 0 to 1"},
		{"nodes", aSample, []string{"N"}, "no limit", "nodes to search, which are kept"},
		{"time", aDuration, []string{"DURATION"}, "no limit", "how long to search: 100ms, 2s"},
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
		{"simulations", aSample, []string{"N"}, "1000", "positions drawn, each followed down the tree"},
		{"exploration", aNumber, []string{"C"}, "by the range of utility", "the constant of UCT"},
		{"observers", aWord, []string{"single", "multiple"}, "single", "one tree, or one for each player"},
	}, func(_ *World, o *game.Options, d *draft) error {
		d.simulations = o.Int("simulations", 1000, 1, 1<<30)
		d.exploration = o.Float("exploration", 0, 0, 1e6)
		d.multiple = o.String("observers", "single", "single", "multiple") == "multiple"
		return nil
	}}
	temperatureKeys = keys{[]Key{{"temperature", aNumber, []string{"T"}, "the model's, else " + strconv.FormatFloat(policy.Temperature, 'g', -1, 64), "a move worth T less, in parts of the range of utility, is drawn with 1/e of the probability"},
		{"random", aNumber, []string{"P"}, "the model's, else 0", "the share of moves that are drawn uniformly"}},
		func(_ *World, o *game.Options, d *draft) error {
			var own models.Softmax
			if e := d.evaluation; e != nil && e.Model != nil {
				own = e.Model.Softmax
			}
			d.temperature = o.Float("temperature", cmp.Or(own.Temperature, policy.Temperature), 1e-6, 1e6)
			d.share = o.Float("random", own.Random, 0, 1)
			return nil
		}}
	rolloutsKey = onOff("rollouts", "play leaves out by random moves in place of evaluating them", func(d *draft, on bool) { d.rollouts = on })
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
		const usual = 64 // the search's own default
		if limit := w.Entry.limits().Megabytes; limit < usual {
			d.Table = limit // 0, which is no limit, means the default, too
		}
	}
	return nil
}
