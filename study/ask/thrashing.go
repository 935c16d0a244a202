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
	"plyfit/internal/report"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/lecture"
)

var thrashing = described(study.Experiment{
	Name:    "thrashing",
	Takes:   []string{"game", "eval", "depth", "pairs"},
	Minutes: [3]float64{0.1, 0.4, 1.5},
	Run:     runThrashing,
})

// thrashingCell is a part of the games of an arm: a cell's key.
type thrashingCell struct {
	Game   string       `json:"game"`
	Eval   string       `json:"eval"`
	Digest string       `json:"digest,omitempty"`
	Depth  int          `json:"depth"`
	Ties   lecture.Ties `json:"ties"`
	From   int          `json:"from"`
	Count  int          `json:"count"`
	Seed   uint64       `json:"seed"`
}

func (k thrashingCell) name() string {
	eval := k.Eval
	if eval == "zero" {
		eval = "score"
	}
	return fmt.Sprintf("%s, depth %d, ties %s", eval, k.Depth, k.Ties)
}

type thrashingGame struct {
	lecture.Walk
	Score   float64 `json:"score"`
	Won     bool    `json:"won"`
	Example string  `json:"example,omitempty"` // the first tie at which Pacman turned back
}

// longestGame is the number of Pacman's moves at which a game is cut off.
const longestGame = 300

func runThrashing(ctx context.Context, s *study.Session) (*study.Results, error) {
	better := cmp.Or(s.Over.Eval, "handwritten")
	w, evaluation, err := openWorld(s, study.Or(s.Over.Games, []string{"pacman:layout=room"})[0], better)
	if err != nil {
		return nil, err
	}
	shallow := study.Or(s.Over.Depths, []int{2})[0]
	arms := []thrashingCell{
		{Eval: "zero", Depth: shallow, Ties: lecture.AnyTie}, {Eval: "zero", Depth: shallow + 1, Ties: lecture.AnyTie}, {Eval: "zero", Depth: shallow, Ties: lecture.GoOn},
		{Eval: better, Digest: evaluation.Digest, Depth: shallow, Ties: lecture.AnyTie},
	}
	const each = 4 // games of a cell
	total := s.Pairs(100, 1000, 4000)
	var keys []thrashingCell
	for _, a := range arms {
		for from := 0; from < total; from += each {
			a.Game, a.From, a.Count, a.Seed = w.Spec, from, min(each, total-from), s.Seed
			keys = append(keys, a)
		}
	}
	cost := func(k thrashingCell) float64 { return float64(k.Count) * []float64{1, 12}[min(1, k.Depth-shallow)] }
	found, err := study.Cells(ctx, s, "games", keys, cost, func(ctx context.Context, k thrashingCell) ([]thrashingGame, error) {
		return playPacman(ctx, w, k)
	})
	if err != nil {
		return nil, err
	}
	var games [][]thrashingGame // by arm
	for parts := range slices.Chunk(found, len(keys)/len(arms)) {
		games = append(games, slices.Concat(parts...))
	}
	return thrashingResults(w, arms, games, s.Seed)
}

func playPacman(ctx context.Context, w *catalog.World, k thrashingCell) ([]thrashingGame, error) {
	evaluation, err := w.Evaluation(k.Eval)
	if err != nil {
		return nil, err
	}
	c, err := lecture.NewChase(search.Options{Game: w.Game, Eval: evaluation.New(), Leaf: evaluation.Leaves, Depth: k.Depth}, lecture.Expectimax, 0)
	if err != nil {
		return nil, err
	}
	out := make([]thrashingGame, k.Count)
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
				r.Example = fmt.Sprintf("at %s he turns back to %s, where %d moves are worth %.2f", s, s.MoveString(m), len(found.Best), found.Value)
			}
			e.Play(m)
		}
		r.Score, r.Won = s.Score(0), s.Won()
	}
	return out, nil
}

