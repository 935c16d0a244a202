package gogame

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"plyfit/game"
)

// ParseSGF reads the main line of a game of go in SGF (the Smart Game Format, FF[3]
// or FF[4]): the game that it is, by its size SZ and its komi KM; the position that
// it begins on, by AB, AW and PL; and its moves, B and W, an empty value or tt on
// boards up to 19x19 being a pass. All moves are legal one after the other, by
// positional superko with suicide. Variations and other properties are passed over.
func ParseSGF(text string) (g *game.Game, first *State, moves []game.Move, err error) {
	r := &sgfReader{text: text, size: maxSize, komi: 0, turn: -1}
	if err := r.read(); err != nil {
		return nil, nil, nil, err
	}
	if g, err = New(game.NewOptions("go", fmt.Sprintf("size=%d", r.size), "komi="+strconv.FormatFloat(r.komi, 'f', -1, 64))); err != nil {
		return nil, nil, nil, err
	}
	now := g.New().(*State).blank()
	for c, stones := range r.setup {
		for _, v := range stones {
			p, err := r.point(now, v)
			if err != nil || p == Pass || now.colour[p] != empty {
				return nil, nil, nil, r.fail(v.at, "an empty point of the board, such as cd")
			}
			now.put(int(p), uint8(c)+black)
		}
	}
	if len(now.taken) > 0 {
		return nil, nil, nil, r.fail(-1, "a liberty for all stones of the first position")
	}
	now.merge = now.merge[:0]
	if r.turn < 0 && len(r.moves) > 0 {
		r.turn = r.moves[0].player
	}
	now.begin(max(0, r.turn))
	first = now.Clone().(*State)
	for _, v := range r.moves {
		p, err := r.point(now, v)
		if err != nil {
			return nil, nil, nil, err
		}
		if now.Turn() != v.player {
			return nil, nil, nil, r.fail(v.at, "a move of the other colour, or nothing after two passes")
		}
		if p != Pass && (now.colour[p] != empty || !now.legal(int(p), uint8(v.player)+black)) {
			return nil, nil, nil, r.fail(v.at, "a legal move: the point is taken, or its board was there before")
		}
		now.Play(p)
		moves = append(moves, p)
	}
	return g, first, moves, nil
}

// sgfReader takes the main line of a game apart.
type sgfReader struct {
	text  string
	size  int
	komi  float64
	turn  game.Player // by PL; -1: not said
	setup [2][]sgfValue
	moves []sgfValue
}

// sgfValue is a value of a property, with where it stands.
type sgfValue struct {
	text   string
	at     int
	player game.Player
}

func (r *sgfReader) fail(at int, want string) error {
	return &game.PositionError{Game: "go", Text: r.text, At: at, Want: want}
}

// read goes from the first ( to the first ): the main line.
func (r *sgfReader) read() error {
	i := strings.IndexByte(r.text, '(')
	if i < 0 {
		return r.fail(0, "a game in SGF, beginning with (;")
	}
	for {
		for i < len(r.text) && strings.IndexByte(" \t\r\n(;", r.text[i]) >= 0 {
			i++
		}
		if i == len(r.text) {
			return r.fail(i, ") at the end")
		}
		if r.text[i] == ')' {
			return nil
		}
		from := i
		for i < len(r.text) && (isLetter(r.text[i])) {
			i++
		}
		name := strings.Map(func(c rune) rune { // FF[3] has AddBlack for AB
			if 'a' <= c && c <= 'z' {
				return -1
			}
			return c
		}, r.text[from:i])
		values, end, err := r.values(i)
		if err != nil {
			return err
		}
		if name == "" || len(values) == 0 {
			return r.fail(from, "a property such as B[cd]")
		}
		if err := r.property(name, values); err != nil {
			return err
		}
		i = end
	}
}

func isLetter(c byte) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }

// values reads [VALUE] as often as it stands there, from i on.
func (r *sgfReader) values(i int) (values []sgfValue, end int, err error) {
	for {
		j := i
		for j < len(r.text) && strings.IndexByte(" \t\r\n", r.text[j]) >= 0 {
			j++
		}
		if j == len(r.text) || r.text[j] != '[' {
			return values, i, nil
		}
		v := sgfValue{at: j + 1}
		for j++; j < len(r.text) && r.text[j] != ']'; j++ {
			if r.text[j] == '\\' {
				j++
			}
		}
		if j >= len(r.text) {
			return nil, 0, r.fail(v.at, "a ] after the value")
		}
		v.text = strings.TrimSpace(r.text[v.at:j])
		values, i = append(values, v), j+1
	}
}

