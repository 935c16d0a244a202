package gogame

import "slices"

// A chain is a set of connected stones of one colour, with its liberties. The liberties are the
// adjacent empty points, each counted once for each adjacent stone. Multiply their number by the
// sum of the squares of their point numbers. The result equals the square of the sum of these
// numbers if and only if all the liberties are the same point (equality in the Cauchy-Schwarz
// inequality).
type chain struct {
	liberties uint32
	sum       uint32 // sum of the liberties' point numbers
	squares   uint32 // sum of the squares of these point numbers
	stones    uint32
	key       uint64 // combined key of its stones
}

func (c *chain) add(p int) {
	c.liberties++
	c.sum += uint32(p)
	c.squares += uint32(p * p)
}

func (c *chain) remove(p int) {
	c.liberties--
	c.sum -= uint32(p)
	c.squares -= uint32(p * p)
}

// atari reports whether the chain has only one liberty. The chain must have at least one.
func (c *chain) atari() bool {
	return uint64(c.liberties)*uint64(c.squares) == uint64(c.sum)*uint64(c.sum)
}

// A merger records a chain that was joined to another chain.
type merger struct {
	from, into uint16
	was        chain
}

// neighbours returns the four points next to p, which may be off the board.
func (s *State) neighbours(p int) [4]int { return [4]int{p - s.stride, p - 1, p + 1, p + s.stride} }

func (s *State) of(p int) *chain { return &s.chains[s.chain[p]] }

// after returns the hash of the board after a stone of colour c is placed on the empty point p and
// any captures are made. ok is false for a suicide that the rules forbid. The suicide of a single
// stone does not change the board. In that case, the result is the hash of the current board, which
// must not recur.
func (s *State) after(p int, c uint8) (board uint64, ok bool) {
	board = s.board ^ s.key[c-black][p]
	var counted [4]uint16 // neighbouring chains that have no other liberty
	n, breathes := 0, false
	for _, q := range s.neighbours(p) {
		d := s.colour[q]
		if d == empty {
			breathes = true
		}
		if d == empty || d == border {
			continue
		}
		r := s.chain[q]
		if !s.chains[r].atari() {
			breathes = breathes || d == c
			continue
		}
		if d != c {
			breathes = true
		}
		if !slices.Contains(counted[:n], r) {
			counted[n] = r
			n++
		}
	}
	if breathes {
		for _, r := range counted[:n] {
			if s.colour[r] != c {
				board ^= s.chains[r].key
			}
		}
		return board, true
	}
	if !s.suicide {
		return 0, false
	}
	board = s.board
	for _, r := range counted[:n] {
		board ^= s.chains[r].key
	}
	return board, true
}

// put puts a stone of colour c on the empty point p and removes chains without liberties, beginning
// with the opponent's chains. own reports whether it removed stones of colour c.
func (s *State) put(p int, c uint8) (own bool) {
	s.colour[p] = c
	s.chain[p], s.next[p] = uint16(p), uint16(p)
	key := s.key[c-black][p]
	s.board ^= key
	mine := &s.chains[p]
	*mine = chain{stones: 1, key: key}
	for _, q := range s.neighbours(p) {
		switch s.colour[q] {
		case empty:
			mine.add(q)
		case black, white:
			s.of(q).remove(p)
		}
	}
	for _, q := range s.neighbours(p) {
		if s.colour[q] == c && s.chain[q] != s.chain[p] {
			s.join(s.chain[p], s.chain[q])
		}
	}
	for _, q := range s.neighbours(p) {
		if s.colour[q] == border^c && s.of(q).liberties == 0 {
			s.take(q)
		}
	}
	if s.of(p).liberties == 0 {
		s.take(p)
		return true
	}
	return false
}

// join joins two chains. The smaller one becomes part of the larger one.
func (s *State) join(a, b uint16) {
	if s.chains[a].stones < s.chains[b].stones {
		a, b = b, a
	}
	into, from := &s.chains[a], &s.chains[b]
	s.merge = append(s.merge, merger{from: b, into: a, was: *from})
	s.chain[b] = a
	for q := s.next[b]; q != b; q = s.next[q] {
		s.chain[q] = a
	}
	s.next[a], s.next[b] = s.next[b], s.next[a]
	into.liberties += from.liberties
	into.sum += from.sum
	into.squares += from.squares
	into.stones += from.stones
	into.key ^= from.key
}

// part undoes a join.
func (s *State) part(m merger) {
	a, b := m.into, m.from
	s.next[a], s.next[b] = s.next[b], s.next[a]
	s.chain[b] = b
	for q := s.next[b]; q != b; q = s.next[q] {
		s.chain[q] = b
	}
	s.chains[b] = m.was
	into := &s.chains[a]
	into.liberties -= m.was.liberties
	into.sum -= m.was.sum
	into.squares -= m.was.squares
	into.stones -= m.was.stones
	into.key ^= m.was.key
}

// take removes p's chain, which has no liberties. For Undo, it appends the stones to s.taken in
// their cyclic order, beginning with the representative, followed by their number.
func (s *State) take(p int) {
	root := s.chain[p]
	other := border ^ s.colour[root]
	s.board ^= s.chains[root].key
	from := len(s.captured)
	for q := root; ; {
		s.captured = append(s.captured, q)
		s.colour[q] = empty
		for _, near := range s.neighbours(int(q)) {
			if s.colour[near] == other {
				s.of(near).add(int(q))
			}
		}
		if q = s.next[q]; q == root {
			break
		}
	}
	s.captured = append(s.captured, uint16(len(s.captured)-from))
}

// restore puts the chain of colour c that was removed last back on the board.
func (s *State) restore(c uint8) {
	n := int(s.captured[len(s.captured)-1])
	stones := s.captured[len(s.captured)-1-n : len(s.captured)-1]
	root := stones[0]
	all := chain{stones: uint32(n)}
	for i, q := range stones {
		s.colour[q], s.chain[q] = c, root
		s.next[q] = stones[(i+1)%n]
		all.key ^= s.key[c-black][q]
		for _, near := range s.neighbours(int(q)) {
			if s.colour[near] == border^c {
				s.of(near).remove(int(q))
			}
		}
	}
	s.chains[root] = all
	s.captured = s.captured[:len(s.captured)-1-n]
}

// takeBack undoes a call to put for colour c.
func (s *State) takeBack(l ply, c uint8) {
	gone := border ^ c
	if l.own {
		gone = c
	}
	for len(s.captured) > int(l.taken) {
		s.restore(gone)
	}
	for len(s.merge) > int(l.merge) {
		s.part(s.merge[len(s.merge)-1])
		s.merge = s.merge[:len(s.merge)-1]
	}
	p := int(l.move)
	s.colour[p] = empty
	for _, q := range s.neighbours(p) {
		if d := s.colour[q]; d == black || d == white {
			s.of(q).add(p)
		}
	}
}
