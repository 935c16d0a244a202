package cli

import (
	"cmp"

	"github.com/spf13/cobra"

	"plyfit/internal/terminal"
)

func (a *App) playCommand() *cobra.Command {
	p := terminal.Play{In: a.Stdin, Out: a.Stdout}
	cmd := &cobra.Command{
		Use:   "play GAME",
		Short: "Play against an agent in the terminal, with hints",
		Long: `Play against an agent in the terminal, or alone in a game of one. Moves are typed
in the game's notation, or abbreviated as long as only one move fits. Dice and
tiles follow the seed, and are the same after a move was taken back. An agent whose
spec names no evaluation uses the strongest that is shipped.

` + terminal.Help,
		Example: `  plyfit play connect4
  plyfit play chess --agent alphabeta:depth=3,eval=learned --as 1
  plyfit play 2048 --agent expectimax:depth=2`,
		Args: Exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if p.World, err = a.Catalog.World(args[0]); err != nil {
				return err
			}
			p.Agent = cmp.Or(p.Agent, p.World.Planner())
			return p.Run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&p.Agent, "agent", "a", "", "who plays against you and gives hints; default: the planner that the game is learned with")
	flags.IntVar(&p.Seat, "as", 0, "which player you are")
	flags.StringVarP(&p.Position, "position", "p", "", "where the game begins; the start without it")
	seedFlag(cmd, &p.Seed)
	return cmd
}
