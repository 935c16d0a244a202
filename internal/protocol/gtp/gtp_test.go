package gtp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"plyfit/game"
	"plyfit/game/othello"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/internal/protocol/protocoltest"
	"plyfit/internal/session"
	"plyfit/internal/vectors"
	"plyfit/search"
)

func TestMain(m *testing.M) { protocoltest.Main(m, fake) }

// fake runs our server. The mode selects changes to the requests and answers.
func fake(mode string) {
	sv := &Server{Name: "fake", Game: othelloGame(), Agent: alphabeta(), dialect: othelloGame().Dialect(Protocol), session: session.At(othelloGame(), newGame(), 0)}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch {
		case mode == "silent", mode == "thinks" && word == "genmove":
			continue
		case mode == "stranger":
			fmt.Println("Hello!\n> ")
			continue
		case mode == "nopass" && strings.HasSuffix(rest, "pass"):
			fmt.Print("? syntax error\n\n")
			continue
		case mode == "refuses" && word == "play":
			fmt.Print("? illegal move\n\n")
			continue
		case mode == "illegal" && word == "genmove":
			fmt.Print("= A1\n\n")
			continue
		case mode == "resigns" && word == "genmove":
			fmt.Print("= resign\n\n")
			continue
		case mode == "dies" && word == "genmove":
			os.Exit(9)
		case mode == "small" && word == "boardsize":
			fmt.Print("? unacceptable size\n\n")
			continue
		case mode == "noise" && word == "genmove":
			for {
				if _, err := fmt.Print("\x00\xff\n\n blah\n"); err != nil {
					return
				}
			}
		}
		answer, quit := sv.obey(context.Background(), in.Text())
		fmt.Print("some chatter\n", answer)
		if quit {
			return
		}
	}
}

func othelloGame() *game.Game {
	return vectors.Must(othello.New(game.NewOptions("othello")))
}

func newGame() game.State { return othelloGame().New() }

func alphabeta() search.Agent {
	g := othelloGame()
	return vectors.Must(search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 2, Table: 1}))
}

func newAgent(t *testing.T, mode string, timeout time.Duration) *protocol.Player {
	t.Helper()
	a := vectors.Must(New(Config{Game: othelloGame(), Timeout: timeout, Launcher: &program.Launcher{Command: protocoltest.Command(mode)}}))
	t.Cleanup(func() { a.Close() })
	return a
}

// TestGames plays complete games, including passes, against random moves. One engine accepts the
// command for a pass, and another rejects it. The engine's moves must equal those of the same agent
// in this process.
func TestGames(t *testing.T) {
	for _, mode := range []string{"good", "nopass"} {
		own, passes := alphabeta(), 0
		protocoltest.Play(t, othelloGame(), newAgent(t, mode, 0), 4, func(s game.State, m game.Move, answer *search.Result) {
			if m == othello.Pass {
				passes++
			}
			if answer == nil {
				return
			}
			if want, err := own.Search(context.Background(), s); err != nil || m != want.Move {
				t.Fatalf("%s: %s: %v, want %v (%v)", mode, s, m, want.Move, err)
			}
		})
		if passes == 0 {
			t.Error("no one passed")
		}
	}
}

func TestFaults(t *testing.T) {
	s := newGame()
	for range 2 { // moves to be sent
		s.Play(s.Moves(nil)[0])
	}
	protocoltest.Blame(t, s, func(mode string, timeout time.Duration) search.Agent { return newAgent(t, mode, timeout) }, map[string][2]string{
		"silent":   {program.Time, "no answer to protocol_version in time"},
		"stranger": {program.Time, "no answer to protocol_version in time"},
		"small":    {program.Unreadable, `says "? unacceptable size", want = to boardsize 8`},
		"thinks":   {program.Time, "no answer to genmove black in time"},
		"noise":    {program.Time, "no answer to genmove black in time"},
		"illegal":  {program.Illegal, `answers "A1" at`},
		"refuses":  {program.Unreadable, `want = to play black d3`},
		"dies":     {program.Crash, "ended (exit status 9)"},
	})
	protocoltest.Ends(t, s, newAgent(t, "thinks", 0))
	if _, err := newAgent(t, "resigns", 0).Search(t.Context(), s); !errors.Is(err, search.ErrResigned) {
		t.Errorf("%v, want %v", err, search.ErrResigned)
	}
	middle := vectors.Must(othelloGame().Parse("f5d6c3"))
	if _, err := newAgent(t, "good", 0).Search(context.Background(), middle); err == nil || !strings.Contains(err.Error(), "want games from the start") {
		t.Errorf("%v", err)
	}
}

