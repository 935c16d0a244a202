package gogame

import (
	"strconv"
	"strings"

	"plyfit/game"
)

// columns contains the letters used by the Go Text Protocol, which omits I.
const columns = "ABCDEFGHJKLMNOPQRST"

// sides contains the letters of stones and players.
const sides = "XO"

// MoveString implements [game.State]: a letter and a row, such as E5, or pass.
func (s *State) MoveString(m game.Move) string {
	if m == Pass {
		return "pass"
	}
	at := int(s.place[m])
	return columns[at%s.size:at%s.size+1] + strconv.Itoa(at/s.size+1)
}

// String implements [game.State]. It returns the first position, the player who moves first, and
// all moves since then, for example 9/9/9/9/9/9/9/9/9 X moves E5 C3. The position lists the rows
// from the top, with X for black, O for white, and numbers for runs of empty points. The moves
// matter because no board may recur.
func (s *State) String() string {
	out := game.AppendRows(nil, s.size, s.size, true, func(row, column int) byte {
		return ".XO"[s.setup[s.point(s.size-1-row, column)]]
	})
	out = append(out, ' ', sides[s.first])
	for i, l := range s.line {
		if i == 0 {
			out = append(out, " moves"...)
		}
		out = append(append(out, ' '), s.MoveString(game.Move(l.move))...)
	}
	return string(out)
}

func (r *rules) parse(text string) (game.State, error) {
	s, w := r.blank(), &game.Words{Game: "go", Text: text}
	w.Rows(r.size, r.size, true, func(row, column int, sign byte) string {
		side := strings.IndexByte(sides, sign)
		if side < 0 {
			return "X, O, a number of empty points, or /"
		}
		s.put(r.point(r.size-1-row, column), black+uint8(side))
		return ""
	})
	if len(s.captured) > 0 {
		w.Fail(0, "a liberty for every stone")
	}
	s.merge = s.merge[:0]
	side := w.Next()
	if len(side) != 1 || !strings.Contains(sides, side) {
		w.Refuse("X or O, the player to move")
	}
	if err := w.Err(); err != nil {
		return nil, err
	}
	s.begin(game.Player(strings.Index(sides, side)))
	if w.More() {
		if w.Next() != "moves" || !w.More() {
			return nil, w.Refuse("nothing, or the word moves followed by a list of moves separated by spaces")
		}
		for w.More() {
			m, ok := s.move(w.Next())
			switch {
			case !ok && s.Turn() == game.Nobody:
				return nil, w.Refuse("nothing more, because two passes have ended the game")
			case !ok:
				return nil, w.Refuse("a legal move, such as E5 or pass")
			}
			s.Play(m)
		}
	}
	s.floor = len(s.line)
	return s, nil
}

// move returns the legal move with the given name, which is either pass or an upper-case point.
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

// parseMove reads a move in upper or lower case.
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

// gtp returns the dialect for the Go Text Protocol.
func (r *rules) gtp() game.Dialect {
	return game.Dialect{
		Protocol: "gtp", Name: "Go", Size: r.size,
		Move:      func(s game.State, m game.Move) string { return s.MoveString(m) },
		ParseMove: func(s game.State, name string) (game.Move, error) { return parseMove(s, strings.TrimSpace(name)) },
		Past: func(s game.State) (game.State, []game.Move) {
			first, moves := Of(s).Past()
			return first, moves
		},
		Left:    func(s game.State) int { return Of(s).Empties()*3/4 + 4 },
		Komi:    func(s game.State) float64 { return Of(s).komi },
		SetKomi: func(s game.State, komi float64) { Of(s).komi = komi },
		Score:   func(s game.State) float64 { return Of(s).Score() },
	}
}

// Empties returns the number of empty points.
func (s *State) Empties() (n int) {
	for _, p := range s.points {
		if s.colour[p] == empty {
			n++
		}
	}
	return n
}
