package minesweeper

import (
	"math/bits"
)

// A counter counts the layouts of mines that are consistent with the shown cells. Hidden cells next
// to the same numbers form a box, and boxes that share a number form a group.
//
// A sweep visits the boxes of a group in order. Each state of the sweep consists of the number of
// mines that each open number still lacks and the number of mines used. The number of layouts of a
// state is a sum of products of positive numbers. Impossible values are therefore exactly 0, and
// the other values are accurate to about 13 digits.
//
// Finally, the groups are combined by their numbers of mines. The cells that are not next to any
// number contain the remaining mines.
type counter struct {
	r *rules

	boxes      []box
	numbers    []number
	boxOf      []int16 // each cell's box, or -1
	outside    int     // number of hidden cells in no box
	mines      int     // number of mines to be placed
	order      []int16 // boxes, group by group
	groups     []group
	impossible bool // whether a number is inconsistent

	states []state
	steps  []transition
	index  []int32   // index of each state plus 1, by hash; 0 if empty
	ways   []float64 // buffers of the function joined
	join   []float64
}

// A box contains the hidden cells next to the same numbers.
type box struct {
	size   int16
	fixed  int8 // number of mines if it is fixed, otherwise -1
	n      int8
	number [9]int16 // the first n are the numbers that count this box
	group  int16
	expect float64 // expected number of mines in the box, once it has been computed
}

// A number is either a number that is already shown or the unknown number in the cell being opened.
type number struct {
	lacks int8 // number of missing mines, counted only in boxes
	asked bool // whether the number is unknown, so that any value is valid and the sweep counts its mines
	n     int8
	box   [8]int16
	// The following fields are used during a sweep.
	slot      int8  // position of its four bits in a key; -1 before it is used
	left      int16 // number of cells in the boxes still to come
	remaining int8  // number of boxes still to come
}

// A group is a set of boxes connected by numbers, with the data of its sweep.
type group struct {
	first, last int     // range of its boxes in the order of the sweep
	begins      []int32 // index of the first state of each box, of the first final state, and of the end
	trans       []int32 // index of the first transition of each box, and of the end
	asked       bool
	ways        [10][]float64 // numbers of layouts, by the unknown number's value (0 if there is none) and the number of mines
	most        int
}

// A key identifies a state of a sweep: four bits for each number in use, and the number of mines
// used.
type key struct {
	lacks [4]uint64
	mines uint16
}

type state struct {
	key
	ways float64 // number of layouts from the beginning to this state
	back float64 // weight of the layouts from this state to the end
}

type transition struct {
	from, to int32
	mines    int16
}

// layouts returns the number of layouts consistent with s.
func (c *counter) layouts(s *State) float64 {
	c.build(s, -1, -1, false)
	return c.total(0)
}

// odds computes the probabilities of the values that the given cell may show when opened.
func (c *counter) odds(s *State, cell int, p *[Mine + 1]float64) {
	*p = [Mine + 1]float64{}
	c.build(s, cell, 0, true)
	sum := 0.0
	for value := range p[:Mine] {
		p[value] = c.total(value)
		sum += p[value]
	}
	if !s.SureFirst() {
		c.build(s, cell, 1, false)
		p[Mine] = c.total(0)
		sum += p[Mine]
	}
	for i := range p {
		p[i] /= sum
	}
}

// build creates the boxes, numbers and groups of s and sweeps the groups. If cell is not -1, that
// cell contains the given number of mines. If asked is set, the number that it would show is
// unknown.
func (c *counter) build(s *State, cell, fixed int, asked bool) {
	c.boxes, c.numbers, c.impossible = c.boxes[:0], c.numbers[:0], false
	c.outside, c.mines = 0, c.r.mines
	for i := range c.boxOf {
		c.boxOf[i] = -1
	}
	if cell >= 0 {
		c.boxOf[cell] = 0
		c.boxes = append(c.boxes, box{size: 1, fixed: int8(fixed)})
	}
	if asked {
		c.count(s, cell, 0, true)
	}
	for at, shows := range s.shown {
		switch {
		case shows == Mine:
			c.mines--
		case shows != Hidden:
			c.count(s, at, shows, false)
		}
	}
	for at, shows := range s.shown {
		if shows == Hidden && c.boxOf[at] < 0 {
			c.outside++
		}
	}
	c.link()
	c.sweep()
}

