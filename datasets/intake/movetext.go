package intake

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
)

// pgnGame is the text of one game.
type pgnGame struct {
	line   int               // on which it begins, from 1; 0: nothing of it has come
	tags   map[string]string // by name in lower case
	moves  []pgnMove         // of the main line
	marker string            // with which it ends; "" where it has none
	fault  fault             // why it cannot be taken; zero: it can be
}

// pgnMove is a move of the main line as it is written, and the comments behind it.
type pgnMove struct{ text, comment string }

// fault is why a record is skipped: a reason to count by, and what was wanted.
type fault struct{ reason, want string }

func (g *pgnGame) fail(reason, want string) {
	if g.fault.reason == "" {
		g.fault = fault{reason, want}
	}
}

// mostPlies bounds the moves of a game.
const mostPlies = 1 << 14

func (g *pgnGame) add(text string) {
	if len(g.moves) == mostPlies {
		g.fail("too long", "at most 16384 moves in a game")
		return
	}
	g.moves = append(g.moves, pgnMove{text: text})
}

// pgnScanner takes a file of games apart (Edwards 1994, section 8). A game ends with its
// termination marker, before any tag behind moves, and before a move number 1 behind
// moves. No game reaches into the next: a comment or a
// variation that is never closed ends there too.
type pgnScanner struct {
	in     *bufio.Reader // its buffer is how far the end of a comment is looked for
	line   int           // lines begun
	start  bool          // only blanks since the line began
	blank  bool          // an empty line since the last tag
	depth  int           // of variations
	game   *pgnGame      // at work
	err    error
	ending bool // in has ended
}

// ahead is what comes next, at most n bytes of it.
func (p *pgnScanner) ahead(n int) string {
	text, err := p.in.Peek(n)
	if err != nil && err != io.EOF {
		p.err = err
	}
	p.ending = len(text) == 0
	return string(text)
}

// peek is the next byte; a blank at the end.
func (p *pgnScanner) peek() byte {
	if text := p.ahead(1); text != "" {
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

// next gives the next game; nil behind the last one.
func (p *pgnScanner) next() (*pgnGame, error) {
	for {
		c := p.peek()
		if p.ending {
			last := p.over()
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
		case c == 0xef && p.ahead(3) == "\ufeff": // files put together, each with its mark
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
				p.game.fail("unclosed comment", "a } that ends the comment")
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

// begin notes where the game at work begins.
func (p *pgnScanner) begin() {
	p.game.line = cmp.Or(p.game.line, p.line)
}

// over ends the game at work; another one follows it.
func (p *pgnScanner) over() *pgnGame {
	old := p.game
	if p.depth > 0 {
		old.fail("unclosed variation", "a ) that ends the variation")
	}
	p.game, p.depth = &pgnGame{}, 0
	return old
}

// comment reads a comment in braces; closed is false for one that another game, or the end,
// comes before.
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
		case b.Len() < 1<<16: // no score stands behind so many words
			b.WriteByte(c)
		}
	}
}

// gameBegins reports whether a line in a comment begins another game: with a tag, and the
// next brace does not close the comment.
func (p *pgnScanner) gameBegins() bool {
	line, _, _ := strings.Cut(p.ahead(256), "\n")
	if name, value, tag := strings.Cut(line, ` "`); !tag || !p.tagBegins() || strings.Contains(name, " ") || !strings.Contains(value, `"`) {
		return false
	}
	ahead := p.ahead(longest)
	at := strings.IndexAny(ahead, "{}")
	return at < 0 || ahead[at] == '{'
}

// tagBegins reports whether the bracket that comes next begins a tag: before the moves, or
// at the beginning of a line.
func (p *pgnScanner) tagBegins() bool {
	if !p.start && (len(p.game.moves) > 0 || p.depth > 0) || p.peek() != '[' {
		return false
	}
	name := strings.TrimLeft(p.ahead(16)[1:], " \t")
	return name != "" && name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z'
}

// tag reads a tag. It returns the game that ended before it, if one did.
func (p *pgnScanner) tag() (old *pgnGame) {
	text, _, ends := strings.Cut(p.ahead(1<<12), "\n")
	if !ends {
		text, _, _ = strings.Cut(p.ahead(longest), "\n")
	}
	name, value, length := cutTag(text)
	name = strings.ToLower(name)
	g := p.game
	_, twice := g.tags[name]
	if len(g.moves) > 0 || p.depth > 0 || g.fault.reason != "" || twice && (name == "event" || p.blank) || g.tags != nil && name == "event" && p.blank {
		old = p.over()
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

// cutTag reads [Name "value"] at the beginning of a line, of which it takes so many bytes.
// Quotes and backslashes in the value have a backslash before them; where that was
// forgotten, the quote before a bracket ends it. The quotes, or the value, may be missing.
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

// token reads the next token of the moves. It returns the game that ended with it, or
// before it, if one did.
func (p *pgnScanner) token() (old *pgnGame) {
	p.begin()
	first := p.start
	word := p.word()
	if len(word) == 1 {
		switch word[0] {
		case '(':
			if piece := p.ahead(2); p.depth == 0 && len(p.game.moves) > 0 && len(piece) == 2 && strings.IndexByte("QRBN", piece[0]) >= 0 && piece[1] == ')' {
				p.game.moves[len(p.game.moves)-1].text += "=" + piece[:1] // g8(Q)
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
	if p.depth > 0 { // of variations nothing is taken
		return nil
	}
	if markers[word] {
		p.game.marker = word
		return p.over()
	}
	number := word[:len(word)-len(strings.TrimLeft(word, "0123456789"))]
	if move := strings.TrimLeft(word[len(number):], ".…"); number != "" && !zeros[number] && (move != word[len(number):] || move == "") {
		if n := len(p.game.moves); number == "1" && (n > 1 || n == 1 && first && !strings.Contains(word, "..")) {
			old = p.over()
			p.begin()
		}
		word = move
	}
	if word = strings.TrimLeft(word, ".…"); word != "" && word[0] != '$' && !annotations[word] {
		p.game.add(word)
	}
	return old
}

// word reads a word, or one of the signs that stand alone.
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

// decisive are the tags that decide what is learned.
var decisive = set("result fen setup variant")

// markers are the termination markers.
var markers = set("1-0 0-1 1/2-1/2 1/2 ½-½ *")

// annotations are what stands among the moves and is none: what is thought of a move or a
// position, and words about the rules.
var annotations = set("! ? !! ?? !? ?! + ++ # = == N TN D +/- -/+ +/= =/+ =+ += +- -+ ± ∓ ⩲ ⩱ ∞ ~ ⇆ → ↑ □ ⊕ e.p. ep e.p ch ch. dis. dbl. mate")

// zeros are moves, and no numbers of moves: castling, and passing.
var zeros = set("00 000 0000")

// nullMoves are the ways in which programs write that a side passes.
var nullMoves = set("-- Z0 0000 @@@@ null pass <> ---")

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}
