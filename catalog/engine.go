package catalog

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/protocol"
	"plyfit/protocol/gnubg"
	"plyfit/protocol/gtp"
	"plyfit/protocol/nboard"
	"plyfit/protocol/uci"
	"plyfit/search"
)

// engines are programs of others, by the kind of agent that plays them: the protocol
// that the game needs a dialect of, and what reads the kind's options. Nothing
// promises that they play alike twice.
var engines = map[string]struct {
	protocol, doc string
	keys          []Key
	read          func(w *World, o *game.Options) (func() (search.Agent, error), error)
}{
	"uci": {uci.Protocol, "a program that speaks UCI", []Key{
		command,
		{"depth", aDepth, []string{"N"}, "no limit", "go depth N"},
		{"nodes", aNumber, []string{"N"}, "no limit", "go nodes N"},
		{"time", aDuration, []string{"DURATION"}, "100ms, unless there is another limit", "go movetime, 100ms or 2s"},
		patience,
		{"option.NAME", aWord, []string{"VALUE"}, "the engine's", "an option of the engine, by its own name"},
	}, uciEngine},
	"gtp": {gtp.Protocol, "a program that speaks GTP", []Key{command, patience}, gtpEngine},
	"nboard": {nboard.Protocol, "a program that speaks NBoard", []Key{
		command,
		{"depth", aDepth, []string{"N"}, "8", "set depth N"},
		patience,
	}, nboardEngine},
	"gnubg": {gnubg.Protocol, "GNU Backgammon", []Key{
		{"ply", aDepth, []string{"0", "1", "2", "3"}, "0", "its plies"},
		{"cmd", aProgram, []string{"PROGRAM"}, "gnubg", "another gnubg"},
		patience,
	}, gnubgEngine},
}

// Keys that engines share.
var (
	command  = Key{"cmd", aProgram, []string{"PROGRAM"}, "none: it must be given", "the program with its arguments: cmd=(gnuchess --uci)"}
	patience = Key{"timeout", aDuration, []string{"DURATION"}, "30s", "how long an answer may take"}
)

// engineKinds are those that play the game, in the order of their names.
func (e *Entry) engineKinds() (kinds []string) {
	for _, kind := range slices.Sorted(maps.Keys(engines)) {
		if e.speaks(engines[kind].protocol) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// engine reads the spec of a program of others, of a kind that plays the game.
func engine(name string) func(w *World, text string, o *game.Options, a AgentOptions) (*builder, error) {
	return func(w *World, text string, o *game.Options, _ AgentOptions) (*builder, error) {
		kind := engines[name]
		if w.Game.Dialect(kind.protocol) == nil {
			return nil, fmt.Errorf("%s tells positions of %s, not of %s", name, w.Entry.Name, w.Base().Spec)
		}
		make, err := kind.read(w, o)
		if err != nil {
			return nil, err
		}
		return &builder{make: make, traits: traits{identity: text, agents: 1}}, nil
	}
}

// thinking is how long an engine thinks whose spec sets no limit.
const thinking = 100 * time.Millisecond

// uciEngine reads uci:cmd=PROGRAM,depth=N,nodes=N,time=T,timeout=T,option.NAME=VALUE.
func uciEngine(w *World, o *game.Options) (func() (search.Agent, error), error) {
	cfg := uci.Config{Game: w.Game,
		Depth: o.Int("depth", 0, 1, 1<<10), Nodes: int64(o.Int("nodes", 0, 1, math.MaxInt)), Time: o.Duration("time", 0), Timeout: o.Duration("timeout", 0)}
	if cfg.Depth == 0 && cfg.Nodes == 0 && cfg.Time == 0 {
		cfg.Time = thinking
	}
	names, values := o.Under("option")
	for i, name := range names {
		cfg.Options = append(cfg.Options, uci.Option{Name: name, Value: values[i]})
	}
	command, err := engineCommand(o, "")
	if err != nil {
		return nil, err
	}
	cfg.Launcher = &protocol.Launcher{Command: command}
	return func() (search.Agent, error) { return uci.New(cfg) }, nil
}

// gtpEngine reads gtp:cmd=PROGRAM,timeout=T.
func gtpEngine(w *World, o *game.Options) (func() (search.Agent, error), error) {
	cfg := gtp.Config{Game: w.Game, Timeout: o.Duration("timeout", 0)}
	command, err := engineCommand(o, "")
	if err != nil {
		return nil, err
	}
	cfg.Launcher = &protocol.Launcher{Command: command}
	return func() (search.Agent, error) { return gtp.New(cfg) }, nil
}

// nboardEngine reads nboard:cmd=PROGRAM,depth=N,timeout=T.
func nboardEngine(w *World, o *game.Options) (func() (search.Agent, error), error) {
	const usual, most = 8, 60
	cfg := nboard.Config{Game: w.Game, Depth: o.Int("depth", usual, 1, most), Timeout: o.Duration("timeout", 0)}
	command, err := engineCommand(o, "")
	if err != nil {
		return nil, err
	}
	cfg.Launcher = &protocol.Launcher{Command: command}
	return func() (search.Agent, error) { return nboard.New(cfg) }, nil
}

// gnubgEngine reads gnubg:ply=N,cmd=PROGRAM,timeout=T.
func gnubgEngine(w *World, o *game.Options) (func() (search.Agent, error), error) {
	cfg := gnubg.Config{Game: w.Game, Plies: o.Int("ply", 0, 0, 3), Timeout: o.Duration("timeout", 0)}
	command, err := engineCommand(o, "gnubg")
	if err != nil {
		return nil, err
	}
	cfg.Launcher = &protocol.Launcher{Command: gnubg.Command(command)}
	return func() (search.Agent, error) { return gnubg.New(cfg), nil }, nil
}

// engineCommand reads cmd=, the last of the options, and finds the program.
func engineCommand(o *game.Options, usual string) (protocol.Command, error) {
	text := o.String("cmd", usual)
	if err := o.Err(); err != nil {
		return protocol.Command{}, err
	}
	if strings.TrimSpace(text) == "" {
		return protocol.Command{}, fmt.Errorf("want cmd=PROGRAM, with its arguments if it has any: cmd=(stockfish)")
	}
	command, err := protocol.ReadCommand(text)
	if err != nil {
		return command, fmt.Errorf("cmd=%s: %w", text, err)
	}
	return command, nil
}
