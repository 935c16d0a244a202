package study_test

import (
	"context"
	"fmt"
	"io"
	"os"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/game/tictactoe"
	"plyfit/study"
)

// This example defines an experiment: does the first player win more often at tic-tac-toe if both
// play at random? Each cell has its own seed. Cells are stored in the directory of the session, so
// that a second run only reads them. The finding depends only on the interval.
func Example() {
	g, err := tictactoe.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	firstMover := study.Experiment{
		Name: "first-mover", Question: "Who wins more, where both play at random?",
		Run: func(ctx context.Context, s *study.Session) (*study.Results, error) {
			seeds := []uint64{1, 2, 3, 4, 5, 6, 7, 8}
			means, err := study.Cells(ctx, s, "random games", seeds, nil, func(_ context.Context, seed uint64) (float64, error) {
				return randomGames(g, s.Seed, seed, 100), nil
			})
			if err != nil {
				return nil, err
			}
			mean := stats.SampleOf(means).Estimate()
			claim := study.Decide("the first player gets more than 0", mean, stats.Estimate.Above, 0, mean.Range("%.2f", 1))
			return &study.Results{Findings: []study.Finding{claim}}, nil
		},
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	session := &study.Session{Seed: 1, Workers: 2, Dir: dir, Log: io.Discard, Quiet: true}
	found, err := session.Run(context.Background(), firstMover)
	if err != nil {
		panic(err)
	}
	f := found.Findings[0]
	fmt.Printf("%s: %s (%s)\n", f.Support, f.Claim, f.Figure)
	// Output:
	// supported: the first player gets more than 0 (0.27 (0.21 to 0.33))
}

// randomGames returns the mean utility of the first player.
func randomGames(g *game.Game, seed, cell uint64, games int) (mean float64) {
	random := study.NewRand(seed, cell)
	for range games {
		s := g.New()
		for s.Turn() != game.Nobody {
			moves := s.Moves(nil)
			s.Play(moves[random.IntN(len(moves))])
		}
		mean += s.Utility(0) / float64(games)
	}
	return mean
}
