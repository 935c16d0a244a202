package arena

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/game/gametest"
	"plyfit/game/tictactoe"
	"plyfit/internal/vectors"
	"plyfit/search"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func tictactoeGame(t testing.TB) *game.Game {
	t.Helper()
	return gametest.New(t, tictactoe.New, "tictactoe")
}

func connect4Game(t testing.TB) *game.Game {
	t.Helper()
	return gametest.New(t, connect4.New, "connect4")
}

func mustRun(t testing.TB, cfg Config) Result {
	t.Helper()
	return vectors.Must(Run(context.Background(), cfg))
}

func same(t *testing.T, what string, got, want Result) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Result{})); d != "" {
		t.Errorf("%s: (-want +got)\n%s", what, d)
	}
}

// TestDuel checks that alpha-beta search to the end of the game beats a random player.
func TestDuel(t *testing.T) {
	g := tictactoeGame(t)
	perfect := search.Factory{Name: "perfect", New: func() (search.Agent, error) {
		return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 9})
	}}
	r := mustRun(t, Config{Game: g, A: perfect, B: randomly("random"), Pairs: 60, Seed: 1, Workers: 2})
	if r.Losses != 0 || r.Conclusion != BetterA || !strings.HasPrefix(r.Sentence, "perfect is better than random: ") {
		t.Errorf("%d losses, verdict %s: %s", r.Losses, r.Conclusion, r.Sentence)
	}
	if r.Games != 120 || r.Wins+r.Draws+r.Losses != 120 || r.Versus.Pentanomial.Pairs() != 60 {
		t.Errorf("counts do not agree: %+v", r)
	}
	if points := (float64(r.Wins) + float64(r.Draws)/2) / 120; math.Abs(r.Points.Value-points) > 1e-12 {
		t.Errorf("points %v, want %v", r.Points.Value, points)
	}
	if r.UtilityA.Value != -r.UtilityB.Value || math.Abs(r.Difference.Value-2*r.UtilityA.Value) > 1e-12 {
		t.Errorf("utilities %v and %v differ by %v", r.UtilityA.Value, r.UtilityB.Value, r.Difference.Value)
	}
	swapped := mustRun(t, Config{Game: g, A: randomly("random"), B: perfect, Pairs: 60, Seed: 1})
	if swapped.Conclusion != BetterB || !strings.HasPrefix(swapped.Sentence, "random is worse than perfect: ") {
		t.Errorf("swapped: verdict %s: %s", swapped.Conclusion, swapped.Sentence)
	}
}

// TestCommonLuck checks that a seat has the same dice, slips and opening in both games of a pair,
// regardless of which entrant has it.
func TestCommonLuck(t *testing.T) {
	slippery := vectors.Must(game.WithSlip(newRace(2, 6), 0.5))
	path := filepath.Join(t.TempDir(), "match.jsonl")
	mustRun(t, Config{Game: slippery, A: first("low"), B: last("high"), Pairs: 50, Seed: 3, Out: path, Openings: Openings{Plies: 3}})
	_, pairs, err := readRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	slips := 0
	for _, p := range pairs {
		one, two := p.Games[0].Moves, p.Games[1].Moves
		if len(one) != 36 || len(two) != 36 {
			t.Fatalf("pair %d: %d and %d moves, want 36: intended, decided and a die each", p.Pair, len(one), len(two))
		}
		for i := range one {
			switch {
			case i < p.Drawn, i%3 == 2: // opening and dice
				if one[i] != two[i] {
					t.Errorf("pair %d, move %d: %s and %s", p.Pair, i, one[i], two[i])
				}
			case i%3 == 1: // slips, which are determined by the same random number in both games
				a, b := one[i] != one[i-1], two[i] != two[i-1]
				if a != b {
					t.Errorf("pair %d, move %d: slipped in one game only", p.Pair, i)
				}
				if a {
					slips++
				}
			}
		}
	}
	if slips == 0 {
		t.Error("no one ever slipped")
	}
}

