package experiments

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/game/pacman"
	"plyfit/game/play"
	"plyfit/internal/report"
	"plyfit/search"
	"plyfit/search/assume"
	"plyfit/search/policy"
	"plyfit/study"
)

var ghosts = described(study.Experiment{
	Name:    "pacman",
	Takes:   []string{"game", "eval", "depth", "pairs"},
	Minutes: [3]float64{0.1, 0.2, 0.5},
	Run:     runPacman,
})

type assumption string

const (
	expectsWorst  assumption = "minimax"
	expectsChance assumption = "expectimax, uniform ghost"
	knowsGhost    assumption = "expectimax, the true ghost"
	worstDeeper   assumption = "minimax, deeper"
	knowsDeeper   assumption = "expectimax, the true ghost, deeper"
)

// ghostAssumptions are the planners of the sweep. The last two are a control: where
// knowing the ghost does not pay, they say whether the horizon is to blame.
var ghostAssumptions = []assumption{expectsWorst, expectsChance, knowsGhost, worstDeeper, knowsDeeper}

func (h assumption) deeper() bool { return h == worstDeeper || h == knowsDeeper }

// The control looks so many rounds farther, against ghosts that plan so much.
const (
	deeperBy   = 1
	deeperFrom = 0.5
)

// ghostCell is a planner against a ghost: a cell's key.
type ghostCell struct {
	Game    string     `json:"game"`
	Assumes assumption `json:"hero"`
	Depth   int        `json:"depth"`           // rounds
	Planned float64    `json:"planned"`         // the share of the ghost's moves that its search makes
	Plain   bool       `json:"plain,omitempty"` // leaves are judged by the score alone
	Eval    string     `json:"eval,omitempty"`  // the digest of --eval, in place of the lecture's
	Games   int        `json:"games"`           // played beside the exact expectation
	Seed    uint64     `json:"seed"`
}

type ghostResult struct {
	pacman.Expectation
	Scores []float64 `json:"scores,omitempty"`
}

// lectures are the lecture's means of five games a cell.
var lectures = map[assumption]map[float64]string{
	expectsWorst:  {1: "483", 0: "493"},
	expectsChance: {1: "-303", 0: "503"},
}

func runPacman(ctx context.Context, s *study.Session) (*study.Results, error) {
	spec := study.Or(s.Over.Games, []string{"pacman:layout=lecture,stop=off"})[0]
	depth := study.Or(s.Over.Depths, []int{4})[0]
	games := s.Pairs(200, 1000, 5000)
	shares := [][]float64{{0, 0.25, 0.5, 0.8, 1}, {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1}, {0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1}}[s.Effort]
	eval := "" // so that the keys of a study without --eval stay as they were
	if s.Over.Eval != "" {
		w, err := s.Catalog.World(spec)
		if err != nil {
			return nil, err
		}
		e, err := w.Evaluation(s.Over.Eval)
		if err != nil {
			return nil, err
		}
		eval = cmp.Or(e.Digest, e.Name)
	}
	var keys []ghostCell
	for _, h := range ghostAssumptions {
		depth := depth
		if h.deeper() {
			depth += deeperBy
		}
		for _, q := range shares {
			if h.deeper() && q < deeperFrom {
				continue
			}
			n := 0
			if q == 0 || q == 0.8 || q == 1 {
				n = games
			}
			keys = append(keys, ghostCell{Game: spec, Assumes: h, Depth: depth, Planned: q, Eval: eval, Games: n, Seed: s.Seed})
		}
	}
	trapped := len(keys)
	for _, h := range ghostAssumptions[:2] {
		keys = append(keys, ghostCell{Game: "pacman:layout=trapped", Assumes: h, Depth: depth, Plain: true, Games: games, Seed: s.Seed})
	}
	found, err := study.Cells(ctx, s, "chases", keys, nil, func(_ context.Context, k ghostCell) (ghostResult, error) { return playGhosts(s, k) })
	if err != nil {
		return nil, err
	}
	return pacmanResults(keys, found, trapped, shares, s.Seed)
}

