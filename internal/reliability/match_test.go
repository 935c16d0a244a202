package reliability

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/learn/loop"
	"plyfit/search"
)

// A bout is a one-move game for simulations. The player to move chooses their own utility, from
// -top to top. An agent's choice depends on the opening, whose number is the position. The true
// result for any population of openings can therefore be computed.
type bout struct {
	top     int
	opening uint64
	named   int // the move plus 1, or 0 before the move
}

func newBout(top int) *game.Game {
	g := &game.Game{Name: "bout", Spec: fmt.Sprintf("bout:top=%d", top), Players: 2, Sum: game.Zero,
		Min: -float64(top), Max: float64(top), MaxPlies: 10}
	g.New = func() game.State { return &bout{top: top} }
	g.Parse = func(text string) (game.State, error) {
		n, err := strconv.ParseUint(strings.TrimPrefix(text, "opening "), 10, 64)
		if err != nil {
			return nil, err
		}
		return &bout{top: top, opening: n}, nil
	}
	g.ParseMove = game.FindMove
	return g
}

func (b *bout) Turn() game.Player {
	if b.named > 0 {
		return game.Nobody
	}
	return 0
}

func (b *bout) Moves(dst []game.Move) []game.Move {
	for m := 0; b.named == 0 && m <= 2*b.top; m++ {
		dst = append(dst, game.Move(m))
	}
	return dst
}

func (b *bout) Play(m game.Move)              { b.named = int(m) + 1 }
func (b *bout) Undo()                         { b.named = 0 }
func (b *bout) Hash() uint64                  { return game.Mix(b.opening) ^ uint64(b.named) }
func (b *bout) Clone() game.State             { c := *b; return &c }
func (b *bout) String() string                { return fmt.Sprintf("opening %d", b.opening) }
func (b *bout) MoveString(m game.Move) string { return strconv.Itoa(int(m) - b.top) }

func (b *bout) Utility(p game.Player) float64 {
	u := float64(b.named - 1 - b.top)
	if p == 1 {
		return -u
	}
	return u
}

// A bouter is an agent for bouts. Its choice is the sum of its strength, an effect of the opening
// and random noise.
type bouter struct {
	strength float64
	style    uint64  // agents with the same style prefer the same openings
	opening  float64 // standard deviation of the effect of openings
	noise    float64 // standard deviation of the noise per game
	rng      *rand.Rand
}

func (a *bouter) Begin(seed uint64) { a.rng = rand.New(rand.NewPCG(seed, 1)) }

func (a *bouter) Search(_ context.Context, s game.State) (search.Result, error) {
	b := s.(*bout)
	x := a.strength + a.noise*a.rng.NormFloat64()
	if a.opening > 0 {
		x += a.opening * rand.New(rand.NewPCG(b.opening, a.style)).NormFloat64()
	}
	m := math.Max(0, math.Min(float64(2*b.top), math.Round(x)+float64(b.top)))
	return search.Result{Move: game.Move(m)}, nil
}

func (a bouter) entrant(name string) search.Factory {
	return search.Factory{Name: name, New: func() (search.Agent, error) { c := a; return &c, nil }}
}

// book returns a sample of openings of the given size.
func book(size int, seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 7))
	list := make([]string, size)
	for i := range list {
		list[i] = fmt.Sprintf("opening %d", rng.Uint64())
	}
	return list
}

func played(t *testing.T, cfg arena.Config) arena.Result {
	t.Helper()
	return vectors.Must(arena.Run(context.Background(), cfg))
}

// A contest is a match for simulations. It describes two agents and how their results vary.
type contest struct {
	name string
	top  int // 1 for wins, draws and losses
	a, b bouter
}

