package backgammon

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plyfit/game"
)

// Parts of an XGID other than checkers, turn and dice. They are constant because there is no cube
// and no match.
const (
	beforeTurn = ":0:0:"
	afterDice  = ":0:0:0:0:10"
)

// String implements [game.State]. It returns an XGID. Its 26 places are player 1's bar, the points
// 1 to 24 in player 0's numbering, and player 0's bar. For example, A is one checker of player 0,
// and b is two checkers of player 1. The turn is 1 for player 0 and -1 for player 1. Before the
// roll, the dice are 00.
func (s *State) String() string {
	p := s.at()
	out := make([]byte, 0, 64)
	out = append(out, "XGID="...)
	for i := range 26 {
		c := byte('-')
		if n := p.sides[0].count(i); n > 0 && i != Off {
			c = 'A' - 1 + byte(n)
		} else if n := p.sides[1].count(25 - i); n > 0 && i != 25 {
			c = 'a' - 1 + byte(n)
		}
		out = append(out, c)
	}
	out = append(out, beforeTurn...)
	if p.player == 0 {
		out = append(out, "1:"...)
	} else {
		out = append(out, "-1:"...)
	}
	out = append(out, '0'+p.dice[0], '0'+p.dice[1])
	return string(append(out, afterDice...))
}

// gnuID matches a GNU Backgammon position ID, with or without a match ID.
var gnuID = regexp.MustCompile(`^(GNUBGID=|GNUbgID=|Position ID:? ?)?[A-Za-z0-9+/]{14}(==)?(:[A-Za-z0-9+/]{12})?$`)

// parse reads an XGID, with or without the prefix XGID=. Positions are played for money without a
// cube, so the cube and match fields are checked for validity but otherwise ignored.
func parse(text string) (*State, error) {
	if gnuID.MatchString(text) {
		return nil, fmt.Errorf("backgammon position %q: want an XGID, not a GNU Backgammon position ID", text)
	}
	w := &game.Words{Game: "backgammon", Text: text, Between: ":"}
	var p position
	readPlaces(w, &p)
	readBorneOff(w, &p)
	w.Number(-127, 127, "the cube, as a number of doublings,")
	w.Number(-1, 1, "the owner of the cube,")
	loser := p.player
	switch w.Next() {
	case "1":
		p.player = 0
	case "-1":
		p.player = 1
	default:
		w.Refuse("whose turn it is: 1 or -1")
	}
	if p.over && p.player != loser {
		w.Refuse(fmt.Sprintf("player %d, who has lost, as the player to move", loser))
	}
	readDice(w, &p)
	for _, what := range []string{"player 0's score", "player 1's score", "the Crawford or Jacoby rule", "the match length", "the highest cube"} {
		w.Number(0, math.MaxUint16, what)
	}
	if err := w.End(); err != nil {
		return nil, err
	}
	return newState(p), nil
}

// ignored describes the match score or the cube in an XGID, both of which parse ignores. It returns
// "" if there is neither.
func ignored(text string) string {
	f := strings.Split(text, ":")
	if len(f) != 10 {
		return ""
	}
	switch {
	case f[8] != "0":
		return "a match score"
	case f[1] != "0" || f[2] != "0":
		return "a cube"
	}
	return ""
}

func readPlaces(w *game.Words, p *position) {
	places := strings.TrimPrefix(w.Next(), "XGID=")
	first := w.At + strings.Index(w.Text[w.At:], places)
	if len(places) != 26 {
		w.Fail(first+min(len(places), 26), "26 places: -, A to O or a to o (1 to 15 checkers)")
		return
	}
	for i := range 26 {
		switch c := places[i]; {
		case c == '-':
		case c >= 'A' && c <= 'O' && i == 0:
			w.Fail(first, "a to o or -, because the first place is player 1's bar")
		case c >= 'a' && c <= 'o' && i == 25:
			w.Fail(first+i, "A to O or -, because the last place is player 0's bar")
		case c >= 'A' && c <= 'O':
			p.sides[0].add(i, int(c-'A')+1)
		case c >= 'a' && c <= 'o':
			p.sides[1].add(25-i, int(c-'a')+1)
		default:
			w.Fail(first+i, "-, A to O or a to o, for up to 15 checkers in each place")
		}
		for player := range p.sides {
			if p.sides[player].total() > Checkers {
				w.Fail(first+i, fmt.Sprintf("at most 15 checkers for player %d", player))
			}
		}
	}
}

// readBorneOff counts as borne off the checkers that are missing from all places. If a player has
// borne off all checkers, the loser becomes the player to move.
func readBorneOff(w *game.Words, p *position) {
	for player := range p.sides {
		off := Checkers - p.sides[player].total()
		p.sides[player].add(Off, off)
		if off == Checkers {
			if p.over {
				w.Refuse("checkers on the board, because only one player can have borne off all checkers")
			}
			p.over = true
			p.player = game.Player(1 - player)
		}
	}
}

func readDice(w *game.Words, p *position) {
	dice := w.Next()
	switch {
	case dice == "00":
	case len(dice) != 2 || min(dice[0], dice[1]) < '1' || max(dice[0], dice[1]) > '6':
		w.Refuse("two dice from 1 to 6, or 00 before they are rolled")
	case p.over:
		w.Refuse(fmt.Sprintf("dice 00, because player %d has borne off all checkers", 1-p.player))
	default:
		p.dice = [2]uint8{max(dice[0], dice[1]) - '0', min(dice[0], dice[1]) - '0'}
	}
}

func (s *side) total() int {
	n := 0
	for place := 1; place <= Bar; place++ {
		n += s.count(place)
	}
	return n
}

