package protocol

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"plyfit/internal/program"
	"strings"
	"time"
)

// Kinds of questions, with their answers.
const (
	AskMove    = "move"    // the move to play: a string from Moves
	AskValue   = "value"   // the value of the position for player 0: a number
	AskVisited = "visited" // the leaves that a search visits, in order: a list of numbers
	AskTable   = "table"   // the results of two assumptions about nature in two realities: a list of four numbers
)

// A Question is a line that is sent to a program.
type Question struct {
	ID       int      `json:"id"`  // identifier that the answer must repeat
	Ask      string   `json:"ask"` // kind of the question
	Game     string   `json:"game"`
	Position string   `json:"position"`     // observation of the player if information is hidden
	By       string   `json:"by,omitempty"` // search algorithm, if the question depends on it
	Player   int      `json:"player"`       // player to move, from 0; -1 for nature
	Seed     uint32   `json:"seed"`         // seed for the program's own random numbers
	Moves    []string `json:"moves,omitempty"`
	After    []After  `json:"after,omitempty"` // positions after the moves; absent if information is hidden
}

// After describes the position after a move.
type After struct {
	Position string `json:"position"`
	// Terms contains the nonzero features, from the mover's point of view. It is empty if terms
	// were not requested or the game is over.
	Terms   map[string]float64 `json:"terms,omitempty"`
	Utility *float64           `json:"utility,omitempty"` // utility for the mover; nil unless the game is over
}

// An answer is a line that a program prints.
type answer struct {
	ID     *int            `json:"id"`
	Answer json.RawMessage `json:"answer"`
}

// Limits contains the time limits of a program. The time for an answer starts when the program
// begins to read the question, because interpreters start slowly on some machines.
type Limits struct {
	Answer  time.Duration       // time limit for an answer
	Start   time.Duration       // time limit from the launch until the program reads its input; 0 means [StartLimit]
	Started func(time.Duration) // called with the start-up time if the system reports it, unless nil
}

// StartLimit is the default time limit from a program's launch until it reads its first question.
const StartLimit = 2 * time.Minute

// exchange sends a question to a running program and stores the decoded answer in the variable that
// its last argument points to.
func exchange(ctx context.Context, e *program.Engine, limits Limits, q *Question, to any) error {
	text, err := json.Marshal(q)
	if err != nil {
		return err
	}
	limit, started := limits.Answer, time.Duration(0)
	want := fmt.Sprintf(`{"id": %d, "answer": ...} alone on a line`, q.ID)
	if q.ID > 1 {
		if line, ok := e.Unasked(); ok { // not an answer, even if its id is right
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
		// A program that has exited may have answered first. If it has not, Line reports the
		// missing answer.
		var failed *program.EngineError
		if !errors.As(err, &failed) || failed.Kind != program.Crash {
			return err
		}
	}
	deadline := time.Now().Add(limit)
	line, err := e.Line(ctx, deadline, "answer to "+q.Ask)
	if late := new(program.EngineError); errors.As(err, &late) && late.Kind == program.Time {
		if line, err := e.Finish(ctx, "answer"); err == nil && read(line, q.ID) != nil {
			late.What += ", but the program answered when its input ended; flush the output after each line"
		}
	}
	if err != nil {
		return err
	}
	value := read(line, q.ID)
	if value == nil {
		return e.Odd(line, want)
	}
	if err := json.Unmarshal(value, to); err != nil {
		return e.Odd(line, shapes[q.Ask]+" as the answer to "+q.Ask)
	}
	return nil
}

// read returns the answer in a line, or nil if the line does not answer the question with the given
// id.
func read(line string, id int) json.RawMessage {
	var a answer
	d := json.NewDecoder(strings.NewReader(line))
	if err := d.Decode(&a); err != nil || d.More() || a.ID == nil || *a.ID != id {
		return nil
	}
	return a.Answer
}

var shapes = map[string]string{AskMove: "a string", AskValue: "a number", AskVisited: "a list of numbers", AskTable: "a list of numbers"}

// Once starts the program, asks one question, stores the decoded answer in the variable that its
// last argument points to, and ends the program. A fault of the program is returned as an
// [program.EngineError].
func Once(ctx context.Context, c program.Command, limits Limits, q Question, to any) error {
	launcher := program.Launcher{Command: c}
	e, err := launcher.Start(ctx, func(*program.Engine) error { return nil })
	if err != nil {
		return err
	}
	defer e.Close("")
	q.ID = 1
	return exchange(ctx, e, limits, &q, to)
}