func thrashingResults(w *catalog.World, arms []thrashingCell, games [][]thrashingGame, seed uint64) (*study.Results, error) {
	data := study.Data{Name: "games", Head: []string{"arm", "game", "moves", "reversed", "tied", "stopped", "score", "won"}}
	t := report.Table{Head: []string{"arm", "reversed moves, %", "of them ties, %", "stands still, %", "moves a game", "score", "won, %"},
		Caption: fmt.Sprintf("%s, %d games an arm, cut off after %d moves. Ties: another move, not reversed, was as good.", w.Spec, len(games[0]), longestGame)}
	ratio := func(x, y []float64) stats.Estimate {
		return stats.BootstrapRatio(x, y, study.NewRand(seed, uint64(len(x))))
	}
	type columns struct{ moves, reversed, tied, stopped, score, won []float64 }
	of := make([]columns, len(arms))
	shares, ties := make([]stats.Estimate, len(arms)), make([]stats.Estimate, len(arms))
	p := report.Rows{XLabel: "reversed moves, percent", XMin: new(0.0)}
	for i, a := range arms {
		c := &of[i]
		for k, g := range games[i] {
			data.Row(a.name(), k, g.Moves, g.Reversed, g.Tied, g.Stopped, g.Score, g.Won)
			c.moves, c.reversed = append(c.moves, float64(g.Moves)), append(c.reversed, float64(g.Reversed))
			c.tied, c.stopped = append(c.tied, float64(g.Tied)), append(c.stopped, float64(g.Stopped))
			c.score, c.won = append(c.score, g.Score), append(c.won, 0)
			if g.Won {
				c.won[k] = 1
			}
		}
		shares[i] = ratio(c.reversed, c.moves)
		if ties[i] = stats.Exactly(0); slices.Max(c.reversed) > 0 {
			ties[i] = ratio(c.tied, c.reversed)
		}
		t.Rows = append(t.Rows, []string{a.name(), study.Percent(shares[i]), study.Percent(ties[i]), study.Percent(ratio(c.stopped, c.moves)),
			ratio(c.moves, nil).Range("%.0f", 1), ratio(c.score, nil).Range("%.0f", 1), study.Percent(ratio(c.won, nil))})
		p.Rows = append(p.Rows, row(a.name(), shares[i], "%.1f", 100, neutral))
	}
	fig, err := report.NewFigure("reversed", "Pacman turning back, "+w.Spec, "The share of Pacman's moves that take back the one before, with 95% bootstrap intervals over games.", p)
	f := &study.Results{Data: []study.Data{data}, Tables: []report.Table{t}, Figures: []report.Figure{fig}}
	f.Findings = append(f.Findings, study.Decide("most reversed moves of "+arms[0].name()+" are ties", ties[0], study.Above, 0.5, study.Percent(ties[0])+" percent of them"))
	for i := 1; i < len(arms); i++ {
		d := twoSamples(of[0].reversed, of[0].moves, of[i].reversed, of[i].moves, seed)
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("%s turns back less often than %s", arms[i].name(), arms[0].name()), d, study.Below, 0, "difference "+study.Percent(d)+" percent of moves"))
	}
	f.Headline = fmt.Sprintf("Judging by the score alone two rounds ahead, Pacman takes back %.0f%% of his moves, %.0f%% of these between lines of equal value; %.0f%% a round deeper, %.0f%% with ties broken towards going on, %.0f%% with a better evaluation.",
		100*shares[0].Value, 100*ties[0].Value, 100*shares[1].Value, 100*shares[2].Value, 100*shares[3].Value)
	if i := slices.IndexFunc(games[0], func(g thrashingGame) bool { return g.Example != "" }); i >= 0 {
		f.Notes = append(f.Notes, "An example of two lines of equal value: "+games[0][i].Example+".")
	}
	return f, err
}

// twoSamples is the second ratio less the first, of independent samples of one size.
func twoSamples(x, xn, y, yn []float64, seed uint64) stats.Estimate {
	n := len(x)
	return stats.Bootstrap(n+len(y), study.NewRand(seed, uint64(n+len(y))), func(weight []float64) float64 {
		var a, an, b, bn float64
		for i, w := range weight {
			if i < n {
				a, an = a+float64(w*x[i]), an+float64(w*xn[i])
			} else {
				b, bn = b+float64(w*y[i-n]), bn+float64(w*yn[i-n])
			}
		}
		if an == 0 || bn == 0 {
			return 0
		}
		return b/bn - a/an
	})
}
