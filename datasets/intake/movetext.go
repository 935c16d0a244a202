package intake

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
)

// pgnGame contains the text of one game.
type pgnGame struct {
	line   int               // first line, starting from 1; 0 if the game has not started
	tags   map[string]string // by lower-case name
	moves  []pgnMove         // main line only
	marker string            // termination marker; empty if missing
	fault  fault             // reason to skip the game, if any
}

// pgnMove is a move of the main line and the comments that follow it.
type pgnMove struct{ text, comment string }

// A fault describes why a record is skipped. The field reason is the category under which the
// record is counted, and want is the expected content.
type fault struct{ reason, want string }

func (g *pgnGame) fail(reason, want string) {
	if g.fault.reason == "" {
		g.fault = fault{reason, want}
	}
}

// mostPlies is the maximum number of moves in a game.
const mostPlies = 1 << 14

func (g *pgnGame) add(text string) {
	if len(g.moves) == mostPlies {
		g.fail("too long", "at most 16384 moves in a game")
		return
	}
	g.moves = append(g.moves, pgnMove{text: text})
}

// pgnScanner splits a file into games (Edwards 1994, section 8). A game ends with its termination
// marker, before any tag that follows moves, and before a second move number 1. Unclosed comments
// and variations also end there, so that they do not affect the next game.
type pgnScanner struct {
	in     *bufio.Reader // input; its buffer size limits the search for the end of a comment
	line   int           // number of the current line
	start  bool          // whether the current line contains only white space so far
	blank  bool          // whether there was an empty line after the last tag
	depth  int           // nesting depth of variations
	game   *pgnGame      // current game
	err    error
	ending bool // the end of the input was reached
}

// lookahead returns up to n bytes of input without consuming them.
func (p *pgnScanner) lookahead(n int) string {
	text, err := p.in.Peek(n)
	if err != nil && err != io.EOF {
		p.err = err
	}
	p.ending = len(text) == 0
	return string(text)
}

// peek returns the next byte, or a space at the end of the input.
func (p *pgnScanner) peek() byte {
	if text := p.lookahead(1); text != "" {
		return text[0]
	}
	return ' '
}

func (p *pgnScanner) skip(n int) {
	for range n {
		c, err := p.in.ReadByte()
		switch {
		case err != nil:
			return
		case c == '\n':
			p.line++
			p.start = true
		case c > ' ':
			p.start = false
		}
	}
}

// next returns the next game, or nil at the end of the input.
func (p *pgnScanner) next() (*pgnGame, error) {
	for {
		c := p.peek()
		if p.ending {
			last := p.endGame()
			if last.line == 0 {
				last = nil
			}
			return last, p.err
		}
		switch {
		case c == '\n':
			p.blank = p.blank || p.start
			p.skip(1)
		case c <= ' ':
			p.skip(1)
		case c == 0xef && p.lookahead(3) == "\ufeff": // concatenated files may each have a byte order mark
			at := p.start
			p.skip(3)
			p.start = at
		case c == ';', c == '%' && p.start:
			for p.peek() != '\n' && !p.ending {
				p.skip(1)
			}
		case c == '{':
			if text, closed := p.comment(); !closed {
				p.begin()
				p.game.fail("unclosed comment", "a } at the end of the comment")
			} else if n := len(p.game.moves); n > 0 && p.depth == 0 {
				p.game.moves[n-1].comment += " " + text
			}
		case c == '[' && p.tagBegins():
			if old := p.tag(); old != nil {
				return old, nil
			}
		default:
			if old := p.token(); old != nil {
				return old, nil
			}
		}
	}
}

// begin records the first line of the current game.
func (p *pgnScanner) begin() {
	p.game.line = cmp.Or(p.game.line, p.line)
}

// endGame ends the current game, returns it and starts a new one.
func (p *pgnScanner) endGame() *pgnGame {
	old := p.game
	if p.depth > 0 {
		old.fail("unclosed variation", "a ) at the end of the variation")
	}
	p.game, p.depth = &pgnGame{}, 0
	return old
}

// comment reads a comment in braces. closed is false if another game begins, or the input ends,
// before the comment is closed.
func (p *pgnScanner) comment() (text string, closed bool) {
	var b strings.Builder
	for p.skip(1); ; p.skip(1) {
		c := p.peek()
		switch {
		case p.ending, p.start && p.gameBegins():
			return "", false
		case c == '}':
			p.skip(1)
			return b.String(), true
		case b.Len() < 1<<16: // a longer comment contains no score
			b.WriteByte(c)
		}
	}
}

// gameBegins reports whether a line within a comment starts a new game. This is the case if the
// line is a tag and the next brace does not close the comment.
func (p *pgnScanner) gameBegins() bool {
	line, _, _ := strings.Cut(p.lookahead(256), "\n")
	if name, value, tag := strings.Cut(line, ` "`); !tag || !p.tagBegins() || strings.Contains(name, " ") || !strings.Contains(value, `"`) {
		return false
	}
	ahead := p.lookahead(maxLine)
	at := strings.IndexAny(ahead, "{}")
	return at < 0 || ahead[at] == '{'
}

// tagBegins reports whether the next character is the bracket of a tag. A tag must precede the
// moves or start a line.
func (p *pgnScanner) tagBegins() bool {
	if !p.start && (len(p.game.moves) > 0 || p.depth > 0) || p.peek() != '[' {
		return false
	}
	name := strings.TrimLeft(p.lookahead(16)[1:], " \t")
	return name != "" && name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z'
}