func contests() []contest {
	return []contest{
		{"wins, openings decide", 1, bouter{strength: 0.2, opening: 0.8, style: 1, noise: 0.1}, bouter{opening: 0.8, style: 2, noise: 0.1}},
		{"utilities, openings and noise", 30, bouter{strength: 1, opening: 5, style: 1, noise: 5}, bouter{opening: 5, style: 2, noise: 5}},
		{"wins, noise alone", 1, bouter{strength: 0.2, noise: 0.8}, bouter{noise: 0.8}},
		{"wins, openings matter little", 1, bouter{strength: 0.2, opening: 0.2, style: 1, noise: 0.8}, bouter{opening: 0.2, style: 2, noise: 0.8}},
		{"wins, openings and noise", 1, bouter{strength: 0.2, opening: 0.5, style: 1, noise: 0.6}, bouter{opening: 0.5, style: 2, noise: 0.6}},
	}
}

func (c contest) config(list []string, pairs int, seed uint64) arena.Config {
	return arena.Config{Game: newBout(c.top), A: c.a.entrant("A"), B: c.b.entrant("B"), Pairs: pairs, Seed: seed, NoMoves: true,
		Openings: arena.Openings{Positions: list}}
}

// truth returns the result of the match over a very large number of openings, with one pair each.
func (c contest) truth(t *testing.T) arena.Result {
	if r, ok := truths[c.name]; ok {
		return r
	}
	n := 1_000_000
	truths[c.name] = played(t, c.config(book(n, 99), n, 99))
	return truths[c.name]
}

// truths caches the results of truth by the name of the contest.
var truths = map[string]arena.Result{}

func holds(e stats.Estimate, truth float64) bool {
	return e.Bounded && e.Low <= truth && truth <= e.High
}

// TestCalibrationMatch checks that the intervals of a match whose openings are a sample contain the
// mean over all openings. The samples have four to four hundred openings, and each opening is
// played once or several times.
func TestCalibrationMatch(t *testing.T) {
	nightly(t)
	held, all := 0, 0
	for _, c := range contests() {
		truth := c.truth(t)
		for _, k := range []struct{ openings, pairs int }{{4, 100}, {8, 8}, {20, 100}, {100, 250}, {8, 100}, {20, 20}, {400, 400}, {400, 1000}} {
			n := 2000
			score, difference, elo, withElo := 0, 0, 0, 0
			for i := range n {
				seed := uint64(1000*k.openings + i)
				r := played(t, c.config(book(k.openings, seed), k.pairs, seed))
				if holds(r.Points, truth.Points.Value) {
					score++
				}
				if holds(r.Difference, truth.Difference.Value) {
					difference++
				}
				if r.Versus.Elo.Bounded {
					withElo++
					if holds(r.Versus.Elo, truth.Versus.Elo.Value) {
						elo++
					}
				}
				if r.Openings != k.openings {
					t.Fatalf("%d openings, want %d", r.Openings, k.openings)
				}
			}
			name := fmt.Sprintf("%s, %d pairs from %d openings: ", c.name, k.pairs, k.openings)
			wantRate(t, name+"points", score, n, 0.93, 0.97)
			wantRate(t, name+"difference", difference, n, 0.93, 0.97)
			held, all = held+difference, all+n
			if k.openings >= 8 {
				wantRate(t, name+"Elo", elo, withElo, 0.93, 0.97)
			}
		}
	}
	wantRate(t, "all of these: difference", held, all, 0.93, 0.97)
}

// normalised returns a match's difference in normalised Elo: the mean result of a pair in standard
// deviations of a pair, multiplied by 800/(sqrt2 ln 10).
func normalised(r arena.Result) float64 {
	mean, half := r.Score.Value, r.Score.Error()
	if r.Measure == arena.Wins {
		mean -= 0.5
	}
	sd := half / 1.959964 * math.Sqrt(float64(r.Pairs)) // true value for a very large number of pairs with different openings
	return mean / sd * 800 / (math.Sqrt2 * math.Ln10)
}

// drawn returns n openings that are drawn independently from a few openings, as with random plies.
func drawn(n, from int, seed uint64) []string {
	list, rng := book(from, seed), rand.New(rand.NewPCG(seed, 8))
	out := make([]string, n)
	for i := range out {
		out[i] = list[rng.IntN(from)]
	}
	return out
}

