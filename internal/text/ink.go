// Package text prepares text for people: colours for terminals ([Paint]), visible control codes
// ([Guard], [Printable]), and the name that a user may have meant ([Hint]).
package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Style is the parameters of ECMA-48's SGR sequence, joined by semicolons.
type Style string

// Styles that need no colour.
const (
	Bold Style = "1"
)

// Fg is the text colour n of xterm's palette of 256.
func Fg(n int) Style { return Style(fmt.Sprintf("38;5;%d", n)) }

// Bg is the background colour n.
func Bg(n int) Style { return Style(fmt.Sprintf("48;5;%d", n)) }

// Paint is text in the given styles if colour is on.
func Paint(colour bool, text string, styles ...Style) string {
	if !colour || len(styles) == 0 {
		return text
	}
	var b strings.Builder
	b.WriteString("\x1b[")
	for i, s := range styles {
		if i > 0 {
			b.WriteByte(';')
		}
		b.WriteString(string(s))
	}
	b.WriteString("m" + text + "\x1b[0m")
	return b.String()
}

// next splits off the first rune of text, or the first whole SGR sequence.
func next(text string) (head, rest string, sequence bool) {
	if strings.HasPrefix(text, "\x1b[") {
		if end := strings.IndexByte(text, 'm'); end >= 0 && strings.Trim(text[2:end], "0123456789;") == "" {
			return text[:end+1], text[end+1:], true
		}
	}
	_, n := utf8.DecodeRuneInString(text)
	return text[:n], text[n:], false
}

// Plain is text without SGR sequences.
func Plain(text string) string {
	var b strings.Builder
	for text != "" {
		head, rest, sequence := next(text)
		if text = rest; !sequence {
			b.WriteString(head)
		}
	}
	return b.String()
}
