package uci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/internal/protocol/protocoltest"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// newServer returns an alpha-beta engine without an evaluation.
func newServer(t testing.TB, name string) *Server {
	g := newGame(t, name)
	return &Server{Game: g, Name: "test", Author: "no one", Defaults: Settings{Model: "zero", Hash: 1, Threads: 1},
		Make: func(s Settings, iteration func(search.Result)) (search.Agent, error) {
			if s.Model != "zero" {
				return nil, fmt.Errorf("model %s: no such file", s.Model)
			}
			return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 1, Table: s.Hash, Threads: s.Threads, Iteration: iteration})
		}}
}

func open(t *testing.T, sv *Server) *protocoltest.Session {
	return protocoltest.Open(t, func(in io.Reader, out io.Writer) error { return sv.Serve(context.Background(), in, out) })
}

// TestPondering checks that go infinite and go ponder do not send a move early, even if the search
// has reached the end of the game.
func TestPondering(t *testing.T) {
	s := open(t, newServer(t, "tictactoe"))
	s.Say("go infinite")
	s.Hear("^info depth 9 score cp 0 ", "^bestmove")
	s.Quiet("^bestmove")
	s.Say("ponderhit") // the search is not pondering
	s.Quiet("^bestmove")
	s.Say("stop")
	s.Hear("^bestmove P@[abc][123]$", "")
	s.Say("position startpos moves P@b2")
	s.Say("go ponder wtime 60000 btime 60000")
	s.Hear("^info depth 8 ", "^bestmove")
	s.Quiet("^bestmove")
	s.Say("ponderhit")
	s.Hear("^bestmove P@[ac][13]$", "")
	s.Say("go ponder movetime 1")
	s.Quiet("^bestmove")
	s.Say("stop")
	s.Hear("^bestmove", "")
	s.Say("go infinite")
	s.Close() // the end of the input also stops the search
	s.Hear("^bestmove", "")
}

// TestClaims checks that go returns a legal move as long as there is one, and reports it in an info
// line, even if a draw could have been claimed earlier.
func TestClaims(t *testing.T) {
	games := 1000
	if testing.Short() {
		games = 100
	}
	rng := rand.New(rand.NewPCG(5, 8))
	g := newGame(t, "chess")
	session := open(t, newServer(t, "chess"))
	claimed := 0
	ask := func(position string, s game.State, order string) {
		t.Helper()
		legal, info := []string{"0000"}, false // the answer after the end of the game
		if moves := s.Moves(nil); len(moves) > 0 {
			legal = nil
			for _, m := range moves {
				legal = append(legal, s.MoveString(m))
			}
			if strict, err := g.Parse(s.String()); err != nil || strict.Turn() == game.Nobody {
				claimed++
			}
		}
		session.Say(position)
		session.Say(order)
		for {
			line := session.Hear("", "^info string")
			info = info || strings.Contains(line, " pv ")
			if got, ok := strings.CutPrefix(line, "bestmove "); ok {
				if !slices.Contains(legal, got) || !info && got != "0000" {
					t.Fatalf("%s, %s: info %v, bestmove %s, want one of %v", position, order, info, got, legal)
				}
				return
			}
		}
	}
	for n := range games {
		s := g.New().(game.Drawless).WithoutDraws()
		at := "position startpos moves"
		var back [2]string
		for ply := range rng.IntN(400) {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			if again, err := game.FindMove(s, back[ply%2]); err == nil && rng.IntN(2) == 0 { // cause repetitions
				m = again
			}
			name := s.MoveString(m)
			back[ply%2], at = name[2:4]+name[:2], at+" "+name
			s.Play(m)
		}
		ask(at, s, []string{"go nodes 1", "go depth 1", "go movetime 1", "go wtime 1 btime 1", "go infinite\nstop", "go ponder wtime 1 btime 1\nponderhit"}[n%6])
	}
	at := ""
	for line := range strings.Lines(string(vectors.Must(os.ReadFile("testdata/claim.uci")))) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "position"):
			at = line
		case strings.HasPrefix(line, "go"):
			ask(at, vectors.Must(position(vectors.Must(dialectOf(g)), g, strings.Fields(at)[1:])), line)
		}
	}
	session.Say("position fen " + string(vectors.Must(os.ReadFile("testdata/clock101.fen"))))
	session.Say("go depth 3") // White cannot win, because the opponent can claim a draw after each move
	session.Hear("^bestmove h8g8$", "mate")
	session.Close()
	if claimed < games/10 {
		t.Errorf("a draw could be claimed in %d of %d positions", claimed, games)
	}
}

