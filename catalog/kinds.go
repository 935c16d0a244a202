package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/search"
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
