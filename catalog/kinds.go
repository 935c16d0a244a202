package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plyfit/game"
)

// Kind is a kind of agents, with all that its spec may say: the one table that specs
// are read by, help and docs/agents.md are made of, and a shell completes.
type Kind struct {
	Name, Doc string
	Keys      []Key

	hidden bool // for games in which something is hidden

	// read is nil for kinds whose spec is no list of keys: mix(...) and cheat(...).
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

// Type says what the value of a key is. What an [Access] asks of the key follows from it.
type Type string

const (
	aWord     Type = "word"      // one of the key's words, or a text that names nothing outside of the spec
	aNumber   Type = "number"    // a number that memory and time do not grow with, or that a limit of time ends
	aDepth    Type = "depth"     // decisions to look ahead
	aMemory   Type = "megabytes" // of memory
	aSample   Type = "samples"   // playouts, or positions drawn
	aThread   Type = "threads"   // of one search
	aDuration Type = "duration"  // of one search, or of one answer
	anAgent   Type = "agent"     // an agent's spec
	aModel    Type = "model"     // an evaluation, by its name or its file
	aFile     Type = "strategy"  // the file of a strategy
	aProgram  Type = "program"   // a program with its arguments
)

// Key is one option of a kind.
type Key struct {
	Name    string
	Type    Type
	Values  []string // what it takes: words as they are written, or in capitals what stands there
	Default string   // where the spec does not name it
	Doc     string
}

// kinds are the kinds of agents that every game has, in the order in which they are told.
var kinds []Kind

// init fills in what its declaration could not, since policies lead back to agents.
func init() {
	eval := keys{[]Key{{"eval", aModel, []string{"handwritten", "learned", "best", "zero", "GAME/NAME", "FILE"}, "handwritten where it is shipped, else zero",
		"the evaluation; (NAME,TERM=WEIGHT,...) has other weights for some terms"}}, keyEval}
	leaf := keys{[]Key{{"leaf", aWord, []string{"decision", "afterstate"}, "as the model was made for", "where the evaluation is asked: where a player decides, or right after a move"}}, keyLeaf}
	assumed := keys{[]Key{{"assume", anAgent, []string{"world", "chance", "adversary", "uniform", "base", "AGENT"}, "what the search is for",
		"what the planner takes nature for; base is the world without slips"}}, keyAssume}
	ties := keys{[]Key{{"ties", aWord, []string{"first", "random"}, "first", "which of equally good moves"}}, keyTies}
	limits := keys{[]Key{
		{"depth", aDepth, []string{"N"}, "by the game", "decisions of the players to look ahead; with a limit besides, the deepest"},
		{"nodes", aNumber, []string{"N"}, "no limit", "nodes to search, deepening"},
		{"time", aDuration, []string{"DURATION"}, "no limit", "how long to search, deepening: 100ms, 2s"},
	}, keyLimits}
	order := keys{[]Key{{"order", aWord, []string{"auto", "natural"}, "auto", "order of moves: the search's, or the game's own"}}, keyOrder}
	table := keys{[]Key{{"table", aMemory, []string{"off", "MEGABYTES"}, "64", "transposition table"}}, keyTable}
	quiescence := keys{[]Key{{"quiescence", aWord, []string{"on", "off"}, "off", "follow captures and the like beyond the horizon"}}, keyQuiescence}
	threads := keys{[]Key{{"threads", aThread, []string{"N"}, "1", "threads that share one table"}}, keyThreads}
	prune := keys{[]Key{
		{"prune", aWord, []string{"none", "star1", "star2"}, "by the game", "at chance nodes (Ballard 1983)"},
		{"minprob", aNumber, []string{"P"}, "0", "evaluate at once where a line has at most this probability"},
		{"samples", aSample, []string{"N"}, "all", "draw so many of nature's moves in place of all"},
	}, keyPrune}
	simulations := keys{[]Key{
		{"simulations", aSample, []string{"N"}, "1000, unless there is another limit", "playouts or evaluations"},
		{"exploration", aNumber, []string{"C"}, "0.71, with a prior 0.5", "the constant of UCT or PUCT, values being taken from 0 to 1"},
		{"prior", aNumber, []string{"T"}, "0: none", "PUCT: moves are weighed by a softmax of their evaluations, of temperature T"},
		{"nodes", aSample, []string{"N"}, "no limit", "nodes to search, which are kept"},
		{"time", aDuration, []string{"DURATION"}, "no limit", "how long to search: 100ms, 2s"},
	}, keySimulations}
	trees := keys{[]Key{
		{"simulations", aSample, []string{"N"}, "1000", "positions drawn, each followed down the tree"},
		{"exploration", aNumber, []string{"C"}, "by the range of utility", "the constant of UCT"},
		{"observers", aWord, []string{"single", "multiple"}, "single", "one tree, or one for each player"},
	}, keyTrees}
	rollouts := keys{[]Key{{"rollouts", aWord, []string{"on", "off"}, "off", "play leaves out by random moves in place of evaluating them"}}, keyRollouts}
	shallow := keys{[]Key{{"prune", aWord, []string{"none", "shallow"}, "shallow", "cut where a sum bounds all players (Korf 1991)"}}, keyPruneMaxN}
	kinds = []Kind{
		planner("random", "any legal move, all alike", (*draft).random),
		planner("greedy", "the move after which the evaluation is best", (*draft).greedy, eval, leaf, assumed, ties),
		planner("minimax", "the best move against the best replies; nature is an adversary", (*draft).minimax, eval, leaf, assumed, ties, limits),
		planner("alphabeta", "minimax from fewer nodes", (*draft).alphaBeta, eval, leaf, assumed, ties, limits, order, table, quiescence, threads),
		planner("expectimax", "minimax with averages over nature's moves", (*draft).expectimax, eval, leaf, assumed, ties, limits, order, table, prune, threads),
		planner("maxn", "each player maximises his own utility", (*draft).maxN, eval, leaf, assumed, ties, limits, shallow),
		planner("paranoid", "all others minimise the utility of the one who searches", (*draft).paranoid, eval, leaf, assumed, ties, limits),
		planner("mcts", "Monte Carlo tree search (UCT)", (*draft).mcts, eval, leaf, assumed, ties, simulations, rollouts),
		{Name: "pimc", Doc: "where something is hidden: searches positions drawn from what the player cannot tell apart", hidden: true, read: pimcKind, Keys: append([]Key{
			{"agent", anAgent, []string{"AGENT"}, "greedy", "who searches the drawn positions"},
			{"samples", aSample, []string{"N"}, "20", "positions drawn"},
			{"eval", aModel, []string{"as of AGENT"}, "AGENT's own", "what AGENT evaluates by"},
		}, ties.docs...)},
		concealed(planner("ismcts", "where something is hidden: Monte Carlo tree search over what a player can tell apart", (*draft).ismcts, eval, ties, trees, rollouts)),
		{Name: "strategy", Doc: "where something is hidden: plays a strategy that plyfit exploit wrote", hidden: true, read: strategyKind,
			Keys: []Key{{"file", aFile, []string{"FILE"}, "none: it must be given", "the strategy"}}},
		{Name: "response", Doc: "where something is hidden: the best response to an agent", hidden: true, read: responseKind, Keys: []Key{
			{"to", anAgent, []string{"AGENT"}, "random", "the agent, whose strategy is found by asking it"},
			{"samples", aSample, []string{"N"}, "100", "questions for each information set"},
		}},
		{Name: "cheat(...)", Doc: "where something is hidden: cheat(AGENT) sees everything; a bound for the others, no fair opponent", hidden: true},
		{Name: "mix(...)", Doc: "one of several agents, drawn anew for each move: mix(0.8*AGENT,0.2*AGENT)"},
	}
}

// concealed is a kind for games in which something is hidden.
func concealed(k Kind) Kind {
	k.hidden = true
	return k
}

// Kinds are the kinds of agents that play in this world, with the defaults of its game:
// the game's own first, then engines of others, then those of every game.
func (w *World) Kinds() []Kind {
	var out []Kind
	for _, name := range slices.Sorted(maps.Keys(w.Entry.Agents)) {
		out = append(out, w.Entry.ownKind(name))
	}
	for _, name := range w.Entry.engineKinds() {
		out = append(out, engineKind(name))
	}
	for _, k := range kinds {
		if k.hidden && !w.Hidden {
			continue
		}
		k.Keys = slices.Clone(k.Keys)
		for i := range k.Keys {
			switch key := &k.Keys[i]; key.Name {
			case "depth":
				key.Default = fmt.Sprintf("%d, unless there is another limit", w.depth())
			case "eval":
				if key.Default = "zero"; w.Entry.Ships("handwritten") {
					key.Default = "handwritten"
				}
				key.Values = append(w.Entry.modelNames(), "zero", "FILE")
			}
		}
		out = append(out, k)
	}
	return out
}

// Kinds are the kinds of agents that there are, engines of others first.
func Kinds() []Kind {
	var out []Kind
	for _, name := range slices.Sorted(maps.Keys(engines)) {
		out = append(out, engineKind(name))
	}
	return append(out, kinds...)
}

func engineKind(name string) Kind {
	return Kind{Name: name, Doc: engines[name].doc, Keys: engines[name].keys, read: engine(name)}
}

// ownKind is a kind of agents that plays the entry's game alone. What its keys mean is
// known to the game, so those who may not do everything get it without any.
func (e *Entry) ownKind(name string) Kind {
	return Kind{Name: name, Doc: "of " + e.Name + " alone", read: func(_ *World, text string, o *game.Options, _ AgentOptions) (*builder, error) {
		make, err := e.Agents[name](o)
		if err != nil {
			return nil, err
		}
		return &builder{make: make, traits: traits{identity: text, repeatable: true, agents: 1}}, nil
	}}
}

// kind is the kind of that name among those that play in this world; ok is false where
// there is none, or where it is written in another way, as mix(...) is.
func (w *World) kind(name string) (k Kind, ok bool) {
	if w.Entry.Agents[name] != nil {
		return w.Entry.ownKind(name), true
	}
	if e, ok := engines[name]; ok && w.Entry.speaks(e.protocol) {
		return engineKind(name), true
	}
	at := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name && k.read != nil })
	if at < 0 {
		return Kind{}, false
	}
	return kinds[at], true
}

// depth is that of a search whose spec sets no limit.
func (w *World) depth() int {
	const usual = 3
	return atMost(cmp.Or(w.Entry.Depth, usual), w.Entry.limits().Depth)
}
