package catalog

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/policy"
)

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
