package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/cli/shell"
	"plyfit/game"
	"plyfit/internal/failure"
	"plyfit/protocol/nboard"
	"plyfit/search"
)

func (a *app) nboardCommand() *cobra.Command {
	var agent string
	cmd := &cobra.Command{
		Use:   "nboard GAME",
		Short: "Run as an NBoard engine for othello",
		Long: `Run as an engine for NBoard and other boards of othello that speak its protocol.

Commands come on standard input; quit or its end ends the engine. It looks as deep
as the board says by set depth, but no deeper than a depth in --agent.`,
		Example: `  plyfit nboard othello
  plyfit nboard othello --agent alphabeta:eval=learned`,
		Args: shell.Exactly("GAME"),
		RunE: a.InWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			if w.Game.Inside != nil || w.Game.Dialect(nboard.Protocol) == nil {
				list := strings.Join(a.Catalog.Speaking(nboard.Protocol), ", ")
				return fmt.Errorf("nboard is spoken about %s, not %s: want %s", list, w.Spec, list)
			}
			spec := engineAgent(w, agent)
			player, err := newAgent(w, spec, catalog.AgentOptions{})
			if err != nil {
				return err
			}
			defer search.Close(player)
			s, err := game.ParseSpec(spec)
			if err != nil {
				return err
			}
			server := &nboard.Server{Name: engineName, Game: w.Game, Agent: player, Depth: s.Options.Int("depth", 0, 0, 1000)}
			return failure.Of(server.Serve(cmd.Context(), a.Stdin, a.Stdout))
		}),
	}
	engineAgentFlag(cmd, &agent)
	return cmd
}