// converse returns the server's answers to lines.
func converse(t testing.TB, lines string) string {
	var out bytes.Buffer
	sv := &Server{Name: "test", Game: othelloGame(), Version: "1", Agent: alphabeta()}
	vectors.Check(sv.Serve(context.Background(), strings.NewReader(lines), &out))
	return out.String()
}

func TestServer(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"name", "= test\n\n"},
		{"1 protocol_version\n2 version # of what?\n\n# nothing\n3\n\t known_command\tplay ", "=1 2\n\n=2 1\n\n= true\n\n"},
		{"known_command foo\nfoo\n7 foo", "= false\n\n? unknown command\n\n?7 unknown command\n\n"},
		{"boardsize 8\nboardsize 10\nboardsize\nkomi 6.5\nkomi x\nkomi", "= \n\n? unacceptable size\n\n? syntax error\n\n= \n\n? syntax error\n\n? syntax error\n\n"},
		{"play black D3\nplay white c3\nundo\nplay w C3\nplay w c4\nplay black a9\nplay green c4\nplay black", "= \n\n= \n\n= \n\n= \n\n? illegal move\n\n? illegal move\n\n? syntax error\n\n? syntax error\n\n"},
		{"play black pass\nundo\nfinal_score", "? illegal move\n\n? cannot undo\n\n? cannot score\n\n"},
		{"genmove white\ngenmove black\nreg_genmove white\nreg_genmove white\nundo\nundo", "? it is the opponent's turn\n\n= D3\n\n= C3\n\n= C3\n\n= \n\n? cannot undo\n\n"},
		{"set_game Othello\nset_game Go\nlist_games", "= \n\n? unsupported game\n\n= Othello\n\n"},
		{"time_settings 60 0 0\ntime_left black 10 0\ntime_left b x 0\ntime_settings 1\ngenmove b", "= \n\n= \n\n? syntax error\n\n? syntax error\n\n= D3\n\n"},
		{"quit\nname", "= \n\n"},
		{"\x01na\x02me\r", "= test\n\n"},
	} {
		if got := converse(t, c.said); got != c.want {
			t.Errorf("%q: %q, want %q", c.said, got, c.want)
		}
	}
	board := converse(t, "showboard")
	if !strings.HasPrefix(board, "= \n") || strings.Count(board, "\n\n") != 1 || !strings.Contains(board, "a b c d e f g h") {
		t.Errorf("%q", board)
	}
}

// TestClock checks that an engine measures its own time in the absence of time_left, whether the
// clock has a main time, byo yomi, or both.
func TestClock(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		main, period time.Duration
		stones       int
	}{{600 * ms, 0, 0}, {0, 200 * ms, 5}, {200 * ms, 100 * ms, 3}} {
		k := newClock(c.main, c.period, c.stones)
		left, inPeriod := c.main, 0 // a controller's own count
		if c.main == 0 {
			left, inPeriod = c.period, c.stones
		}
		for rest := 30; rest > 0; rest-- {
			took := k.budget(rest)
			if took <= 0 {
				t.Fatalf("%+v: no limit", c)
			}
			k.spend(took)
			if left -= took; left < 0 && (inPeriod > 0 || c.period == 0) {
				t.Fatalf("%+v: %v too late with %d moves to go", c, -left, rest)
			}
			if inPeriod--; inPeriod == 0 || left <= 0 && inPeriod < 0 {
				left, inPeriod = c.period, c.stones
			}
		}
	}
	synctest.Test(t, func(t *testing.T) {
		var slow slowest
		sv := &Server{Name: "test", Game: othelloGame(), Agent: &slow}
		said := "time_settings 20 0 0\n" + strings.Repeat("genmove b\ngenmove w\n", 30)
		vectors.Check(sv.Serve(t.Context(), strings.NewReader(said), io.Discard))
		if slow.used[0] > 20*time.Second || slow.used[1] > 20*time.Second || slow.used[0] < 2*time.Second {
			t.Errorf("%v used of 20 seconds each", slow.used)
		}
	})
	if k := newClock(0, 0, 0); k.budget(10) != 0 {
		t.Error("no limit was set, but there is one")
	}
	if k := newClock(time.Second, time.Second, 0); k.budget(10) != 0 { // byo yomi without moves
		t.Error("no limit was set, but there is one")
	}
}