// TestCommands checks the effects of individual commands. Options keep the spaces in their values,
// and a NUL at either end of a line is ignored.
func TestCommands(t *testing.T) {
	for line, want := range map[string]Settings{
		"setoption name Model value a  b\tc/m.json \r\n": {Model: "a  b\tc/m.json"},
		"setoption  name  MODEL  value  value":           {Model: "value"},
		"setoption name model":                           {Model: "zero"},
		"setoption name Depth value 7\x00\n":             {Model: "zero", Depth: 7},
		"\x00setoption name Depth value 7\n":             {Model: "zero", Depth: 7},
		"setoption name Depthvalue value 7":              {Model: "zero"},
	} {
		sv := newServer(t, "tictactoe")
		sv.Defaults.Hash, sv.Defaults.Threads = 0, 0
		vectors.Check(sv.Serve(t.Context(), strings.NewReader(line), io.Discard))
		if sv.settings != want {
			t.Errorf("%q: %+v, want %+v", line, sv.settings, want)
		}
	}
	s := open(t, newServer(t, "chess"))
	s.Say("position fen 6k1/5ppp/8/3q4/8/4R3/4R1PP/r6K w - - 0 1") // the only move takes no time
	for _, order := range []string{"go movetime 86400000", "go wtime 864000000 btime 864000000", "go ponder movetime 86400000\nponderhit"} {
		s.Say(order)
		s.Hear("^info depth 1 score .+ pv e2e1$", "^bestmove")
		s.Hear("^bestmove e2e1$", "^bestmove")
	}
	s.Close()
}

// TestAgentsThatFail checks the answers for an unreadable model and for an agent that returns an
// error, panics or returns an illegal move. The server must always send a legal move. It must also
// send a message, unless the move was illegal.
func TestAgentsThatFail(t *testing.T) {
	sv := newServer(t, "tictactoe")
	good, fault := sv.Make, "none"
	sv.Make = func(s Settings, iteration func(search.Result)) (search.Agent, error) {
		a, err := good(s, iteration)
		return failing{a, &fault}, err
	}
	s := open(t, sv)
	s.Say("setoption name Model value nowhere.json")
	s.Say("isready")
	s.Hear("^info string model nowhere.json: no such file$", "readyok")
	s.Hear("^info string restored the default options$", "readyok")
	s.Hear("^readyok$", "")
	s.Say("go depth 1")
	s.Hear("^bestmove P@", "")
	s.Say("setoption name Model value zero")
	s.Say("go depth 2")
	s.Hear("^info depth 2", "bestmove")
	s.Hear("^bestmove P@", "")
	s.Say("setoption name model value nowhere.json")
	s.Say("go depth 2")
	s.Hear("^info string model nowhere.json: no such file$", "bestmove")
	s.Hear("^info string restored the options", "bestmove")
	s.Hear("^bestmove P@", "")
	for _, fault = range []string{"error", "panic", "nonsense"} {
		s.Say("ucinewgame")
		s.Say("position startpos moves P@a1")
		s.Say("go depth 2")
		if fault != "nonsense" {
			s.Hear("^info string the search failed: "+fault, "bestmove")
		}
		s.Hear("^bestmove P@(b1|c1|[abc][23])$", "")
	}
	fault = "none"
	s.Say("go depth 2")
	s.Hear("^info depth 2", "bestmove")
	s.Hear("^bestmove P@", "")
	s.Close()
}

type failing struct {
	search.Agent
	fault *string
}

func (f failing) Search(ctx context.Context, s game.State) (search.Result, error) {
	switch *f.fault {
	case "error":
		return search.Result{Move: game.NoMove}, errors.New("error")
	case "panic":
		panic("panic")
	case "nonsense":
		s.Play(s.Moves(nil)[0]) // it leaves the position changed
		return search.Result{Move: 77}, nil
	}
	return f.Agent.Search(ctx, s)
}

func (f failing) Limit(depth int, nodes int64) { f.Agent.(search.Limiter).Limit(depth, nodes) }

