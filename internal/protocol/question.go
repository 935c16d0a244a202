package protocol

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Kinds of questions.
const (
	AskMove    = "move"    // which of Moves is made: a string of them
	AskValue   = "value"   // what the position is worth for player 0: a number
	AskVisited = "visited" // the leaves that a search comes to, in order: a list of numbers
	AskTable   = "table"   // two assumptions about nature against two truths: a list of four numbers
)

// Question is what a program is asked.
type Question struct {
	ID       int      `json:"id"`  // comes back with the answer
	Ask      string   `json:"ask"` // its kind
	Game     string   `json:"game"`
	Position string   `json:"position"`     // or what the player knows of it, where something is hidden
	By       string   `json:"by,omitempty"` // the algorithm, where one is asked for
	Player   int      `json:"player"`       // who is to move, from 0; -1 where nature is
	Seed     uint32   `json:"seed"`         // for the program's own random numbers
	Moves    []string `json:"moves,omitempty"`
	After    []After  `json:"after,omitempty"` // by move, where nothing is hidden
}

// After is the position that a move leads to.
type After struct {
	Position string `json:"position"`
	// Terms are the features that are not 0, in the mover's view; none if not requested or if the
	// game is over.
	Terms   map[string]float64 `json:"terms,omitempty"`
	Utility *float64           `json:"utility,omitempty"` // of the mover; where the game is over alone
}

// answer is the line that a program says.
type answer struct {
	ID     *int            `json:"id"`
	Answer json.RawMessage `json:"answer"`
}

// Limits are a program's time limits. That of an answer begins when the program has begun to read
// the question, because interpreters start slowly on some machines.
type Limits struct {
	Answer  time.Duration       // to an answer
	Start   time.Duration       // from its launch until it reads; 0: [StartLimit]
	Started func(time.Duration) // is called with how long that took, where the system says so; nil: nothing is
}

// StartLimit is the time until a program reads its first question.
const StartLimit = 2 * time.Minute

// exchange sends a question to a running program and reads its answer into to.
func exchange(ctx context.Context, e *Engine, limits Limits, q *Question, to any) error {
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	limit, started := limits.Answer, time.Duration(0)
	want := fmt.Sprintf(`{"id": %d, "answer": ...} alone on a line`, q.ID)
	if q.ID > 1 {
		if line, ok := e.Unasked(); ok { // it is no answer, even if it has the right id
			return e.Odd(line, want)
		}
	}
	if q.ID == 1 {
		start := cmp.Or(limits.Start, StartLimit)
		if started, err = e.SendFirst(ctx, string(text), start); started == 0 {
			limit += start
		} else if limits.Started != nil {
			limits.Started(started)
		}
	} else {
		err = e.Send(string(text))
	}
	if err != nil {
		// One that has ended may have answered before; if not, it owes the answer.
		var failed *EngineError
		if !errors.As(err, &failed) || failed.Kind != Crash {
			return err
		}
	}
	deadline := time.Now().Add(limit)
	line, err := e.Line(ctx, deadline, "answer to "+q.Ask)
	if late := new(EngineError); errors.As(err, &late) && late.Kind == Time {
		e.stdin.Close()
		if line, err := e.Line(ctx, time.Now().Add(farewell), "answer"); err == nil && read(line, q.ID) != nil {
			late.What += ", but one when its input ended; flush the output after each line"
		}
	}
	if err != nil {
		return err
	}
	given := read(line, q.ID)
	if given == nil {
		return e.Odd(line, want)
	}
	if err := json.Unmarshal(given, to); err != nil {
		return e.Odd(line, shapes[q.Ask]+" as the answer to "+q.Ask)
	}
	return nil
}

// read returns the answer of a line to the question with that id; nil: it is none.
func read(line string, id int) json.RawMessage {
	var a answer
	d := json.NewDecoder(strings.NewReader(line))
	if err := d.Decode(&a); err != nil || d.More() || a.ID == nil || *a.ID != id {
		return nil
	}
	return a.Answer
}

var shapes = map[string]string{AskMove: "a string", AskValue: "a number", AskVisited: "a list of numbers", AskTable: "a list of numbers"}

// Once starts the program, asks one question, reads the answer into to and ends the program. Its
// faults are [EngineError]s.
func Once(ctx context.Context, c Command, limits Limits, q Question, to any) error {
	launcher := Launcher{Command: c}
	e, err := launcher.Start(ctx, func(*Engine) error { return nil })
	if err != nil {
		return err
	}
	defer e.Close("")
	q.ID = 1
	return exchange(ctx, e, limits, &q, to)
}
