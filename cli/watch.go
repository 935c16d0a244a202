package cli

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/search"
)

func (a *app) watchCommand() *cobra.Command {
	var seed uint64
	var delay time.Duration
	var position string
	cmd := &cobra.Command{
		Use:   "watch GAME AGENT [AGENT...]",
		Short: "Look on while agents play one game",
		Long: `Look on while agents play one game, one agent for each player; a single agent
plays for all of them. In a terminal the board is redrawn in place, with the
value and the line that the mover chose, in colour unless NO_COLOR is set;
elsewhere every position is printed, as it is written and as it is drawn.`,
		Example: `  plyfit watch 2048 expectimax:depth=2
  plyfit watch connect4 alphabeta:depth=8 mcts:simulations=2000 --delay 500ms`,
		Args: atLeast("GAME", "AGENT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.catalog.World(args[0])
			if err != nil {
				return err
			}
			s := w.New()
			if position != "" {
				if s, err = w.Parse(position); err != nil {
					return err
				}
			}
			seats, err := seatAgents(w, game.ShapeOf(w.Game, s).Players, args[1:])
			if err != nil {
				return err
			}
			defer func() {
				for _, a := range seats {
					search.Close(a)
				}
			}()
			show := newShow(a.stdout, w, args[1:], delay)
			return show.play(cmd.Context(), s, seats, seed)
		},
	}
	seedFlag(cmd, &seed)
	cmd.Flags().DurationVar(&delay, "delay", 150*time.Millisecond, "how long each position stays")
	cmd.Flags().StringVarP(&position, "position", "p", "", "where the game begins; the start without it")
	return cmd
}

// seatAgents makes an agent for each of so many players.
func seatAgents(w *catalog.World, players int, specs []string) ([]search.Agent, error) {
	if len(specs) != 1 && len(specs) != players {
		return nil, fmt.Errorf("%d agents for the %d players of %s: want one for each, or one for all", len(specs), players, w.Spec)
	}
	seats := make([]search.Agent, players)
	for i := range seats {
		player, err := w.Agent(specs[min(i, len(specs)-1)], catalog.AgentOptions{})
		if err != nil {
			return nil, err
		}
		if seats[i], err = player.New(); err != nil {
			return nil, err
		}
	}
	return seats, nil
}
