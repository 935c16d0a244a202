package pacman

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/game"
)

var directions = [5]string{West: "West", Stop: "Stop", East: "East", North: "North", South: "South"}

const hexadecimal = "0123456789abcdef"

// String implements [game.State]. It contains, in this order: Pacman's place; each ghost's place,
// heading and number of moves for which it stays scared; the remaining food; the remaining
// capsules; the score; and the player to move, or won or lost. The food is a hexadecimal number
// with one bit for each food dot of the layout, row by row from the top with the highest bit first.
// Places are x,y from the bottom left corner, including walls. For example:
//
//	P 9,1 G 8.5,5 East 39 G 11,5 Stop 0 food 7fffffffffffff8 capsules 3,3 16,3 score -5 turn pacman
//
// The walls are part of the layout. The ghosts are in the order of their numbers.
func (s *State) String() string {
	p := s.at()
	out := make([]byte, 0, 160)
	half := func(n int) {
		out = strconv.AppendInt(out, int64(n/2), 10)
		if n%2 != 0 {
			out = append(out, ".5"...)
		}
	}
	place := func(h int16) {
		out = append(out, ' ')
		half(int(h) % s.stride)
		out = append(out, ',')
		half(int(h) / s.stride)
	}
	out = append(out, 'P')
	place(p.pacman)
	for i := range s.ghosts {
		g := p.ghosts[i]
		out = append(out, " G"...)
		place(g.at)
		out = fmt.Appendf(out, " %s %d", directions[g.heading], g.timer)
	}
	out = append(out, " food "...)
	for i := 0; i < len(s.foods); i += 4 {
		digit := 0
		for k := range 4 {
			if i+k < len(s.foods) {
				c := s.foods[i+k]
				digit |= int(s.words[c>>6]>>(c&63)&1) << (3 - k)
			}
		}
		out = append(out, hexadecimal[digit])
	}
	out = append(out, " capsules"...)
	for i, c := range s.capsules {
		if p.capsules&(1<<i) != 0 {
			place(s.half(s.cells[c]))
		}
	}
	if p.capsules == 0 {
		out = append(out, " -"...)
	}
	out = fmt.Appendf(out, " score %d turn ", p.score)
	switch p.turn {
	case 0:
		out = append(out, "pacman"...)
	case won:
		out = append(out, "won"...)
	case lost:
		out = append(out, "lost"...)
	default:
		out = fmt.Appendf(out, "ghost%d", p.turn)
	}
	return string(out)
}

// MoveString implements [game.State]: West, Stop, East, North or South.
func (s *State) MoveString(m game.Move) string { return directions[m] }

type reader struct {
	*rules
	game.Words
}

// coordinate parses a number of cells, which may end in .5, and returns twice its value.
func coordinate(w string) (n int, ok bool) {
	whole, isHalf := strings.CutSuffix(w, ".5")
	n, err := strconv.Atoi(whole)
	if err != nil || n < 0 || n >= maxSide || strconv.Itoa(n) != whole {
		return 0, false
	}
	n *= 2
	if isHalf {
		n++
	}
	return n, true
}

// place parses the place of Pacman or a ghost and returns its half-cell index. If halves is set,
// the place may be halfway between two cells.
func (r *reader) place(w string, halves bool) int16 {
	left, right, _ := strings.Cut(w, ",")
	x, okX := coordinate(left)
	y, okY := coordinate(right)
	if okX && okY && x < r.stride && y < 2*r.Height {
		h := int16(y*r.stride + x)
		if r.cellOf[h] >= 0 && (halves || r.exits[h] != 0) {
			return h
		}
	}
	r.Refuse("an open cell x,y, counted from the bottom left corner")
	return r.pacman
}