// slowest is an agent that plays the first move when its time is up.
type slowest struct{ used [2]time.Duration }

func (*slowest) Begin(uint64) {}

func (a *slowest) Search(ctx context.Context, s game.State) (search.Result, error) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return search.Result{Move: game.NoMove}, errors.New("no limit")
	}
	a.used[s.Turn()] += time.Until(deadline)
	<-ctx.Done()
	return search.Result{Move: s.Moves(nil)[0]}, nil
}

// TestLineThatIsTooLong checks that a truncated line is not executed.
func TestLineThatIsTooLong(t *testing.T) {
	if got, want := converse(t, "play b d3"+strings.Repeat(" ", mostLine)+"c4\nundo\n"), "? the line has more than 65536 bytes\n\n? cannot undo\n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPasses checks that a pass may be sent or omitted, and that undo also takes back an omitted
// pass. Passes after the end of the game must be allowed.
func TestPasses(t *testing.T) {
	const game = "c4c5f6c3b5g7e3e6c2f3g3a5h8b3f4f2b4f5f7h3a3d2e2e1a6e7d7c1c6g8f1g4d1b6b1d3g6b7f8a7c7h6a8b2g5g2a1d6h2h5a4d8c8h7e8a2h4b8"
	var output strings.Builder
	for i := 0; i < len(game); i += 2 {
		fmt.Fprintf(&output, "play %s %s\n", colours[i/2%2], game[i:i+2])
	}
	ok := strings.Repeat("= \n\n", len(game)/2)
	for _, c := range []struct{ said, want string }{
		{"genmove black\nundo\nreg_genmove black", "= pass\n\n= \n\n= pass\n\n"}, // black cannot move
		{"play black pass\nreg_genmove white", "= \n\n= G1\n\n"},
		{"play white g1\nundo\nplay black pass\nplay white g1\nplay black h1\nfinal_score\nplay white pass\ngenmove black\nundo\nundo\nundo\nreg_genmove black",
			"= \n\n= \n\n= \n\n= \n\n= \n\n= B+24\n\n= \n\n= pass\n\n= \n\n= \n\n= \n\n= H1\n\n"},
	} {
		got, cut := strings.CutPrefix(converse(t, output.String()+c.said), ok)
		if !cut || got != c.want {
			t.Errorf("%q: %q, want %q", c.said, got, c.want)
		}
	}
}

// FuzzServer checks that every answer is well-formed and that only quit ends the server.
func FuzzServer(f *testing.F) {
	for _, seed := range []string{
		"boardsize 8\nclear_board\ngenmove black\ngenmove white\nshowboard\nundo\nundo\nundo\nquit\n",
		"1 play b d3\n2 play w c3\n3 list_commands\n4 final_score\ntime_left b 0 0\ntime_settings 1 1 1\ngenmove b\n",
		"play black pass\n\x00\xff\n#\n99999999999999 name\n-1 name\ntime_left w nan 1\ntime_settings inf 0 0\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quits := false
		for _, line := range strings.Split(text, "\n") {
			if strings.Contains(line, "quit") {
				quits = true
			}
		}
		out := converse(t, text+"\n42 name\n")
		for _, answer := range strings.Split(strings.TrimSuffix(out, "\n\n"), "\n\n") {
			if answer != "" && answer[0] != '=' && answer[0] != '?' {
				t.Fatalf("%q", answer)
			}
		}
		if !quits && !strings.HasSuffix(out, "=42 test\n\n") {
			t.Fatalf("%q", out)
		}
	})
}

// TestRhino lets GRhino play games, including passes, against random moves.
func TestRhino(t *testing.T) {
	a := external(t, othelloGame(), "gtp-rhino --level=1", "grhino")
	passes := 0
	const games = 10
	wins := protocoltest.Play(t, othelloGame(), a, games, func(_ game.State, m game.Move, _ *search.Result) {
		if m == othello.Pass {
			passes++
		}
	})
	if wins < games-1 || passes == 0 {
		t.Errorf("it won %d of %d games against random moves, with %d passes", wins, games, passes)
	}
}

// external returns an agent that gets its moves from an external program.
func external(t *testing.T, g *game.Game, command, pack string) *protocol.Player {
	t.Helper()
	a := vectors.Must(New(Config{Game: g, Launcher: &program.Launcher{Command: protocoltest.Engine(t, command, pack)}}))
	t.Cleanup(func() { a.Close() })
	return a
}
