// Package text formats text for users: colours for terminals ([Paint]), visible control characters
// ([Guard], [Printable]) and suggestions for misspelt names ([Hint]).
package text

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Style contains parameters of an SGR sequence (ECMA-48), separated by semicolons.
type Style string

// Styles without a colour.
const (
	Bold Style = "1"
)

// Fg returns the style for text in colour n of xterm's palette of 256 colours.
func Fg(n int) Style { return Style(fmt.Sprintf("38;5;%d", n)) }

// Bg returns the style for a background in colour n.
func Bg(n int) Style { return Style(fmt.Sprintf("48;5;%d", n)) }

// Paint returns text in the given styles if colour is true, and unchanged text otherwise.
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

// next splits off the first rune of text, or the first complete SGR sequence.
func next(text string) (head, rest string, sequence bool) {
	if strings.HasPrefix(text, "\x1b[") {
		if end := strings.IndexByte(text, 'm'); end >= 0 && strings.Trim(text[2:end], "0123456789;") == "" {
			return text[:end+1], text[end+1:], true
		}
	}
	_, n := utf8.DecodeRuneInString(text)
	return text[:n], text[n:], false
}

// Plain returns text without SGR sequences.
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

// Text makes control characters visible, for example an escape as \x1b, so that untrusted text
// cannot control the terminal. Tabs and newlines are kept. Bytes that are not valid UTF-8 are also
// made visible.
func Text(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || forbidden(r) }) {
		return s
	}
	var b strings.Builder
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		b.WriteString(shown(r, s[:n]))
		s = s[n:]
	}
	return b.String()
}

func forbidden(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// shown returns the rune r, whose bytes are text, in a form that is safe for terminals.
func shown(r rune, text string) string {
	switch {
	case r == utf8.RuneError && len(text) == 1:
		return fmt.Sprintf(`\x%02x`, text[0])
	case !forbidden(r):
		return text
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// A Guard is a writer for terminals. It passes text and the styles of [Paint], and makes other
// control characters visible like [Text].
type Guard struct {
	W    io.Writer
	held []byte // beginning of a rune or style that is not complete yet
}

// longestStyle is the maximum length of a style sequence in bytes.
const longestStyle = 64

func (g *Guard) Write(p []byte) (int, error) {
	text := string(g.held) + string(p)
	g.held = nil
	var b strings.Builder
	for text != "" {
		if unfinished(text) {
			g.held = []byte(text)
			break
		}
		head, rest, style := next(text)
		if !style {
			r, _ := utf8.DecodeRuneInString(head)
			head = shown(r, head)
		}
		b.WriteString(head)
		text = rest
	}
	if _, err := io.WriteString(g.W, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

// unfinished reports whether text ends within its first rune or style.
func unfinished(text string) bool {
	if text[0] == '\x1b' {
		return len(text) < longestStyle && (text == "\x1b" || text[1] == '[' && strings.Trim(text[2:], "0123456789;") == "")
	}
	return !utf8.FullRuneInString(text)
}
