package intake

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/spec"
)

// number reads a finite number.
func number(text string) (float64, bool) {
	return spec.Decimal(strings.TrimSpace(text))
}

// epd reads labelled positions, one a line, in any of these ways (the position
// in the game's own notation; of chess the two clocks may be left out):
//
//	POSITION; [RESULT] EPISODE      the episode may be left out
//	POSITION [RESULT]
//	POSITION RESULT
//	POSITION | SCORE | RESULT
//	POSITION c9 "RESULT"; id "EPISODE"; ce SCORE;
//
// Blank lines and those that begin with # are passed over.
func (r *reader) epd() error {
	for {
		text, err := r.line()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if text = strings.TrimSpace(text); text == "" || text[0] == '#' {
			continue
		}
		if want := r.epdLine(text); want != "" {
			if err := r.bad(r.lines, want); err != nil {
				return err
			}
		}
	}
}

func (r *reader) epdLine(text string) (want string) {
	var e entry
	label := ""
	if position, score, result, ok := r.cutBars(text); ok {
		e.position, label, e.score = position, result, r.told(score)
	} else if open := strings.LastIndexByte(text, '['); open >= 0 {
		end := strings.IndexByte(text[open:], ']')
		if end < 0 {
			return "a ] after the result"
		}
		e.position, label, e.id = text[:open], text[open+1:open+end], strings.Trim(text[open+end+1:], " \t;")
	} else if label, ok = r.operations(text, &e); !ok {
		if label, ok = bareResult(text, &e); !ok {
			return `[RESULT] or c9 "RESULT" after the position`
		}
	}
	e.position = strings.TrimRight(e.position, " \t;")
	share, finished, ok := result(label)
	if !ok {
		return fmt.Sprintf("%s, not %.40q", wantResult, label)
	}
	if finished {
		outcome, err := outcomeOf(r.base, share)
		if err != nil {
			return err.Error()
		}
		e.outcome = outcome
	}
	return r.add(&e)
}

// cutBars takes POSITION | SCORE | RESULT apart. Notations of other games than chess
// may hold bars, but not with a number behind.
func (r *reader) cutBars(text string) (position, score, label string, ok bool) {
	parts := strings.Split(text, "|")
	if len(parts) != 3 {
		return "", "", "", false
	}
	position, score, label = strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2])
	_, ok = number(strings.TrimPrefix(score, "#"))
	ok = ok || r.base.Name == "chess"
	if n := len(label); n > 2 && label[0] == '[' && label[n-1] == ']' {
		label = label[1 : n-1]
	}
	return position, score, label, ok
}

// operations reads an EPD's operations from c9 on. Its ce is in the mover's view, as
// the standard has it (Edwards 1994, 16.2.5.4).
func (r *reader) operations(text string, e *entry) (label string, ok bool) {
	at := strings.Index(text, ` c9 "`)
	if at < 0 {
		return "", false
	}
	for k, op := range strings.Split(text[at:], ";") {
		name, operand, _ := strings.Cut(strings.TrimSpace(op), " ")
		operand = strings.Trim(operand, ` "`)
		switch {
		case name == "c9" && k == 0:
			label = operand
		case name == "id":
			e.id = operand
		case name == "ce":
			e.score = score{operand, r.o.Score, true}
		}
	}
	e.position = text[:at]
	if before, _, more := strings.Cut(e.position, ";"); more { // operations before c9
		f := strings.Fields(before)
		e.position = strings.Join(f[:min(4, len(f))], " ") // an EPD's position has four parts
	}
	return label, true
}

// bareResult reads a result without brackets or quotes behind the position: a word
// such as 1-0 or 0.5, which no FEN ends in.
func bareResult(text string, e *entry) (label string, ok bool) {
	text = strings.TrimRight(text, " \t;")
	at := strings.LastIndexAny(text, " \t;")
	if at < 0 || !strings.ContainsAny(text[at+1:], ".-/") {
		return "", false
	}
	if _, _, ok = result(text[at+1:]); ok {
		e.position, label = text[:at], strings.Clone(text[at+1:])
	}
	return label, ok
}

// fields are the columns of a CSV that are read, with the names that they
// go by; others are passed over.
var fields = [...][]string{
	position:  {"position", "fen", "epd", "board"},
	label:     {"result", "wdl"},
	outcome:   {"outcome"},
	evaluated: {"score", "value", "eval", "evaluation", "cp"},
	episode:   {"episode", "id", "game", "game_id", "game-id"},
	ply:       {"ply"},
	depth:     {"depth"},
	played:    {"move"},
}

const (
	position = iota
	label
	outcome
	evaluated
	episode
	ply
	depth
	played
)

