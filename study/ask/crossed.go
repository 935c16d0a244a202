package ask

import (
	"context"
	"slices"

	"plyfit/internal/list"
	"plyfit/study"
	"plyfit/study/evaluation"
	"plyfit/study/measure"
)

func runCrossed(ctx context.Context, s *study.Session) (*study.Results, error) {
	f := &study.Results{}
	var played []measure.Played
	for _, x := range crossedGames(s) {
		g, err := newCrossed(ctx, s, x)
		if err == nil {
			err = g.Measure(ctx, s)
		}
		if err == nil {
			err = g.Report(f)
		}
		if err != nil {
			return nil, err
		}
		f.Tables = append(f.Tables, g.Sizes())
		played = append(played, g.Played...)
	}
	f.Data = append(f.Data, measure.PairData("matches", played)...)
	return f, nil
}

type crossedGame struct {
	spec   string
	share  int // divides the number of pairs
	depths []int
}

// crossedGames returns the user's games, or the default games for the effort. Expensive games get
// fewer pairs and fewer depths.
func crossedGames(s *study.Session) (games []crossedGame) {
	switch {
	case s.Over.Games != nil:
		return list.Map(s.Over.Games, func(spec string) crossedGame { return crossedGame{spec, 1, []int{1, 2}} })
	case s.Effort == study.Quick:
		return []crossedGame{{"connect4", 1, []int{1, 2}}}
	}
	games = []crossedGame{{"connect4", 1, []int{1, 2, 3}}, {"checkers", 2, []int{1, 2, 3}}, {"othello", 5, []int{1, 2}}, {"connect4:dice=on", 1, []int{1, 2}}, {"backgammon", 25, []int{1, 2}}}
	if s.Effort == study.Full {
		games[2].depths = []int{1, 2, 3}
		games = append(games, crossedGame{"chess", 25, []int{1, 2, 3}})
	}
	return games
}

// newCrossed returns a grid with the user's warps. By default, it contains errors of all kinds with
// a common size, and the conversion to log odds, which has a different size.
func newCrossed(ctx context.Context, s *study.Session, x crossedGame) (*grid, error) {
	g, err := newGrid(ctx, s, x.spec, []float64{0.1, 0.2}, x.depths, max(5, s.Pairs(200, 1000, 5600)/x.share))
	if err != nil {
		return nil, err
	}
	if s.Over.Warps != nil {
		g.Errors, err = g.warps(s)
		return g, err
	}
	feature, err := g.Subject.Underweighted(ctx, s.Over.Feature)
	if err != nil {
		return nil, err
	}
	randoms := g.Subject.Randoms(min(g.Pairs, s.Pick(5, 20, 20)))
	err = g.SizeAll(ctx, s.Over.Error, append(slices.Concat(evaluation.Scales(), randoms), feature))
	g.Errors = append(g.Errors, single("log odds", evaluation.Damage{Kind: evaluation.LogOdds}))
	return g, err
}
