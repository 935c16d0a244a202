package chess

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
)

// cutEPD takes a line apart: a position as [ParsePosition] reads it, without operations,
// and what follows it.
func cutEPD(text string) (position, rest string) {
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
			return word[0] != '[' && word[0] != '|' && !game.Opcode(word) && !game.IsResult(word)
		}) {
		}
	}
	return text[:at], text[at:]
}

// clocks passes over the label behind a position, but for the operations hmvc and fmvn,
// which are the two numbers of a FEN.
func (r *reader) clocks(rest string, count *int) error {
	at := len(r.text) - len(strings.TrimLeft(rest, "; \t"))
	label, err := game.ParseLabel(rest)
	if err != nil {
		return r.fail(at, "nothing behind the position, operations of an EPD such as hmvc 0; fmvn 1; or a label: %v", err)
	}
	for _, o := range label.Operations {
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
