package grade

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"plyfit/internal/disk"
	"plyfit/internal/protocol"
	"plyfit/internal/text"
)

// Format identifies the format of an assignment file.
const Format = "plyfit-assignment/1"

// An Assignment is a set of exercises for a class.
type Assignment struct {
	Format    string     `json:"format"`
	Name      string     `json:"name"`
	Title     string     `json:"title"`
	Text      string     `json:"text"`              // instructions for the students
	Accepts   string     `json:"accepts,omitempty"` // Program or Evaluation; "" means either
	Seed      uint64     `json:"seed"`
	Seconds   float64    `json:"seconds"`           // time limit for a program's answer, in seconds
	Weights   int        `json:"weights,omitempty"` // maximum number of nonzero weights of an evaluation; 0 means no limit
	Pass      float64    `json:"pass"`              // points needed to pass
	Exercises []Exercise `json:"exercises"`
}

// An Exercise is part of an assignment. It consists of questions if Ask is set, and of games
// otherwise.
type Exercise struct {
	Name   string  `json:"name"`
	Text   string  `json:"text,omitempty"`
	Points float64 `json:"points"`

	// Questions about explicit trees.
	Ask    string   `json:"ask,omitempty"` // value, visited, table or move
	By     string   `json:"by,omitempty"`  // minimax, expectimax or alphabeta; empty for table
	Trees  []string `json:"trees,omitempty"`
	Random *Random  `json:"random,omitempty"` // additional trees, drawn with the seed

	// Games.
	Game    string `json:"game,omitempty"`
	Against string `json:"against,omitempty"` // opponent, or an agent for comparison in single-player games
	Planner string `json:"planner,omitempty"` // agent that searches with a submitted evaluation
	Pairs   int    `json:"pairs,omitempty"`
	Plies   int    `json:"plies,omitempty"` // random plies at the start of each pair
	Terms   bool   `json:"terms,omitempty"` // whether programs receive the terms of positions
	// None and Full are the results that earn no points and all points; between them, points
	// increase linearly. In two-player games, a result is a share of the points, from 0 to 1. In
	// other games, it is the mean utility.
	None float64 `json:"none,omitempty"`
	Full float64 `json:"full,omitempty"`
}

// Random describes random trees, which are drawn with the seed of the assignment.
type Random struct {
	Trees     int      `json:"trees"`
	Levels    []string `json:"levels"`    // max, min or chance for each level from the root
	Branching int      `json:"branching"` // number of children per node
}

//go:embed assignments
var shipped embed.FS

// Shipped returns the assignments that come with plyfit, sorted by name.
func Shipped() []*Assignment {
	var out []*Assignment
	err := fs.WalkDir(shipped, "assignments", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := shipped.ReadFile(path)
		if err == nil {
			var a *Assignment
			a, err = decode(path, text)
			out = append(out, a)
		}
		return err
	})
	if err != nil {
		panic("grade: " + err.Error())
	}
	return out
}

// Read returns the shipped assignment with the given name. If there is none, it reads the
// assignment from the file with that name.
func Read(name string) (*Assignment, error) {
	var names []string
	for _, a := range Shipped() {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	data, err := disk.Read(name, mostAssignment)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("assignment %s: no such file; want %s or a file%s", name, strings.Join(names, ", "), text.Hint(name, names))
	}
	if err != nil {
		return nil, err
	}
	return decode(name, data)
}

const mostAssignment = 1 << 20

func decode(name string, data []byte) (*Assignment, error) {
	a := &Assignment{}
	if err := text.JSON(data, a); err != nil {
		return nil, fmt.Errorf("assignment %s: %w", name, err)
	}
	if err := a.check(); err != nil {
		return nil, fmt.Errorf("assignment %s: %w", name, err)
	}
	return a, nil
}

// Of returns the total number of points.
func (a *Assignment) Of() (sum float64) {
	for _, e := range a.Exercises {
		sum += e.Points
	}
	return rounded(sum)
}