// TestRepeatedGames checks that forty games between deterministic agents count as two distinct
// games.
func TestRepeatedGames(t *testing.T) {
	g := connect4Game(t)
	r := mustRun(t, Config{Game: g, A: first("first"), B: last("last"), Pairs: 20})
	if r.Games != 40 || r.Distinct != 2 || r.Independent != 1 || r.Score.Bounded || r.Conclusion != Undecided {
		t.Errorf("games %d, distinct %d, independent %d, score %v, %s", r.Games, r.Distinct, r.Independent, r.Score, r.Conclusion)
	}
	if !strings.Contains(r.Text(), "Only 2 of the 40 games are distinct") || !strings.Contains(r.Sentence, "too few pairs") {
		t.Errorf("the result does not say so:\n%s", r.Text())
	}
	// Repeating a list of openings ten times adds no evidence.
	list := []string{"1", "2", "3", "4", "5", "6", "7", "44"}
	once := mustRun(t, Config{Game: g, A: first("first"), B: last("last"), Pairs: 8, Openings: Openings{Positions: list}})
	ten := mustRun(t, Config{Game: g, A: first("first"), B: last("last"), Pairs: 80, Openings: Openings{Positions: list}})
	if ten.Independent != 8 || ten.Score.Bounded != once.Score.Bounded ||
		math.Abs(ten.Score.Value-once.Score.Value) > 1e-12 || ten.Score.Error() > 1.1*once.Score.Error() || ten.Score.Error() < 0.9*once.Score.Error() {
		t.Errorf("once %v, ten times %v (%d independent)", once.Score, ten.Score, ten.Independent)
	}
	// Openings that reach the same position by transposition count as one.
	path := filepath.Join(t.TempDir(), "m.jsonl")
	drawn := mustRun(t, Config{Game: g, A: first("first"), B: last("last"), Pairs: 400, Openings: Openings{Plies: 3}, Out: path})
	from := map[Hash]bool{}
	_, pairs, err := readRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pairs {
		from[p.From] = true
	}
	if drawn.Openings != len(from) || drawn.Independent > len(from) || drawn.Independent < len(from)/2 || drawn.Distinct != 2*len(from) {
		t.Errorf("%d independent pairs and %d games from %d openings, want %d", drawn.Independent, drawn.Distinct, drawn.Openings, len(from))
	}
	// If agents vary, every pair counts.
	if r := mustRun(t, Config{Game: g, A: randomly("a"), B: randomly("b"), Pairs: 30}); r.Independent != 30 {
		t.Errorf("random agents: %d of 30 pairs independent", r.Independent)
	}
}

// TestEndless checks that a match with more pairs than fit into memory can be played, and that
// cancelling its context ends it.
func TestEndless(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	seen := 0
	cfg := Config{Game: tictactoeGame(t), A: randomly("a"), B: randomly("b"), Pairs: 1 << 50, Openings: Openings{Plies: 2}, Progress: func(p Progress) {
		if seen = p.Pairs; seen == 70_000 { // more than are listed at a time
			stop()
		}
	}}
	if _, err := Run(ctx, cfg); !errors.Is(err, context.Canceled) || seen < 70_000 {
		t.Errorf("%v after %d pairs, want the end of the context after 70000", err, seen)
	}
}

// TestFaults checks that an agent that fails loses its game, and that its faults are counted by
// kind.
func TestFaults(t *testing.T) {
	g := tictactoeGame(t)
	calls := 0
	bad := entrant("bad", func(_ *rand.Rand, s game.State, moves []game.Move) (game.Move, error) {
		calls++
		switch calls % 5 {
		case 0:
			if calls%2 == 0 {
				return game.NoMove, faulty("unreadable")
			}
			return game.Move(77), nil
		case 1:
			panic("boom")
		case 2:
			return game.NoMove, errTired
		case 3:
			return game.NoMove, faulty("time")
		}
		s.Play(moves[0])
		return moves[0], nil
	})
	path := filepath.Join(t.TempDir(), "faults.jsonl")
	r := mustRun(t, Config{Game: g, A: bad, B: randomly("random"), Pairs: 10, Out: path})
	if first := r.FaultsA.First; first == "" || !strings.Contains(strings.Join(r.Notes, "\n"), first) {
		t.Errorf("the first fault is %q, and the notes say %q", first, r.Notes)
	}
	if r.Losses != 20 || (r.FaultsA != FaultCounts{Time: 4, Unreadable: 2, Crash: 12, Illegal: 2, First: r.FaultsA.First}) || r.FaultsB.All() != 0 {
		t.Errorf("lost %d, faults %v and %v", r.Losses, r.FaultsA, r.FaultsB)
	}
	if r.Conclusion != Nothing || !strings.Contains(r.Sentence, "Nothing was decided") {
		t.Errorf("verdict %s: %s", r.Conclusion, r.Sentence)
	}
	// The records must lead to the same counts when read.
	calls = 0
	same(t, "resumed", mustRun(t, Config{Game: g, A: bad, B: randomly("random"), Pairs: 10, Out: path}), r)

	// Resigning loses the game but is not a fault.
	quitter := entrant("quitter", func(*rand.Rand, game.State, []game.Move) (game.Move, error) { return game.NoMove, search.ErrResigned })
	if r := mustRun(t, Config{Game: g, A: randomly("random"), B: quitter, Pairs: 10, Openings: Openings{Plies: 2}}); r.Wins != 20 || r.FaultsB.All() != 0 || r.Conclusion == Nothing {
		t.Errorf("%d of 20 won against an agent that resigns, with %d faults: %s", r.Wins, r.FaultsB.All(), r.Sentence)
	}
	hopeless := search.Factory{Name: "hopeless", New: func() (search.Agent, error) { return nil, errTired }}
	if r := mustRun(t, Config{Game: g, A: randomly("random"), B: hopeless, Pairs: 2}); r.FaultsB.Crash != 4 || r.Wins != 4 {
		t.Errorf("an agent that cannot be made: %+v", r)
	}
	// In a single-player game, the agent keeps its score so far but loses the pair.
	if r := mustRun(t, Config{Game: newRace(1, 3), A: hopeless, B: first("first"), Pairs: 5}); r.Losses != 5 || r.UtilityA.Value != 0 {
		t.Errorf("solo: %d lost, mean %v", r.Losses, r.UtilityA.Value)
	}
}

