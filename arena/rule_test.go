package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/arena/stats"
	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/game/pig"
	"plyfit/internal/vectors"
	"plyfit/search"
)

func alphabeta(g *game.Game, name string, depth int) search.Factory {
	return search.Factory{Name: name, New: func() (search.Agent, error) {
		return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: depth, Ties: search.Random})
	}}
}

// TestAdjudication checks that games end early with the same outcome if both agents agree, and are
// played to the end if an agent reports no value.
func TestAdjudication(t *testing.T) {
	g := tictactoeGame(t)
	perfect, other := alphabeta(g, "perfect", 9), alphabeta(g, "perfect too", 9)
	base := Config{Game: g, A: perfect, B: other, Pairs: 10, Openings: Openings{Plies: 2}, Seed: 8}
	full := mustRun(t, base)
	ruled := base
	ruled.Adjudicate = &Adjudication{Win: 1, DrawAfter: 1, Moves: 1}
	ruled.Out = filepath.Join(t.TempDir(), "m.jsonl")
	r := mustRun(t, ruled)
	if r.Adjudicated == 0 || r.Wins != full.Wins || r.Draws != full.Draws || r.Losses != full.Losses {
		t.Errorf("%d adjudicated, +%d =%d -%d; played out +%d =%d -%d", r.Adjudicated, r.Wins, r.Draws, r.Losses, full.Wins, full.Draws, full.Losses)
	}
	same(t, "resumed", mustRun(t, ruled), r)
	ruled.Adjudicate = &Adjudication{Win: 0.5}
	if _, err := Run(context.Background(), ruled); err == nil || !strings.Contains(err.Error(), "adjudication") {
		t.Errorf("another rule in the same file: error %v", err)
	}
	ruled.Out, ruled.B = "", randomly("random")
	ruled.Adjudicate = &Adjudication{Win: 1, DrawAfter: 1, Moves: 1}
	if r := mustRun(t, ruled); r.Adjudicated != 0 {
		t.Errorf("%d games were adjudicated without a second opinion", r.Adjudicated)
	}
	ruled.Adjudicate = &Adjudication{Win: 2}
	if _, err := Run(context.Background(), ruled); err == nil {
		t.Error("a win of 2 was taken")
	}
}

// TestBook checks that a book contains balanced positions and that matches start from them.
func TestBook(t *testing.T) {
	g := tictactoeGame(t)
	b := Book{Game: g, Agent: alphabeta(g, "judge", 9), Plies: 3, Size: 20, Seed: 1, Within: 0.1}
	list := vectors.Must(b.Make(context.Background()))
	if len(list) != 20 {
		t.Errorf("%d positions", len(list))
	}
	many := b
	many.Size = 60
	if list := vectors.Must(many.Make(context.Background())); len(slices.Compact(slices.Sorted(slices.Values(list)))) != 60 {
		t.Errorf("a book has positions twice: %v", list)
	}
	// Perfect players must draw from each position.
	r := mustRun(t, Config{Game: g, A: alphabeta(g, "A", 9), B: alphabeta(g, "B", 9), Pairs: 20, Openings: Openings{Positions: list}})
	if r.Draws != 40 {
		t.Errorf("+%d =%d -%d from balanced positions", r.Wins, r.Draws, r.Losses)
	}
	path := filepath.Join(t.TempDir(), "book.txt")
	vectors.Check(os.WriteFile(path, []byte(strings.Join(list, "\n\n")+"\n"), 0o666))
	if read, err := ReadOpenings(path, g, nil); err != nil || strings.Join(read, "|") != strings.Join(list, "|") {
		t.Errorf("read back: %v (%v)", read, err)
	}

	// Labels must be ignored, and invalid lines must be passed to the callback.
	text := "# a book\n" + list[0] + " [1.0] g1\nxyz\n" + list[1] + ` c9 "0-1"; ce 31;` + "\nXXXOO.... -\n"
	vectors.Check(os.WriteFile(path, []byte(text), 0o666))
	var skipped []error
	read, err := ReadOpenings(path, g, func(err error) { skipped = append(skipped, err) })
	if err != nil || strings.Join(read, "|") != list[0]+"|"+list[1] || len(skipped) != 2 || !strings.Contains(skipped[0].Error(), "line 3: ") || !strings.Contains(skipped[1].Error(), "line 5: the game is over") {
		t.Errorf("of a book with two bad lines: %v, skipped %v (%v)", read, skipped, err)
	}

	b.Size = 100000
	b.Tries = 50
	if _, err := b.Make(context.Background()); err == nil || !strings.Contains(err.Error(), "among 50; want 100000") {
		t.Errorf("too large a book: error %v", err)
	}
}