// check validates the file's content.
func (a *Assignment) check() error {
	switch {
	case a.Format != Format:
		return fmt.Errorf("format %q: want %q", a.Format, Format)
	case a.Name == "" || a.Title == "":
		return errors.New("want a name and a title")
	case a.Accepts != "" && a.Accepts != Program && a.Accepts != Evaluation:
		return fmt.Errorf("accepts %q: want %s, %s or neither", a.Accepts, Program, Evaluation)
	case !(a.Seconds > 0 && a.Seconds <= 3600):
		return fmt.Errorf("seconds %v: want a number above 0 and at most 3600", a.Seconds)
	case a.Weights < 0:
		return fmt.Errorf("weights %d: want at least 0", a.Weights)
	case len(a.Exercises) == 0:
		return errors.New("want at least one exercise")
	}
	names := map[string]bool{}
	for i := range a.Exercises {
		e := &a.Exercises[i]
		if e.Name == "" || names[e.Name] {
			return fmt.Errorf("exercise %d: name %q; want a unique name", i+1, e.Name)
		}
		names[e.Name] = true
		if err := e.check(); err != nil {
			return fmt.Errorf("exercise %q: %w", e.Name, err)
		}
		if e.Ask != "" && a.Accepts != Program {
			return fmt.Errorf("exercise %q: an evaluation cannot answer questions; want \"accepts\": %q", e.Name, Program)
		}
	}
	if !(a.Pass >= 0 && a.Pass <= a.Of()) {
		return fmt.Errorf("pass %v: want a number of points from 0 to %v", a.Pass, a.Of())
	}
	return nil
}

// oracles maps the values of By to the agents that compute the correct answers.
var oracles = map[string]string{
	"minimax":    "minimax:depth=1000",
	"expectimax": "expectimax:depth=1000,order=natural,table=off",
	"alphabeta":  "alphabeta:depth=1000,order=natural,table=off",
}

const mostPairs = 1_000_000

func (e *Exercise) check() error {
	if !(e.Points > 0) {
		return fmt.Errorf("points %v: want more than 0", e.Points)
	}
	if (e.Ask == "") == (e.Game == "") {
		return errors.New(`want either "ask" with trees, or "game" with an agent to play against`)
	}
	if e.Game != "" {
		switch {
		case e.Against == "":
			return errors.New(`want "against", an agent`)
		case e.Pairs < 1 || e.Pairs > mostPairs:
			return fmt.Errorf("pairs %d: want 1 to %d", e.Pairs, mostPairs)
		case e.Plies < 0:
			return fmt.Errorf("plies %d: want at least 0", e.Plies)
		case e.None == e.Full:
			return fmt.Errorf("none %v and full %v: want two results that differ", e.None, e.Full)
		case e.By != "" || e.Trees != nil || e.Random != nil:
			return errors.New(`"by", "trees" and "random" apply only to questions; omit them with "game"`)
		}
		return nil
	}
	known := []string{protocol.AskMove, protocol.AskTable, protocol.AskValue, protocol.AskVisited}
	switch {
	case !slices.Contains(known, e.Ask):
		return fmt.Errorf("ask %q: want one of %s", e.Ask, strings.Join(known, ", "))
	case e.Ask == protocol.AskTable && e.By != "":
		return fmt.Errorf("by %q: a table covers both minimax and expectimax; omit \"by\"", e.By)
	case e.Ask != protocol.AskTable && oracles[e.By] == "":
		return fmt.Errorf("by %q: want minimax, expectimax or alphabeta", e.By)
	case e.Against != "" || e.Planner != "" || e.Pairs != 0 || e.Plies != 0 || e.Terms || e.None != 0 || e.Full != 0:
		return errors.New(`"ask" cannot be combined with the keys of games`)
	case len(e.Trees) == 0 && e.Random == nil:
		return errors.New(`want "trees" or "random"`)
	}
	if r := e.Random; r != nil {
		leaves := 1
		for range r.Levels {
			if leaves *= max(r.Branching, 1); leaves > mostLeaves {
				break
			}
		}
		for _, level := range r.Levels {
			if !slices.Contains([]string{"max", "min", "chance"}, level) {
				return fmt.Errorf("random: level %q: want max, min or chance", level)
			}
		}
		if r.Trees < 1 || r.Trees > mostTrees || r.Branching < 2 || len(r.Levels) == 0 || leaves > mostLeaves {
			return fmt.Errorf("random: want 1 to %d trees, each with at least one level, a branching factor of 2 or more, and at most %d leaves", mostTrees, mostLeaves)
		}
	}
	return nil
}

// Limits of random trees.
const (
	mostTrees  = 1000
	mostLeaves = 4096
)
