package intake

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plyfit/game"
)

// A Scale is the scale of numeric results, from a loss to a win.
type Scale string

const (
	Shares Scale = "0..1"  // fraction of a point, from 0 to 1
	Points Scale = "0..2"  // 0, 1 or 2
	Signed Scale = "-1..1" // any number from -1 to 1
)

// A label is a result as written in a file. Its meaning depends on the scale of the file, which is
// known only after the whole file has been read.
type label struct {
	text  string  // as written; empty for words such as win, which need no scale
	value float64 // fraction of a point, or a number on the scale of the file
	word  bool    // whether the result is written in a form such as 1-0, which has the same meaning on every scale
	line  int     // line of its first occurrence
}

// result parses a result and stores it in e.
func (r *reader) result(text string, line int, e *entry) fault {
	if text = strings.TrimSpace(text); text == "" || text == "*" {
		return fault{}
	}
	if _, err := outcomeOf(r.base, 0.5); err != nil {
		return fault{"unreadable result", err.Error()}
	}
	if n, ok := r.labelled[text]; ok {
		e.label = n
		return fault{}
	}
	l := label{text: strings.Clone(text), line: line}
	var ok bool
	if l.value, _, l.word = game.WordResult(text); !l.word {
		if l.value, ok = game.LetterResult(text); ok {
			l.text = "" // needs no scale
		} else if l.value, ok = number(text); !ok || r.o.Scale != "" && !r.o.Scale.has(l.value) {
			want := game.Results
			if r.o.Scale != "" {
				want += " on the scale " + string(r.o.Scale)
			}
			return fault{"unreadable result", fmt.Sprintf("a result: %s, not %.40q", want, text)}
		}
	}
	e.label = int32(len(r.labels))
	r.labels = append(r.labels, l)
	r.labelled[strings.Clone(text)] = e.label
	return fault{}
}

func (s Scale) has(x float64) bool {
	switch s {
	case Points:
		return x == 0 || x == 1 || x == 2
	case Signed:
		return math.Abs(x) <= 1
	}
	return x >= 0 && x <= 1
}

// share converts a number on the scale to a fraction of a point.
func (s Scale) share(x float64) float64 {
	switch s {
	case Points:
		return x / 2
	case Signed:
		return (1 + x) / 2
	}
	return x
}

// scale returns the scale that fits all numeric results of the file. If several scales fit, the
// results are interpreted as fractions of a point.
func (r *reader) scale(numbers []label) (Scale, error) {
	if r.o.Scale != "" {
		return r.o.Scale, nil
	}
	byValue := func(a, b label) int { return cmp.Compare(a.value, b.value) }
	least, most := slices.MinFunc(numbers, byValue), slices.MaxFunc(numbers, byValue)
	broken := slices.IndexFunc(numbers, func(l label) bool { return l.value != math.Trunc(l.value) })
	switch whole := broken < 0; {
	case Shares.has(least.value) && Shares.has(most.value):
		return Shares, nil
	case whole && least.value >= 0 && most.value == 2:
		return Points, nil
	case whole && least.value == -1 && most.value <= 1:
		return Signed, nil
	case !whole && (least.value == -1 || most.value == 2):
		most = numbers[broken]
	}
	found := least.text
	if least.line != most.line {
		found = fmt.Sprintf("%s and %s (line %d)", least.text, most.text, most.line)
	}
	return "", LineError{r.path, least.line, fmt.Sprintf("results on a single scale, which is %s, %s or %s (--result-unit), not %s", Shares, Points, Signed, found)}
}

// finish determines the outcomes of the entries from the file after its results have been
// interpreted. It adds notes about the assumptions.
func (r *reader) finish() error {
	viewer := r.base.Seat(0)
	for _, what := range slices.Sorted(maps.Keys(r.ignored)) {
		r.note(fmt.Sprintf("positions with ignored data: %d (%s)", r.ignored[what], what))
	}
	if r.scored {
		by := viewer
		if r.o.ByMover {
			by = "the side to move"
		}
		r.note(fmt.Sprintf("scores are read as %s from the point of view of %s (--score, --mover-scores)", r.o.Score, by))
	}
	var numbers []label
	letters, words := false, false
	for _, l := range r.labels {
		switch {
		case l.word:
			words = true
		case l.text == "":
			letters = true
		default:
			numbers = append(numbers, l)
		}
	}
	scale := Shares
	if letters && len(numbers) > 0 {
		return fmt.Errorf("%s: results are both words and numbers (%s, line %d); use one convention per file", r.path, numbers[0].text, numbers[0].line)
	}
	if words && r.o.ResultsByMover {
		return fmt.Errorf("%s: results such as 1-0 do not depend on the side to move; omit --mover-results", r.path)
	}
	if words && viewer != "White" {
		r.note("results such as 1-0 are read as wins for " + viewer)
	}
	if len(numbers) > 0 {
		var err error
		if scale, err = r.scale(numbers); err != nil {
			return err
		}
	}
	if letters || len(numbers) > 0 {
		if r.o.ResultsByMover {
			viewer = "the side to move"
		}
		what := "win, draw and loss"
		if !letters {
			what = "numbers from loss to win on the scale " + string(scale)
		}
		r.note(fmt.Sprintf("results are read as %s from the point of view of %s (--result-unit, --mover-results)", what, viewer))
	}
	worth := make([][2]int32, len(r.labels)) // indices of outcomes by label and player to move
	for i, l := range r.labels {
		share := l.value
		if !l.word && l.text != "" {
			share = scale.share(share)
		}
		for mover := range worth[i] {
			if mover == 1 && r.o.ResultsByMover {
				share = 1 - share
			}
			outcome, err := outcomeOf(r.base, share)
			if err != nil {
				return err
			}
			worth[i][mover] = r.outcomeNumber(outcome)
		}
	}
	for i := r.begun; i < len(r.entries); i++ {
		if k := &r.entries[i]; k.outcome < -1 {
			k.outcome = worth[-2-k.outcome][k.mover]
		}
	}
	return nil
}

// agree returns an error if the positions of an episode have different outcomes.
func (c *Collection) agree() error {
	of := slices.Repeat([]int32{-1}, len(c.names))
	for i := range c.entries {
		k := &c.entries[i]
		switch first := of[k.episode]; {
		case k.outcome < 0 || k.outcome == first:
		case first < 0:
			of[k.episode] = k.outcome
		default:
			return fmt.Errorf("%s: game %q has the outcomes %v and %v; use one outcome per game (if results are from the point of view of the side to move, add --mover-results)",
				c.files[k.episode], c.names[k.episode], c.outcomes[first], c.outcomes[k.outcome])
		}
	}
	return nil
}
