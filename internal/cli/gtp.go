package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/internal/proc"
	"plyfit/internal/protocol/gtp"
	"plyfit/search"
)

func (a *App) gtpCommand() *cobra.Command {
	var agent string
	cmd := &cobra.Command{
		Use:   "gtp GAME",
		Short: "Run as a GTP engine for go or othello",
		Args:  Exactly("GAME"),
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			games := a.Catalog.Speaking(gtp.Protocol)
			d := w.Game.Dialect(gtp.Protocol)
			counts := w.Game.Inside == nil && d != nil && d.Score != nil // whatever its options say
			if !counts && !slices.Contains(games, w.Spec) {
				list := strings.Join(games, ", ")
				return fmt.Errorf("gtp is spoken about %s, not %s: want %s", list, w.Spec, list)
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