// columnsOf finds the fields in a header; ok is false where the row is none.
func columnsOf(row []string) (at [len(fields)]int, ignored []string, ok bool) {
	for i := range at {
		at[i] = -1
	}
	for i, name := range row {
		name = strings.ToLower(strings.TrimSpace(name))
		known := false
		for f, names := range fields {
			if slices.Contains(names, name) && at[f] < 0 {
				at[f], known = i, true
			}
		}
		if !known {
			ignored = append(ignored, name)
		}
	}
	return at, ignored, at[position] >= 0
}

// csv reads rows of positions. A header names the columns: position (or fen),
// result (1-0, 0-1, 1/2-1/2, or player 0's share of the point) or outcome (the
// players' utilities, separated by blanks), score, episode (or game, id), ply,
// depth, move. Without a header they are position, score and result, or
// position and result.
func (r *reader) csv() error {
	in := csv.NewReader(lineReader{r})
	in.FieldsPerRecord, in.ReuseRecord, in.LazyQuotes = -1, true, true
	var at [len(fields)]int
	width := 0
	for first := true; ; first = false {
		row, err := in.Read()
		line := 0
		var fault *csv.ParseError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &fault):
			if err := r.bad(fault.Line, "quoted cells to end"); err != nil {
				return err
			}
			continue
		case err != nil:
			return err
		}
		line, _ = in.FieldPos(0)
		if first {
			width = len(row)
			found, ignored, header := columnsOf(row)
			if header {
				at = found
				if at[label] < 0 && at[outcome] < 0 && at[evaluated] < 0 {
					return LineError{File: r.path, Line: line, Want: "a column result, outcome or score"}
				}
				if len(ignored) > 0 {
					r.Notes = append(r.Notes, fmt.Sprintf("%s: columns not looked at: %s", r.path, strings.Join(ignored, ", ")))
				}
				continue
			}
			for i := range at {
				at[i] = -1
			}
			switch width {
			case 3:
				at[position], at[evaluated], at[label] = 0, 1, 2
			case 2:
				at[position], at[label] = 0, 1
			default:
				return LineError{File: r.path, Line: line, Want: "a header with a column position (or fen), or rows of position, score and result"}
			}
		}
		want := fmt.Sprintf("%d cells, not %d", width, len(row))
		if len(row) == width {
			want = r.row(row, &at)
		}
		if want != "" {
			if err := r.bad(line, want); err != nil {
				return err
			}
		}
	}
}

func (r *reader) row(row []string, at *[len(fields)]int) (want string) {
	cell := func(field int) string {
		if at[field] < 0 {
			return ""
		}
		return strings.TrimSpace(row[at[field]])
	}
	e := entry{position: cell(position), id: cell(episode), move: cell(played)}
	if text := cell(label); text != "" {
		share, finished, ok := result(text)
		if !ok {
			return fmt.Sprintf("%s, not %.40q", wantResult, text)
		}
		if finished {
			var err error
			if e.outcome, err = outcomeOf(r.base, share); err != nil {
				return err.Error()
			}
		}
	}
	if text := cell(outcome); text != "" {
		e.outcome = nil
		for _, part := range strings.Fields(text) {
			u, ok := number(part)
			if !ok {
				return fmt.Sprintf("utilities as the outcome, not %.40q", text)
			}
			e.outcome = append(e.outcome, u)
		}
		if len(e.outcome) == 1 && r.base.Players == 2 && r.base.Sum == 0 {
			e.outcome = append(e.outcome, 0-e.outcome[0])
		}
		if len(e.outcome) != r.base.Players {
			return fmt.Sprintf("an outcome for each of %d players, not %.40q", r.base.Players, text)
		}
	}
	for field, n := range map[int]*int32{ply: &e.ply, depth: &e.depth} {
		if text := cell(field); text != "" {
			x, err := strconv.ParseInt(text, 10, 32)
			if err != nil || x < 0 {
				return fmt.Sprintf("a whole number as %s, not %.40q", fields[field][0], text)
			}
			*n = int32(x)
		}
	}
	e.placed = at[ply] >= 0
	e.score = r.told(cell(evaluated))
	return r.add(&e)
}

// lineReader hands the lines of a reader to a csv.Reader, counted.
type lineReader struct{ r *reader }

func (l lineReader) Read(p []byte) (int, error) {
	if l.r.lines&1023 == 0 {
		if err := l.r.ctx.Err(); err != nil {
			return 0, err
		}
	}
	n, err := l.r.in.Read(p[:min(len(p), 1<<16)])
	for _, b := range p[:n] {
		if b == '\n' {
			l.r.lines++
			l.r.Lines++
		}
	}
	if n > 0 {
		l.r.open = p[n-1] != '\n'
	}
	if err == io.EOF && l.r.open { // the last line has no end
		l.r.lines++
		l.r.Lines++
		l.r.open = false
	}
	if err != nil && err != io.EOF {
		err = fmt.Errorf("%s: %w", l.r.path, err)
	}
	return n, err
}
