package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game/pacman"
	"plyfit/game/play"
	"plyfit/internal/list"
	"plyfit/internal/report"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/lecture"
)

// walks is the key of a cell of Pacman games. Without its span, it identifies an arm.
type walks struct {
	Game   string       `json:"game"`
	Eval   string       `json:"eval"`
	Digest string       `json:"digest,omitempty"`
	Depth  int          `json:"depth"`
	Ties   lecture.Ties `json:"ties"`
	study.Span
	Seed uint64 `json:"seed"`
}

func (k walks) name() string {
	eval := cmp.Or(map[string]string{"zero": "score"}[k.Eval], k.Eval)
	return fmt.Sprintf("%s, depth %d, ties %s", eval, k.Depth, k.Ties)
}

type walked struct {
	lecture.Walk
	Score   float64 `json:"score"`
	Won     bool    `json:"won"`
	Example string  `json:"example,omitempty"` // first tie at which Pacman turned back
}

// longestGame is the maximum number of Pacman's moves in a game.
const longestGame = 300

func runThrashing(ctx context.Context, s *study.Session) (*study.Results, error) {
	better := cmp.Or(s.Over.Eval, "handwritten")
	w, evaluation, err := openWorld(s, study.Or(s.Over.Games, []string{"pacman:layout=room"})[0], better)
	if err != nil {
		return nil, err
	}
	shallow := study.Or(s.Over.Depths, []int{2})[0]
	arms := []walks{
		{Eval: "zero", Depth: shallow, Ties: lecture.AnyTie}, {Eval: "zero", Depth: shallow + 1, Ties: lecture.AnyTie}, {Eval: "zero", Depth: shallow, Ties: lecture.GoOn},
		{Eval: better, Digest: evaluation.Digest, Depth: shallow, Ties: lecture.AnyTie},
	}
	for i := range arms {
		arms[i].Game, arms[i].Count, arms[i].Seed = w.Spec, s.Pairs(100, 1000, 4000), s.Seed
	}
	cost := func(k walks) float64 { return float64(k.Count) * []float64{1, 12}[min(1, k.Depth-shallow)] }
	games, err := study.Parts(ctx, s, "games", arms, 4, cost, func(ctx context.Context, k walks) ([]walked, error) { return k.play(ctx, w) })
	if err != nil {
		return nil, err
	}
	return thrashingResults(w.Spec, arms, games, s.Seed)
}

func (k walks) play(ctx context.Context, w *catalog.World) ([]walked, error) {
	evaluation, err := w.Evaluation(k.Eval)
	if err != nil {
		return nil, err
	}
	c, err := lecture.NewChase(search.Options{Game: w.Game, Eval: evaluation.New(), Leaf: evaluation.Leaves, Depth: k.Depth}, lecture.Expectimax, 0)
	if err != nil {
		return nil, err
	}
	out := make([]walked, k.Count)
	for i := range out {
		random := study.NewRand(k.Seed, 0x57011, uint64(k.From+i))
		r, s := &out[i], c.Start.Clone().(*pacman.State)
		c.Agent.Begin(0)
		e := play.Episode{Luck: &play.Dice{Random: random}}
		e.Begin(s, 0, play.NoLimit)
		for e.Decisions < longestGame && e.Next() {
			found, err := c.Agent.Search(ctx, s)
			if err != nil {
				return nil, err
			}
			m := r.Choose(found.Best, k.Ties, random.IntN(len(found.Best)))
			if r.Tied > 0 && r.Example == "" {
				r.Example = fmt.Sprintf("at %s, Pacman turns back to %s, where %d moves have the value %.2f", s, s.MoveString(m), len(found.Best), found.Value)
			}
			e.Play(m)
		}
		r.Score, r.Won = s.Score(0), s.Won()
	}
	return out, nil
}

func thrashingResults(spec string, arms []walks, games [][]walked, seed uint64) (*study.Results, error) {
	data := study.Data{Name: "games", Head: []string{"arm", "game", "moves", "reversed", "tied", "stopped", "score", "won"}}
	t := report.Table{Head: []string{"arm", "reversed moves, %", "of them ties, %", "stands still, %", "moves a game", "score", "won, %"},
		Caption: fmt.Sprintf("%s, %d games per arm, stopped after %d moves. Tie: another move that does not turn back was equally good.", spec, len(games[0]), longestGame)}
	moves := func(g walked) float64 { return float64(g.Moves) }
	reversed := func(g walked) float64 { return float64(g.Reversed) }
	tied := func(g walked) float64 { return float64(g.Tied) }
	stopped := func(g walked) float64 { return float64(g.Stopped) }
	score := func(g walked) float64 { return g.Score }
	won := func(g walked) float64 { return map[bool]float64{true: 1}[g.Won] }
	one := func(walked) float64 { return 1 }
	shares, ties := make([]stats.Estimate, len(arms)), make([]stats.Estimate, len(arms))
	p := report.Rows{XLabel: "reversed moves, percent", XMin: new(0.0)}
	for i, a := range arms {
		ratio := func(x, y func(walked) float64) stats.Estimate {
			return stats.BootstrapRatio(list.Map(games[i], x), list.Map(games[i], y), study.NewRand(seed, uint64(len(games[i]))))
		}
		for k, g := range games[i] {
			data.Row(a.name(), k, g.Moves, g.Reversed, g.Tied, g.Stopped, g.Score, g.Won)
		}
		shares[i], ties[i] = ratio(reversed, moves), ratio(tied, reversed)
		if slices.Max(list.Map(games[i], reversed)) == 0 {
			ties[i] = stats.Exactly(0)
		}
		t.Rows = append(t.Rows, []string{a.name(), study.Percent(shares[i]), study.Percent(ties[i]), study.Percent(ratio(stopped, moves)),
			ratio(moves, one).Range("%.0f", 1), ratio(score, one).Range("%.0f", 1), study.Percent(ratio(won, one))})
		p.Rows = append(p.Rows, row(a.name(), shares[i], "%.1f", 100, neutral))
	}
	fig, err := report.NewFigure("reversed", "Pacman turning back, "+spec, "Fraction of Pacman's moves that turn back, with 95% bootstrap intervals over games.", p)
	f := &study.Results{Data: []study.Data{data}, Tables: []report.Table{t}, Figures: []report.Figure{fig}}
	f.Findings = append(f.Findings, study.Decide("most reversed moves of "+arms[0].name()+" are ties", ties[0], stats.Estimate.Above, 0.5, study.Percent(ties[0])+" percent of them"))
	for i := 1; i < len(arms); i++ {
		d := stats.BootstrapDifference(list.Map(games[i], reversed), list.Map(games[i], moves),
			list.Map(games[0], reversed), list.Map(games[0], moves), study.NewRand(seed, uint64(2*len(games[0]))))
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("%s turns back less often than %s", arms[i].name(), arms[0].name()), d, stats.Estimate.Below, 0, "difference "+study.Percent(d)+" percent of moves"))
	}
	f.Headline = fmt.Sprintf("With a depth of two rounds and the score as evaluation, Pacman turns back in %.0f%% of his moves, and %.0f%% of these moves have an alternative of equal value. Pacman turns back in %.0f%% with a depth of three rounds, in %.0f%% if ties favour moving on, and in %.0f%% with a better evaluation.",
		100*shares[0].Value, 100*ties[0].Value, 100*shares[1].Value, 100*shares[2].Value, 100*shares[3].Value)
	if i := slices.IndexFunc(games[0], func(g walked) bool { return g.Example != "" }); i >= 0 {
		f.Notes = append(f.Notes, "An example of two lines with equal value: "+games[0][i].Example+".")
	}
	return f, err
}
