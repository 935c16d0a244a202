package gogame

import "plyfit/game"

// Score returns black's area minus white's area and the komi. A colour's area consists of its
// stones and of the empty points from which paths over empty points reach only stones of this
// colour.
func (s *State) Score() float64 {
	var reached [(maxSize + 2) * (maxSize + 2)]uint8
	var stack [maxSize * maxSize]uint16
	total := 0
	for c := black; c <= white; c++ {
		n := 0
		for _, p := range s.points {
			if s.colour[p] == c {
				reached[p] |= c
				stack[n] = uint16(p)
				n++
			}
		}
		for n > 0 {
			n--
			for _, q := range s.neighbours(int(stack[n])) {
				if s.colour[q] == empty && reached[q]&c == 0 {
					reached[q] |= c
					stack[n] = uint16(q)
					n++
				}
			}
		}
	}
	for _, p := range s.points {
		switch reached[p] {
		case black:
			total++
		case white:
			total--
		}
	}
	return float64(total) - s.komi
}

// Rank implements [game.Ranker]. Captures come first, ordered by size, followed by moves that save
// stones, and then by moves next to other stones, beginning with those near the last move. Passes
// and moves that fill the player's own eyes come last.
func (s *State) Rank(m game.Move) int32 {
	if m == Pass {
		return -1
	}
	p, c := int(m), uint8(s.mover())+black
	captured, saved, near, own := int32(0), int32(0), int32(0), 0
	for _, q := range s.neighbours(p) {
		switch d := s.colour[q]; d {
		case empty:
		case border:
			own++
		case c:
			own++
			if s.of(q).atari() {
				saved += int32(s.of(q).stones)
			}
			near++
		default:
			if s.of(q).atari() {
				captured += int32(s.of(q).stones)
			}
			near++
		}
	}
	if captured == 0 && own == 4 && saved == 0 {
		return -2
	}
	rank := captured<<12 + saved<<8 + near<<2
	if last, ok := s.Last(); ok && last != Pass && s.touches(p, int(last)) {
		rank += 1 << 4
	}
	return rank
}

// touches reports whether q is one of the eight points around p.
func (s *State) touches(p, q int) bool {
	d := max(p-q, q-p)
	return d == 1 || d >= s.stride-1 && d <= s.stride+1
}

// Forced implements [game.Noisy]. A player can always pass.
func (s *State) Forced() bool { return false }

// Noisy implements [game.Noisy]. It lists the moves that capture stones.
func (s *State) Noisy(dst []game.Move) []game.Move {
	if s.passes == 2 {
		return dst
	}
	c := uint8(s.mover()) + black
	for _, p := range s.points {
		if s.colour[p] == empty && s.takes(int(p), c) && s.legal(int(p), c) {
			dst = append(dst, game.Move(p))
		}
	}
	return dst
}

// takes reports whether a stone of colour c on the empty point p captures stones.
func (s *State) takes(p int, c uint8) bool {
	for _, q := range s.neighbours(p) {
		if s.colour[q] == border^c && s.of(q).atari() {
			return true
		}
	}
	return false
}

// Liberties returns the number of liberties of the chain that contains the stone on the given
// point. Points are numbered row by row from A1. lead is the point of the chain's representative
// stone. If there is no stone on the point, Liberties returns 0 and -1.
func (s *State) Liberties(at int) (n int, lead int) {
	p := s.points[at]
	if s.colour[p] == empty {
		return 0, -1
	}
	root := s.chain[p]
	lead = int(s.place[root])
	c := &s.chains[root]
	if c.atari() {
		return 1, lead
	}
	var counted [(maxSize + 2) * (maxSize + 2)]bool
	for q := root; ; {
		for _, near := range s.neighbours(int(q)) {
			if s.colour[near] == empty && !counted[near] {
				counted[near] = true
				n++
			}
		}
		if q = s.next[q]; q == root {
			return n, lead
		}
	}
}
