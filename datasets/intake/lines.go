package intake

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/spec"
	"plyfit/internal/text"
)

func number(text string) (float64, bool) {
	return spec.Decimal(strings.TrimSpace(text))
}

// epd reads labelled positions, one per line. Positions are in the game's notation. The following
// forms are supported:
//
//	POSITION; [RESULT] EPISODE      the episode is optional
//	POSITION [RESULT] SCORE
//	POSITION RESULT
//	POSITION | SCORE | RESULT
//	POSITION c9 "RESULT"; id "EPISODE"; ce SCORE; acd DEPTH;
//
// Operations may be in any order. Blank lines and lines that begin with # are ignored.
func (r *reader) epd() error {
	return text.EachLine(r.path, lineReader{r}, maxLine, func(n int, line []byte) error {
		text, ok := game.PositionLine(string(line))
		if !ok {
			return nil
		}
		return r.record(&r.Rows, n, r.epdLine(text, n))
	})
}

func (r *reader) epdLine(text string, line int) fault {
	e := entry{label: -1}
	var tail string
	e.position, tail = r.game.Cut(text)
	if strings.Trim(tail, "; \t") == "" {
		return fault{"no result and no score", `[RESULT] or c9 "RESULT" after the position`}
	}
	label, err := game.ParseLabel(tail)
	if err != nil {
		if label.Result != "" {
			return fault{"unreadable result", err.Error()}
		}
		return fault{"unreadable line", err.Error()}
	}
	e.id = label.Name
	if label.Score != "" {
		e.score = r.userScore(label.Score)
	}
	if len(label.Operations) > 0 {
		result, f := r.operations(label.Operations, &e)
		switch {
		case f.reason != "":
			return f
		case result != "" && label.Result != "":
			return fault{"contradicting results", fmt.Sprintf("only one result, but c9 %.40q is a second result", result)}
		case result == "" && label.Result == "" && e.score.text == "":
			o := label.Operations[0]
			return fault{"no result and no score", fmt.Sprintf(`c9 "RESULT" or ce SCORE after the position, not only %s %.40q`, o.Code, o.Operand)}
		case label.Result == "":
			label.Result = result
		}
	}
	if f := r.result(label.Result, line, &e); f.reason != "" {
		return f
	}
	return r.add(&e)
}

// operations reads those operations of an EPD that describe the position's value. The operand of ce
// is from the mover's point of view, as the standard requires (Edwards 1994, 16.2.5.4). A comment
// (c0 to c8) is a result if it is 1-0, 0-1 or 1/2-1/2. The opcodes of operations that are not read
// are added to the notes.
func (r *reader) operations(list []game.Operation, e *entry) (result string, f fault) {
	clocks, comment := "", ""
	for i, o := range list {
		if k := slices.IndexFunc(list, func(p game.Operation) bool { return p.Code == o.Code }); k < i && list[k] != o && slices.Contains([]string{"c9", "id", "ce", "acd"}, o.Code) {
			return "", fault{"unreadable line", fmt.Sprintf("one %s, not %.40q and %.40q", o.Code, list[k].Operand, o.Operand)}
		}
		_, _, word := game.WordResult(o.Operand)
		if word && len(o.Code) == 2 && o.Code[0] == 'c' && o.Code != "c9" {
			if comment != "" && comment != o.Operand {
				return "", fault{"contradicting results", fmt.Sprintf("one result, not %s and %s %.40q", comment, o.Code, o.Operand)}
			}
			comment = o.Operand
			continue
		}
		switch o.Code {
		case "c9":
			result = o.Operand
		case "id":
			e.id = o.Operand
		case "ce":
			e.score = score{o.Operand, r.o.Score, true}
		case "acd":
			depth, err := strconv.ParseUint(o.Operand, 10, 31)
			if err != nil {
				return "", fault{"unreadable line", fmt.Sprintf("a depth as the operand of acd, not %.40q", o.Operand)}
			}
			e.depth = int32(depth)
		case "hmvc", "fmvn":
			clocks += " " + o.Code + " " + o.Operand + ";"
		default:
			r.ignored["the operation "+o.Code]++
		}
	}
	e.position += clocks
	share, _, word := game.WordResult(result)
	if other, _, _ := game.WordResult(comment); comment != "" && word && other != share {
		return "", fault{"contradicting results", fmt.Sprintf("one result, not %s and %s", result, comment)}
	}
	return cmp.Or(result, comment), fault{}
}