// TestLuckOfRolls checks that a seat's rolls do not depend on the number of slips between them.
func TestLuckOfRolls(t *testing.T) {
	g := vectors.Must(game.WithSlip(vectors.Must(pig.New(&game.Options{})), 0.5))
	deciding := g.New()
	chosen, rolling := deciding.Clone(), deciding.Clone()
	chosen.Play(pig.Roll) // a slip may replace this move
	game.PlayIntended(rolling, pig.Roll)
	for rolls := range 20 {
		with, without := newLuck(9, 2), newLuck(9, 2)
		for range rolls {
			with.Draw(chosen)
			if a, b := with.Draw(rolling), without.Draw(rolling); a != b {
				t.Fatalf("after %d slips a roll is %v, without them %v", rolls, a, b)
			}
		}
	}
}

// sleeper exceeds its time limit.
type sleeper struct{ player }

func (s *sleeper) Search(ctx context.Context, st game.State) (search.Result, error) {
	<-ctx.Done()
	time.Sleep(30 * time.Millisecond)
	return search.Result{Move: st.Moves(nil)[0]}, nil
}

// TestMoveTime checks that an answer within the margin is accepted and that a later one loses the
// game.
func TestMoveTime(t *testing.T) {
	slow := search.Factory{Name: "slow", New: func() (search.Agent, error) { return &sleeper{}, nil }}
	cfg := Config{Game: tictactoeGame(t), A: slow, B: first("first"), Pairs: 2, MoveTime: 300 * time.Millisecond, Margin: time.Millisecond} // plenty of time for the other agent, even on a busy machine
	if r := mustRun(t, cfg); r.FaultsA.Time != 4 || r.Losses != 4 {
		t.Errorf("faults %v", r.FaultsA)
	}
	cfg.Margin, cfg.Pairs = time.Hour, 1
	if r := mustRun(t, cfg); r.FaultsA.All() != 0 {
		t.Errorf("within the margin: faults %v", r.FaultsA)
	}
}

func catalogGame(t testing.TB, text string) *game.Game {
	t.Helper()
	s := vectors.Must(game.ParseSpec(text))
	make := map[string]func(*game.Options) (*game.Game, error){"2048": g2048.New, "pig": pig.New}[s.Name]
	g := vectors.Must(make(s.Options))
	return vectors.Must(s.Wrap(g))
}

func planner(t testing.TB, name string, g *game.Game, depth int) search.Factory {
	return search.Factory{Name: name, New: func() (search.Agent, error) {
		if strings.HasPrefix(name, "minimax") {
			return search.NewMinimax(search.Options{Game: g, Eval: search.Zero(g), Depth: depth})
		}
		return search.NewExpectimax(search.Options{Game: g, Eval: search.Zero(g), Depth: depth})
	}}
}

// TestPlannersAndWorlds plays expectimax against minimax in 2048. With random tiles, expectimax
// makes the right assumption and must win. With an adversary, the winner depends on the adversary's
// depth (expectimax still wins at depth 1), so the test only checks that the match can be played.
func TestPlannersAndWorlds(t *testing.T) {
	chance := catalogGame(t, "2048:size=3")
	r := mustRun(t, Config{Game: chance, A: planner(t, "expectimax", chance, 2), B: planner(t, "minimax", chance, 2), Pairs: 60, Seed: 1, Workers: 2})
	t.Log(r.Sentence)
	if r.Mode != Solo || r.Conclusion != BetterA {
		t.Errorf("chance: %s", r.Text())
	}
	hostile := catalogGame(t, "2048:size=3+adversary")
	nature := planner(t, "minimax", hostile, 1)
	r = mustRun(t, Config{Game: hostile, A: planner(t, "expectimax", hostile, 2), B: planner(t, "minimax", hostile, 2), Nature: &nature, Pairs: 40, Seed: 1, Workers: 2,
		Openings: Openings{Plies: 12}})
	t.Log(r.Sentence)
	if r.Mode != Solo || r.Nature != "minimax" || r.Independent != 40 || r.UtilityB.Value <= 0 {
		t.Errorf("adversary: %s", r.Text())
	}
}

