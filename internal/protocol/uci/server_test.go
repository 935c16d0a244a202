package uci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/search"
)

// newServer is an engine of alpha-beta that knows nothing.
func newServer(t testing.TB, name string) *Server {
	g := newGame(t, name)
	return &Server{Game: g, Name: "test", Author: "nobody", Defaults: Settings{Model: "zero", Hash: 1, Threads: 1},
		Make: func(s Settings, iteration func(search.Result)) (search.Agent, error) {
			if s.Model != "zero" {
				return nil, fmt.Errorf("model %s: no such file", s.Model)
			}
			return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 1, Table: s.Hash, Threads: s.Threads, Iteration: iteration})
		}}
}

// session talks to a running server.
type session struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	ended chan error
}

func open(t *testing.T, sv *Server) *session {
	in, theirs := io.Pipe()
	ours, out := io.Pipe()
	s := &session{t: t, in: theirs, lines: make(chan string, 10000), ended: make(chan error, 1)}
	go func() {
		s.ended <- sv.Serve(context.Background(), in, out)
		out.Close()
	}()
	go func() {
		defer close(s.lines)
		var buf bytes.Buffer
		chunk := make([]byte, 4096)
		for {
			n, err := ours.Read(chunk)
			buf.Write(chunk[:n])
			for {
				i := bytes.IndexByte(buf.Bytes(), '\n')
				if i < 0 {
					break
				}
				s.lines <- string(bytes.TrimRight(buf.Next(i+1), "\n"))
			}
			if err != nil {
				return
			}
		}
	}()
	return s
}

func (s *session) say(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatalf("%s: %v", line, err)
	}
}

// hear reads lines until one fits; none that comes before may fit never, "" for any.
func (s *session) hear(want, never string) string {
	s.t.Helper()
	fits := regexp.MustCompile(want)
	for timeout := time.After(20 * time.Second); ; {
		select {
		case line, ok := <-s.lines:
			if !ok {
				s.t.Fatalf("it ended before it said %s", want)
			}
			if fits.MatchString(line) {
				return line
			}
			if never != "" && regexp.MustCompile(never).MatchString(line) {
				s.t.Fatalf("it said %q before %s", line, want)
			}
		case <-timeout:
			s.t.Fatalf("it never said %s", want)
		}
	}
}

// quiet makes sure that nothing is said for a while.
func (s *session) quiet(never string) {
	s.t.Helper()
	s.say("isready")
	time.Sleep(30 * time.Millisecond)
	s.say("isready")
	s.hear("^readyok$", never)
	s.hear("^readyok$", never)
}

func (s *session) close() {
	s.t.Helper()
	s.in.Close()
	select {
	case err := <-s.ended:
		if err != nil {
			s.t.Errorf("it ended with %v", err)
		}
	case <-time.After(20 * time.Second):
		s.t.Error("it did not end")
	}
}

// TestPondering: go infinite and go ponder tell no move before they may, though
// the game is seen to its end long before.
func TestPondering(t *testing.T) {
	s := open(t, newServer(t, "tictactoe"))
	s.say("go infinite")
	s.hear("^info depth 9 score cp 0 ", "^bestmove")
	s.quiet("^bestmove")
	s.say("ponderhit") // it does not ponder
	s.quiet("^bestmove")
	s.say("stop")
	s.hear("^bestmove P@[abc][123]$", "")
	s.say("position startpos moves P@b2")
	s.say("go ponder wtime 60000 btime 60000")
	s.hear("^info depth 8 ", "^bestmove")
	s.quiet("^bestmove")
	s.say("ponderhit")
	s.hear("^bestmove P@[ac][13]$", "")
	s.say("go ponder movetime 1")
	s.quiet("^bestmove")
	s.say("stop")
	s.hear("^bestmove", "")
	s.say("go infinite")
	s.in.Close() // its end stops it, too
	s.hear("^bestmove", "")
	s.close()
}