// note adds a note about the file unless the same note has been added before.
func (r *reader) note(text string) {
	if text = r.path + ": " + text; !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// fields lists the supported columns of a CSV file with their possible names. If a header contains
// several names for the same field, the first one in this list is used.
var fields = [...][]string{
	position:  {"position", "fen", "epd", "board"},
	labelled:  {"result", "wdl"},
	outcome:   {"outcome"},
	evaluated: {"score", "value", "eval", "evaluation", "cp"},
	episode:   append(slices.Clone(datasets.GameColumns), "id"),
	ply:       {"ply"},
	depth:     {"depth"},
	played:    {"move"},
}

const (
	position = iota
	labelled
	outcome
	evaluated
	episode
	ply
	depth
	played
)

// columnsOf finds the columns of the fields in a header. ok is false if the row is not a header.
func columnsOf(row []string) (at [len(fields)]int, ignored []string, ok bool) {
	for i := range at {
		at[i] = -1
	}
	names := list.Map(row, func(name string) string { return strings.ToLower(strings.TrimSpace(name)) })
	for f := range fields {
		for _, name := range fields[f] {
			if at[f] < 0 {
				at[f] = slices.Index(names, name)
			}
		}
	}
	for i, name := range names {
		if !slices.Contains(at[:], i) {
			ignored = append(ignored, fmt.Sprintf("%q", name))
		}
	}
	return at, ignored, at[position] >= 0
}

// csv reads rows of positions. A header names the columns: position (or fen), result or outcome
// (the utilities of all players, separated by spaces), score, episode (or game, id), ply, depth,
// move. Without a header, the columns are position, score and result, or position and result. Cells
// are separated by commas. If the first line contains no comma, they may be separated by tabs or
// semicolons. The header may be repeated, as in concatenated files.
func (r *reader) csv() error {
	in := csv.NewReader(lineReader{r})
	in.FieldsPerRecord, in.ReuseRecord, in.LazyQuotes, in.Comma = -1, true, true, r.separator()
	var at [len(fields)]int
	width := 0
	for {
		row, err := in.Read()
		var parse *csv.ParseError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &parse):
			if err := r.record(&r.Rows, parse.Line, fault{"unreadable line", "a closing quote for every quoted cell"}); err != nil {
				return err
			}
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", r.path, err)
		}
		line, _ := in.FieldPos(0)
		if first, marked := strings.CutPrefix(row[0], "\ufeff"); marked {
			row[0] = strings.Trim(first, `"`)
		}
		if found, ignored, header := columnsOf(row); header {
			at, width = found, len(row)
			if at[labelled] < 0 && at[outcome] < 0 && at[evaluated] < 0 {
				return LineError{r.path, line, "a column named result, outcome or score"}
			}
			if at[labelled] >= 0 && at[outcome] >= 0 {
				return LineError{r.path, line, "a column named result or outcome, not both"}
			}
			if len(ignored) > 0 {
				r.note("ignored columns: " + strings.Join(ignored, ", "))
			}
			if at[outcome] >= 0 {
				r.note(fmt.Sprintf("outcomes are read as utilities from %v to %v, starting with player 0", r.base.Min, r.base.Max))
			}
			continue
		}
		if width == 0 {
			width = len(row)
			for i := range at {
				at[i] = -1
			}
			switch width {
			case 3:
				at[position], at[evaluated], at[labelled] = 0, 1, 2
			case 2:
				at[position], at[labelled] = 0, 1
			}
			if _, err := r.game.Parse(strings.TrimSpace(row[0])); err != nil || at[position] < 0 {
				return LineError{r.path, line, fmt.Sprintf("a header with a column named position or fen, or rows that contain a position, a score and a result (%v)", err)}
			}
		}
		if len(row) != width || strings.Contains(row[max(at[position], 0)], "\n") {
			if slices.ContainsFunc(row, func(cell string) bool { return strings.Contains(cell, "\n") }) { // an unclosed quote would swallow rows
				return LineError{r.path, line, "a closing quote on the same line"}
			}
		}
		f := fault{"unreadable line", fmt.Sprintf("%d cells, not %d", width, len(row))}
		if len(row) == width {
			f = r.cells(row, &at, line)
		}
		if err := r.record(&r.Rows, line, f); err != nil {
			return err
		}
	}
}

// separator returns the character that separates the cells of the first line.
func (r *reader) separator() rune {
	head, _ := r.in.Peek(r.in.Size())
	first, _, _ := strings.Cut(string(head), "\n")
	for _, other := range "\t;" {
		if !strings.Contains(first, ",") && strings.ContainsRune(first, other) {
			return other
		}
	}
	return ','
}

func (r *reader) cells(row []string, at *[len(fields)]int, line int) fault {
	cell := func(field int) string {
		if at[field] < 0 {
			return ""
		}
		return strings.TrimSpace(row[at[field]])
	}
	e := entry{position: cell(position), id: cell(episode), move: cell(played), label: -1}
	if f := r.result(cell(labelled), line, &e); f.reason != "" {
		return f
	}
	if text := cell(outcome); text != "" {
		e.label = -1
		for _, part := range strings.Fields(text) {
			u, ok := number(part)
			if !ok {
				return fault{"unreadable result", fmt.Sprintf("utilities as the outcome, not %.40q", text)}
			}
			e.outcome = append(e.outcome, u)
		}
		if len(e.outcome) == 1 && r.base.Players == 2 && r.base.Sum == 0 {
			e.outcome = append(e.outcome, 0-e.outcome[0])
		}
		if len(e.outcome) != r.base.Players {
			return fault{"unreadable result", fmt.Sprintf("an outcome for each of %d players, not %.40q", r.base.Players, text)}
		}
	}
	for field, n := range map[int]*int32{ply: &e.ply, depth: &e.depth} {
		if text := cell(field); text != "" {
			x, err := strconv.ParseInt(text, 10, 32)
			if err != nil || x < 0 {
				return fault{"unreadable line", fmt.Sprintf("a whole number in column %s, not %.40q", fields[field][0], text)}
			}
			*n = int32(x)
		}
	}
	e.placed = at[ply] >= 0
	e.score = r.userScore(cell(evaluated))
	return r.add(&e)
}

// lineReader provides the input to a csv.Reader and counts its lines.
type lineReader struct{ r *reader }

func (l lineReader) Read(p []byte) (int, error) {
	if err := l.r.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := l.r.in.Read(p[:min(len(p), 1<<16)])
	l.r.Lines += bytes.Count(p[:n], []byte("\n"))
	if n > 0 {
		l.r.open = p[n-1] != '\n'
	}
	if err == io.EOF && l.r.open { // unterminated last line
		l.r.Lines++
		l.r.open = false
	}
	return n, err
}