// count adds the number in the cell with the index at, or the unknown number if asked is set. If
// only some of a box's cells are next to that cell, it splits the box.
func (c *counter) count(s *State, at int, shows int8, asked bool) {
	id := int16(len(c.numbers))
	lacks, hidden := shows, 0
	for _, n := range c.r.near[at] {
		switch s.shown[n] {
		case Mine:
			lacks--
		case Hidden:
			hidden++
		}
	}
	if lacks < 0 {
		c.impossible = true
	}
	if hidden == 0 {
		if lacks != 0 && !asked {
			c.impossible = true
		}
		if !asked {
			return
		}
	}
	c.numbers = append(c.numbers, number{lacks: lacks, asked: asked, slot: -1})
	first := int16(len(c.boxes)) // boxes from here on were split off by this call
	for _, n := range c.r.near[at] {
		if s.shown[n] != Hidden {
			continue
		}
		old := c.boxOf[n]
		switch {
		case old < 0: // in no box so far
			c.boxOf[n] = c.splitOff(first, -1, id)
		case c.boxes[old].size == 1:
			b := &c.boxes[old]
			b.number[b.n] = id
			b.n++
			continue
		default:
			c.boxes[old].size--
			c.boxOf[n] = c.splitOff(first, old, id)
		}
	}
}

// splitOff returns the box for a cell that is also counted by the number id. old is the cell's box,
// or a negative number if the cell has none. splitOff uses a suitable box whose index is at least
// first if there is one, and otherwise creates a box.
func (c *counter) splitOff(first, old, id int16) int16 {
	want := box{fixed: -1}
	if old >= 0 {
		want = c.boxes[old]
	}
	want.number[want.n] = id
	want.n++
	for i := first; int(i) < len(c.boxes); i++ {
		if b := &c.boxes[i]; b.n == want.n && b.number == want.number && b.fixed == want.fixed {
			b.size++
			return i
		}
	}
	want.size = 1
	c.boxes = append(c.boxes, want)
	return int16(len(c.boxes) - 1)
}

// link stores the boxes of each number. It arranges the boxes group by group so that few numbers
// are in use at the same time.
func (c *counter) link() {
	for i := range c.boxes {
		b := &c.boxes[i]
		b.group = -1
		for _, id := range b.number[:b.n] {
			n := &c.numbers[id]
			n.box[n.n] = int16(i)
			n.n++
			n.remaining++
			n.left += b.size
		}
	}
	c.order = c.order[:0]
	c.groups = c.groups[:0]
	for i := range c.boxes {
		if c.boxes[i].group >= 0 {
			continue
		}
		used := len(c.groups)
		if used == cap(c.groups) {
			c.groups = append(c.groups, group{})
		}
		c.groups = c.groups[:used+1] // a reused group keeps its buffers
		g := &c.groups[used]
		g.first, g.asked = len(c.order), false
		c.collect(int16(i), int16(used))
		g.last = len(c.order)
		c.arrange(c.order[g.first:g.last])
		for _, b := range c.order[g.first:g.last] {
			for _, id := range c.boxes[b].number[:c.boxes[b].n] {
				g.asked = g.asked || c.numbers[id].asked
			}
		}
	}
}

// collect appends box i and all boxes connected with it.
func (c *counter) collect(i, g int16) {
	c.boxes[i].group = g
	c.order = append(c.order, i)
	for k := len(c.order) - 1; k < len(c.order); k++ {
		b := &c.boxes[c.order[k]]
		for _, id := range b.number[:b.n] {
			n := &c.numbers[id]
			for _, other := range n.box[:n.n] {
				if c.boxes[other].group < 0 {
					c.boxes[other].group = g
					c.order = append(c.order, other)
				}
			}
		}
	}
}

