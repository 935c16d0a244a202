package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/serve/stdio"
)

type movesAnswer struct {
	Turn  any        `json:"turn"`
	Moves []moveLine `json:"moves"`
}

type moveLine struct {
	Move        string   `json:"move"`
	Position    string   `json:"position"`
	Probability *float64 `json:"probability,omitempty"` // at chance nodes only
}

func (a *App) movesCommand() *cobra.Command {
	var position string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "moves GAME",
		Short: "List the legal moves, the resulting positions and the probabilities of chance moves",
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			return a.eachPosition(w, position, func(s game.State) error {
				answer := legalMoves(s)
				if asJSON {
					return WriteJSON(a.Stdout, answer)
				}
				var b strings.Builder
				fmt.Fprintf(&b, "%s\nto move: %v\n", s, answer.Turn)
				for _, m := range answer.Moves {
					fmt.Fprintf(&b, "%-8s %s", m.Move, m.Position)
					if m.Probability != nil {
						fmt.Fprintf(&b, "  probability %.6g", *m.Probability)
					}
					b.WriteByte('\n')
				}
				return a.printf("%s", b.String())
			})
		}),
	}
	positionFlag(cmd, &position)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per position")
	return cmd
}

func legalMoves(s game.State) movesAnswer {
	answer := movesAnswer{Turn: stdio.Turn(s), Moves: []moveLine{}}
	chancer, _ := game.As[game.Chancer](s)
	for _, m := range s.Moves(nil) {
		line := moveLine{Move: s.MoveString(m)}
		if s.Turn() == game.Chance {
			p := chancer.Prob(m)
			line.Probability = &p
		}
		s.Play(m)
		line.Position = s.String()
		s.Undo()
		answer.Moves = append(answer.Moves, line)
	}
	return answer
}