// TestAlikeInPoints checks a match between two copies of an agent in a game with scores. All pairs
// are equal, and the result must say so instead of deriving an interval from the range of scores.
func TestAlikeInPoints(t *testing.T) {
	g := catalogGame(t, "2048:size=2")
	a := planner(t, "expectimax", g, 1)
	r := mustRun(t, Config{Game: g, A: a, B: a, Pairs: 6, Seed: 3, Workers: 2})
	if r.Conclusion != Same || r.Difference.Bounded || r.Score.Bounded || !r.Difference.Alike {
		t.Errorf("%+v", r.Difference)
	}
	if text := r.Text(); !strings.Contains(text, "A minus B        0 (all 6 pairs alike)\n") || !strings.Contains(text, "expectimax and expectimax made the same moves in 12 games (6 pairs)") {
		t.Error(text)
	}
	want := `{"value":0,"lacks":"all 6 pairs alike","alike":true}`
	if text := string(vectors.Must(json.Marshal(r.Difference))); text != want {
		t.Errorf("%s, want %s", text, want)
	}
	p := Progress{Measure: r.Measure, Running: func() stats.Estimate { return r.Score }}
	if text := p.String(); !strings.HasSuffix(text, ", A minus B 0 (all 6 pairs alike)") {
		t.Error(text)
	}
}

// slips returns an agent that plays the first move, or a random move with probability p.
func slips(name string, p float64) search.Factory {
	return entrant(name, func(rng *rand.Rand, _ game.State, moves []game.Move) (game.Move, error) {
		if rng.Float64() < p {
			return moves[rng.IntN(len(moves))], nil
		}
		return moves[0], nil
	})
}

// TestFewOpenings checks that 300 pairs from three openings do not count as independent. In an
// earlier version, a single pair that differed made all 300 count as independent and led to a
// conclusion.
func TestFewOpenings(t *testing.T) {
	g := connect4Game(t)
	list := []string{"12", "3", "26"}
	cfg := Config{Game: g, A: slips("A", 0.002), B: last("B"), Pairs: 300, Seed: 1, Openings: Openings{Positions: list},
		Out: filepath.Join(t.TempDir(), "m.jsonl"), SPRT: nil}
	r := mustRun(t, cfg)
	if r.Distinct <= 2*len(list) {
		t.Fatalf("%d distinct games: no one slipped", r.Distinct)
	}
	if r.Openings != 3 || r.Independent > 4 || r.Score.Bounded || r.Conclusion != Undecided || r.Population != Sampled {
		t.Errorf("%d openings, %d independent, score %v, %s", r.Openings, r.Independent, r.Score, r.Conclusion)
	}
	for _, e := range []stats.Estimate{r.Versus.Elo, r.Versus.NormalisedElo, r.Versus.LOS} {
		if e.Bounded || !strings.Contains(e.Lacks, "too few openings: 3 with 300 pairs, want at least 8") {
			t.Errorf("figure without evidence: %v", e)
		}
	}
	if want := "600 games (300 pairs) from 3 openings; too few openings: 3 with 300 pairs, want at least 4."; !strings.HasSuffix(r.Sentence, want) {
		t.Errorf("%q does not end with %q", r.Sentence, want)
	}
	same(t, "resumed", mustRun(t, cfg), r)

	tested := cfg
	tested.Out, tested.SPRT = "", &stats.SPRT{Low: 0, High: 5}
	if r := mustRun(t, tested); r.SPRT.Decision != stats.Open || r.Pairs != 300 || !strings.HasSuffix(r.Sentence, "; too few openings: 3 with 300 pairs, want at least 4.") {
		t.Errorf("the test: %s", r.Sentence)
	}

	// If these openings are the whole population, the result has an interval.
	fixed := cfg
	fixed.Out, fixed.Openings.Fixed = "", true
	if r := mustRun(t, fixed); !r.Score.Bounded || r.Population != Listed || !strings.Contains(r.Sentence, "in 600 games (300 pairs) from 3 openings, which form the whole population") {
		t.Errorf("fixed: %v, %s: %s", r.Score, r.Population, r.Sentence)
	}
	fixed.Pairs = 2
	for _, o := range []Openings{fixed.Openings, {Fixed: true}, {Fixed: true, Plies: 2}} {
		fixed.Openings = o
		if _, err := newMatch(fixed); err == nil || !strings.Contains(err.Error(), "fixed openings: ") {
			t.Errorf("%+v: error %v", o, err)
		}
	}
}

