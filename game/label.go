package game

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"plyfit/internal/spec"
)

// PositionLine returns a line of a position file without the byte order mark, surrounding spaces
// and final semicolons. ok is false for an empty line and for a comment, which begins with #. All
// readers of position files use this function.
func PositionLine(line string) (position string, ok bool) {
	position = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	if strings.HasPrefix(position, "#") {
		return "", false
	}
	position = strings.TrimRight(position, "; \t")
	return position, position != ""
}

// ParseLine reads a position from the result of [PositionLine]. The position may be followed by a
// label (see [ParseLabel]). Any error is the one returned by g.Parse.
func (g *Game) ParseLine(text string) (State, error) {
	s, err := g.Parse(text)
	if err == nil || g.Base().CutLabel != nil {
		return s, err
	}
	position, label := g.Cut(text)
	if _, wrong := ParseLabel(label); wrong != nil || label == "" {
		return nil, err
	}
	if s, wrong := g.Parse(position); wrong == nil {
		return s, nil
	}
	return nil, err
}

// Cut splits a line into the position and the label after it. The position may itself contain bars
// and brackets.
func (g *Game) Cut(text string) (position, label string) {
	if g = g.Base(); g.CutLabel != nil {
		return g.CutLabel(text)
	}
	at := len(text)
	for _, code := range []string{" c0 ", " c9 ", " ce ", " id ", " acd "} {
		if k := strings.Index(text, code); k >= 0 {
			at = min(at, k)
		}
	}
	if bars := strings.Split(text, "|"); at == len(text) && len(bars) == 3 {
		if _, ok := spec.Decimal(strings.TrimPrefix(strings.TrimSpace(bars[1]), "#")); ok {
			at = len(bars[0])
		}
	}
	if k := strings.LastIndexByte(text, '['); at == len(text) && k >= 0 {
		at = k
	}
	if k := strings.LastIndexAny(text, " \t;"); at == len(text) && k >= 0 && strings.ContainsAny(text[k:], ".-/") {
		if IsResult(text[k+1:]) {
			at = k
		}
	}
	return strings.TrimRight(text[:at], "; \t"), text[at:]
}

// A Label contains the parts of the text that follows a position in a file.
type Label struct {
	Result, Score string // "" if missing
	Name          string // name of the game that contains the position
	Operations    []Operation
}

// ParseLabel reads the label after a position, in one of these forms:
//
//	[RESULT] SCORE NAME     the score and the name are optional; operations may replace them
//	| SCORE | RESULT
//	RESULT
//	c9 "RESULT"; id "NAME"; ce SCORE; hmvc N; and other operations in any order
//
// An error states what was expected. If the result is invalid, l.Result contains it.
func ParseLabel(text string) (l Label, err error) {
	whole := text
	text = strings.Trim(text, "; \t")
	result := text
	switch {
	case text == "":
		return l, nil
	case text[0] == '|':
		parts := strings.Split(text[1:], "|")
		if len(parts) != 2 || strings.TrimSpace(parts[1]) == "" {
			return l, errors.New("POSITION | SCORE | RESULT")
		}
		l.Score, result = strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1])
		if n := len(result); n > 2 && result[0] == '[' && result[n-1] == ']' {
			result = result[1 : n-1]
		}
	case text[0] == '[':
		inside, behind, closed := strings.Cut(text[1:], "]")
		if !closed {
			return l, errors.New("a ] after the result")
		}
		result = inside
		if err := l.behind(strings.Trim(behind, "; \t")); err != nil {
			return l, err
		}
	case strings.ContainsAny(text, " \t;\""):
		list, ok := operations(whole)
		if !ok {
			return l, fmt.Errorf(`[RESULT] or c9 "RESULT" after the position, not %.40q`, text)
		}
		l.Operations, result = list, ""
	}
	l.Result = strings.TrimSpace(result)
	if _, letter := LetterResult(l.Result); l.Result != "" && !letter && !IsResult(l.Result) {
		return l, fmt.Errorf("a result: %s, not %.40q", Results, l.Result)
	}
	return l, nil
}

// behind parses the text after [RESULT]: a score, the name of the game, or EPD operations.
func (l *Label) behind(text string) error {
	first, rest, more := strings.Cut(text, " ")
	_, scored := spec.Decimal(first)
	if _, mate := MateScore(first); scored || mate {
		l.Score, text = first, strings.TrimSpace(rest)
		if _, ok := spec.Decimal(text); ok {
			return fmt.Errorf("a score and the name of a game after the result, not %.40q", first+" "+rest)
		}
	} else if list, ok := operations(text); ok && more {
		l.Operations = list
		return nil
	}
	if l.Name = text; text != "" && (!strings.ContainsFunc(text, unicode.IsLetter) || strings.ContainsAny(text[:1], "#/([|,") || strings.ContainsAny(text, `;["`)) {
		return fmt.Errorf("a score or the name of a game after the result, not %.40q", text)
	}
	return nil
}