// arrange orders the boxes of a group. The next box is the one that leaves the fewest numbers in
// use.
func (c *counter) arrange(order []int16) {
	for k := range order {
		best, least := k, 1<<30
		for i := k; i < len(order); i++ {
			b := &c.boxes[order[i]]
			change := 0
			touches := k == 0
			for _, id := range b.number[:b.n] {
				n := &c.numbers[id]
				if n.slot >= 0 {
					touches = true
				} else {
					change += 2
				}
				if n.remaining == 1 && !n.asked {
					change -= 2
				}
			}
			if !touches {
				change += 100
			}
			if change < least {
				best, least = i, change
			}
		}
		order[k], order[best] = order[best], order[k]
		b := &c.boxes[order[k]]
		for _, id := range b.number[:b.n] {
			c.numbers[id].slot = 0
			c.numbers[id].remaining--
		}
	}
	for _, i := range order { // restore the initial values for the sweep
		b := &c.boxes[i]
		for _, id := range b.number[:b.n] {
			c.numbers[id].slot = -1
			c.numbers[id].remaining++
		}
	}
}

// sweep computes the layouts of all groups.
func (c *counter) sweep() {
	c.states, c.steps = c.states[:0], c.steps[:0]
	clear(c.index)
	for i := range c.groups {
		c.sweepGroup(&c.groups[i])
	}
}

func (c *counter) sweepGroup(g *group) {
	g.begins, g.trans = g.begins[:0], g.trans[:0]
	g.begins = append(g.begins, int32(len(c.states)))
	c.states = append(c.states, state{ways: 1})
	free := ^uint64(0) // free slots
	for _, i := range c.order[g.first:g.last] {
		b := &c.boxes[i]
		g.trans = append(g.trans, int32(len(c.steps)))
		from, end := int(g.begins[len(g.begins)-1]), len(c.states)
		g.begins = append(g.begins, int32(end))
		started := uint16(0) // numbers of b that first occur here
		for k, id := range b.number[:b.n] {
			n := &c.numbers[id]
			if n.slot < 0 {
				if free == 0 {
					panic("minesweeper: more than 64 numbers in use at once")
				}
				n.slot = int8(bits.TrailingZeros64(free))
				free &^= 1 << n.slot
				started |= 1 << k
			}
			n.remaining--
			n.left -= b.size
		}
		for k := from; k < end; k++ {
			c.extend(b, int32(k), started, end)
		}
		for _, id := range b.number[:b.n] {
			if n := &c.numbers[id]; n.remaining == 0 && !n.asked {
				free |= 1 << n.slot
			}
		}
	}
	g.trans = append(g.trans, int32(len(c.steps)))
	g.begins = append(g.begins, int32(len(c.states)))
	c.finish(g)
}

// extend adds the states that can follow state k after box b. Their indices begin at layer.
func (c *counter) extend(b *box, k int32, started uint16, layer int) {
	at := c.states[k]
	low, high := 0, int(b.size)
	if b.fixed >= 0 {
		low, high = int(b.fixed), int(b.fixed)
	}
	for j, id := range b.number[:b.n] {
		n := &c.numbers[id]
		word, shift := n.slot>>4&3, uint(n.slot&15)*4
		if started>>j&1 != 0 && !n.asked {
			if n.lacks < 0 {
				return
			}
			at.lacks[word] |= uint64(n.lacks) << shift
		}
		if n.asked {
			continue
		}
		lacks := int(at.lacks[word] >> shift & 15)
		high = min(high, lacks)
		low = max(low, lacks-int(n.left))
	}
	high = min(high, c.mines-int(at.mines))
	for mines := low; mines <= high; mines++ {
		next := at.key
		next.mines += uint16(mines)
		for _, id := range b.number[:b.n] {
			n := &c.numbers[id]
			word, shift := n.slot>>4&3, uint(n.slot&15)*4
			if n.asked {
				next.lacks[word] += uint64(mines) << shift
			} else {
				next.lacks[word] -= uint64(mines) << shift
			}
		}
		to := c.find(next, layer)
		c.states[to].ways += float64(at.ways * c.r.choose(int(b.size), mines))
		c.steps = append(c.steps, transition{k, to, int16(mines)})
	}
}

