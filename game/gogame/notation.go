package gogame

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
)

// columns are the letters of the Go Text Protocol, which leaves I out.
const columns = "ABCDEFGHJKLMNOPQRST"

// sides are what stones and players are written as.
const sides = "XO"

// MoveString implements [game.State]: a letter and a row, such as E5, or pass.
func (s *State) MoveString(m game.Move) string {
	if m == Pass {
		return "pass"
	}
	at := int(s.place[m])
	return columns[at%s.size:at%s.size+1] + strconv.Itoa(at/s.size+1)
}

// String implements [game.State]: the first position, its rows from the top with X for black, O for
// white and numbers of empty points; who moves first; and all moves since, which matter because no
// board may recur: 9/9/9/9/9/9/9/9/9 X moves E5 C3.
func (s *State) String() string {
	var b strings.Builder
	for row := s.size - 1; row >= 0; row-- {
		run := 0
		for column := range s.size {
			c := s.setup[s.point(row, column)]
			if c == empty {
				run++
				continue
			}
			if run > 0 {
				b.WriteString(strconv.Itoa(run))
			}
			b.WriteByte(sides[c-black])
			run = 0
		}
		if run > 0 {
			b.WriteString(strconv.Itoa(run))
		}
		if row > 0 {
			b.WriteByte('/')
		}
	}
	b.WriteByte(' ')
	b.WriteByte(sides[s.first])
	for i, l := range s.line {
		if i == 0 {
			b.WriteString(" moves")
		}
		b.WriteByte(' ')
		b.WriteString(s.MoveString(game.Move(l.move)))
	}
	return b.String()
}

type reader struct {
	*State
	text string
}

func (r *reader) fail(at int, want string, values ...any) error {
	return &game.PositionError{Game: "go", Text: r.text, At: at, Want: fmt.Sprintf(want, values...)}
}

func (r *rules) parse(text string) (game.State, error) {
	rd := &reader{r.blank(), text}
	rows, rest, _ := strings.Cut(text, " ")
	if err := rd.rows(rows); err != nil {
		return nil, err
	}
	at := len(rows) + 1
	side, moves, more := strings.Cut(rest, " ")
	if len(side) != 1 || !strings.Contains(sides, side) {
		return nil, rd.fail(min(at, len(text)), "X or O after a space, who is to move")
	}
	rd.begin(game.Player(strings.Index(sides, side)))
	if more {
		if err := rd.moves(at+2, moves); err != nil {
			return nil, err
		}
	}
	rd.floor = len(rd.line)
	return rd.State, nil
}

func (r *reader) rows(text string) error {
	row, column := r.size-1, 0
	want := fmt.Sprintf("%d rows of %d points, X, O and numbers of empty points, with / between them", r.size, r.size)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '/':
			if column != r.size || row == 0 {
				return r.fail(i, "%s", want)
			}
			row, column = row-1, 0
			continue
		case c == 'X' || c == 'O':
			if column >= r.size {
				return r.fail(i, "%s", want)
			}
			r.put(r.point(row, column), black+uint8(strings.IndexByte(sides, c)))
			column++
		case '1' <= c && c <= '9':
			n := int(c - '0')
			if i+1 < len(text) && '0' <= text[i+1] && text[i+1] <= '9' {
				i++
				n = 10*n + int(text[i]-'0')
			}
			column += n
		default:
			return r.fail(i, "%s", want)
		}
		if column > r.size {
			return r.fail(i, "%s", want)
		}
	}
	if row != 0 || column != r.size {
		return r.fail(len(text), "%s", want)
	}
	if len(r.taken) > 0 {
		return r.fail(0, "a liberty for all stones")
	}
	r.merge = r.merge[:0]
	return nil
}

// moves reads the moves since the first position, from the word before them on.
func (r *reader) moves(at int, text string) error {
	for i, word := range strings.Split(text, " ") {
		if i == 0 {
			if word != "moves" || len(text) == len(word) {
				return r.fail(at, "moves and the moves made since, with a space before each, or nothing")
			}
		} else {
			m, ok := r.move(word)
			if !ok {
				if r.Turn() == game.Nobody {
					return r.fail(at, "nothing more: two passes have ended the game")
				}
				return r.fail(at, "a legal move, such as E5 or pass")
			}
			r.Play(m)
		}
		at += len(word) + 1
	}
	return nil
}

// move is the legal move of that name, in upper case, or pass.
func (s *State) move(name string) (m game.Move, ok bool) {
	if s.passes == 2 {
		return Pass, false
	}
	if name == "pass" {
		return Pass, true
	}
	if len(name) < 2 || name[1] == '0' || name[1] == '+' {
		return Pass, false
	}
	column := strings.IndexByte(columns[:s.size], name[0])
	row, err := strconv.Atoi(name[1:])
	if column < 0 || err != nil || row < 1 || row > s.size {
		return Pass, false
	}
	p := s.point(row-1, column)
	if s.colour[p] != empty || !s.legal(p, uint8(s.mover())+black) {
		return Pass, false
	}
	return game.Move(p), true
}

// parseMove reads a move in any case.
func parseMove(st game.State, text string) (game.Move, error) {
	name := strings.ToUpper(text)
	if name == "PASS" {
		name = "pass"
	}
	if s, ok := st.(*State); ok {
		if m, ok := s.move(name); ok {
			return m, nil
		}
	}
	m, err := game.FindMove(st, name)
	if wrong, ok := err.(*game.MoveError); ok {
		wrong.Text = text
	}
	return m, err
}
