package ask

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/internal/report"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/lecture"
)

// deeper marks the planners of a control experiment. If knowing the ghost does not help, the
// control shows whether the horizon is the reason. These planners search one round deeper, against
// ghosts that plan at least half of their moves.
const deeper = ", deeper"

var sweep = []lecture.Planner{lecture.Minimax, lecture.Expectimax, lecture.Informed, lecture.Minimax + deeper, lecture.Informed + deeper}

// ghostCell is the key of a cell that contains the results of a planner against a ghost.
type ghostCell struct {
	Game    string          `json:"game"`
	Assumes lecture.Planner `json:"hero"`
	Depth   int             `json:"depth"`           // in rounds
	Planned float64         `json:"planned"`         // fraction of the ghost's moves that its search selects
	Plain   bool            `json:"plain,omitempty"` // whether leaves are evaluated by the score alone
	Eval    string          `json:"eval,omitempty"`  // digest of --eval, or its name if it has none; it replaces the lecture's evaluation
	Games   int             `json:"games"`           // number of games played in addition to the exact expectation
	Seed    uint64          `json:"seed"`
}

type ghostResult struct {
	lecture.Expectation
	Scores []float64 `json:"scores,omitempty"`
}

func runPacman(ctx context.Context, s *study.Session) (*study.Results, error) {
	spec := study.Or(s.Over.Games, []string{lecture.Board})[0]
	depth := study.Or(s.Over.Depths, []int{lecture.Depth})[0]
	games := s.Pairs(200, 1000, 5000)
	shares := [][]float64{{0, 0.25, 0.5, 0.8, 1}, {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, {0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1}}[s.Effort]
	eval := ""
	if s.Over.Eval != "" {
		_, e, err := openWorld(s, spec, s.Over.Eval)
		if err != nil {
			return nil, err
		}
		eval = cmp.Or(e.Digest, e.Name)
	}
	var keys []ghostCell
	for _, h := range sweep {
		for _, q := range shares {
			k := ghostCell{Game: spec, Assumes: h, Depth: depth, Planned: q, Eval: eval, Seed: s.Seed}
			if strings.HasSuffix(string(h), deeper) {
				k.Depth++
				if q < 0.5 {
					continue
				}
			}
			if q == 0 || q == 0.8 || q == 1 {
				k.Games = games
			}
			keys = append(keys, k)
		}
	}
	for _, h := range sweep[:2] {
		keys = append(keys, ghostCell{Game: lecture.Corridor, Assumes: h, Depth: depth, Plain: true, Games: games, Seed: s.Seed})
	}
	found, err := study.Cells(ctx, s, "chases", keys, nil, func(ctx context.Context, k ghostCell) (ghostResult, error) { return playGhosts(ctx, s, k) })
	if err != nil {
		return nil, err
	}
	return pacmanResults(keys, found, s.Seed)
}

func openWorld(s *study.Session, spec, eval string) (w *catalog.World, e *catalog.Evaluation, err error) {
	if w, err = s.Catalog.World(spec); err == nil {
		e, err = w.Evaluation(eval)
	}
	return w, e, err
}

func playGhosts(ctx context.Context, s *study.Session, k ghostCell) (out ghostResult, err error) {
	eval := "zero"
	if k.Eval != "" {
		eval = s.Over.Eval
	}
	w, e, err := openWorld(s, k.Game, eval)
	if err != nil {
		return out, err
	}
	o := search.Options{Game: w.Game, Depth: k.Depth}
	if k.Plain || k.Eval != "" {
		o.Eval, o.Leaf = e.New(), e.Leaves
	}
	c, err := lecture.NewChase(o, lecture.Planner(strings.TrimSuffix(string(k.Assumes), deeper)), k.Planned)
	if err != nil {
		return out, err
	}
	const most = 100000 // maximum number of moves and of plies in a game
	out.Expectation = c.Expect(most)
	random := study.NewRand(k.Seed, 0xc4a5e)
	for range k.Games {
		end, _, err := c.Play(ctx, random, most)
		if err != nil {
			return out, err
		}
		out.Scores = append(out.Scores, end.Score(0))
	}
	return out, nil
}

func pacmanResults(keys []ghostCell, found []ghostResult, seed uint64) (*study.Results, error) {
	data := study.Data{Name: "cells", Head: []string{"game", "planner", "depth", "planned_share", "expected_score", "won", "moves", "situations", "games", "mean_score"}}
	t := report.Table{Head: []string{"planner", "ghost", "lecture, 5 games", "expected score", "won", "games played: mean score"}, Words: 2,
		Caption: "Exact expected scores, and mean scores of games with 95% intervals. Ghost: fraction of the ghost's moves that are chosen by search; the others are random."}
	trapped := report.Table{Head: []string{"trapped: planner", "expected score", "won", "moves"}, Caption: "Two random ghosts approach Pacman in a corridor. Leaves are evaluated by the score alone. Minimax sees no way out and ends the game early, because time costs points. Expectimax tries to escape. All values are exact."}
	var lines []report.Series
	scores := map[lecture.Planner]map[float64]float64{} // by planner and planned share
	for i, k := range keys {
		r, played := found[i], any("")
		if k.Games > 0 {
			played = stats.Mean(r.Scores)
		}
		data.Row(k.Game, k.Assumes, k.Depth, k.Planned, r.Score, r.Won, r.Moves, r.States, k.Games, played)
		name, score, won := string(k.Assumes), stats.Number("%.2f", r.Score), stats.Number("%.4f", r.Won)
		if k.Plain {
			trapped.Rows = append(trapped.Rows, []string{name, score, won, stats.Number("%.2f", r.Moves)})
			continue
		}
		if scores[k.Assumes] == nil {
			scores[k.Assumes], lines = map[float64]float64{}, append(lines, report.Series{Name: name})
		}
		addPoint(&lines[len(lines)-1], k.Planned, stats.Exactly(r.Score))
		scores[k.Assumes][k.Planned] = r.Score
		if k.Games > 0 {
			slide := ""
			ghost := map[float64]string{0: "random", 1: "adversarial"}[k.Planned]
			if k.Game == lecture.Board && k.Depth == lecture.Depth && k.Eval == "" {
				slide = lecture.Published[k.Assumes][k.Planned]
			}
			mean := stats.BootstrapRatio(r.Scores, nil, study.NewRand(seed, uint64(len(r.Scores))))
			t.Rows = append(t.Rows, []string{name, cmp.Or(ghost, fmt.Sprintf("%v adversarial, %.6g random", k.Planned, 1-k.Planned)), cmp.Or(slide, "-"), score, won, mean.Range("%.0f", 1)})
		}
	}
	fig, err := report.NewFigure("assumption", "Assumption against reality, "+keys[0].Game, "Pacman's exact expected score for each combination of the assumed and the actual policy of the ghost. With probability q, the ghost uses its own two-round search; otherwise it moves at random.",
		panel("", "q, fraction of the ghost's moves that are planned", "expected score", []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, lines))
	f := &study.Results{Data: []study.Data{data}, Figures: []report.Figure{fig}, Tables: []report.Table{t, trapped}}
	minimax, expectimax, informed := scores[lecture.Minimax], scores[lecture.Expectimax], scores[lecture.Informed]
	decide := func(text string, x float64, holds func(stats.Estimate, float64) bool, level float64, figure string, args ...any) {
		f.Findings = append(f.Findings, study.Decide(text, stats.Exactly(x), holds, level, fmt.Sprintf(figure, args...)+", exact"))
	}
	optimism, pessimism := informed[1]-expectimax[1], informed[0]-minimax[0]
	decide("optimism is dangerous: treating the ghost as random costs more than 100 points if it plans", optimism, stats.Estimate.Above, 100, "%.1f points", optimism)
	decide("pessimism is cheap: assuming the worst costs less than 100 points if the ghost is random", pessimism, stats.Estimate.Below, 100, "%.1f points", pessimism)
	// advantage decides the claim that knowing the ghost gains points, for every fraction of
	// planned ghost moves. It returns the planner's smallest and largest gains.
	advantage := func(claim string, knows lecture.Planner, gain func(q float64) float64) (least, most float64) {
		shares := slices.Sorted(maps.Keys(scores[knows]))
		by := func(p, q float64) int { return cmp.Compare(gain(p), gain(q)) }
		q := slices.MinFunc(shares, by)
		decide(claim, gain(q), stats.Estimate.Above, -1e-9, "least advantage %.2f points, at q = %v", gain(q), q)
		return gain(q), gain(slices.MaxFunc(shares, by))
	}
	least, most := advantage("knowing the ghost's policy is at least as good as either wrong assumption, for every mixture", lecture.Informed, func(q float64) float64 {
		return informed[q] - max(minimax[q], expectimax[q])
	})
	deepLeast, _ := advantage("with one more round of search, knowing the ghost's policy is at least as good as assuming the worst, for every mixture with at least half of the moves planned", lecture.Informed+deeper, func(q float64) float64 {
		return scores[lecture.Informed+deeper][q] - scores[lecture.Minimax+deeper][q]
	})
	f.Headline = fmt.Sprintf("Against a planning ghost, Pacman scores %.0f if he expects a random ghost and %.0f if he expects the worst. Against a random ghost, he scores %.0f and %.0f. So optimism is dangerous, and pessimism is not. Knowing the ghost's true policy gains %.0f to %.0f points over the better of the two. With one more round of search, it gains at least %.0f points over minimax.",
		expectimax[1], minimax[1], expectimax[0], minimax[0], least, most, deepLeast)
	gives, tries := found[len(found)-2], found[len(found)-1]
	decide("trapped: minimax gives up, while expectimax still wins some games", tries.Won-gives.Won, stats.Estimate.Above, 0,
		"win rate %.3f, compared with %.3f; game length %.2f moves, compared with %.2f", gives.Won, tries.Won, gives.Moves, tries.Moves)
	return f, err
}