// TestTenthOfFaults checks that a match has no conclusion if one entrant's faults end a tenth of
// its games. If there are fewer faults, they count as losses.
func TestTenthOfFaults(t *testing.T) {
	for _, c := range []struct {
		every int // one in this many of A's moves is illegal
		want  Conclusion
	}{{every: 10, want: Nothing}, {every: 150, want: BetterB}} {
		calls := 0
		bad := entrant("bad", func(_ *rand.Rand, _ game.State, moves []game.Move) (game.Move, error) {
			if calls++; calls%c.every == 0 {
				return game.Move(77), nil
			}
			return moves[len(moves)-1], nil
		})
		g := tictactoeGame(t)
		r := mustRun(t, Config{Game: g, A: bad, B: planner(t, "alphabeta", g, 3), Pairs: 40, Openings: Openings{Plies: 2}})
		if n := r.FaultsA.All(); r.Conclusion != c.want || n == 0 || (n*10 >= r.Games) != (c.want == Nothing) {
			t.Errorf("every %d: %d of %d games by faults, verdict %s: %s", c.every, n, r.Games, r.Conclusion, r.Sentence)
		}
		if c.want == Nothing && !strings.Contains(r.Sentence, "ended by faults of bad (") {
			t.Errorf("the sentence says %q", r.Sentence)
		}
	}
}

// TestSameMoves checks that the conclusion is Same if both agents always make the same moves, and
// that it differs if some pairs differ.
func TestSameMoves(t *testing.T) {
	g := tictactoeGame(t)
	r := mustRun(t, Config{Game: g, A: first("a"), B: first("b"), Pairs: 30, Openings: Openings{Plies: 2}})
	if r.Conclusion != Same || r.Alike != 30 || !strings.HasPrefix(r.Sentence, "a and b made the same moves in 60 games (30 pairs)") {
		t.Errorf("%d alike, %s: %s", r.Alike, r.Conclusion, r.Sentence)
	}
	if r := mustRun(t, Config{Game: g, A: first("a"), B: sometimes("b", 0), Pairs: 30, Openings: Openings{Plies: 2}}); r.Conclusion == Same || r.Alike == 30 {
		t.Errorf("of others %d alike, %s: %s", r.Alike, r.Conclusion, r.Sentence)
	}
}

type faulty string // kind of fault

func (f faulty) Error() string { return "fault of " + string(f) }
func (f faulty) Fault() string { return string(f) }

// TestTruncated checks that a two-player game that reaches the maximum number of plies is drawn,
// and that a single-player game keeps its score.
func TestTruncated(t *testing.T) {
	g := *connect4Game(t)
	g.MaxPlies = 5
	r := mustRun(t, Config{Game: &g, A: first("first"), B: last("last"), Pairs: 2})
	if r.Truncated != 4 || r.Draws != 4 || r.UtilityA.Value != 0 {
		t.Errorf("%d truncated, %d drawn, mean %v", r.Truncated, r.Draws, r.UtilityA.Value)
	}
	solo := *newRace(1, 100)
	solo.MaxPlies = 20
	if r := mustRun(t, Config{Game: &solo, A: last("high"), B: first("low"), Pairs: 5}); r.Truncated != 10 || math.Abs(r.UtilityA.Value-3*r.UtilityB.Value) > 1e-9 || r.Wins != 5 {
		t.Errorf("%d truncated, means %v and %v", r.Truncated, r.UtilityA.Value, r.UtilityB.Value)
	}
}

// TestTable checks three-player games. Equal players must get equal utilities even if some seats
// are better than others, and a better player must get more.
func TestTable(t *testing.T) {
	g := newRace(3, 4)
	r := mustRun(t, Config{Game: g, A: last("high"), B: randomly("random"), Pairs: 40, Seed: 5, Workers: 2})
	if r.Mode != Table || r.Games != 240 || r.Conclusion != BetterA || r.Versus != nil {
		t.Errorf("%s, %d games, %s", r.Mode, r.Games, r.Sentence)
	}
	mirror := mustRun(t, Config{Game: g, A: last("high"), B: last("high too"), Pairs: 10, Seed: 5})
	if mirror.Difference.Value != 0 {
		t.Errorf("equals differ by %v", mirror.Difference.Value)
	}
}

