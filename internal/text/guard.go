package text

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is s with every control code as text, \x1b for an escape, but for tabs and the
// ends of lines: what a file of someone else holds is to be read, not obeyed by a
// terminal. What is no UTF-8 is reported likewise.
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

// shown is the rune r as a terminal may have it.
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

// Guard is what writes to a terminal go through: text and the styles of [Paint] pass,
// every other control code comes as text, see [Text].
type Guard struct {
	W    io.Writer
	held []byte // the beginning of a rune or a style, whose rest is still to come
}

// longestStyle is how many bytes a sequence may have that counts as a style.
const longestStyle = 64

// Write implements [io.Writer].
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
