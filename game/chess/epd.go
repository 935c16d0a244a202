package chess

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Operation is one of an EPD's (S. J. Edwards, "Portable Game Notation Specification
// and Implementation Guide", 1994, section 16.2): an opcode and its operands, strings
// without their quotes.
type Operation struct{ Code, Operand string }

// opcodes are those of the standard, and D1, D2, ... of perft suites. An opcode that is
// not among them counts as one only where a semicolon ends the operation.
func opcode(word string) bool {
	if len(word) == 2 && strings.IndexByte("cvD", word[0]) >= 0 && '0' <= word[1] && word[1] <= '9' {
		return true
	}
	return slices.Contains([]string{"acd", "acn", "acs", "am", "bm", "ce", "dm", "draw_accept", "draw_claim", "draw_offer", "draw_reject",
		"eco", "fmvn", "hmvc", "id", "nic", "noop", "pm", "pv", "rc", "resign", "sm", "tcgs", "tcri", "tcsi"}, word)
}

// CutEPD takes a line apart: a position as [ParsePosition] reads it, without operations,
// and what follows it.
func CutEPD(text string) (position, rest string) {
	at, words := 0, 0
	next := func() (word string, end int) {
		from := at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t"))
		end = from
		for end < len(text) && text[end] != ' ' && text[end] != '\t' && text[end] != ';' {
			end++
		}
		return text[from:end], end
	}
	take := func(ok func(word string) bool) bool {
		word, end := next()
		if word == "" || !ok(word) {
			return false
		}
		at, words = end, words+1
		return true
	}
	any := func(string) bool { return true }
	number := func(word string) bool { _, err := strconv.Atoi(word); return err == nil }
	if !take(func(word string) bool { return word == "startpos" }) {
		for words < 4 && take(any) {
		}
		for words < 6 && take(number) {
		}
	}
	if take(func(word string) bool { return word == "moves" }) {
		for take(func(word string) bool {
			return word[0] != '[' && word[0] != '|' && !opcode(word) && !slices.Contains([]string{"1-0", "0-1", "1/2-1/2", "*"}, word) && !decimal(word)
		}) {
		}
	}
	return text[:at], text[at:]
}

// decimal reports whether a word is a number such as 0.5, which no move is.
func decimal(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// Operations reads the operations of an EPD, which semicolons separate. A semicolon in a
// string separates nothing. A string without its second quote ends with the line. ok is
// false where text begins with something else than an operation.
func Operations(text string) (list []Operation, ok bool) {
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
		if !letter || strings.Contains(code, "/") || end == len(text) && !opcode(code) || text[0] == '"' {
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

// clocks takes the two numbers of a FEN from the operations hmvc and fmvn.
func (r *reader) clocks(rest string, count *int) error {
	at := len(r.text) - len(strings.TrimLeft(rest, "; \t"))
	list, ok := Operations(rest)
	if !ok {
		return r.fail(at, "nothing behind the position, or operations of an EPD such as hmvc 0; fmvn 1;")
	}
	for _, o := range list {
		n, err := strconv.Atoi(o.Operand)
		switch wrong := fmt.Sprintf("%s with a number from 0, not %.40q", o.Code, o.Operand); {
		case o.Code == "hmvc" && (err != nil || n < 0 || n > mostClock), o.Code == "fmvn" && (err != nil || n < 0 || n > mostNumber):
			return r.fail(at, "%s", wrong)
		case o.Code == "hmvc":
			r.p.clock = uint16(n)
		case o.Code == "fmvn":
			*count = max(n, 1)
		}
	}
	return nil
}
