package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/proc"
)

type perftAnswer struct {
	Depth  int   `json:"depth"`
	Leaves int64 `json:"leaves"`
}

func (a *App) perftCommand() *cobra.Command {
	var position string
	var depth int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "perft GAME --depth N",
		Short: "Count the paths of 1 to N moves, to test the rules of a game",
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			return a.eachPosition(w, position, func(s game.State) error {
				if d, ok := game.As[game.Drawless](s); ok && game.Base(s) == s {
					s = d.WithoutDraws()
				}
				for n := 1; n <= depth; n++ {
					begin := time.Now()
					leaves, err := perft(cmd.Context(), s, n)
					if err != nil {
						return err
					}
					if asJSON {
						if err := WriteJSON(a.Stdout, perftAnswer{n, leaves}); err != nil {
							return err
						}
						continue
					}
					elapsed := time.Since(begin)
					if _, err := fmt.Fprintf(a.Stdout, "%3d %16d  %8.2fs  %6.1f M/s\n", n, leaves, elapsed.Seconds(), float64(leaves)/1e6/max(elapsed.Seconds(), 1e-9)); err != nil {
						return proc.Failure(err)
					}
				}
				return nil
			})
		}),
	}
	positionFlag(cmd, &position)
	wholeFlag(cmd, &depth, "depth", "", 0, 1, "maximum length of the paths, in moves")
	cmd.MarkFlagRequired("depth")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per depth")
	return cmd
}

// perft returns the number of move sequences of the given depth. If ctx ends first, counting
// continues in the background, so s must not be used again.
func perft(ctx context.Context, s game.State, depth int) (int64, error) {
	counted := make(chan int64, 1)
	go func() { counted <- game.Perft(s, depth, nil) }()
	select {
	case leaves := <-counted:
		return leaves, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}
