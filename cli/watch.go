package cli

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

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
value and the line that the mover chose; elsewhere every position is printed.`,
		Example: `  plyfit watch 2048 expectimax:depth=2
  plyfit watch connect4 alphabeta:depth=8 mcts:simulations=2000 --delay 500ms`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.catalog.World(args[0])
			if err != nil {
				return err
			}
			seats, err := seatAgents(w, args[1:])
			if err != nil {
				return err
			}
			s := w.New()
			if position != "" {
				if s, err = w.Parse(position); err != nil {
					return err
				}
			}
			show := &show{w: a.stdout, world: w}
			if f, ok := a.stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
				show.inPlace = true
			}
			return show.play(cmd.Context(), s, seats, seed, delay)
		},
	}
	seedFlag(cmd, &seed)
	cmd.Flags().DurationVar(&delay, "delay", 150*time.Millisecond, "how long each position stays")
	cmd.Flags().StringVarP(&position, "position", "p", "", "where the game begins; the start without it")
	return cmd
}

// seatAgents makes an agent for every player of the world.
func seatAgents(w *catalog.World, specs []string) ([]search.Agent, error) {
	if len(specs) != 1 && len(specs) != w.Players {
		return nil, fmt.Errorf("%d agents for the %d players of %s: want one for each, or one for all", len(specs), w.Players, w.Spec)
	}
	seats := make([]search.Agent, w.Players)
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

// show plays a game before an audience.
type show struct {
	w       io.Writer
	world   *catalog.World
	inPlace bool
}

func (sh *show) play(ctx context.Context, s game.State, seats []search.Agent, seed uint64, delay time.Duration) error {
	rng := rand.New(rand.NewPCG(seed, game.Mix(seed)))
	for i, a := range seats {
		a.Begin(game.Mix(seed + uint64(i)))
	}
	if sh.inPlace {
		fmt.Fprint(sh.w, "\x1b[?25l\x1b[2J")
		defer fmt.Fprint(sh.w, "\x1b[?25h")
	}
	var moves []game.Move
	caption := ""
	for ply := 0; s.Turn() != game.Nobody && ply < sh.world.MaxPlies; ply++ {
		if s.Turn() == game.Chance {
			moves = s.Moves(moves[:0])
			s.Play(game.Drawn(s, moves, rng.Float64()))
			continue
		}
		if err := sh.draw(ctx, s, caption, delay); err != nil {
			return err
		}
		r, err := seats[s.Turn()].Search(ctx, s)
		if err != nil {
			return failed(err)
		}
		caption = fmt.Sprintf("player %d plays %s   value %s   line %s", s.Turn(), s.MoveString(r.Move), number(r.Value), strings.Join(moveStrings(s, r.PV), " "))
		s.Play(r.Move)
	}
	end := "cut off after the game's limit of plies"
	if s.Turn() == game.Nobody {
		var got []string
		for p := range sh.world.Players {
			got = append(got, fmt.Sprintf("player %d gets %s", p, number(s.Utility(game.Player(p)))))
		}
		end = "over: " + strings.Join(got, ", ")
	}
	return sh.draw(ctx, s, caption+"\n"+end, 0)
}

// draw shows the position with a caption below it, and waits.
func (sh *show) draw(ctx context.Context, s game.State, caption string, delay time.Duration) error {
	picture := s.String()
	if d, ok := game.As[game.Drawer](s); ok {
		picture = d.Board()
	}
	text := strings.TrimRight(picture, "\n") + "\n" + caption + "\n"
	if sh.inPlace {
		// Home, then each line with what stood right of it wiped, then the rest.
		text = "\x1b[H" + strings.ReplaceAll(text, "\n", "\x1b[K\n") + "\x1b[J"
	}
	if _, err := io.WriteString(sh.w, text); err != nil {
		return failed(err)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(delay):
		return nil
	}
}
