package catalog

import (
	"fmt"
	"math"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/protocol"
	"plyfit/protocol/gnubg"
	"plyfit/protocol/gtp"
	"plyfit/protocol/uci"
	"plyfit/search"
)

// Engines of others, by the language that they speak.
var (
	uciEngines   = map[string]ownAgent{"uci": uciEngine}
	gtpEngines   = map[string]ownAgent{"gtp": gtpEngine}
	gnubgEngines = map[string]ownAgent{"gnubg": gnubgEngine}
)

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
func gtpEngine(_ *World, o *game.Options) (func() (search.Agent, error), error) {
	cfg := gtp.Config{Timeout: o.Duration("timeout", 0)}
	command, err := engineCommand(o, "")
	if err != nil {
		return nil, err
	}
	cfg.Launcher = &protocol.Launcher{Command: command}
	return func() (search.Agent, error) { return gtp.New(cfg), nil }, nil
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