func playGhosts(s *study.Session, k ghostCell) (ghostResult, error) {
	w, err := s.Catalog.World(k.Game)
	if err != nil {
		return ghostResult{}, err
	}
	start, ok := w.New().(*pacman.State)
	if !ok || start.Turn() != 0 {
		return ghostResult{}, fmt.Errorf("game %s: want Pacman without slip or adversary", k.Game)
	}
	ghost := func() (game.Policy, error) {
		switch k.Planned {
		case 0:
			return policy.Uniform{}, nil
		case 1:
			return &pacman.LectureGhost{}, nil
		}
		return policy.NewMix([]float64{k.Planned, 1 - k.Planned}, []game.Policy{&pacman.LectureGhost{}, policy.Uniform{}})
	}
	plan := search.Options{Game: w.Game, Eval: pacman.LectureEvaluation{}, Depth: k.Depth, Complete: true, Table: -1}
	switch {
	case k.Plain:
		plan.Eval = search.Zero(w.Game)
	case k.Eval != "":
		e, err := w.Evaluation(s.Over.Eval)
		if err != nil {
			return ghostResult{}, err
		}
		plan.Eval, plan.Leaf = e.New(), e.Leaves
	}
	make := search.NewExpectimax
	switch k.Assumes {
	case expectsWorst, worstDeeper:
		make = search.NewAlphaBeta
	case knowsGhost, knowsDeeper:
		model, err := ghost()
		if err != nil {
			return ghostResult{}, err
		}
		plan.Assume = assume.Assumption{Kind: assume.Policy, Policy: model}
	}
	agent, err := make(plan)
	if err != nil {
		return ghostResult{}, err
	}
	policy := policy.FromAgent(agent, w.Game)
	policy.Split = true
	real, err := ghost()
	if err != nil {
		return ghostResult{}, err
	}
	out := ghostResult{Expectation: pacman.Expect(start, policy, real, mostMoves)}
	random := study.NewRand(k.Seed, 0xc4a5e)
	for range k.Games {
		out.Scores = append(out.Scores, playOut(start, policy, real, random))
	}
	return out, nil
}

// mostMoves is where a game that is played is cut off.
const mostMoves = 100000

// playOut plays one game and tells its score.
func playOut(start *pacman.State, pacmans, ghosts game.Policy, random *rand.Rand) float64 {
	s := start.Clone().(*pacman.State)
	var moves []game.Move
	var probs []float64
	drawn := func(p game.Policy) game.Move {
		moves = s.Moves(moves[:0])
		probs = p.Probs(s, moves, probs[:0])
		return moves[policy.Draw(probs, random)]
	}
	e := play.Episode{Luck: play.LuckFunc(func(game.State) game.Move { return drawn(ghosts) })}
	e.Begin(s, 0, mostMoves)
	for e.Next() {
		e.Play(drawn(pacmans))
	}
	return s.Score(0)
}

