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
		Args:  Exactly("GAME"),
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