func (r *sgfReader) property(name string, values []sgfValue) error {
	v := values[0]
	switch name {
	case "GM":
		if v.text != "1" {
			return r.fail(v.at, "1, a game of go")
		}
	case "SZ":
		n, err := strconv.Atoi(v.text)
		if err != nil || n < minSize || n > maxSize {
			return r.fail(v.at, fmt.Sprintf("the edge of a square board, %d to %d", minSize, maxSize))
		}
		r.size = n
	case "KM":
		x, err := strconv.ParseFloat(v.text, 64)
		if err != nil {
			return r.fail(v.at, "a komi such as 6.5")
		}
		r.komi = x
	case "PL":
		side := strings.IndexByte("BW", (v.text + " ")[0])
		if side < 0 {
			return r.fail(v.at, "B or W")
		}
		r.turn = game.Player(side)
	case "AB", "AW":
		if len(r.moves) > 0 {
			return r.fail(v.at, "stones set up before the first move")
		}
		r.setup[strings.IndexByte("BW", name[1])] = append(r.setup[strings.IndexByte("BW", name[1])], values...)
	case "B", "W":
		v.player = game.Player(strings.Index("BW", name))
		r.moves = append(r.moves, v)
	}
	return nil
}

// point is the point of a value such as cd: the column from the left, the row from
// the top, a to s.
func (r *sgfReader) point(s *State, v sgfValue) (game.Move, error) {
	if v.text == "" || v.text == "tt" {
		return Pass, nil
	}
	if len(v.text) == 2 {
		column, row := int(v.text[0])-'a', int(v.text[1])-'a'
		if min(column, row) >= 0 && max(column, row) < s.size {
			return game.Move(s.point(s.size-1-row, column)), nil
		}
	}
	return Pass, r.fail(v.at, "a point of the board, such as cd, or nothing for a pass")
}

// sgf is the Smart Game Format, a game a line, as parseSGF reads it.
var sgf = game.Format{
	Ext: "sgf", Doc: "Smart Game Format",
	New: func(w io.Writer, g *game.Game) func(*game.Transcript) error {
		return func(t *game.Transcript) error {
			text, err := sgfOf(g, t)
			if err != nil {
				return err
			}
			_, err = io.WriteString(w, text+"\n")
			return err
		}
	},
}

func sgfOf(g *game.Game, t *game.Transcript) (string, error) {
	first := g.New().(*State)
	if t.Start != "" {
		s, err := g.Parse(t.Start)
		if err != nil {
			return "", err
		}
		first = Of(s)
	}
	root, before := first.Past()
	var b strings.Builder
	property := func(name, value string) {
		fmt.Fprintf(&b, "%s[%s]", name, strings.NewReplacer("\\", "\\\\", "]", "\\]", "\n", " ").Replace(value))
	}
	b.WriteString("(;GM[1]FF[4]CA[UTF-8]")
	property("AP", "plyfit")
	property("SZ", strconv.Itoa(first.size))
	property("KM", strconv.FormatFloat(first.komi, 'f', -1, 64))
	property("RU", "Tromp-Taylor")
	property("EV", strings.TrimSpace(t.Event+" "+t.Round))
	property("PB", t.Names[0])
	property("PW", t.Names[1])
	stones := false
	for c := black; c <= white; c++ {
		list := ""
		for _, p := range root.points {
			if root.colour[p] == c {
				list += "[" + root.sgfPoint(game.Move(p)) + "]"
			}
		}
		if list != "" {
			b.WriteString("A" + "BW"[c-black:c] + list)
			stones = true
		}
	}
	if stones || root.first != 0 {
		property("PL", "BW"[root.first:root.first+1])
	}
	for _, m := range before {
		property(";"+"BW"[root.Turn():root.Turn()+1], root.sgfPoint(m))
		root.Play(m)
	}
	end, err := t.Replay(g, func(s game.State, m game.Move) error {
		property(";"+"BW"[s.Turn():s.Turn()+1], Of(s).sgfPoint(m))
		return nil
	})
	if err != nil {
		return "", err
	}
	b.WriteString(")")
	return strings.Replace(b.String(), "RU[", "RE["+sgfResult(Of(end), t)+"]RU[", 1), nil
}

// sgfPoint is a move as SGF writes it.
func (s *State) sgfPoint(m game.Move) string {
	if m == Pass {
		return ""
	}
	at := int(s.place[m])
	return string([]byte{'a' + byte(at%s.size), 'a' + byte(s.size-1-at/s.size)})
}

// sgfResult is a RE: the winner, and the margin or the fault; ? for games that were
// left off.
func sgfResult(end *State, t *game.Transcript) string {
	if t.End == game.Unfinished || len(t.Utility) != 2 {
		return "?"
	}
	winner := "0"
	switch {
	case t.Utility[0] > t.Utility[1]:
		winner = "B+"
	case t.Utility[0] < t.Utility[1]:
		winner = "W+"
	}
	if winner == "0" {
		return winner
	}
	switch t.End {
	case game.OutOfTime:
		return winner + "Time"
	case game.Crashed, game.IllegalMove:
		return winner + "Forfeit"
	case game.Played:
		return winner + strconv.FormatFloat(max(end.Score(), -end.Score()), 'f', -1, 64)
	}
	return winner
}
