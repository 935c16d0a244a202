package experiments

import (
	"context"
	"fmt"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/experiments/draw"
)

var effort = described(study.Experiment{
	Name:    "effort",
	Takes:   []string{"game", "eval", "depth", "slip", "pairs"},
	Minutes: [3]float64{0.1, 5, 60},
	Run:     runEffort,
})

// effortCell is a part of a match of the planners: a cell's key.
type effortCell struct {
	World      string `json:"world"`
	Expectimax string `json:"expectimax"` // the planners' specs, with the digests of their evaluations
	Minimax    string `json:"minimax"`
	Limit      string `json:"limit"` // depth=3, nodes=1000
	Part       int    `json:"part"`
	Pairs      int    `json:"pairs"`
	Seed       uint64 `json:"seed"`
}

// effortWorld is a world of the experiment.
type effortWorld struct {
	*catalog.World
	share  int // of the pairs: one in so many
	limits []string
}

// effortWorlds are the games with each of the slips, those with chance of their own as
// they are.
func effortWorlds(s *study.Session) ([]effortWorld, error) {
	type choice struct {
		spec   string
		share  int
		depths []int
		nodes  []int
	}
	games := []choice{{"connect4", 1, []int{2, 3}, []int{300, 1000, 3000}}}
	if s.Effort != study.Quick {
		games = append(games, choice{"othello", 5, []int{2}, []int{300, 1000, 3000}}, choice{"checkers", 2, []int{2, 3}, []int{300, 1000, 3000}}, choice{"chess", 20, []int{2}, []int{1000}})
	}
	if s.Over.Games != nil {
		games = nil
		for _, g := range s.Over.Games {
			games = append(games, choice{g, 1, []int{2, 3}, []int{300, 1000, 3000}})
		}
	}
	var worlds []effortWorld
	for _, g := range games {
		base, err := s.Catalog.World(g.spec)
		if err != nil {
			return nil, err
		}
		if base.Players != 2 || base.Inside != nil {
			return nil, fmt.Errorf("game %s: want a game of two, without +", g.spec)
		}
		specs := []string{base.Spec}
		if !base.Chancy() {
			specs = nil
			for _, p := range study.Or(s.Over.Slips, [][]float64{{0.2}, {0.1, 0.2}, {0.05, 0.1, 0.2}}[s.Effort]) {
				if p == 0 {
					return nil, fmt.Errorf("%s: --slip 0: there expectimax is minimax; want slips above 0", g.spec)
				}
				specs = append(specs, fmt.Sprintf("%s+slip=%v", base.Spec, p))
			}
		} else if s.Over.Slips != nil {
			return nil, fmt.Errorf("%s has chance of its own: takes no --slip", base.Spec)
		}
		for _, spec := range specs {
			w, err := s.Catalog.World(spec)
			if err != nil {
				return nil, err
			}
			x := effortWorld{World: w, share: g.share}
			for _, d := range study.Or(s.Over.Depths, g.depths) {
				x.limits = append(x.limits, fmt.Sprintf("depth=%d", d))
			}
			for _, n := range g.nodes {
				x.limits = append(x.limits, fmt.Sprintf("nodes=%d", n))
			}
			worlds = append(worlds, x)
		}
	}
	return worlds, nil
}

// effortMatch is a match of the planners under one limit.
type effortMatch struct {
	world, limit string
	tally        study.Tally
}

