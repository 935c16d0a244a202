// Package engines lists the kinds of agents that are external programs, for a command's catalog.
package engines

import (
	"fmt"
	"math"
	"strings"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/internal/protocol/gtp"
	"plyfit/internal/protocol/uci"
	"plyfit/search"
)

// Kinds returns the kinds of agents that are external programs, one per protocol, sorted by name.
// Pass them to [catalog.Catalog.WithKinds].
func Kinds() []catalog.Kind {
	command := catalog.Key{Name: "cmd", Type: "program", Values: []string{"PROGRAM"}, Default: "none (required)", Doc: "program with its arguments, such as cmd=(gnuchess --uci)"}
	patience := catalog.Key{Name: "timeout", Type: "duration", Values: []string{"DURATION"}, Default: "30s", Doc: "time limit for an answer"}
	return []catalog.Kind{
		{Name: "gnubg", Doc: "GNU Backgammon", Protocol: protocol.GnubgProtocol, Make: gnubgEngine, Keys: []catalog.Key{
			{Name: "ply", Type: "depth", Values: []string{"0", "1", "2", "3"}, Default: "0", Doc: "search depth in plies"},
			{Name: "cmd", Type: "program", Values: []string{"PROGRAM"}, Default: "gnubg", Doc: "path of the gnubg program"},
			patience,
		}},
		{Name: "gtp", Doc: "a program that speaks GTP", Protocol: gtp.Protocol, Valueless: true, Make: gtpEngine, Keys: []catalog.Key{command, patience}},
		{Name: "lines", Doc: "a program that answers questions in JSON lines (docs/grade.md)", Valueless: true, Make: linesProgram, Keys: []catalog.Key{
			command,
			{Name: "terms", Type: "word", Values: []string{"on", "off"}, Default: "off", Doc: "send the terms of the position after each move"},
			patience,
		}},
		{Name: "uci", Doc: "a program that speaks UCI", Protocol: uci.Protocol, Make: uciEngine, Keys: []catalog.Key{
			command,
			{Name: "depth", Type: "depth", Values: []string{"N"}, Default: "no limit", Doc: "search depth, sent as go depth N"},
			{Name: "nodes", Type: "number", Values: []string{"N"}, Default: "no limit", Doc: "number of nodes, sent as go nodes N"},
			{Name: "time", Type: "duration", Values: []string{"DURATION"}, Default: "100ms if no other limit is set", Doc: "time per move such as 2s, sent as go movetime"},
			patience,
			{Name: "option.NAME", Type: "word", Values: []string{"VALUE"}, Default: "the engine's", Doc: "engine option with the given name"},
		}},
	}
}

// thinking is the default time for a move of a UCI engine.
const thinking = 100 * time.Millisecond

func uciEngine(w *catalog.World, o *game.Options) (func() (search.Agent, error), error) {
	cfg, err := UCI(w.Game, o)
	return func() (search.Agent, error) { return uci.New(cfg) }, err
}

// UCI returns the configuration that an agent's options specify.
func UCI(g *game.Game, o *game.Options) (uci.Config, error) {
	cfg := uci.Config{Game: g,
		Depth: o.Int("depth", 0, 1, 1<<10), Nodes: int64(o.Int("nodes", 0, 1, math.MaxInt)), Time: o.Duration("time", 0), Timeout: o.Duration("timeout", 0)}
	if cfg.Depth == 0 && cfg.Nodes == 0 && cfg.Time == 0 {
		cfg.Time = thinking
	}
	names, values := o.Under("option")
	for i, name := range names {
		cfg.Options = append(cfg.Options, uci.Option{Name: name, Value: values[i]})
	}
	command, err := programOf(o, "")
	cfg.Launcher = &program.Launcher{Command: command}
	return cfg, err
}

func gtpEngine(w *catalog.World, o *game.Options) (func() (search.Agent, error), error) {
	cfg := gtp.Config{Game: w.Game, Timeout: o.Duration("timeout", 0)}
	command, err := programOf(o, "")
	cfg.Launcher = &program.Launcher{Command: command}
	return func() (search.Agent, error) { return gtp.New(cfg) }, err
}

func linesProgram(w *catalog.World, o *game.Options) (func() (search.Agent, error), error) {
	cfg := protocol.AnswererConfig{Game: w.Game, Limits: protocol.Limits{Answer: o.Duration("timeout", 0)}}
	if o.Bool("terms", false) {
		var err error
		if cfg.Terms, err = w.Set(""); err != nil {
			return nil, err
		}
	}
	var err error
	cfg.Command, err = programOf(o, "")
	return func() (search.Agent, error) { return protocol.NewAnswerer(cfg), nil }, err
}

func gnubgEngine(w *catalog.World, o *game.Options) (func() (search.Agent, error), error) {
	cfg := protocol.GnubgConfig{Game: w.Game, Plies: o.Int("ply", 0, 0, 3), Timeout: o.Duration("timeout", 0)}
	command, err := programOf(o, "gnubg")
	cfg.Launcher = &program.Launcher{Command: protocol.GnubgCommand(command)}
	return func() (search.Agent, error) { return protocol.NewGnubg(cfg), nil }, err
}

// programOf finds the program that the option cmd names. It must be called after all other options
// have been read.
func programOf(o *game.Options, usual string) (program.Command, error) {
	text := o.String("cmd", usual)
	if err := o.Err(); err != nil {
		return program.Command{}, err
	}
	if strings.TrimSpace(text) == "" {
		return program.Command{}, fmt.Errorf("want cmd=PROGRAM, with arguments if necessary, such as cmd=(stockfish)")
	}
	command, err := program.ReadCommand(text)
	if err != nil {
		return command, fmt.Errorf("cmd=%s: %w", text, err)
	}
	return command, nil
}
