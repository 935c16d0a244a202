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
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if p.World, err = a.Catalog.World(args[0]); err != nil {
				return err
			}
			p.Agent = cmp.Or(p.Agent, p.World.Planner())
			return p.Run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&p.Agent, "agent", "a", "", "opponent, which also gives hints; default: the game's usual planner")
	flags.IntVar(&p.Seat, "as", 0, "your seat, counted from 0")
	flags.StringVarP(&p.Position, "position", "p", "", "starting position; default: the start of the game")
	seedFlag(cmd, &p.Seed)
	return cmd
}
