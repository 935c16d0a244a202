package experiments

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/pacman"
	"plyfit/game/play"
	"plyfit/internal/report"
	"plyfit/search"
	"plyfit/study"
)

var thrashing = described(study.Experiment{
	Name:    "thrashing",
	Takes:   []string{"game", "eval", "depth", "pairs"},
	Minutes: [3]float64{0.1, 0.4, 1.5},
	Run:     runThrashing,
})

// tieBreak says which of equally good moves Pacman makes.
type tieBreak string

const (
	anyTie tieBreak = "drawn"
	goOn   tieBreak = "going on"
)

// thrashingCell is a part of the games of an arm: a cell's key.
type thrashingCell struct {
	Game   string   `json:"game"`
	Eval   string   `json:"eval"`
	Digest string   `json:"digest,omitempty"`
	Depth  int      `json:"depth"`
	Ties   tieBreak `json:"ties"`
	From   int      `json:"from"`
	Count  int      `json:"count"`
	Seed   uint64   `json:"seed"`
}

func (k thrashingCell) name() string {
	eval := k.Eval
	if eval == "zero" {
		eval = "score"
	}
	return fmt.Sprintf("%s, depth %d, ties %s", eval, k.Depth, k.Ties)
}

type thrashingGame struct {
	Moves    int     `json:"moves"`
	Reversed int     `json:"reversed"`
	Tied     int     `json:"tied"` // of the reversed ones: another was as good
	Stopped  int     `json:"stopped"`
	Score    float64 `json:"score"`
	Won      bool    `json:"won"`
	Example  string  `json:"example,omitempty"` // the first tie at which he turned back
}

// longestGame is after how many of Pacman's moves a game is cut off.
const longestGame = 300

func runThrashing(ctx context.Context, s *study.Session) (*study.Results, error) {
	spec := study.Or(s.Over.Games, []string{"pacman:layout=room"})[0]
	better := cmp.Or(s.Over.Eval, "handwritten")
	w, err := s.Catalog.World(spec)
	if err != nil {
		return nil, err
	}
	evaluation, err := w.Evaluation(better)
	if err != nil {
		return nil, err
	}
	shallow := study.Or(s.Over.Depths, []int{2})[0]
	arms := []thrashingCell{
		{Eval: "zero", Depth: shallow, Ties: anyTie}, {Eval: "zero", Depth: shallow + 1, Ties: anyTie}, {Eval: "zero", Depth: shallow, Ties: goOn},
		{Eval: better, Digest: evaluation.Digest, Depth: shallow, Ties: anyTie},
	}
	games := s.Pairs(100, 1000, 4000)
	var keys []thrashingCell
	var of []int
	const few = 4
	for i, a := range arms {
		for from := 0; from < games; from += few {
			a.Game, a.From, a.Count, a.Seed = w.Spec, from, min(few, games-from), s.Seed
			keys, of = append(keys, a), append(of, i)
		}
	}
	cost := func(k thrashingCell) float64 { return float64(k.Count) * []float64{1, 12}[min(1, k.Depth-shallow)] }
	found, err := study.Cells(ctx, s, "games", keys, cost, func(ctx context.Context, k thrashingCell) ([]thrashingGame, error) {
		return playPacman(ctx, w, k)
	})
	if err != nil {
		return nil, err
	}
	games4 := make([][]thrashingGame, len(arms))
	for i, part := range found {
		games4[of[i]] = append(games4[of[i]], part...)
	}
	return thrashingResults(w, arms, games4, s.Seed)
}

// opposite is the move that takes m back, Stop's is none.
var opposite = map[game.Move]game.Move{pacman.West: pacman.East, pacman.East: pacman.West, pacman.North: pacman.South, pacman.South: pacman.North}

func playPacman(ctx context.Context, w *catalog.World, k thrashingCell) ([]thrashingGame, error) {
	evaluation, err := w.Evaluation(k.Eval)
	if err != nil {
		return nil, err
	}
	if _, ok := w.New().(*pacman.State); !ok {
		return nil, fmt.Errorf("game %s: want Pacman without slip or adversary", w.Spec)
	}
	agent, err := search.NewExpectimax(search.Options{Game: w.Game, Eval: evaluation.New(), Leaf: evaluation.Leaves, Depth: k.Depth, Complete: true})
	if err != nil {
		return nil, err
	}
	var out []thrashingGame
	for i := k.From; i < k.From+k.Count; i++ {
		random := study.NewRand(k.Seed, 0x57011, uint64(i))
		s := w.New().(*pacman.State)
		agent.Begin(0)
		var r thrashingGame
		last := game.NoMove
		e := play.Episode{Luck: &play.Dice{Random: random}}
		e.Begin(s, 0, play.NoLimit)
		for e.Decisions < longestGame && e.Next() {
			found, err := agent.Search(ctx, s)
			if err != nil {
				return nil, err
			}
			back, turns := opposite[last]
			if !turns {
				back = game.NoMove
			}
			m := pick(found.Best, last, back, k.Ties, random.IntN(len(found.Best)))
			switch {
			case m == back:
				r.Reversed++
				if len(found.Best) > 1 {
					r.Tied++
					if r.Example == "" {
						r.Example = fmt.Sprintf("at %s he turns back to %s, where %d moves are worth %.2f", s, s.MoveString(m), len(found.Best), found.Value)
					}
				}
			case m == pacman.Stop:
				r.Stopped++
			}
			if m != pacman.Stop {
				last = m
			}
			e.Play(m)
		}
		r.Moves = e.Decisions
		r.Score, r.Won = s.Score(0), s.Turn() == game.Nobody && s.Won()
		out = append(out, r)
	}
	return out, nil
}