// TestCalibrationTests checks that sequential tests of wins and of utilities keep their error rates
// for the mean over all openings, even if openings repeat. The two hypotheses differ by 60
// normalised Elo, and one of them is true.
func TestCalibrationTests(t *testing.T) {
	nightly(t)
	const apart = 60
	allWrong, all := 0, 0
	for _, c := range contests() {
		truth := normalised(c.truth(t))
		for _, list := range []struct {
			name        string
			size, pairs int
			make        func(seed uint64) []string
		}{
			{"4 openings", 4, 400, func(seed uint64) []string { return book(4, seed) }},
			{"20 openings", 20, 1000, func(seed uint64) []string { return book(20, seed) }},
			{"drawn from 60", 60, 1000, func(seed uint64) []string { return drawn(1000, 60, seed) }},
			{"8 openings", 8, 800, func(seed uint64) []string { return book(8, seed) }},
			{"100 openings", 100, 1000, func(seed uint64) []string { return book(100, seed) }},
		} {
			n := 400
			for _, low := range []float64{truth, truth - apart} {
				wrong, open, pairs := 0, 0, 0
				for i := range n {
					seed := uint64(5000*list.size + i)
					cfg := c.config(list.make(seed), list.pairs, seed)
					cfg.SPRT = &stats.SPRT{Low: low, High: low + apart}
					r := played(t, cfg)
					pairs += r.Pairs
					switch {
					case r.SPRT.Decision == stats.Open:
						open++
					case (r.SPRT.Decision == stats.AcceptHigh) == (low == truth):
						wrong++
					}
				}
				side := "H0"
				if low != truth {
					side = "H1"
				}
				wantRate(t, fmt.Sprintf("%s, %s, %s true (%.0f%% open, %d pairs): wrong", c.name, list.name, side, 100*float64(open)/float64(n), pairs/n), wrong, n, 0, 0.05)
				allWrong, all = allWrong+wrong, all+n
			}
		}
	}
	wantRate(t, "all of these: wrong", allWrong, all, 0, 0.05)
}

// cell matches a share of the points in the output of plyfit learn, such as "61.3% ± 4.1" or
// "100.0% (91.2 to 100.0)".
var cell = regexp.MustCompile(`^([0-9.]+)% (?:± ([0-9.]+)|\(([0-9.]+) to ([0-9.]+)\))$`)

func readCell(t *testing.T, text string) (low, high float64) {
	t.Helper()
	m := cell.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("cell %q: want a share with its interval", text)
	}
	x := make([]float64, 5)
	for i := 1; i < len(m); i++ {
		x[i], _ = strconv.ParseFloat(m[i], 64)
	}
	if m[2] != "" {
		return x[1] - x[2], x[1] + x[2]
	}
	return x[3], x[4]
}

// TestCalibrationLearnTable checks that the printed intervals in plyfit learn's table contain the
// result for a very large number of the recipe's openings.
func TestCalibrationLearnTable(t *testing.T) {
	nightly(t)
	w := vectors.Must(catalog.All().World("connect4"))
	for _, planner := range []string{"alphabeta:depth=1", "alphabeta:depth=1,ties=random"} {
		play := func(pairs int, seed uint64) *loop.Contest {
			c := &loop.Contest{World: w, Game: w.Spec, Planner: planner, A: "handwritten", B: "zero", Pairs: pairs}
			cfg := arena.Config{Game: w.Game, Pairs: pairs, Seed: seed, NoMoves: true, Openings: arena.Openings{Plies: w.Recipe().Openings}}
			for name, entrant := range map[string]*search.Factory{c.A: &cfg.A, c.B: &cfg.B} {
				agent := vectors.Must(w.Agent(catalog.WithEval(planner, name), catalog.AgentOptions{}))
				*entrant = search.Factory{Name: name, Identity: agent.Identity, New: agent.New}
			}
			c.Result = played(t, cfg)
			return c
		}
		truth := 100 * play(100_000, 97).Result.Score.Value
		n, held := 2000, 0
		for i := range n {
			table := loop.EvaluationTables([]loop.Contest{*play(40, uint64(i))})[0]
			if low, high := readCell(t, table.Rows[0][1]); low <= truth && truth <= high {
				held++
			}
		}
		wantRate(t, "table of learn, connect4 under "+planner, held, n, 0.93, 0.97)
	}
}