func pacmanResults(keys []ghostCell, found []ghostResult, trapped int, shares []float64, seed uint64) (*study.Results, error) {
	f := &study.Results{}
	data := study.Data{Name: "cells", Head: []string{"game", "planner", "depth", "planned_share", "expected_score", "won", "moves", "situations", "games", "mean_score"}}
	t := report.Table{Head: []string{"planner", "ghost", "lecture, 5 games", "expected score", "won", "games played: mean score"}, Words: 2,
		Caption: "Exact expectations, and the mean score of games played with its 95% interval. Ghost: the share of its moves that its own search makes, the others random."}
	sweep := map[assumption]*report.Series{}
	at := map[assumption]map[float64]ghostResult{}
	for i, k := range keys {
		r := found[i]
		played := any("")
		if k.Games > 0 {
			played = stats.Mean(r.Scores)
		}
		data.Row(k.Game, k.Assumes, k.Depth, k.Planned, r.Score, r.Won, r.Moves, r.States, k.Games, played)
		if i >= trapped {
			continue
		}
		if sweep[k.Assumes] == nil {
			sweep[k.Assumes], at[k.Assumes] = &report.Series{Name: string(k.Assumes)}, map[float64]ghostResult{}
		}
		addPoint(sweep[k.Assumes], k.Planned, stats.Exactly(r.Score))
		at[k.Assumes][k.Planned] = r
		if k.Games > 0 {
			slide := lectures[k.Assumes][k.Planned]
			if k.Game != "pacman:layout=lecture,stop=off" || k.Depth != 4 || k.Eval != "" || slide == "" {
				slide = "-"
			}
			t.Rows = append(t.Rows, []string{string(k.Assumes), ghostName(k.Planned), slide, stats.Number("%.2f", r.Score), stats.Number("%.4f", r.Won), stats.BootstrapRatio(r.Scores, nil, study.NewRand(seed, uint64(len(r.Scores)))).Range("%.0f", 1)})
		}
	}
	f.Data = append(f.Data, data)
	var lines []report.Series
	for _, h := range ghostAssumptions {
		lines = append(lines, *sweep[h])
	}
	fig, err := figure("assumption", "Assumption against reality, "+keys[0].Game, "Exact expected scores of Pacman by what he takes the ghost for and what it is. The ghost plays its own search of two rounds with probability q, else at random.",
		panel("", "q, share of the ghost's moves that are planned", "expected score", []float64{0, 0.2, 0.4, 0.6, 0.8, 1}, lines))
	if err != nil {
		return nil, err
	}
	f.Figures, f.Tables = append(f.Figures, fig), append(f.Tables, t)

	optimism := stats.Exactly(at[knowsGhost][1].Score - at[expectsChance][1].Score)
	pessimism := stats.Exactly(at[knowsGhost][0].Score - at[expectsWorst][0].Score)
	f.Findings = append(f.Findings,
		study.Decide("optimism is dangerous: expecting chance of a planning ghost costs more than 100 points against knowing it", optimism, study.Above, 100, optimism.Range("%.1f", 1)+" points, exact"),
		study.Decide("pessimism is cheap: expecting the worst of a random ghost costs less than 100 points against knowing it", pessimism, study.Below, 100, pessimism.Range("%.1f", 1)+" points, exact"))
	// advantage is the least and the most that knowing the ghost is worth beside the better
	// one of others, where he plans so much of his moves at least.
	advantage := func(claim string, from float64, knows assumption, others ...assumption) (least, most float64) {
		var where float64
		least, most = math.Inf(1), math.Inf(-1)
		for _, q := range shares {
			if q < from {
				continue
			}
			best := math.Inf(-1)
			for _, h := range others {
				best = max(best, at[h][q].Score)
			}
			d := at[knows][q].Score - best
			if most = max(most, d); d < least {
				least, where = d, q
			}
		}
		f.Findings = append(f.Findings, study.Decide(claim, stats.Exactly(least), study.Above, -1e-9, fmt.Sprintf("least advantage %.2f points, at q = %v, exact", least, where)))
		return least, most
	}
	least, most := advantage("knowing the ghost is at least as good as either wrong assumption, for every mixture", 0, knowsGhost, expectsWorst, expectsChance)
	deeper, _ := advantage("one round deeper, knowing the ghost is at least as good as expecting the worst, for every mixture that plans half of its moves or more", deeperFrom, knowsDeeper, worstDeeper)
	f.Headline = fmt.Sprintf("Against a ghost that plans, Pacman who expects chance scores %.0f and one who expects the worst %.0f; against a random ghost %.0f and %.0f: optimism is dangerous, pessimism is not, and knowing the ghost's true policy is worth %.0f points to %.0f more than the better of the two; one round deeper it is worth %.0f at least beside minimax's.",
		at[expectsChance][1].Score, at[expectsWorst][1].Score, at[expectsChance][0].Score, at[expectsWorst][0].Score, least, most, deeper)
	trappedResults(f, keys[trapped:], found[trapped:])
	return f, nil
}

// trappedResults adds the cells in which Pacman is trapped: under minimax, then under expectimax.
func trappedResults(f *study.Results, keys []ghostCell, found []ghostResult) {
	t := report.Table{Head: []string{"trapped: planner", "expected score", "won", "moves"}, Caption: "Two random ghosts close in on Pacman in a corridor; leaves are judged by the score alone. Who expects the worst sees no way out and ends it soon, since time costs points; who expects chance tries. Exact."}
	for i, r := range found {
		t.Rows = append(t.Rows, []string{string(keys[i].Assumes), stats.Number("%.2f", r.Score), stats.Number("%.4f", r.Won), stats.Number("%.2f", r.Moves)})
	}
	f.Tables = append(f.Tables, t)
	gain := stats.Exactly(found[1].Won - found[0].Won)
	f.Findings = append(f.Findings, study.Decide("trapped, minimax gives up where expectimax still wins some games", gain, study.Above, 0,
		fmt.Sprintf("won %.3f against %.3f, after %.2f moves against %.2f, exact", found[0].Won, found[1].Won, found[0].Moves, found[1].Moves)))
}

func ghostName(planned float64) string {
	switch planned {
	case 0:
		return "random"
	case 1:
		return "adversarial"
	}
	return fmt.Sprintf("%v adversarial, %v random", planned, study.Round(1-planned, 6))
}
