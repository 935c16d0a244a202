// Package protocoltest contains helpers for protocol tests: a fake engine that is the test binary
// itself, games against an engine, and checks of an engine's faults.
package protocoltest

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/internal/program"
	"plyfit/search"
)

// variable is the environment variable that makes a test binary act as an engine.
const variable = "FAKE_ENGINE"

// soon is the time limit for engines that print nothing.
const soon = 300 * time.Millisecond

// Main is the body of a package's TestMain. It runs the tests or, in a process started by
// [Command], the fake engine in the given mode.
func Main(m *testing.M, fake func(mode string)) {
	if mode := os.Getenv(variable); mode != "" {
		fake(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// Command returns the command that runs the test binary as an engine.
func Command(mode string) program.Command {
	return program.Command{Path: os.Args[0], Env: []string{variable + "=" + mode}}
}

// Engine returns the command of an external program. If the program is not installed, Engine skips
// the test and names pack, the package that contains the program.
func Engine(t *testing.T, command, pack string) program.Command {
	t.Helper()
	c, err := program.ReadCommand(command)
	if err != nil {
		t.Skipf("%v: apt-get install %s", err, pack)
	}
	return c
}

// Play lets an agent play games against random moves, in seats 0 and 1 alternately, and returns the
// number of wins. A game of more than 400 plies does not count as a win. The callback visit, if not
// nil, is called with each position and the move played there. Its argument answer is nil if the
// agent was not asked for the move.
func Play(t *testing.T, g *game.Game, a search.Agent, games int, visit func(s game.State, m game.Move, answer *search.Result)) (wins int) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 9))
	for n := range games {
		seat := game.Player(n % 2)
		a.Begin(1)
		s := g.New()
		for ply := 0; ply < 400 && s.Turn() != game.Nobody; ply++ {
			moves := s.Moves(nil)
			m, answer := moves[rng.IntN(len(moves))], (*search.Result)(nil)
			switch s.Turn() {
			case game.Chance:
				m = game.Drawn(s, moves, rng.Float64())
			case seat:
				r, err := a.Search(context.Background(), s)
				if err != nil {
					t.Fatalf("%s: %v", s, err)
				}
				m, answer = r.Move, &r
			}
			if visit != nil {
				visit(s, m, answer)
			}
			s.Play(m)
		}
		if s.Turn() == game.Nobody && s.Utility(seat) > 0 {
			wins++
		}
	}
	return wins
}

// Blame checks that each engine fault is reported correctly, in the first game and again in the
// next. For each mode, faults contains the kind of the [program.EngineError] and a part of its
// message. For faults of kind Time, the time limit is [soon].
func Blame(t *testing.T, s game.State, open func(mode string, timeout time.Duration) search.Agent, faults map[string][2]string) {
	t.Helper()
	for mode, f := range faults {
		patience := time.Duration(0) // use the agent's default
		if f[0] == program.Time {
			patience = soon
		}
		a := open(mode, patience)
		for range 2 {
			a.Begin(1)
			_, err := a.Search(context.Background(), s)
			var e *program.EngineError
			if !errors.As(err, &e) || e.Kind != f[0] || !strings.Contains(err.Error(), f[1]) {
				t.Errorf("%s: %v, want a fault %s with %q", mode, err, f[0], f[1])
			}
		}
	}
}

// Ends checks that a search ends with its context's error if the engine exceeds the deadline.
func Ends(t *testing.T, s game.State, a search.Agent) {
	t.Helper()
	a.Begin(1)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := a.Search(ctx, s); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want the end of the search", err)
	}
}

// A Session exchanges lines with a server. It waits for an expected line without a time limit of
// its own.
type Session struct {
	t     *testing.T
	in    *io.PipeWriter
	lines chan string
	ended chan error
}

// Open starts a session with a server that reads in and writes out.
func Open(t *testing.T, serve func(in io.Reader, out io.Writer) error) *Session {
	in, theirs := io.Pipe()
	ours, out := io.Pipe()
	s := &Session{t: t, in: theirs, lines: make(chan string, 100_000), ended: make(chan error, 1)}
	go func() {
		s.ended <- serve(in, out)
		out.Close()
	}()
	go func() {
		for r := bufio.NewScanner(ours); r.Scan(); {
			s.lines <- r.Text()
		}
		close(s.lines)
	}()
	return s
}

// Say sends a line to the server.
func (s *Session) Say(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatalf("%.80q: %v", line, err)
	}
}

// Hear reads lines until one matches the wanted pattern, and returns that line. The test fails if
// an earlier line matches the other pattern, which may be empty.
func (s *Session) Hear(want, never string) string {
	s.t.Helper()
	fits, forbidden := regexp.MustCompile(want), regexp.MustCompile(never)
	for line := range s.lines {
		if fits.MatchString(line) {
			return line
		}
		if never != "" && forbidden.MatchString(line) {
			s.t.Fatalf("it said %q before %s", line, want)
		}
	}
	s.t.Fatalf("the engine ended before it sent %s", want)
	return ""
}

// Quiet waits for a while and checks that no line that arrives in this time matches the given
// pattern.
func (s *Session) Quiet(never string) {
	s.t.Helper()
	s.Say("isready")
	time.Sleep(30 * time.Millisecond)
	s.Say("isready")
	s.Hear("^readyok$", never)
	s.Hear("^readyok$", never)
}

// Close closes the server's input. The test fails if the server ends with an error.
func (s *Session) Close() {
	s.t.Helper()
	s.in.Close()
	if err := <-s.ended; err != nil {
		s.t.Errorf("it ended with %v", err)
	}
}
