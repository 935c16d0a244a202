package nboard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/game/othello"
	"plyfit/protocol"
	"plyfit/protocol/protocoltest"
	"plyfit/search"
)

func TestMain(m *testing.M) {
	protocoltest.Main(m, func(mode string) {
		sv := &Server{Name: "fake", Game: othelloGame(), Agent: alphabeta()}
		if err := sv.Serve(context.Background(), os.Stdin, &liar{mode: mode, Writer: os.Stdout}); err != nil {
			os.Exit(1)
		}
	})
}

// liar changes what an engine says as its mode has it.
type liar struct {
	mode string
	io.Writer
}

func (l *liar) Write(p []byte) (int, error) {
	line := string(p)
	answer := strings.HasPrefix(line, "===")
	switch {
	case l.mode == "dies" && answer:
		os.Exit(9)
	case l.mode == "silent", l.mode == "thinks" && answer:
		return len(p), nil
	case l.mode == "illegal" && answer:
		line = "=== A1/3.00/0.1\n"
	case l.mode == "nothing" && answer:
		line = "===\n"
	case l.mode == "terse" && answer:
		line, _, _ = strings.Cut(line, "/")
		line += "\n"
	case l.mode == "edax" && answer:
		line = strings.ReplaceAll(strings.ToLower(line), "/", " ")
	case l.mode == "boasts" && answer:
		line = regexp.MustCompile(`/.*/`).ReplaceAllString(line, "/1e9/")
	}
	if _, err := io.WriteString(l.Writer, line); err != nil {
		return 0, err
	}
	return len(p), nil
}

func othelloGame() *game.Game {
	g, err := othello.New(game.NewOptions("othello"))
	if err != nil {
		panic(err)
	}
	return g
}

func alphabeta() search.Agent {
	g := othelloGame()
	a, err := search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 2})
	if err != nil {
		panic(err)
	}
	return a
}