// TestOneStart checks that pairs from the initial position are independent if the game involves
// luck.
func TestOneStart(t *testing.T) {
	r := mustRun(t, Config{Game: newRace(1, 3), A: last("A"), B: randomly("B"), Pairs: 40})
	if r.Population != OneStart || r.Openings != 1 || r.Independent != 40 || !r.Score.Bounded {
		t.Errorf("%s, %d openings, %d independent, %v", r.Population, r.Openings, r.Independent, r.Score)
	}
	// Pairs from a list of openings form clusters, with or without luck.
	r = mustRun(t, Config{Game: newRace(1, 3), A: last("A"), B: randomly("B"), Pairs: 40, Openings: Openings{Positions: []string{"11", "33"}}})
	if r.Population != Sampled || r.Openings != 2 || r.Score.Bounded {
		t.Errorf("%s, %d openings, %v", r.Population, r.Openings, r.Score)
	}
}

// TestOpeningsAreReported checks that the text, the trace and the progress callback contain the
// number of openings.
func TestOpeningsAreReported(t *testing.T) {
	var last Progress
	r := mustRun(t, Config{Game: tictactoeGame(t), A: randomly("a"), B: randomly("b"), Pairs: 60, Openings: Openings{Plies: 2},
		Progress: func(p Progress) { last = p }})
	if want := fmt.Sprintf("120 games (60 pairs), %d distinct, %d openings, from seed 0", r.Distinct, r.Openings); r.Openings >= 60 || !strings.Contains(r.Text(), want) {
		t.Errorf("no %q in\n%s", want, r.Text())
	}
	if p := r.Trace[len(r.Trace)-1]; p.Openings != r.Openings || last.Openings != r.Openings || r.Trace[0].Openings != 1 {
		t.Errorf("%d openings at the end of the trace, %d told, want %d", p.Openings, last.Openings, r.Openings)
	}
}