// A hop is the path of one checker in a turn.
type hop struct {
	places []int  // start, end, and the intermediate places where a checker is hit
	hits   []bool // whether a checker is hit, for each place after the first
}

// hops returns the paths of the checkers in m. Successive steps of one checker are joined.
// Intermediate places are included only if a checker is hit there.
func (s *State) hops(m game.Move) (all []hop) {
	p := *s.at()
	other := &p.sides[1-p.player]
	die, next := int(p.dice[0]), int(p.dice[1])
	if m&smallFirst != 0 {
		die, next = next, die
	}
	froms, n := steps(m)
	for _, from := range froms[:n] {
		to := max(from-die, Off)
		hit := to != Off && other.has(uint(25-to))
		if hit {
			other.shift(25-to, Bar)
		}
		joined := false
		for i := range all {
			h := &all[i]
			if last := len(h.places) - 1; h.places[last] == from {
				if h.hits[last-1] {
					h.places, h.hits = append(h.places, to), append(h.hits, hit)
				} else {
					h.places[last], h.hits[last-1] = to, hit
				}
				joined = true
				break
			} else if h.places[0] == to { // another checker was on this place and moved on first
				h.places[0] = from
				joined = true
				break
			}
		}
		if !joined {
			all = append(all, hop{[]int{from, to}, []bool{hit}})
		}
		die, next = next, die
	}
	return all
}

func (h hop) String() string {
	var out []byte
	for i, place := range h.places {
		if i > 0 {
			out = append(out, '/')
		}
		switch place {
		case Bar:
			out = append(out, "bar"...)
		case Off:
			out = append(out, "off"...)
		default:
			out = strconv.AppendInt(out, int64(place), 10)
		}
		if i > 0 && h.hits[i-1] {
			out = append(out, '*')
		}
	}
	return string(out)
}

// MoveString implements [game.State]. A roll is written as its dice, such as 62. A turn is written
// as the paths of its checkers in the mover's numbering: 13/7 8/7, bar/20, 6/off, 24/18*/14,
// 8/4(2). If no checker can move, the turn is written as pass.
func (s *State) MoveString(m game.Move) string {
	if s.Turn() == game.Chance {
		r := rolls[m]
		return string([]byte{'0' + r[0], '0' + r[1]})
	}
	if m == pass {
		return "pass"
	}
	all := s.hops(m)
	slices.SortStableFunc(all, func(a, b hop) int { return slices.Compare(b.places, a.places) }) // the farthest checker comes first
	var out []string
	for i := 0; i < len(all); {
		// Only the first checker makes the hit, but 8/4*(2) is written for both.
		text, n := all[i].String(), 1
		for i+n < len(all) && strings.ReplaceAll(all[i+n].String(), "*", "") == strings.ReplaceAll(text, "*", "") {
			if strings.Contains(all[i+n].String(), "*") {
				text = all[i+n].String()
			}
			n++
		}
		if n > 1 {
			text += fmt.Sprintf("(%d)", n)
		}
		out = append(out, text)
		i += n
	}
	return strings.Join(out, " ")
}

// change contains the effect of a turn: the changes to the mover's places, and the points where it
// hits.
type change struct {
	places [26]int8
	hits   uint32
}

func (c *change) add(places []int, other *side) {
	c.places[places[0]]--
	c.places[places[len(places)-1]]++
	for _, to := range places[1:] {
		if to != Off && to != Bar && other.count(25-to) == 1 {
			c.hits |= 1 << to
		}
	}
}

// parseMove reads the output of MoveString and other spellings of the same turn. Dice and paths may
// be in any order, steps may be separate, and asterisks may be missing.
func parseMove(st game.State, text string) (game.Move, error) {
	m, err := game.FindMove(st, text)
	s := Of(st)
	if err == nil || s == nil {
		return m, err
	}
	if s.Turn() == game.Chance {
		if len(text) == 2 && text[0] >= '1' && text[0] <= '6' && text[1] >= '1' && text[1] <= '6' {
			return roll(int(text[0]-'0'), int(text[1]-'0')), nil
		}
		return m, err
	}
	p := s.at()
	other := &p.sides[1-p.player]
	want, ok := readChange(text, other)
	if !ok || p.over {
		return game.NoMove, err
	}
	for _, m := range s.Moves(nil) {
		var c change
		for _, h := range s.hops(m) {
			c.add(h.places, other)
		}
		if c == want {
			return m, nil
		}
	}
	return game.NoMove, err
}

// readChange reads paths such as 24/18*/14 and 8/4(2).
func readChange(text string, other *side) (c change, ok bool) {
	fields := strings.Fields(text)
	for _, field := range fields {
		times := 1
		if n := len(field); n > 3 && field[n-3] == '(' && field[n-1] == ')' && field[n-2] >= '1' && field[n-2] <= '4' {
			times = int(field[n-2] - '0')
			field = field[:n-3]
		}
		var places []int
		for _, name := range strings.Split(field, "/") {
			place, ok := readPlace(strings.TrimSuffix(name, "*"))
			if !ok {
				return c, false
			}
			places = append(places, place)
		}
		if len(places) < 2 || len(fields) > 4 {
			return c, false
		}
		for range times {
			c.add(places, other)
		}
	}
	return c, len(fields) > 0
}

func readPlace(name string) (int, bool) {
	switch strings.ToLower(name) {
	case "bar":
		return Bar, true
	case "off":
		return Off, true
	}
	n, err := strconv.Atoi(name)
	return n, err == nil && n >= 1 && n <= Bar
}