func TestBudget(t *testing.T) {
	for _, c := range []struct {
		args     string
		lo, hi   time.Duration
		mentions string
	}{
		{"movetime 100", 80 * time.Millisecond, 100 * time.Millisecond, ""},
		{"movetime 0", time.Millisecond, time.Millisecond, ""},
		{"movetime -5", time.Millisecond, time.Millisecond, ""}, // like a clock that has run out
		{"searchmoves e2e4 d2d4 movetime 100", 80 * time.Millisecond, 100 * time.Millisecond, "all moves are searched"},
		{"wtime 60000 btime 1", time.Second, 3 * time.Second, ""},
		{"wtime 60000 btime 60000 winc 1000", 2 * time.Second, 4 * time.Second, ""},
		{"wtime 10000 movestogo 1", 5 * time.Second, 9990 * time.Millisecond, ""},
		{"wtime 10000 movestogo 5", time.Second, 3 * time.Second, ""},
		{"wtime 100 winc 100000", time.Millisecond, 40 * time.Millisecond, ""},
		{"wtime -50", time.Millisecond, time.Millisecond, ""},
		{"wtime 99999999999999999", time.Hour, mostTime, ""},
		{"btime 1000", 0, 0, ""},
		{"infinite", 0, 0, ""},
		{"depth -1", 0, 0, "want a positive number"},
		{"depth", 0, 0, "want a number"},
		{"nodes many", 0, 0, "want a whole number"},
		{"sideways", 0, 0, "not understood"},
	} {
		turned := strings.NewReplacer("wtime", "btime", "btime", "wtime", "winc", "binc").Replace(c.args)
		l, _ := readLimits(strings.Fields(turned))
		black := l.budget(1, 20*time.Millisecond)
		l, odd := readLimits(strings.Fields(c.args))
		if got := l.budget(0, 20*time.Millisecond); got < c.lo || got > c.hi || got != black {
			t.Errorf("%s: %v, for black %v, want %v to %v", c.args, got, black, c.lo, c.hi)
		}
		if text := strings.Join(odd, "; "); (c.mentions == "") != (text == "") || !strings.Contains(text, c.mentions) {
			t.Errorf("%s: %q, want %q", c.args, text, c.mentions)
		}
	}
}

// spoken matches every kind of line that an engine may print.
var spoken = regexp.MustCompile(`^(id (name|author) .+|option name .+ type .+|uciok|readyok|bestmove ([a-h][1-8][a-h][1-8][qrbn]?|P@[a-g][1-6]|0000)|info string .*|info depth [0-9]+ score (cp|mate) -?[0-9]+ nodes [0-9]+ nps [0-9]+ time [0-9]+( pv( \S+)+)?)$`)

// FuzzServer checks that the server keeps speaking UCI until quit, no matter what it receives.
func FuzzServer(f *testing.F) {
	for _, seed := range []string{
		"uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5\ngo depth 2\nstop\nquit\n",
		"go wtime 100 btime 100 winc 1 binc 1 movestogo 3\ngo infinite\nponderhit\nstop\ngo ponder\nponderhit\n",
		"position fen 8/8/8/8/8/8/8/8 w - - 0 1\nposition fen\nposition\nposition startpos moves\ngo\n",
		"setoption\nsetoption name\nsetoption name Hash value -1\nsetoption name Threads value 2\nsetoption name Hash value 2\nisready\ngo nodes 10\n",
		"setoption name UCI_Variant value cfour\nposition startpos moves P@d1\ngo mate 1\nposition fen 7/7/7/7/7/7[] w\ngo depth 3\n",
		"xyzzy go depth 1\ndebug on\nregister later\n\x00\xff\r\n   \ngo depth 99999999999999999999\ngo movetime -1\n",
		"position fen 3/1p1/P2[PPPPppp] w - - 0 2\ngo depth 9\nstop\n",
	} {
		f.Add(seed, uint8(0))
		f.Add(seed, uint8(1))
		f.Add(seed, uint8(2))
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		if regexp.MustCompile(`(?i)(hash|threads)`).MatchString(text) && regexp.MustCompile(`[0-9]{3}`).MatchString(text) {
			return // such options would allocate gigabytes or hundreds of threads
		}
		sv := newServer(t, []string{"chess", "connect4", "tictactoe"}[which%3])
		var out bytes.Buffer
		vectors.Check(sv.Serve(context.Background(), strings.NewReader(text+"\nisready\n"), &out))
		quits, last := false, ""
		for _, line := range strings.Split(text, "\n") {
			if words := strings.Fields(line); len(words) > 0 && words[0] == "quit" {
				quits = true
			}
		}
		for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
			if line != "" && !spoken.MatchString(line) {
				t.Fatalf("%q", line)
			}
			if line == "readyok" {
				last = line
			}
		}
		if !quits && last == "" {
			t.Fatalf("it did not answer after %q: %q", text, out.String())
		}
	})
}
