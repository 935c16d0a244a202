package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plyfit/cli/shell"
	"plyfit/terminal"
)

func (a *app) watchCommand() *cobra.Command {
	view := -1
	w := terminal.Watch{In: a.Stdin, Out: a.Stdout}
	cmd := &cobra.Command{
		Use:   "watch GAME [AGENT...]",
		Short: "Watch agents play a game",
		Long: `Watch agents play a game, one agent for each player. A single agent plays for all
of them; without any it is the planner that the game is learned with. An agent whose
spec names no evaluation uses the strongest that is shipped. In a terminal the board
is redrawn in place, with the value and the line that the mover chose, in colour unless
NO_COLOR is set; elsewhere every position is printed, as it is written and as it is drawn.

Where input is a terminal too, keys steer the game:

  space            pause, and play on
  right arrow, n   while paused: one move on
  left arrow, p    one move back; it pauses
  q                quit

Where cards are hidden, --view shows what one player knows, until the game is over.`,
		Example: `  plyfit watch pacman
  plyfit watch 2048 expectimax:depth=2
  plyfit watch doudizhu rule --view 1
  plyfit watch connect4 alphabeta:depth=8 mcts:simulations=2000 --delay 500ms`,
		Args: shell.AtLeast("GAME"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if w.World, err = a.Catalog.World(args[0]); err != nil {
				return err
			}
			if w.Delay < 0 {
				return fmt.Errorf("--delay %v: want no negative time", w.Delay)
			}
			if cmd.Flags().Changed("view") {
				if view < 0 {
					return fmt.Errorf("--view %d: want the number of a player, from 0 on", view)
				}
				w.Of = view + 1
			}
			if w.Agents = args[1:]; len(w.Agents) == 0 {
				w.Agents = []string{w.World.Planner()}
			}
			return w.Run(cmd.Context())
		},
	}
	shell.SeedFlag(cmd, &w.Seed)
	cmd.Flags().DurationVar(&w.Delay, "delay", 150*time.Millisecond, "how long each position stays")
	cmd.Flags().StringVarP(&w.Position, "position", "p", "", "where the game begins; the start without it")
	cmd.Flags().IntVar(&view, "view", view, "where cards are hidden: show what this player knows, 0 being the first; without it the whole deal")
	return cmd
}
