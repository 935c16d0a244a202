package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/internal/protocol/gtp"
	"plyfit/internal/protocol/uci"
	"plyfit/search"
)

// engineName is the engine's name in user interfaces and match runners.
const engineName = "plyfit"

func (a *App) uciCommand() *cobra.Command {
	var agent string
	cmd := &cobra.Command{
		Use:   "uci GAME",
		Short: "Run as a UCI engine for chess, connect4 or tictactoe",
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			if w.Dialect(uci.Protocol) == nil {
				return fmt.Errorf("uci supports %s, not %s", strings.Join(a.Catalog.Speaking(uci.Protocol), ", "), w.Spec)
			}
			if w.Inside != nil {
				return fmt.Errorf("uci does not support slips or adversaries, such as those in %s; want %s", w.Spec, w.Base().Spec)
			}
			server, err := uciServer(w, agent)
			if err != nil {
				return err
			}
			return proc.Failure(server.Serve(cmd.Context(), a.Stdin, a.Stdout))
		}),
	}
	engineAgentFlag(cmd, &agent)
	return cmd
}

// engineAgentFlag adds --agent. The default is alpha-beta, with quiescence search in chess.
func engineAgentFlag(cmd *cobra.Command, agent *string) {
	cmd.Flags().StringVarP(agent, "agent", "a", "", "agent in the form KIND[:key=value,...]; default: alphabeta, with quiescence=on in chess")
}

func engineAgent(w *catalog.World, agent string) string {
	switch {
	case agent != "":
		return agent
	case w.Name == "chess":
		return "alphabeta:quiescence=on"
	}
	return "alphabeta"
}

func newAgent(w *catalog.World, spec string, o catalog.AgentOptions) (search.Agent, error) {
	p, err := w.Agent(spec, o)
	if err != nil {
		return nil, err
	}
	return p.New()
}

// uciServer returns an engine that plays according to the agent's spec, as modified by UCI options.
func uciServer(w *catalog.World, agent string) (*uci.Server, error) {
	agent = engineAgent(w, agent)
	s, err := game.ParseSpec(agent)
	if err != nil {
		return nil, fmt.Errorf("agent %w", err)
	}
	model := "zero"
	if w.Entry.Ships("handwritten") {
		model = "handwritten"
	}
	defaults := uci.Settings{Model: s.Options.String("eval", model), Depth: s.Options.Int("depth", 0, 0, 1000)}
	const megabytes = 64
	if s.Name == "alphabeta" || s.Name == "expectimax" { // these agents have a table that is shared between threads
		if s.Options.String("table", "") != "off" {
			defaults.Hash = s.Options.Int("table", megabytes, 1, 1<<16)
			defaults.Threads = s.Options.Int("threads", 1, 1, 256)
		}
	}
	server := &uci.Server{Game: w.Game, Name: engineName + " " + w.Name, Author: "the plyfit authors", Defaults: defaults}
	if s.Name == "alphabeta" || s.Name == "expectimax" || s.Name == "minimax" {
		server.Nodes, server.Time = int64(s.Options.Int("nodes", 0, 0, 1<<62)), s.Options.Duration("time", 0)
	}
	server.Make = func(o uci.Settings, iteration func(search.Result)) (search.Agent, error) {
		text := agent
		set := func(key string, changed bool, value any) {
			if changed && err == nil {
				text, err = catalog.WithKey(text, key, fmt.Sprint(value))
			}
		}
		err = nil
		set("eval", o.Model != defaults.Model, o.Model)
		set("table", o.Hash > 0, o.Hash)
		set("threads", o.Threads > 0, o.Threads)
		if err != nil {
			return nil, err
		}
		return newAgent(w, text, catalog.AgentOptions{Iteration: iteration})
	}
	// An invalid --agent is reported now rather than at the first request for a move.
	first, err := server.Make(defaults, func(search.Result) {})
	if err != nil {
		return nil, err
	}
	search.Close(first)
	return server, nil
}

func (a *App) gtpCommand() *cobra.Command {
	var agent string
	cmd := &cobra.Command{
		Use:   "gtp GAME",
		Short: "Run as a GTP engine for Othello",
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			games := a.Catalog.Speaking(gtp.Protocol)
			if !slices.Contains(games, w.Spec) {
				list := strings.Join(games, ", ")
				return fmt.Errorf("gtp supports %s, not %s; want %s", list, w.Spec, list)
			}
			player, err := newAgent(w, engineAgent(w, agent), catalog.AgentOptions{})
			if err != nil {
				return err
			}
			defer search.Close(player)
			server := &gtp.Server{Name: engineName, Version: proc.Release(), Game: w.Game, Agent: player}
			return proc.Failure(server.Serve(cmd.Context(), a.Stdin, a.Stdout))
		}),
	}
	engineAgentFlag(cmd, &agent)
	return cmd
}