func runEffort(ctx context.Context, s *study.Session) (*study.Results, error) {
	worlds, err := effortWorlds(s)
	if err != nil {
		return nil, err
	}
	var keys []effortCell
	var of []int
	var matches []effortMatch
	play := map[string]func(ctx context.Context, k effortCell) (study.Tally, error){}
	for _, w := range worlds {
		for _, limit := range w.limits {
			eval := ""
			if s.Over.Eval != "" {
				eval = ",eval=(" + s.Over.Eval + ")"
			}
			averages, err := w.Agent("expectimax:"+limit+eval, catalog.AgentOptions{})
			if err != nil {
				return nil, err
			}
			compares, err := w.Agent("alphabeta:"+limit+",assume=base"+eval, catalog.AgentOptions{})
			if err != nil {
				return nil, err
			}
			play[w.Spec+limit] = func(ctx context.Context, k effortCell) (study.Tally, error) {
				r, err := arena.Run(ctx, arena.Config{Game: w.Game, A: averages.Factory, B: compares.Factory, Pairs: k.Pairs, Measure: arena.Wins,
					Seed: game.Seed(k.Seed, 0xeff0, uint64(k.Part)), Openings: arena.Openings{Plies: damage.OpeningPlies}})
				return r.Versus.Pentanomial, err
			}
			pairs := max(damage.CellPairs, s.Pairs(100, 1000, 6000)/w.share)
			for from := 0; from < pairs; from += damage.CellPairs {
				keys = append(keys, effortCell{w.Spec, averages.Identity, compares.Identity, limit, from / damage.CellPairs, min(damage.CellPairs, pairs-from), s.Seed})
				of = append(of, len(matches))
			}
			matches = append(matches, effortMatch{world: w.Spec, limit: limit})
		}
	}
	found, err := study.Cells(ctx, s, "matches", keys, nil, func(ctx context.Context, k effortCell) (study.Tally, error) {
		return play[k.World+k.Limit](ctx, k)
	})
	if err != nil {
		return nil, err
	}
	for i, t := range found {
		matches[of[i]].tally = matches[of[i]].tally.Plus(t)
	}
	return effortResults(matches)
}

// scores are a tally's pairs as shares of the points.
func scores(t study.Tally) (out []float64) {
	for quarter, n := range t {
		for range int(n) {
			out = append(out, float64(quarter)/4)
		}
	}
	return out
}

func effortResults(matches []effortMatch) (*study.Results, error) {
	f := &study.Results{}
	data := study.Data{Name: "matches", Head: []string{"world", "limit", "pairs", "ll", "ld", "dd_wl", "wd", "ww", "score"}}
	t := report.Table{Head: []string{"world", "limit a move", "pairs", "expectimax's points", "nElo"}, Words: 2,
		Caption: "Expectimax against alpha-beta that ignores slips, or takes dice for hostile, with one evaluation. Points: expectimax's share, with 95% intervals; above one half it plays better. nElo: the same in normalised Elo."}
	var panels []report.Plot
	var p *report.Rows
	var said []string
	for i, m := range matches {
		score := study.TInterval(scores(m.tally))
		data.Row(m.world, m.limit, m.tally.Pairs(), m.tally[0], m.tally[1], m.tally[2], m.tally[3], m.tally[4], score.Value)
		t.Rows = append(t.Rows, []string{m.world, m.limit, study.Number(m.tally.Pairs(), 0), score.Format(3), study.Number(m.tally.NormalisedElo(), 0)})
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("in %s with the limit %s expectimax plays better than minimax", m.world, m.limit), score, study.Above, 0.5, "share of the points "+score.Format(3)))
		if i == 0 || m.world != matches[i-1].world {
			if p != nil {
				panels = append(panels, *p)
			}
			p = &report.Rows{Title: m.world, XLabel: "expectimax's share of the points", Level: new(0.5), XMin: new(0.4), XMax: new(0.6)}
		}
		p.Rows = append(p.Rows, draw.Row(m.limit, score, 3, draw.Neutral))
		if m.world == matches[0].world {
			said = append(said, m.limit+" "+score.Format(3))
		}
	}
	fig, err := report.NewFigure("points", "Expectimax against minimax in one world, for the same depth and for the same work", "Share of the points of expectimax, which knows the world, against alpha-beta, which ignores slips or takes dice for hostile; 95% intervals over pairs. Right of the line expectimax is better.", append(panels, *p)...)
	f.Data, f.Tables, f.Figures = append(f.Data, data), append(f.Tables, t), append(f.Figures, fig)
	f.Headline = fmt.Sprintf("In %s expectimax scores this share of the points against minimax, to the same depth and for the same nodes: %s.", matches[0].world, study.Join(said))
	return f, err
}