// TestBySeat checks that the difference between A and B is estimated correctly for each seat,
// regardless of the effect on the other seats, and that the intervals reflect the variation between
// deals.
func TestBySeat(t *testing.T) {
	gain := []float64{2, -1, 0.5}
	l := layout{mode: Table, shape: game.Shape{Players: 3, Min: -100, Max: 100}, seats: [][]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, least: -100, most: 100}
	count := newTally(Config{}, l)
	for pair := range 20 {
		deal := float64(pair % 5)
		r := PairRecord{Pair: pair, From: Hash(pair)}
		for _, seats := range l.seats {
			g := GameRecord{Seats: seats, Utility: make([]float64, 3), Hash: Hash(pair)}
			for p := range seats {
				g.Utility[p] = deal
				for q, side := range seats {
					switch {
					case side == sideB:
					case q == p:
						g.Utility[p] += gain[p] * (1 + deal/10)
					default:
						g.Utility[p] -= 3 * gain[q] // a side effect on the other players
					}
				}
			}
			r.Games = append(r.Games, g)
		}
		count.add(&r)
	}
	found := count.bySeat()
	if len(found) != 3 {
		t.Fatalf("%d seats, want 3", len(found))
	}
	for seat, s := range found {
		want := gain[seat] * 1.2 // the mean of deal/10 is 0.2
		if s.Seat != seat || math.Abs(s.Difference.Value-want) > 1e-12 || math.Abs(s.UtilityA.Value-s.UtilityB.Value-want) > 1e-12 {
			t.Errorf("seat %d: A gets %v more, %v against %v: want %v more", s.Seat, s.Difference.Value, s.UtilityA.Value, s.UtilityB.Value, want)
		}
		// The deals add 0 to 0.4 to the difference, with a standard deviation of 0.145 over 20
		// pairs.
		if half, most := (s.Difference.High-s.Difference.Low)/2, 0.08*math.Abs(gain[seat]); !s.Difference.Bounded || half <= 0 || half > most {
			t.Errorf("seat %d: half an interval of %v, want one up to %v", seat, half, most)
		}
	}
	if stats.Anywhere == l.apart() {
		t.Error("differences of bounded utilities have no bounds")
	}
	four := layout{mode: Table, shape: game.Shape{Players: 4}, seats: [][]int{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}
	if found := newTally(Config{}, four).bySeat(); found != nil {
		t.Errorf("%d seats of a game of four, in whose layout no games differ in one seat alone", len(found))
	}
}

// TestCorrect checks that the conclusions of several matches are corrected together. Matches with a
// sequential test and matches without an interval must not change.
func TestCorrect(t *testing.T) {
	match := func(c Conclusion, p float64) *Result {
		return &Result{A: "a", B: "b", Measure: Wins, Games: 20, Pairs: 10, Conclusion: c, P: p, Score: stats.Estimate{Value: 0.6, Low: 0.51, High: 0.69, Known: true, Bounded: true}}
	}
	clear, slight, open := match(BetterA, 0.001), match(BetterA, 0.04), match(Undecided, 0.5)
	same, tested := match(Same, 1), match(BetterA, 0.04)
	tested.SPRT = &SPRTResult{Decision: stats.AcceptHigh}
	Correct(clear, slight, open, same, tested)
	for name, c := range map[string]struct {
		r    *Result
		want Conclusion
		p    float64
	}{"clear": {clear, BetterA, 0.003}, "slight": {slight, Undecided, 0.08}, "open": {open, Undecided, 0.5}, "same": {same, Same, 0}, "tested": {tested, BetterA, 0}} {
		if c.r.Conclusion != c.want || c.r.Corrected != c.p {
			t.Errorf("%s: %v, p %v, want %v and %v", name, c.r.Conclusion, c.r.Corrected, c.want, c.p)
		}
	}
	if !strings.Contains(slight.Sentence, "p 0.04 alone, 0.08 as one of 3 comparisons (Holm)") || strings.Contains(open.Sentence, "Holm") {
		t.Errorf("%q and %q", slight.Sentence, open.Sentence)
	}
	alone := match(BetterA, 0.04)
	if Correct(alone); alone.Conclusion != BetterA || alone.Family != 0 {
		t.Errorf("alone: %+v", alone)
	}
}

// TestReadResult checks that reading the record file of a match returns its result and its pairs.
// If the file is cut in half, the result of the remaining pairs must be returned. A file with other
// contents must cause an error that contains its name.
func TestReadResult(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	cfg := journalConfig(path)
	cfg.Game, cfg.Pairs = connect4Game(t), 30
	cfg.SPRT = &stats.SPRT{Low: 0, High: 200}
	cfg.Openings.Plies = 2
	cfg.B.Name = "B"
	want := mustRun(t, cfg)
	text := vectors.Must(os.ReadFile(path))
	find := func(spec string) (*game.Game, error) { return cfg.Game, nil }
	pairs := 0
	h, got, any, err := ReadResult("m.jsonl", bytes.NewReader(text), find, func(r *PairRecord) error {
		if r.Pair != pairs {
			t.Errorf("pair %d in the place of pair %d", r.Pair, pairs)
		}
		pairs++
		return nil
	})
	if err != nil || !any || pairs != want.Pairs || h.B != "B" {
		t.Fatalf("%d pairs, %v, %+v, %v", pairs, any, h, err)
	}
	got.Planned = want.Planned // not stored in the file
	same(t, "read", got, want)
	if _, half, any, err := ReadResult("m.jsonl", bytes.NewReader(text[:len(text)/2]), find, nil); err != nil || !any || half.Pairs >= want.Pairs {
		t.Errorf("half of it: %+v, %v", half, err)
	}
	_, _, _, err = ReadResult("m.jsonl", strings.NewReader("To whom it may concern"), find, nil)
	if err == nil || !strings.HasPrefix(err.Error(), "m.jsonl") {
		t.Errorf("a letter: %v", err)
	}
}

// FuzzBook checks that all positions read from any file are playable and that errors contain the
// file name.
func FuzzBook(f *testing.F) {
	g := connect4Game(f)
	f.Add("start\n")
	f.Add("4455\r\n\n  123  \n")
	f.Add("44444444\n")
	f.Add("1212121\n")
	path := filepath.Join(f.TempDir(), "book.txt")
	f.Fuzz(func(t *testing.T, text string) {
		vectors.Check(os.WriteFile(path, []byte(text), 0o644))
		list, err := ReadOpenings(path, g, nil)
		if err != nil {
			if !strings.HasPrefix(err.Error(), path) {
				t.Errorf("error %q does not name the file", err)
			}
			return
		}
		for _, position := range list {
			if s, err := g.Parse(position); err != nil || s.Turn() == game.Nobody {
				t.Errorf("took %q: %v", position, err)
			}
		}
	})
}