// pick is one of equally good moves: the n-th, or the one that goes on, or one
// that at least does not turn back or stand still.
func pick(best []game.Move, last, back game.Move, ties tieBreak, n int) game.Move {
	if ties == anyTie {
		return best[n]
	}
	if slices.Contains(best, last) {
		return last
	}
	for _, m := range best {
		if m != back && m != pacman.Stop {
			return m
		}
	}
	return best[0]
}

func thrashingResults(w *catalog.World, arms []thrashingCell, games [][]thrashingGame, seed uint64) (*study.Results, error) {
	f := &study.Results{}
	data := study.Data{Name: "games", Head: []string{"arm", "game", "moves", "reversed", "tied", "stopped", "score", "won"}}
	t := report.Table{Head: []string{"arm", "reversed moves, %", "of them ties, %", "stands still, %", "moves a game", "score", "won, %"},
		Caption: fmt.Sprintf("%s, %d games an arm, cut off after %d moves. Ties: another move, not reversed, was as good.", w.Spec, len(games[0]), longestGame)}
	column := func(arm int, of func(g thrashingGame) float64) []float64 {
		x := make([]float64, len(games[arm]))
		for i, g := range games[arm] {
			x[i] = of(g)
		}
		return x
	}
	moves := func(g thrashingGame) float64 { return float64(g.Moves) }
	reversed := func(g thrashingGame) float64 { return float64(g.Reversed) }
	tied := func(g thrashingGame) float64 { return float64(g.Tied) }
	ratio := func(x, y []float64) stats.Estimate {
		return stats.BootstrapRatio(x, y, study.NewRand(seed, uint64(len(x))))
	}
	shares := make([]stats.Estimate, len(arms))
	var first stats.Estimate
	for i, a := range arms {
		for k, g := range games[i] {
			data.Row(a.name(), k, g.Moves, g.Reversed, g.Tied, g.Stopped, g.Score, g.Won)
		}
		shares[i] = ratio(column(i, reversed), column(i, moves))
		ties := stats.Exactly(0)
		if slices.Max(column(i, reversed)) > 0 {
			ties = ratio(column(i, tied), column(i, reversed))
		}
		if i == 0 {
			first = ties
		}
		won := ratio(column(i, func(g thrashingGame) float64 {
			if g.Won {
				return 1
			}
			return 0
		}), nil)
		t.Rows = append(t.Rows, []string{a.name(), study.Percent(shares[i]), study.Percent(ties),
			study.Percent(ratio(column(i, func(g thrashingGame) float64 { return float64(g.Stopped) }), column(i, moves))),
			ratio(column(i, moves), nil).Range("%.0f", 1), ratio(column(i, func(g thrashingGame) float64 { return g.Score }), nil).Range("%.0f", 1), study.Percent(won)})
	}
	f.Data, f.Tables = append(f.Data, data), append(f.Tables, t)

	p := report.Rows{XLabel: "reversed moves, percent", XMin: new(0.0)}
	for i, a := range arms {
		p.Rows = append(p.Rows, row(a.name(), shares[i], "%.1f", 100, neutral))
	}
	fig, err := report.NewFigure("reversed", "Pacman turning back, "+w.Spec, "The share of Pacman's moves that take back the one before, with 95% bootstrap intervals over games.", p)
	if err != nil {
		return nil, err
	}
	f.Figures = append(f.Figures, fig)

	f.Findings = append(f.Findings, study.Decide("most reversed moves of "+arms[0].name()+" are ties", first, study.Above, 0.5, study.Percent(first)+" percent of them"))
	for i := 1; i < len(arms); i++ {
		d := twoSamples(column(0, reversed), column(0, moves), column(i, reversed), column(i, moves), seed)
		f.Findings = append(f.Findings, study.Decide(fmt.Sprintf("%s turns back less often than %s", arms[i].name(), arms[0].name()), d, study.Below, 0, "difference "+study.Percent(d)+" percent of moves"))
	}
	f.Headline = fmt.Sprintf("Judging by the score alone two rounds ahead, Pacman takes back %.0f%% of his moves, %.0f%% of these between lines of equal value; %.0f%% a round deeper, %.0f%% with ties broken towards going on, %.0f%% with a better evaluation.",
		100*shares[0].Value, 100*first.Value, 100*shares[1].Value, 100*shares[2].Value, 100*shares[3].Value)
	for _, g := range games[0] {
		if g.Example != "" {
			f.Notes = append(f.Notes, "An example of two lines of equal value: "+g.Example+".")
			break
		}
	}
	return f, nil
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