// tag reads a tag. If it ends the current game, tag returns that game.
func (p *pgnScanner) tag() (old *pgnGame) {
	text, _, ends := strings.Cut(p.lookahead(1<<12), "\n")
	if !ends {
		text, _, _ = strings.Cut(p.lookahead(maxLine), "\n")
	}
	name, value, length := cutTag(text)
	name = strings.ToLower(name)
	g := p.game
	_, twice := g.tags[name]
	if len(g.moves) > 0 || p.depth > 0 || g.fault.reason != "" || twice && (name == "event" || p.blank) || g.tags != nil && name == "event" && p.blank {
		old = p.endGame()
	}
	p.begin()
	p.skip(length)
	p.blank = false
	if g = p.game; g.tags == nil {
		g.tags = map[string]string{}
	}
	if first, twice := g.tags[name]; !twice {
		g.tags[name] = value
	} else if decisive[name] && value != first {
		g.fail("contradicting tags", fmt.Sprintf("one tag %s, not %.40q and %.40q", name, first, value))
	}
	return old
}

// cutTag parses a tag of the form [Name "value"] at the start of text. The result length is the
// tag's length in bytes. Quotes and backslashes in the value are escaped with a backslash. If they
// are not escaped, the value ends at a quote that precedes a bracket. The quotes or the value may
// be missing.
func cutTag(text string) (name, value string, length int) {
	from := len(text) - len(strings.TrimLeft(text[1:], " \t"))
	at := from
	for at < len(text) && text[at] > ' ' && text[at] != ']' && text[at] != '"' {
		at++
	}
	name = text[from:at]
	for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
		at++
	}
	if at == len(text) || text[at] != '"' {
		value, _, _ = strings.Cut(text[at:], "]")
		return name, strings.TrimSpace(value), min(len(text), at+len(value)+1)
	}
	var b strings.Builder
	for at++; at < len(text); at++ {
		switch c := text[at]; {
		case c == '\\' && at+1 < len(text) && (text[at+1] == '"' || text[at+1] == '\\'):
			at++
			b.WriteByte(text[at])
		case c == '"' && strings.HasPrefix(strings.TrimLeft(text[at+1:], " \t"), "]"):
			return name, b.String(), at + 1 + strings.IndexByte(text[at:], ']')
		default:
			b.WriteByte(c)
		}
	}
	return name, strings.TrimRight(b.String(), "]\" \t\r"), len(text)
}

// token reads the next token of the moves. If the current game ends with this token or before it,
// token returns that game.
func (p *pgnScanner) token() (old *pgnGame) {
	p.begin()
	first := p.start
	word := p.word()
	if len(word) == 1 {
		switch word[0] {
		case '(':
			if piece := p.lookahead(2); p.depth == 0 && len(p.game.moves) > 0 && len(piece) == 2 && strings.IndexByte("QRBN", piece[0]) >= 0 && piece[1] == ')' {
				p.game.moves[len(p.game.moves)-1].text += "=" + piece[:1] // a promotion such as g8(Q)
				p.skip(2)
				return nil
			}
			p.depth++
			return nil
		case ')':
			if p.depth--; p.depth < 0 {
				p.depth = 0
				p.game.fail("unreadable moves", "a ( before )")
			}
			return nil
		}
	}
	if p.depth > 0 { // variations are ignored
		return nil
	}
	if markers[word] {
		p.game.marker = word
		return p.endGame()
	}
	number := word[:len(word)-len(strings.TrimLeft(word, "0123456789"))]
	if move := strings.TrimLeft(word[len(number):], ".…"); number != "" && !zeros[number] && (move != word[len(number):] || move == "") {
		if n := len(p.game.moves); number == "1" && (n > 1 || n == 1 && first && !strings.Contains(word, "..")) {
			old = p.endGame()
			p.begin()
		}
		word = move
	}
	if word = strings.TrimLeft(word, ".…"); word != "" && word[0] != '$' && !annotations[word] {
		p.game.add(word)
	}
	return old
}

// word reads a word or one of the characters that form a word by themselves.
func (p *pgnScanner) word() string {
	var b strings.Builder
	for c := p.peek(); c > ' ' && b.Len() < 256; c = p.peek() {
		if alone := strings.IndexByte("(){};", c) >= 0; b.Len() > 0 && (alone || c == '$' || c == '[') {
			break
		} else if alone {
			p.skip(1)
			return string(c)
		}
		b.WriteByte(c)
		p.skip(1)
	}
	return b.String()
}

// decisive lists the tags that affect which positions are imported.
var decisive = set("result fen setup variant")

// markers lists the termination markers.
var markers = set("1-0 0-1 1/2-1/2 1/2 ½-½ *")

// annotations lists the words that may follow a move without being moves: assessments of a move or
// a position, and words such as check.
var annotations = set("! ? !! ?? !? ?! + ++ # = == N TN D +/- -/+ +/= =/+ =+ += +- -+ ± ∓ ⩲ ⩱ ∞ ~ ⇆ → ↑ □ ⊕ e.p. ep e.p ch ch. dis. dbl. mate")

// zeros lists the moves that look like move numbers: castling and null moves.
var zeros = set("00 000 0000")

// nullMoves lists the notations of other programs for a null move.
var nullMoves = set("-- Z0 0000 @@@@ null pass <> ---")

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
