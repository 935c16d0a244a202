package protocol

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"plyfit/internal/program"
	"strings"
	"sync"
	"time"

	"plyfit/internal/disk"
	"plyfit/internal/spec"
)

// A Referee is an external program, in any language and for any game, that plays games between two
// weight files. If its command contains {A}, it is started for each pair of games and prints the
// results on its last line. Otherwise, it keeps running: for each pair, it reads a line with A, B
// and the seed, and answers with one line.
type Referee struct {
	Command string // command, such as node match.js {A} {B} {SEED}
	// Single means that the program plays one game, with A in the first seat. Otherwise, it plays
	// two games with the same seed and swaps the seats for the second game.
	Single bool
	// Difference means that the results are score differences, A minus B. Otherwise, they are A's
	// results: 1, 0.5 and 0, or win, draw and loss.
	Difference bool
	Timeout    time.Duration // time limit for an answer; 0 means [RefereeTimeout]

	launcher program.Launcher // initialised by Check
	mu       sync.Mutex
	idle     []*program.Engine // running programs that no match is using
}

// RefereeTimeout is the default time limit for an answer.
const RefereeTimeout = 2 * time.Minute

// Placeholders in a referee's command.
const (
	placeA    = "{A}"
	placeB    = "{B}"
	placeSeed = "{SEED}"
)

// Check returns an error if the command cannot be run. Call it before the other methods.
func (r *Referee) Check() (err error) {
	if r.launcher.Command, err = program.ReadCommand(r.Command); err != nil {
		return fmt.Errorf("referee %q: %w", r.Command, err)
	}
	n := 0
	for _, place := range []string{placeA, placeB, placeSeed} {
		n += min(1, strings.Count(r.Command, place))
	}
	if n != 0 && n != 3 {
		return fmt.Errorf("referee %q: want {A}, {B} and {SEED}, or none of them if the program reads lines", r.Command)
	}
	return nil
}

// Between returns a function that creates sessions for a match between two weight files, and the
// digests of the files.
func (r *Referee) Between(a, b string) (play func() *Session, digests [2]string, err error) {
	s := Session{Referee: r}
	for i, path := range []string{a, b} {
		if s.files[i], err = filepath.Abs(path); err != nil {
			return nil, digests, err
		}
		if s.digests[i], err = disk.Digest(path); err != nil {
			return nil, digests, err
		}
	}
	return func() *Session {
		mine := s
		return &mine
	}, s.digests, nil
}

// Close ends the programs that keep running.
func (r *Referee) Close() {
	for _, e := range r.idle {
		e.Close("")
	}
	r.idle = nil
}

// A Session plays the games of one match.
type Session struct {
	*Referee
	files   [2]string
	digests [2]string
	engine  *program.Engine // the program if it keeps running, or nil
	steady  bool            // whether it has repeated a pair with the same result
}

// Pair implements [arena.Referee]. It plays the first pair twice and compares the results.
func (s *Session) Pair(ctx context.Context, seed uint64) (points [2]float64, err error) {
	points, err = s.pair(ctx, seed)
	for i := 0; i < len(s.files) && err == nil; i++ {
		var now string
		if now, err = disk.Digest(s.files[i]); err == nil && now != s.digests[i] {
			err = fmt.Errorf("%s changed during the games; the referee must not write to the weight files", s.files[i])
		}
	}
	if err == nil && !s.steady {
		var again [2]float64
		if again, err = s.pair(ctx, seed); err == nil && again != points {
			err = fmt.Errorf("answers %v and then %v for the same seed; the same seed must give the same games", points, again)
		}
		s.steady = err == nil
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("referee, seed %d: %w", seed, err)
	}
	return points, err
}

func (s *Session) pair(ctx context.Context, seed uint64) (points [2]float64, err error) {
	if !s.Single {
		return points, s.ask(ctx, s.files[0], s.files[1], seed, points[:])
	}
	if err := s.ask(ctx, s.files[0], s.files[1], seed, points[:1]); err != nil {
		return points, err
	}
	err = s.ask(ctx, s.files[1], s.files[0], seed, points[1:])
	points[1] = 1 - points[1]
	return points, err
}

// ask plays games and stores the results in points, from a's point of view.
func (s *Session) ask(ctx context.Context, a, b string, seed uint64, points []float64) error {
	limit := cmp.Or(s.Timeout, RefereeTimeout)
	if strings.Contains(s.Command, placeA) {
		command := s.launcher.Command
		places := strings.NewReplacer(placeA, a, placeB, b, placeSeed, fmt.Sprint(seed))
		command.Args = nil
		for _, word := range s.launcher.Command.Args {
			command.Args = append(command.Args, places.Replace(word))
		}
		line, err := program.Run(ctx, command, limit)
		if err != nil {
			return err
		}
		return s.read(line, points)
	}
	line, err := s.answer(ctx, fmt.Sprintf("%s %s %d", a, b, seed), limit)
	if err == nil {
		err = s.read(line, points)
	}
	if err != nil && s.engine != nil {
		s.engine.Close("")
		s.engine = nil
	}
	return err
}

// answer returns the answer of a program that keeps running.
func (s *Session) answer(ctx context.Context, question string, limit time.Duration) (line string, err error) {
	s.mu.Lock()
	if n := len(s.idle); s.engine == nil && n > 0 {
		s.engine, s.idle = s.idle[n-1], s.idle[:n-1]
	}
	s.mu.Unlock()
	if s.engine == nil {
		if s.engine, err = s.launcher.Start(ctx, func(*program.Engine) error { return nil }); err != nil {
			return "", err
		}
	}
	if line, ok := s.engine.Unasked(); ok {
		return "", fmt.Errorf("prints %.60q before the question; want one line per pair", line)
	}
	if err := s.engine.Send(question); err != nil {
		return "", err
	}
	return s.engine.Line(ctx, time.Now().Add(limit), "result")
}

// read parses the results in a line.
func (s *Session) read(line string, points []float64) error {
	words, want := strings.Fields(line), "1, 0.5 or 0, or win, draw or loss"
	if s.Difference {
		want = "a difference of scores"
	}
	ok := len(words) == len(points)
	for i := 0; i < len(points) && ok; i++ {
		points[i], ok = s.result(words[i])
	}
	if !ok {
		return fmt.Errorf("prints %.60q; want %s for each of %d games", line, want, len(points))
	}
	return nil
}

func (s *Session) result(word string) (points float64, ok bool) {
	if s.Difference {
		x, ok := spec.Decimal(word)
		switch {
		case x > 0:
			return 1, ok
		case x < 0:
			return 0, ok
		}
		return 0.5, ok
	}
	switch word {
	case "win":
		return 1, true
	case "draw", "1/2":
		return 0.5, true
	case "loss":
		return 0, true
	}
	x, ok := spec.Decimal(word)
	return x, ok && (x == 0 || x == 1 || x == 0.5) && !math.Signbit(x)
}

// Close implements [arena.Referee]. A program that keeps running is kept for the next match.
func (s *Session) Close() error {
	if s.engine != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.idle = append(s.idle, s.engine)
	}
	return nil
}