// TestTestedMatch checks that an SPRT ends the match after the same pair, regardless of the number
// of workers.
func TestTestedMatch(t *testing.T) {
	var want Result
	for i, workers := range []int{1, 3} {
		path := filepath.Join(t.TempDir(), "sprt.jsonl")
		cfg := Config{Game: connect4Game(t), A: sometimes("biased", 0.0), B: last("last"), Pairs: 5000, Seed: 2, Workers: workers, Out: path,
			SPRT: &stats.SPRT{Low: 0, High: 100}}
		r := mustRun(t, cfg)
		if r.SPRT.Decision == stats.Open || r.Pairs == 5000 {
			t.Errorf("no decision: %s", r.Sentence)
		}
		if i == 0 {
			want = r
		}
		same(t, "result", r, want)
		same(t, "resumed", mustRun(t, cfg), want)
	}
	// This match tests utilities instead of wins, draws and losses.
	r := mustRun(t, Config{Game: newRace(1, 4), A: last("high"), B: randomly("random"), Pairs: 5000, SPRT: &stats.SPRT{Low: 0, High: 50}})
	if r.SPRT.Decision != stats.AcceptHigh || r.Conclusion != BetterA || r.Pairs == 5000 || !strings.HasPrefix(r.Sentence, "high is better than random: after ") ||
		!strings.Contains(r.Sentence, "the sequential test accepts a difference of 50 normalised Elo and rejects one of 0, with an error probability of 5% ") {
		t.Errorf("%s", r.Sentence)
	}
}

// TestTestSentence checks the sentence for each decision of the test, including those that do not
// show which entrant is better.
func TestTestSentence(t *testing.T) {
	for _, c := range []struct {
		low, high  float64
		decision   stats.Decision
		want       string
		conclusion Conclusion
	}{
		{0, 5, stats.AcceptHigh, "A is better than B: ", BetterA},
		{-5, 0, stats.AcceptLow, "A is worse than B: ", BetterB},
		{-5, 0, stats.AcceptHigh, "A is not worse than B by 5 normalised Elo: ", Undecided},
		{0, 5, stats.AcceptLow, "A is not better than B by 5 normalised Elo: after 2 games (1 pair) the sequential test accepts a difference of 0 normalised Elo and rejects one of 5, with an error probability of 10% ", Undecided},
		{0, 5, stats.Open, "Not decided after ", Undecided},
	} {
		r := Result{A: "A", B: "B", Games: 2, Pairs: 1, SPRT: &SPRTResult{Test: stats.SPRT{Low: c.low, High: c.high, Alpha: 0.05, Beta: 0.1}, Decision: c.decision}}
		r.conclude()
		if !strings.HasPrefix(r.Sentence, c.want) || r.Conclusion != c.conclusion {
			t.Errorf("%+v: %s, %s", c, r.Conclusion, r.Sentence)
		}
	}
}

// TestBadConfig checks that invalid configurations cause errors that state the expected values.
func TestBadConfig(t *testing.T) {
	g := tictactoeGame(t)
	base := Config{Game: g, A: first("a"), B: first("b"), Pairs: 1}
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Pairs = 0 }, "pairs=0: want at least 1"},
		{func(c *Config) { c.SPRT = &stats.SPRT{Low: 5, High: 5} }, "want the first bound below the second"},
		{func(c *Config) { c.SPRT = &stats.SPRT{High: 5, Alpha: 0.7} }, "want probabilities above 0 and below 0.5"},
		{func(c *Config) { c.Openings.Plies = 9 }, "use fewer plies"},
		{func(c *Config) { c.Openings.Positions = []string{"nonsense"} }, "tictactoe position"},
		{func(c *Config) { c.Measure = "fun" }, "want wins or utility"},
		{func(c *Config) { n := first("n"); c.Nature = &n }, "want no agent for nature"},
		{func(c *Config) { c.Game = vectors.Must(game.WithAdversary(newRace(1, 5))) }, "want an agent for nature"},
		{func(c *Config) { c.Game = newRace(1, 1); c.Measure = Wins }, "want measure utility"},
	} {
		cfg := base
		c.change(&cfg)
		if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got error %v, want one with %q", err, c.want)
		}
	}
}

// TestResultJSON checks that results can be encoded as JSON and decoded again.
func TestResultJSON(t *testing.T) {
	r := mustRun(t, Config{Game: tictactoeGame(t), A: randomly("a"), B: randomly("b"), Pairs: 30})
	text := vectors.Must(json.Marshal(r))
	var back Result
	vectors.Check(json.Unmarshal(text, &back))
	same(t, "read back", back, r)
}
