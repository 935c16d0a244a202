//go:build unix

package protocol_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// play answers move questions with moves that depend on the reported seed. The mode selects a
// fault.
func play(mode string) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for asked := 1; in.Scan(); asked++ {
		var q protocol.Question
		vectors.Check(json.Unmarshal(in.Bytes(), &q))
		answer := q.Moves[int(q.Seed)%len(q.Moves)]
		switch {
		case mode == "late" && strings.HasPrefix(q.Position, "4"): // in games that begin this way
			time.Sleep(time.Hour)
		case mode == "illegal":
			answer = "none"
		case mode == "unflushed":
			defer fmt.Printf("{\"id\": %d, \"answer\": %q}\n", q.ID, answer)
			continue
		case mode == "count":
			answer = q.Moves[asked%len(q.Moves)]
		case mode == "terms":
			if q.After[3].Terms["centre"] != 1 { // the mover's own stone
				answer = "no terms"
			}
		case mode == "junk":
			fmt.Println("I am thinking")
		case mode == "twice":
			fmt.Printf("{\"id\": %d, \"answer\": %q}\n", q.ID, answer)
		case mode == "empty":
			fmt.Printf("{\"id\": %d}\n", q.ID)
		}
		fmt.Printf("{\"id\": %d, \"answer\": %q}\n", q.ID, answer)
	}
}

// agentOf returns this program as an agent.
func agentOf(t *testing.T, mode string, limit time.Duration) search.Agent {
	t.Helper()
	self := vectors.Must(os.Executable())
	w := vectors.Must(catalog.All().World("connect4"))
	cfg := protocol.AnswererConfig{Game: w.Game, Command: program.Command{Path: self, Args: []string{"agent=" + mode}}, Limits: protocol.Limits{Answer: limit}}
	if mode == "terms" {
		cfg.Terms = vectors.Must(w.Set(""))
	}
	a := protocol.NewAnswerer(cfg)
	t.Cleanup(func() { search.Close(a) })
	return a
}

// moves repeatedly asks an agent for a move in the same position and returns the given number of
// answers.
func moves(t *testing.T, a search.Agent, seed uint64, position string, asked int) (out []string, err error) {
	t.Helper()
	s := vectors.Must(vectors.Must(catalog.All().World("connect4")).Parse(position))
	before := s.String()
	a.Begin(seed)
	for range asked {
		r, err := a.Search(t.Context(), s)
		if err != nil {
			return out, err
		}
		out = append(out, s.MoveString(r.Move))
	}
	if s.String() != before {
		t.Errorf("%s became %s", before, s)
	}
	return out, nil
}

const enough = time.Minute

// TestLateChangesNothingAfter checks that a late answer is a fault, that the same seed leads to the
// same moves and another seed to other moves, and that the program is restarted for each game.
func TestLateChangesNothingAfter(t *testing.T) {
	late := agentOf(t, "late", 2*time.Second)
	_, err := moves(t, late, 1, "4", 1)
	var fault *program.EngineError
	if !errors.As(err, &fault) || fault.Kind != program.Time {
		t.Fatalf("an agent that sleeps: %v", err)
	}
	late = agentOf(t, "late", enough)
	after := vectors.Must(moves(t, late, 2, "1", 8))
	alone := vectors.Must(moves(t, agentOf(t, "late", enough), 2, "1", 8))
	if strings.Join(after, "") != strings.Join(alone, "") {
		t.Errorf("after a game lost on time it plays %v, else %v", after, alone)
	}
	if other, err := moves(t, agentOf(t, "late", enough), 3, "1", 8); err != nil || strings.Join(other, "") == strings.Join(alone, "") {
		t.Errorf("%v: by another seed it plays the same %v", err, other)
	}
	counts := agentOf(t, "count", enough)
	for range 2 {
		if got, err := moves(t, counts, 1, "start", 3); err != nil || strings.Join(got, "") != "234" {
			t.Errorf("%v: a program that counts plays %v in a new game, want 2 3 4", err, got)
		}
	}
}

// TestUnflushed checks that the error mentions an answer that is still in the program's buffer.
func TestUnflushed(t *testing.T) {
	for mode, flushes := range map[string]bool{"late": true, "unflushed": false} {
		_, err := moves(t, agentOf(t, mode, 2*time.Second), 1, "4", 1)
		var fault *program.EngineError
		if !errors.As(err, &fault) || fault.Kind != program.Time || strings.Contains(fault.What, "flush") == flushes {
			t.Errorf("%s: %v", mode, err)
		}
	}
}

// TestFaults checks that an invalid answer produces the right kind of fault, with a message that
// specifies the expected answer.
func TestFaults(t *testing.T) {
	for mode, c := range map[string]struct{ kind, want string }{
		"illegal": {program.Illegal, `answers "none" at start`},
		"junk":    {program.Unreadable, `says "I am thinking", want {"id": 1, "answer": ...} alone on a line`},
		"twice":   {program.Unreadable, `want {"id": 2, "answer": ...}`},
		"empty":   {program.Unreadable, `says "{\"id\": 1}", want`},
	} {
		_, err := moves(t, agentOf(t, mode, enough), 1, "start", 2)
		var fault *program.EngineError
		if !errors.As(err, &fault) || fault.Kind != c.kind || !strings.Contains(fault.What, c.want) {
			t.Errorf("%s: %v, want the fault %s with %q", mode, err, c.kind, c.want)
		}
	}
	if got, err := moves(t, agentOf(t, "terms", enough), 1, "start", 1); err != nil {
		t.Errorf("terms: %v, %v", got, err)
	}
	var number float64
	self, _ := os.Executable()
	q := protocol.Question{Ask: protocol.AskValue, Moves: []string{"1"}}
	err := protocol.Once(t.Context(), program.Command{Path: self, Args: []string{"agent=right"}}, protocol.Limits{Answer: enough}, q, &number)
	if err == nil || !strings.Contains(err.Error(), "want a number as the answer to value") {
		t.Errorf("a move where a number is asked for: %v", err)
	}
}

// TestHidden checks that a program for a card game receives only the player's information, without
// the positions after its moves.
func TestHidden(t *testing.T) {
	w := vectors.Must(catalog.All().World("kuhn"))
	s := w.New()
	for s.Turn() == game.Chance {
		s.Play(s.Moves(nil)[0])
	}
	h, _ := game.As[game.HiddenState](s)
	a := protocol.NewAnswerer(protocol.AnswererConfig{Game: w.Game, Limits: protocol.Limits{Answer: enough}, Command: program.Command{Path: "/bin/sh", Args: []string{"-c", `read -r q; echo "$q"`}}})
	defer search.Close(a)
	_, err := a.Search(t.Context(), s)
	if err == nil || h.Info(s.Turn()) == s.String() {
		t.Fatalf("%v; a player knows %q of %s", err, h.Info(s.Turn()), s)
	}
	said := strings.ReplaceAll(err.Error(), `\"`, `"`)
	if !strings.Contains(said, fmt.Sprintf(`"position":%q`, h.Info(s.Turn()))) || strings.Contains(said, "after") {
		t.Errorf("the program was asked: %s", said)
	}
}