// TestMates: wins and losses that are proven are told in moves, and no others.
func TestMates(t *testing.T) {
	s := open(t, newServer(t, "chess"))
	for _, c := range []struct{ position, info, move string }{
		{"fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "^info depth 1 score mate 1 nodes [0-9]+ nps [0-9]+ time [0-9]+ pv a1a8$", "^bestmove a1a8$"},
		{"fen 7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "^info depth 1 score mate 1 .* pv g1g7$", "^bestmove g1g7$"},
		{"fen 7k/8/8/5K2/8/8/8/6Q1 w - - 0 1", "^info depth 3 score mate 2 .* pv f5f6( h8h7 g1g7)?$", "^bestmove f5f6$"},
		{"fen 7k/8/5K2/8/8/8/8/6Q1 b - - 0 1", "^info depth 2 score mate -1 ", "^bestmove h8h7$"},
		{"fen 8/8/8/8/8/5k2/6q1/7K w - - 0 1", "", "^bestmove 0000$"}, // it is over
	} {
		s.say("position " + c.position)
		s.say("go depth 4")
		if c.info != "" {
			s.hear(c.info, "^bestmove|depth [4-9]")
		}
		s.hear(c.move, "")
	}
	s.close()
}

// TestAgentsThatFail: a model that cannot be read, an agent that errs, panics or
// answers nonsense: there is always a legal move, and a word about it.
func TestAgentsThatFail(t *testing.T) {
	sv := newServer(t, "tictactoe")
	good, fault := sv.Make, "none"
	sv.Make = func(s Settings, iteration func(search.Result)) (search.Agent, error) {
		a, err := good(s, iteration)
		return failing{a, &fault}, err
	}
	s := open(t, sv)
	s.say("setoption name Model value nowhere.json")
	s.say("isready")
	s.hear("^info string model nowhere.json: no such file$", "readyok")
	s.hear("^info string options go back to those of the beginning$", "readyok")
	s.hear("^readyok$", "")
	s.say("go depth 1")
	s.hear("^bestmove P@", "")
	s.say("setoption name Model value zero")
	s.say("go depth 2")
	s.hear("^info depth 2", "bestmove")
	s.hear("^bestmove P@", "")
	s.say("setoption name model value nowhere.json")
	s.say("go depth 2")
	s.hear("^info string model nowhere.json: no such file$", "bestmove")
	s.hear("^info string options go back", "bestmove")
	s.hear("^bestmove P@", "")
	for _, fault = range []string{"error", "panic", "nonsense"} {
		s.say("ucinewgame")
		s.say("position startpos moves P@a1")
		s.say("go depth 2")
		if fault != "nonsense" {
			s.hear("^info string the search failed: "+fault, "bestmove")
		}
		s.hear("^bestmove P@(b1|c1|[abc][23])$", "")
	}
	fault = "none"
	s.say("go depth 2")
	s.hear("^info depth 2", "bestmove")
	s.hear("^bestmove P@", "")
	s.close()
}

// TestOwnLimits: an agent with limits of its own keeps them, whatever go says, and
// tells its move at a go that sets none; infinite waits for stop all the same.
func TestOwnLimits(t *testing.T) {
	for name, change := range map[string]func(sv *Server){
		"nodes": func(sv *Server) { sv.Nodes = 500 },
		"time":  func(sv *Server) { sv.Time = 20 * time.Millisecond },
		"an agent that cannot be limited": func(sv *Server) {
			plain := sv.Make
			sv.Make = func(s Settings, iteration func(search.Result)) (search.Agent, error) {
				a, err := plain(s, iteration)
				return struct{ search.Agent }{a}, err
			}
		},
	} {
		sv := newServer(t, "chess")
		change(sv)
		s := open(t, sv)
		for _, order := range []string{"go", "go depth 60", "go wtime 3600000 btime 3600000"} {
			s.say(order)
			s.hear("^bestmove", "^info depth 60 ")
		}
		s.say("go infinite")
		s.quiet("^bestmove")
		s.say("stop")
		s.hear("^bestmove", "")
		s.close()
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestLineThatIsTooLong: what is cut off is not obeyed.
func TestLineThatIsTooLong(t *testing.T) {
	s := open(t, newServer(t, "tictactoe"))
	s.say("position startpos moves P@b2" + strings.Repeat(" ", mostLine) + "P@a1")
	s.hear("^info string a line of more than [0-9]+ bytes", "")
	s.say("position startpos moves P@b2")
	s.say("go depth 1")
	s.hear("^bestmove P@[ac]", "")
	s.close()
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
		s.Play(s.Moves(nil)[0]) // and leaves the position changed
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
		{"movetime -5", time.Millisecond, time.Millisecond, ""}, // as a clock that has run out
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
		{"searchmoves e2e4 d2d4", 0, 0, "all moves are searched"},
	} {
		l, odd := readLimits(strings.Fields(c.args))
		if got := l.budget(0, 20*time.Millisecond); got < c.lo || got > c.hi {
			t.Errorf("%s: %v, want %v to %v", c.args, got, c.lo, c.hi)
		}
		if text := strings.Join(odd, "; "); (c.mentions == "") != (text == "") || !strings.Contains(text, c.mentions) {
			t.Errorf("%s: %q, want %q", c.args, text, c.mentions)
		}
	}
}

// spoken are all kinds of lines that an engine may say.
var spoken = regexp.MustCompile(`^(id (name|author) .+|option name .+ type .+|uciok|readyok|bestmove ([a-h][1-8][a-h][1-8][qrbn]?|P@[a-g][1-6]|0000)|info string .*|info depth [0-9]+ score (cp|mate) -?[0-9]+ nodes [0-9]+ nps [0-9]+ time [0-9]+( pv( \S+)+)?)$`)

// FuzzServer: whatever it is told, it goes on to speak UCI until it is told to quit.
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
			return // gigabytes, and hundreds of threads, are granted to who asks
		}
		sv := newServer(t, []string{"chess", "connect4", "tictactoe"}[which%3])
		var out bytes.Buffer
		if err := sv.Serve(context.Background(), strings.NewReader(text+"\nisready\n"), &out); err != nil {
			t.Fatal(err)
		}
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