// parse reads the output of String. It rejects impossible positions (see [reader.check]).
func (rules *rules) parse(text string) (game.State, error) {
	r := &reader{rules, game.Words{Game: "pacman", Text: text}}
	p := position{ate: -1}
	r.Key("P")
	p.pacman = r.place(r.Next(), false)
	for i := range rules.ghosts {
		if r.Next() != "G" {
			r.Refuse(fmt.Sprintf("G and the position of ghost %d of %d", i+1, rules.ghosts))
		}
		p.ghosts[i] = r.ghost(i)
	}
	r.Key("food")
	food := r.food(&p)
	r.Key("capsules")
	r.left(&p)
	p.score = int32(r.Number(-1<<30, 1<<30, "a score"))
	score := r.At
	r.Key("turn")
	turn := r.Next()
	switch turn {
	case "pacman":
	case "won":
		p.turn = won
	case "lost":
		p.turn = lost
	default:
		n, err := strconv.Atoi(strings.TrimPrefix(turn, "ghost"))
		if err != nil || n < 1 || n > rules.ghosts || turn != "ghost"+strconv.Itoa(n) {
			r.Refuse(fmt.Sprintf("pacman, ghost1 to ghost%d, won or lost", rules.ghosts))
			n = 0
		}
		p.turn = int8(n)
	}
	if r.End() == nil {
		r.check(&p, food, score)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return rules.state(p, food), nil
}

func (r *reader) ghost(i int) (g body) {
	g.at = r.place(r.Next(), true)
	place := r.At
	heading := r.Next()
	found := false
	for d, name := range directions {
		if heading == name {
			g.heading, found = uint8(d), true
		}
	}
	if !found {
		r.Refuse("West, Stop, East, North or South")
	}
	if g.heading == Stop && g.at != r.starts[i] {
		r.Refuse("a direction, because the ghost is not at its starting position")
	}
	g.timer = uint8(r.Number(0, scaredTime, "moves to stay scared,"))
	if r.exits[g.at] != 0 || r.Err() != nil {
		return g
	}
	// The ghost is between two cells.
	x := int(g.at)%r.stride%2 == 1
	if across := g.heading == West || g.heading == East; g.timer == 0 || g.heading == Stop || across != x {
		r.Fail(place, "a scared ghost that moves towards one of the two cells")
	}
	return g
}

func (r *reader) food(p *position) []uint64 {
	out := make([]uint64, len(r.Layout.food))
	w := r.Next()
	n := (len(r.foods) + 3) / 4
	if len(w) != n {
		r.Refuse(fmt.Sprintf("%d hexadecimal digits, with one bit for each of %d food dots", n, len(r.foods)))
		return out
	}
	for i := range n {
		digit := strings.IndexByte(hexadecimal, w[i])
		for k := range 4 {
			switch bit := digit >> (3 - k) & 1; {
			case digit < 0 || bit == 1 && 4*i+k >= len(r.foods):
				r.Fail(r.At+i, fmt.Sprintf("a hexadecimal digit, with one bit for each of %d food dots", len(r.foods)))
				return out
			case bit == 1:
				c := r.foods[4*i+k]
				out[c>>6] |= 1 << (c & 63)
				p.left++
			}
		}
	}
	return out
}

// left reads the places of the remaining capsules, up to the word score.
func (r *reader) left(p *position) {
	next := 0 // index of the next capsule in the layout, whose order is kept
	for count := 0; r.Err() == nil; count++ {
		w := r.Next()
		switch {
		case w == "score" && count > 0:
			return
		case w == "-" && count == 0:
			r.Key("score")
			return
		}
		h := r.place(w, false)
		for next < len(r.capsules) && r.half(r.cells[r.capsules[next]]) != h {
			next++
		}
		if next == len(r.capsules) {
			r.Refuse("capsule positions in the order of the layout, or - for none, followed by the word score")
			return
		}
		p.capsules |= 1 << next
		next++
	}
}

// check rejects positions that cannot occur, such as those with food in Pacman's cell, a ghost in
// Pacman's cell that has not just restarted, an end without a cause, or an impossible score. A
// score is impossible if it is too low for the move limit, or so high that it could still lead to
// more than the maximum.
func (r *reader) check(p *position, food []uint64, score int) {
	c := r.cellOf[p.pacman]
	if food[c>>6]&(1<<(c&63)) != 0 {
		r.Fail(-1, "no food in Pacman's cell")
	}
	if k := r.capsuleAt[c]; k >= 0 && p.capsules&(1<<k) != 0 {
		r.Fail(-1, "no capsule in Pacman's cell")
	}
	caught := r.caught(p)
	switch {
	case p.turn == won && p.left > 0:
		r.Fail(-1, "no food left if the game is won")
	case p.turn != won && p.left == 0:
		r.Fail(-1, "a game that is won, because no food is left")
	case p.turn == lost && caught == 0:
		r.Fail(-1, "a ghost in Pacman's cell if the game is lost")
	}
	low, high := longest*timePoints, r.ceiling(&r.starting)
	most := r.ceiling(p)
	switch p.turn {
	case lost:
		low += lossPoints * max(1, caught)
		most += int32(-lossPoints)
	case won:
		most = p.score
	}
	if int(p.score) < low || most > high {
		r.Fail(score, fmt.Sprintf("a score from %d to %d, given the remaining food, capsules and ghosts", low, p.score-(most-high)))
	}
}

// caught returns the number of ghosts that have caught Pacman. It rejects any other ghost at most
// half a cell from Pacman, unless the ghost has just restarted there, or the game is won and the
// ghost is not scared.
func (r *reader) caught(p *position) (caught int) {
	s := State{rules: r.rules}
	for i := range r.ghosts {
		g := p.ghosts[i]
		if !s.touching(g.at - p.pacman) {
			continue
		}
		fresh := g == body{at: r.starts[i], heading: Stop}
		switch {
		case g.timer == 0 && p.turn == lost:
			caught++
		case !fresh && p.turn != won:
			r.Fail(-1, fmt.Sprintf("ghost %d and Pacman in different cells, unless the ghost has just restarted", i+1))
		case g.timer > 0:
			r.Fail(-1, fmt.Sprintf("scared ghost %d in a different cell from Pacman", i+1))
		}
	}
	return caught
}
