package ask

import (
	"context"
	"fmt"
	"slices"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/learn/opponent"
	"plyfit/study"
	"plyfit/study/measure"
)

const erring = "softmax:temperature=0.01,random=0.1"

// opponentCell is the key of a cell that contains pairs of games against the opponent, or games
// that the opponent plays against itself.
type opponentCell struct {
	Game     string `json:"game"`
	Planner  string `json:"planner"` // agent; in a fit, it only evaluates the moves of the games
	Opponent string `json:"opponent"`
	study.Span
	Seed uint64 `json:"seed"`
}

func runOpponents(ctx context.Context, s *study.Session) (*study.Results, error) {
	planners := []struct{ game, spec string }{
		{"connect4", "expectimax:depth=3,eval=connect4/lines"}, {"othello", "expectimax:depth=2,eval=othello/swh"},
		{"chess", "expectimax:depth=2,eval=chess/material"}, {"connect4:dice=on", "expectimax:depth=2,eval=connect4/lines"},
	}
	var fits, keys []opponentCell
	for _, p := range planners {
		fits = append(fits, opponentCell{p.game, "greedy", erring, study.Span{Count: s.Pick(50, 200, 200)}, s.Seed})
	}
	fitted, err := study.Cells(ctx, s, "fits", fits, nil, func(ctx context.Context, k opponentCell) (opponent.Fitted, error) {
		return k.fit(ctx, s.Catalog)
	})
	if err != nil {
		return nil, err
	}
	assumed := []string{"minimax", "true model", "fitted model", "random opponent"}
	pairs := s.Pairs(100, 1000, 4000)
	for i, p := range planners {
		model := fmt.Sprintf("softmax:temperature=%.4g,random=%.4g", fitted[i].Temperature.Value, fitted[i].Random.Value)
		for _, assume := range []string{"", ",assume=(" + erring + ")", ",assume=(" + model + ")", ",assume=random"} {
			keys = append(keys, opponentCell{p.game, p.spec + assume, erring, study.Span{Count: pairs}, s.Seed})
		}
		keys = append(keys, opponentCell{p.game, p.spec + ",assume=(" + erring + ")", p.spec, study.Span{Count: pairs}, s.Seed})
	}
	played, err := study.Parts(ctx, s, "matches", keys, 10, nil, func(ctx context.Context, k opponentCell) (measure.Pairs, error) {
		return k.play(ctx, s.Catalog)
	})
	if err != nil {
		return nil, err
	}
	f := &study.Results{Data: []study.Data{{Name: "matches", Head: []string{"game", "planner", "opponent", "pair", "points"}}}}
	t := report.Table{Head: []string{"game", "assumes", "points, %", "more than minimax", "against minimax, %"}, Words: 2,
		Caption: fmt.Sprintf("Fractions of the points against an opponent that makes errors and against minimax, in %d pairs of games each, with 95%% intervals.", pairs)}
	bars := report.Rows{XLabel: "gain over minimax in percentage points"}
	for i, k := range keys {
		for j, halves := range played[i] {
			f.Data[0].Row(k.Game, k.Planner, k.Opponent, j, float64(halves)/2)
		}
	}
	var truths, randoms []float64
	for i, p := range planners {
		points := list.Map(played[5*i:5*i+5], func(p measure.Pairs) stats.Sample { // by assumption, followed by the control
			return stats.SampleOf(list.Map(p, func(halves int) float64 { return float64(halves) / 4 }))
		})
		share := func(a int) stats.Estimate { return points[a].Estimate() }
		less := func(a, b int) stats.Estimate { return points[a].Less(1, points[b]).Estimate() }
		for a, name := range assumed {
			line := []string{p.game, name, study.Percent(share(a)), "", ""}
			if a > 0 {
				gain := less(a, 0)
				line[3] = study.Percent(gain)
				bars.Rows = append(bars.Rows, row(p.game+", "+name, gain, "%.1f", 100, a))
			}
			if a == 1 {
				line[4] = study.Percent(share(4))
			}
			t.Rows = append(t.Rows, line)
		}
		truth, model, random, control := less(1, 0), less(2, 1), less(3, 0), share(4)
		truths, randoms = append(truths, 100*truth.Value), append(randoms, 100*random.Value)
		f.Findings = append(f.Findings,
			study.Decide(p.game+": the true model scores more points than minimax", truth, stats.Estimate.Above, 0, study.Percent(truth)+" percentage points"),
			study.Decide(p.game+": the fitted model scores fewer points than the true one", model, stats.Estimate.Below, 0, study.Percent(model)+" percentage points").OrNegligible(model, 0.02),
			study.Decide(p.game+": assuming a random opponent scores fewer points than minimax", random, stats.Estimate.Below, 0, study.Percent(random)+" percentage points"),
			study.Decide(p.game+": assuming errors of minimax itself gains less than two percentage points", control, stats.Estimate.Below, 0.52, study.Percent(control)+" percent of the points"))
	}
	fig, err := report.NewFigure("gain", "Gain from a model of the opponent over minimax", t.Caption, bars)
	f.Tables, f.Figures = append(f.Tables, t), append(f.Figures, fig)
	f.Headline = fmt.Sprintf("Against an opponent that makes errors, using the true model of the opponent instead of minimax changes the score by %.1f to %.1f percentage points, depending on the game. Assuming a random opponent changes the score by %.1f to %.1f.",
		slices.Min(truths), slices.Max(truths), slices.Min(randoms), slices.Max(randoms))
	return f, err
}

func (k opponentCell) open(c catalog.Catalog) (w *catalog.World, planner, opponent *catalog.Agent, err error) {
	if w, err = c.World(k.Game); err == nil {
		planner, err = w.Agent(k.Planner, catalog.AgentOptions{})
	}
	if err == nil {
		opponent, err = w.Agent(k.Opponent, catalog.AgentOptions{})
	}
	return w, planner, opponent, err
}

func (k opponentCell) play(ctx context.Context, c catalog.Catalog) (measure.Pairs, error) {
	w, a, b, err := k.open(c)
	if err != nil {
		return nil, err
	}
	return measure.Play(ctx, arena.Config{Game: w.Game, A: a.Factory, B: b.Factory, Openings: arena.Openings{Plies: 6}}, k.Count,
		func(i int) uint64 { return game.Seed(k.Seed, 0x0bb, uint64(k.From+i)) })
}

// fit fits a temperature and a fraction of random moves to games that the opponent plays against
// itself.
func (k opponentCell) fit(ctx context.Context, c catalog.Catalog) (f opponent.Fitted, err error) {
	w, values, player, err := k.open(c)
	if err != nil {
		return f, err
	}
	plays, err := player.New()
	if err != nil {
		return f, err
	}
	greedy, err := values.New()
	if err != nil {
		return f, err
	}
	var choices opponent.Choices
	if err := choices.Play(ctx, w.Game, plays, greedy, k.Count, k.Seed); err != nil {
		return f, err
	}
	return choices.Fit()
}
