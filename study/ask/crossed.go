package ask

import (
	"context"
	"math"
	"slices"

	"plyfit/internal/list"
	"plyfit/study"
	"plyfit/study/evaluation"
	"plyfit/study/measure"
)

var crossed = described(study.Experiment{
	Name:    "crossed",
	Takes:   []string{"game", "eval", "warp", "feature", "depth", "slip", "error", "pairs"},
	Minutes: [3]float64{0.1, 14, 380},
	Run:     runCrossed,
})

func runCrossed(ctx context.Context, s *study.Session) (*study.Results, error) {
	f := &study.Results{}
	var played []measure.Played
	for _, x := range crossedGames(s) {
		g, err := newCrossed(ctx, s, x)
		if err != nil {
			return nil, err
		}
		if err := g.Measure(ctx, s); err != nil {
			return nil, err
		}
		if err := g.Report(f); err != nil {
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
	share  int // of the pairs: one in so many
	depths []int
}

// crossedGames are the games of the effort, or the user's. Dear ones have fewer pairs and depths.
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

// minPairs are those of a cell at least, however dear the game.
const minPairs = 5

func newCrossed(ctx context.Context, s *study.Session, x crossedGame) (*grid, error) {
	g, err := gameGrid(ctx, s, x.spec, []float64{0.1, 0.2}, x.depths, max(minPairs, s.Pairs(200, 1000, 5600)/x.share))
	if err != nil {
		return nil, err
	}
	u := g.Subject
	if s.Over.Warps != nil {
		if g.Errors, err = warps(s, u); err != nil {
			return nil, err
		}
		g.Errors = append(g.Errors, controls()...)
		return g, nil
	}
	feature, err := u.Underweighted(ctx, s.Over.Feature)
	if err != nil {
		return nil, err
	}
	list := slices.Concat(evaluation.Scales(), u.Randoms(min(g.Pairs, s.Pick(5, 20, 20))), []evaluation.Tunable{feature})
	if err := g.SizeAll(ctx, s.Over.Error, list); err != nil {
		return nil, err
	}
	g.Errors = append(append(g.Errors, single("log odds", evaluation.Damage{Kind: evaluation.LogOdds})), controls()...)
	return g, nil
}

// gameGrid is a grid of a game with the user's evaluation, or its own, without errors as yet.
func gameGrid(ctx context.Context, s *study.Session, spec string, slips []float64, depths []int, pairs int) (*grid, error) {
	u, err := evaluation.LoadSubject(ctx, s, spec)
	if err != nil {
		return nil, err
	}
	g, err := newGrid(s, u, slips)
	if err != nil {
		return nil, err
	}
	g.Depths, g.Pairs = slices.Sorted(slices.Values(study.Or(s.Over.Depths, depths))), pairs
	return g, nil
}

func warps(s *study.Session, u *evaluation.Subject) (out []*evalError, err error) {
	for _, text := range s.Over.Warps {
		d, err := evaluation.ParseWarp(text)
		if err != nil {
			return nil, err
		}
		out = append(out, single(d.String(), u.Finish(d)))
	}
	return out, nil
}

// cube is the power that is called so, where the one that was found is as good as that.
func cube(u *evaluation.Subject, size float64, found evaluation.Damage) evaluation.Damage {
	d := evaluation.Damage{Kind: evaluation.Power, By: 3}
	if math.Abs(u.Misfit(d)-size) < 2e-4 {
		return d
	}
	return found
}