func (k *key) hash() uint64 {
	h := k.lacks[0]*0x9e3779b97f4a7c15 + k.lacks[1]
	h = (h^h>>31)*0xbf58476d1ce4e5b9 + k.lacks[2]
	h = (h^h>>31)*0x94d049bb133111eb + k.lacks[3]
	h = (h ^ h>>31 ^ uint64(k.mines)) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

// find returns the state with the key k among the states with index layer or higher. It creates the
// state if necessary.
func (c *counter) find(k key, layer int) int32 {
	mask := uint64(len(c.index) - 1)
	for h := k.hash(); ; h++ {
		i := int(c.index[h&mask]) - 1
		if i < layer {
			i = len(c.states)
			c.states = append(c.states, state{key: k})
			c.index[h&mask] = int32(i) + 1
			if 2*(i+1-layer) > len(c.index) {
				c.index = make([]int32, 2*len(c.index))
				mask := uint64(len(c.index) - 1)
				for j := layer; j <= i; j++ {
					h := c.states[j].hash()
					for c.index[h&mask] != 0 {
						h++
					}
					c.index[h&mask] = int32(j) + 1
				}
			}
			return int32(i)
		}
		if c.states[i].key == k {
			return int32(i)
		}
	}
}

// finish computes the results of a group from its final states.
func (c *counter) finish(g *group) {
	asked := int8(-1)
	if g.asked {
		asked = c.numbers[0].slot // the unknown number is the first one
	}
	g.most = 0
	last := c.states[g.begins[len(g.begins)-2]:]
	for i := range last {
		g.most = max(g.most, int(last[i].mines))
	}
	for v := range g.ways {
		g.ways[v] = g.ways[v][:0]
		for range g.most + 1 {
			g.ways[v] = append(g.ways[v], 0)
		}
		if !g.asked {
			break
		}
	}
	for i := range last {
		v := 0
		if asked >= 0 {
			v = int(last[i].lacks[asked>>4&3] >> (uint(asked&15) * 4) & 15)
		}
		g.ways[v][last[i].mines] += last[i].ways
	}
}

// total returns the number of layouts in which the unknown number has the given value. If there is
// no unknown number, value must be 0, and total returns the number of all layouts.
func (c *counter) total(value int) float64 {
	if c.impossible {
		return 0
	}
	// An unknown number without hidden neighbours is 0.
	if len(c.numbers) > 0 && c.numbers[0].asked && c.numbers[0].n == 0 && value > 0 {
		return 0
	}
	sum := 0.0
	for mines, ways := range c.joined(-1, value) {
		sum += float64(ways * c.r.choose(c.outside, c.mines-mines))
	}
	return sum
}

// joined returns the numbers of layouts of all groups except one, indexed by number of mines. The
// parameter but is the excluded group, or -1 if no group is excluded. value is the value of the
// unknown number. The result is valid until the next call.
func (c *counter) joined(but, value int) []float64 {
	ways := append(c.ways[:0], 1)
	for i := range c.groups {
		g := &c.groups[i]
		if i == but {
			continue
		}
		own := g.ways[0]
		if g.asked {
			own = g.ways[value]
		}
		join := c.join[:0]
		for range min(len(ways)+len(own)-1, c.mines+1) {
			join = append(join, 0)
		}
		for a, x := range ways {
			for b, y := range own {
				if a+b < len(join) {
					join[a+b] += float64(x * y)
				}
			}
		}
		c.ways, c.join = join, ways
		ways = join
	}
	c.ways = ways // it may have grown even if nothing was joined
	return ways
}