// engine is an agent that plays by this binary in a mode, by default with some patience.
func engine(t *testing.T, mode string, timeout time.Duration) *protocol.Player {
	t.Helper()
	if timeout == 0 {
		timeout = 20 * time.Second
	}
	a, err := New(Config{Game: othelloGame(), Launcher: &protocol.Launcher{Command: protocoltest.Command(mode)}, Depth: 3, Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// TestAgent: an engine told games in GGF plays what the same search plays here, with
// its value for both, passes among the moves; other manners of answering change nothing.
func TestAgent(t *testing.T) {
	for _, mode := range []string{"honest", "edax"} {
		here := alphabeta()
		here.(search.Limiter).Limit(3, 0)
		passes := 0
		protocoltest.Play(t, othelloGame(), engine(t, mode, 0), 4, func(s game.State, m game.Move, got *search.Result) {
			if m == othello.Pass {
				passes++
			}
			if got == nil {
				return
			}
			here.Begin(1) // the server forgets with each set game
			want, err := here.Search(context.Background(), s)
			if err != nil || m != want.Move || got.Value != want.Value || !slices.Equal(got.Values, want.Values) {
				t.Fatalf("%s: %s plays %s, %v; want %s, %v (%v)", mode, s, s.MoveString(m), got.Values, s.MoveString(want.Move), want.Values, err)
			}
		})
		if passes == 0 {
			t.Error("nobody passed")
		}
	}
}

// TestAgentFaults: what an engine does wrong is a fault of its kind.
func TestAgentFaults(t *testing.T) {
	protocoltest.Blame(t, othelloGame().New(), func(mode string, timeout time.Duration) search.Agent { return engine(t, mode, timeout) }, map[string][2]string{
		"silent":  {protocol.Time, ""},
		"thinks":  {protocol.Time, ""},
		"illegal": {protocol.Illegal, ""},
		"nothing": {protocol.Crash, ""},
		"dies":    {protocol.Crash, ""},
	})
	protocoltest.Ends(t, othelloGame().New(), engine(t, "thinks", 0))
	for _, mode := range []string{"terse", "boasts"} { // no value that a game could have
		a := engine(t, mode, 0)
		a.Begin(1)
		r, err := a.Search(context.Background(), othelloGame().New())
		if err != nil || r.Value != 0 || r.Values != nil || r.Move == game.NoMove {
			t.Errorf("%s: %+v, error %v; want a move without a value", mode, r, err)
		}
	}
}

// serve is what a server answers to the whole of its input.
func serve(t *testing.T, agent search.Agent, depth int, input string) string {
	t.Helper()
	var out bytes.Buffer
	sv := &Server{Name: "x", Game: othelloGame(), Agent: agent, Depth: depth}
	if err := sv.Serve(context.Background(), strings.NewReader(input), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestServerAnswers: single lines, good and bad, and what stands on the board after them.
func TestServerAnswers(t *testing.T) {
	const passing = "set game (;GM[Othello]BO[8 -OOOOOO*OOOOOOO*OOOOOOO*OOOOOOO*OOOOOOO*OOOOOOO*OOOOOOO*-OOOOOOO O];)\n"
	for _, c := range []struct{ input, want string }{
		{"nboard 2\nset contempt 1\nmumble mumble\n\nanalyze 3\n", ""},
		{"ping 12\n", "pong 12\n"},
		{"learn\n", "learned\n"},
		{"set depth 9\n", "set myname x5\n"}, // no more than the server's
		{"set depth x\n", "status set depth x: want a whole number of at least 1\n"},
		{"move f5\nmove F6/-1.5/0.2\nE6\nmove E6\n", "status .*e6.*\n"},
		{"move a1\n", "status .*want one of.*\n"},
		{"set game nonsense\nmove D3\n", "status .*a game in GGF.*\n"},
		{strings.Repeat("x", 1<<17) + "\nping 1\n", "status a line of more than 65536 bytes\npong 1\n"},
		{passing + "go\n", "status x is thinking\nnodestats .*\n=== (A1|PA|A8)/.*\nstatus x is waiting\n"},
	} {
		got := serve(t, alphabeta(), 5, c.input)
		if !regexp.MustCompile("^" + c.want + "$").MatchString(got) {
			t.Errorf("%.40q: answer %q; want %q", c.input, got, c.want)
		}
	}
}

// TestServerHints: the hints for n moves are the n best by the value of the whole
// search, best first, and hint 1 is the search's own.
func TestServerHints(t *testing.T) {
	const game = "set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)\nset depth 3\n"
	read := func(text string) (moves []string, values []float64) {
		for _, line := range strings.Split(text, "\n") {
			if words := strings.Fields(line); len(words) == 5 && words[0] == "search" {
				v, err := strconv.ParseFloat(words[2], 64)
				if err != nil || words[3] != "0" || words[4] != "3" {
					t.Fatalf("%q: want search PV EVAL 0 3", line)
				}
				moves, values = append(moves, words[1][:2]), append(values, v)
			}
		}
		return moves, values
	}
	_, best := read(serve(t, counter{}, 0, game+"hint 1\n"))
	moves, values := read(serve(t, counter{}, 0, game+"hint 11\n"))
	if len(best) != 1 || len(moves) != 11 || values[0] != best[0] {
		t.Fatalf("hint 1: %v; hint 11: %v %v; want one and eleven, with one best value", best, moves, values)
	}
	if !slices.IsSortedFunc(values, func(a, b float64) int { return int(b - a) }) || values[0] == values[10] {
		t.Errorf("values %v: want them falling", values)
	}
	slices.Sort(moves)
	if len(slices.Compact(moves)) != 11 {
		t.Errorf("moves %v: want eleven different", moves)
	}
}

// counter is a plain minimax of discs, at the depth that it is told: a value that
// depends on the moves even where the game is not over.
type counter struct{}

var told int

func (counter) Begin(uint64)             {}
func (counter) Limit(depth int, _ int64) { told = depth }
func (counter) Search(_ context.Context, s game.State) (search.Result, error) {
	r := search.Result{Move: game.NoMove, Value: -100, Depth: told}
	for _, m := range s.Moves(nil) {
		s.Play(m)
		if v := -discs(s, told-1); v > r.Value {
			r.Value, r.Move = v, m
		}
		s.Undo()
	}
	return r, nil
}

// discs is the value of s for its mover.
func discs(s game.State, depth int) float64 {
	if depth == 0 || s.Turn() == game.Nobody {
		text := s.String()
		d := float64(strings.Count(text[:64], "X") - strings.Count(text[:64], "O"))
		if s.Turn() == 1 {
			d = -d
		}
		return d
	}
	best := -100.0
	for _, m := range s.Moves(nil) {
		s.Play(m)
		best = max(best, -discs(s, depth-1))
		s.Undo()
	}
	return best
}

// sleeper searches until it is stopped.
type sleeper struct{ search.Agent }

func (sleeper) Search(ctx context.Context, s game.State) (search.Result, error) {
	<-ctx.Done()
	return search.Result{Move: s.Moves(nil)[0]}, nil
}

// TestServerStops: a ping ends a search, of which no move is told, and its answer
// comes after the search has ended; quit and the server's context end it, too.
func TestServerStops(t *testing.T) {
	got := serve(t, sleeper{alphabeta()}, 0, "go\nping 1\nhint 3\nping 2\ngo\nquit\n")
	want := "status x is thinking\nstatus x is waiting\npong 1\nstatus x is thinking\nstatus x is waiting\npong 2\nstatus x is thinking\nstatus x is waiting\n"
	if got != want {
		t.Errorf("%q; want %q", got, want)
	}
	ctx, cancel := context.WithCancel(context.Background())
	in, typing := io.Pipe()
	defer typing.Close()
	go func() {
		fmt.Fprintln(typing, "go")
		cancel()
	}()
	sv := &Server{Name: "x", Game: othelloGame(), Agent: sleeper{alphabeta()}}
	if err := sv.Serve(ctx, in, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v; want the context's", err)
	}
}

// panicker's searches fail.
type panicker struct{ search.Agent }

func (panicker) Search(context.Context, game.State) (search.Result, error) { panic("lost my way") }

// TestServerSurvives: a search that panics is told of, and the server goes on.
func TestServerSurvives(t *testing.T) {
	got := serve(t, panicker{alphabeta()}, 0, "go\n")
	if !strings.Contains(got, "status the search failed: lost my way\n") {
		t.Errorf("%q: want the failure told", got)
	}
}

// TestEdax plays Edax, where the program named by PLYFIT_EDAX, with its arguments, is
// there: it is in no package of Debian's.
func TestEdax(t *testing.T) {
	text := os.Getenv("PLYFIT_EDAX")
	if text == "" {
		t.Skip("PLYFIT_EDAX is not set: want Edax with its arguments, such as sh -c 'cd edax && exec ./edax -nboard'")
	}
	c, err := protocol.ReadCommand(text)
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(Config{Game: othelloGame(), Launcher: &protocol.Launcher{Command: c}, Depth: 4})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	passes := 0
	const games = 10
	wins := protocoltest.Play(t, othelloGame(), a, games, func(_ game.State, m game.Move, _ *search.Result) {
		if m == othello.Pass {
			passes++
		}
	})
	// A position where it has to pass, and what that is worth at the game's end.
	const board = "-OOOOOOXOOOOOOOXOOOOOOOXOOOOOOOXOOOOOOOXOOOOOOOXOOOOOOOX-OOOOOOX O"
	s, err := othelloGame().Parse(board)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Search(context.Background(), s)
	if err != nil || r.Move != othello.Pass || !slices.Equal(r.Values, []float64{16, -16}) {
		t.Errorf("%s: move %v, values %v, error %v; want a pass, worth 16 to black", board, r.Move, r.Values, err)
	}
	if wins < games-2 || passes == 0 {
		t.Errorf("it won %d of %d games against random moves, with %d passes; want nearly all, and passes", wins, games, passes)
	}
}
