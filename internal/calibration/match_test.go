package calibration

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/search"
)

// bout is a game of one move for simulations: whoever is to move names what it
// gets, from -top to top. What an agent names depends on the opening, whose
// number is the position, so that the truth about any population of openings is
// a matter of arithmetic.
type bout struct {
	top     int
	opening uint64
	named   int // the move + 1, 0 before it
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

// bouter is an agent for bouts: it names its strength, plus what the opening
// does to it, plus noise of its own.
type bouter struct {
	strength float64
	style    uint64  // agents of one style like the same openings
	opening  float64 // standard deviation of what openings do
	noise    float64 // of what varies from game to game
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

func (a bouter) entrant(name string) arena.Entrant {
	return arena.Entrant{Name: name, New: func() (search.Agent, error) { c := a; return &c, nil }}
}

// book is a sample of so many openings.
func book(size int, seed uint64) []string {
	rng := rand.New(rand.NewPCG(seed, 7))
	list := make([]string, size)
	for i := range list {
		list[i] = fmt.Sprintf("opening %d", rng.Uint64())
	}
	return list
}

func run(t *testing.T, cfg arena.Config) arena.Result {
	t.Helper()
	r, err := arena.Run(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// contest is a match of the simulations: two agents and how they vary.
type contest struct {
	name string
	top  int // 1: wins, draws and losses
	a, b bouter
}

func contests() []contest {
	return []contest{
		{"wins, openings decide", 1, bouter{strength: 0.2, opening: 0.8, style: 1, noise: 0.1}, bouter{opening: 0.8, style: 2, noise: 0.1}},
		{"wins, openings and noise", 1, bouter{strength: 0.2, opening: 0.5, style: 1, noise: 0.6}, bouter{opening: 0.5, style: 2, noise: 0.6}},
		{"wins, noise alone", 1, bouter{strength: 0.2, noise: 0.8}, bouter{noise: 0.8}},
		{"utilities, openings and noise", 30, bouter{strength: 1, opening: 5, style: 1, noise: 5}, bouter{opening: 5, style: 2, noise: 5}},
	}
}

func (c contest) config(list []string, pairs int, seed uint64) arena.Config {
	return arena.Config{Game: newBout(c.top), A: c.a.entrant("A"), B: c.b.entrant("B"), Pairs: pairs, Seed: seed, NoMoves: true,
		Openings: arena.Openings{Positions: list}}
}

// truth is the same match over very many openings, one pair each.
func (c contest) truth(t *testing.T) arena.Result {
	n := samples(50_000, 1_000_000)
	return run(t, c.config(book(n, 99), n, 99))
}

func holds(e arena.Estimate, truth float64) bool {
	return e.Bounded && e.Low <= truth && truth <= e.High
}

// The intervals of a match whose openings are a sample of more hold the mean
// over all of them, from four openings to four hundred, however often each is
// played.
func TestCalibrationMatch(t *testing.T) {
	for _, c := range contests() {
		truth := c.truth(t)
		for _, k := range []struct{ openings, pairs int }{{4, 100}, {8, 100}, {20, 100}, {20, 20}, {100, 250}, {400, 400}, {400, 1000}} {
			n := samples(40, 2000)
			score, difference, elo, withElo := 0, 0, 0, 0
			for i := range n {
				seed := uint64(1000*k.openings + i)
				r := run(t, c.config(book(k.openings, seed), k.pairs, seed))
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
			if k.openings >= 8 {
				wantRate(t, name+"Elo", elo, withElo, 0.93, 0.97)
			}
		}
	}
}

// The case of the issue on these intervals: 28 books of eight openings, 300
// pairs each. Counted by pairs, 10 of 28 intervals held the truth.
func TestCalibrationShortBooks(t *testing.T) {
	c := contests()[0]
	truth := c.truth(t)
	held := 0
	for seed := range uint64(28) {
		if holds(run(t, c.config(book(8, seed), 300, seed)).Score, truth.Score.Value) {
			held++
		}
	}
	t.Logf("%d of 28 intervals hold the truth", held)
	if held < 24 { // 26 or more in 19 of 20 such rows of 28
		t.Errorf("%d of 28 intervals hold the truth", held)
	}
}