// Results describes the forms of a result, for error messages.
const Results = "1-0, 0-1, 1/2-1/2, win, draw, loss, or a number"

// IsResult reports whether text is a result such as 1-0, or a number.
func IsResult(text string) bool {
	_, _, word := WordResult(text)
	_, ok := spec.Decimal(text)
	return word || ok
}

// An Operation is an EPD operation (S. J. Edwards, "Portable Game Notation Specification and
// Implementation Guide", 1994, section 16.2): an opcode with its operands. Strings are unquoted.
type Operation struct{ Code, Operand string }

// Opcode reports whether word is an opcode of the standard, or one of the opcodes D0 to D9 used in
// perft suites. Any other word counts as an opcode only if a semicolon ends its operation, or if a
// semicolon precedes it and an operand follows it.
func Opcode(word string) bool {
	if len(word) == 2 && strings.IndexByte("cvD", word[0]) >= 0 && '0' <= word[1] && word[1] <= '9' {
		return true
	}
	return slices.Contains([]string{"acd", "acn", "acs", "am", "bm", "ce", "dm", "draw_accept", "draw_claim", "draw_offer", "draw_reject",
		"eco", "fmvn", "hmvc", "id", "nic", "noop", "pm", "pv", "rc", "resign", "sm", "tcgs", "tcri", "tcsi"}, word)
}

// operations reads the operations of an EPD, which are separated by semicolons outside strings. A
// string without a closing quotation mark ends at the end of the line. ok is false if one of the
// operations is invalid.
func operations(text string) (list []Operation, ok bool) {
	for text = strings.TrimLeft(text, "; \t"); text != ""; text = strings.TrimLeft(text, "; \t") {
		operation, quoted, end := strings.Builder{}, false, len(text)
		for i := range len(text) {
			if text[i] == ';' && !quoted {
				end = i
				break
			}
			if text[i] == '"' {
				quoted = !quoted
				continue
			}
			operation.WriteByte(text[i])
		}
		code, operand, _ := strings.Cut(strings.ReplaceAll(operation.String(), "\t", " "), " ")
		letter := code != "" && (code[0]|0x20) >= 'a' && (code[0]|0x20) <= 'z'
		if !letter || strings.Contains(code, "/") || end == len(text) && !Opcode(code) && (operand == "" || len(list) == 0) || text[0] == '"' {
			return nil, false
		}
		if quoted {
			operand = strings.TrimRight(operand, "; ")
		}
		list = append(list, Operation{code, strings.TrimSpace(operand)})
		text = text[end:]
	}
	return list, true
}

// WordResult reads the result of a game, such as 1-0, 0-1, 1/2-1/2 or *. share is player 0's
// fraction of the point. finished is false for *.
func WordResult(text string) (share float64, finished, ok bool) {
	switch strings.TrimSpace(text) {
	case "1-0":
		return 1, true, true
	case "0-1":
		return 0, true, true
	case "1/2-1/2", "1/2", "½-½", "½":
		return 0.5, true, true
	case "*":
		return 0, false, true
	}
	return 0, false, false
}

// LetterResult reads win, draw or loss, or the first letter of one of these words. The file gives
// results from one player's point of view, and share is that player's fraction of the point.
func LetterResult(text string) (share float64, ok bool) {
	switch strings.ToLower(text) {
	case "w", "win":
		return 1, true
	case "d", "draw":
		return 0.5, true
	case "l", "loss":
		return 0, true
	}
	return 0, false
}

// IsCentipawns reports whether x can be a score in centipawns. A mate has a score close to 32000,
// or close to 100000 in XBoard's protocol. Other large numbers, such as 32002 in training files,
// indicate a missing score.
func IsCentipawns(x float64) bool {
	x = math.Abs(x)
	return x <= 32000 || x >= 99000 && x <= 101000
}

// MateScore reads a mate score such as #4, M4, #-4 or -M4. sign is 1 if the player to whom the
// score belongs checkmates, and -1 if the opponent does.
func MateScore(text string) (sign int, ok bool) {
	before, after, ok := strings.Cut(strings.Replace(strings.TrimSpace(text), "M", "#", 1), "#")
	digits := strings.TrimLeft(after, "+-")
	_, err := strconv.ParseUint(digits, 10, 15)
	switch signs := before + after[:len(after)-len(digits)]; {
	case !ok || err != nil:
		return 0, false
	case signs == "-":
		return -1, true
	default:
		return 1, signs == "" || signs == "+"
	}
}
