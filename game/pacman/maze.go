package pacman

import "slices"

// Apart is the distance between cells that no way joins.
const Apart = 1 << 14

// maze is what is known beforehand of the ways through a layout.
type maze struct {
	n        int
	distance []int16 // n x n
	nearby   []Cell  // n x n: for each cell all others that it reaches, nearest first, then -1
	neighbor []Cell  // 4 a cell, -1 at walls: West, East, North, South
	blind    []uint8 // by cell, see Blind
}

func newMaze(l *Layout) maze {
	n := len(l.cells)
	m := maze{
		n:        n,
		distance: slices.Repeat([]int16{Apart}, n*n),
		nearby:   slices.Repeat([]Cell{-1}, n*n),
		neighbor: make([]Cell, 4*n),
		blind:    make([]uint8, n),
	}
	for c, at := range l.cells {
		for i, to := range [4]spot{{at.x - 1, at.y}, {at.x + 1, at.y}, {at.x, at.y + 1}, {at.x, at.y - 1}} {
			m.neighbor[4*c+i] = l.cellOf[l.half(to)]
		}
	}
	for c := range n {
		m.flood(c)
	}
	m.fill()
	return m
}

// flood walks from a cell to all others, breadth first.
func (m *maze) flood(from int) {
	row := m.distance[from*m.n : (from+1)*m.n]
	queue := m.nearby[from*m.n : from*m.n : (from+1)*m.n]
	row[from] = 0
	queue = append(queue, Cell(from))
	for i := 0; i < len(queue); i++ {
		c := queue[i]
		for _, to := range m.neighbor[4*c : 4*c+4] {
			if to >= 0 && row[to] == Apart {
				row[to] = row[c] + 1
				queue = append(queue, to)
			}
		}
	}
}

// fill finds the dead ends by filling up cells with one way out, again and again; a filled cell's
// depth is the shortest way to an unfilled one.
func (m *maze) fill() {
	ways := make([]int, m.n)
	filled := make([]bool, m.n)
	var queue []int
	for c := range m.n {
		for _, to := range m.neighbor[4*c : 4*c+4] {
			if to >= 0 {
				ways[c]++
			}
		}
		if ways[c] <= 1 {
			queue = append(queue, c)
			filled[c] = true
		}
	}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		for _, to := range m.neighbor[4*c : 4*c+4] {
			if to < 0 || filled[to] {
				continue
			}
			if ways[to]--; ways[to] <= 1 {
				filled[to] = true
				queue = append(queue, int(to))
			}
		}
	}
	for c := range m.n {
		if !filled[c] {
			continue
		}
		for _, to := range m.nearby[c*m.n : (c+1)*m.n] {
			if to >= 0 && !filled[to] {
				m.blind[c] = uint8(min(m.distance[c*m.n+int(to)], 255))
				break
			}
		}
	}
}

// Distance is the number of steps from a to b through the maze, [Apart] where there is no way.
func (m *maze) Distance(a, b Cell) int { return int(m.distance[int(a)*m.n+int(b)]) }

// Steps are the distances from c to all cells by number. The list is not to be changed.
func (m *maze) Steps(c Cell) []int16 { return m.distance[int(c)*m.n : (int(c)+1)*m.n] }

// Nearby are the cells that can be reached from c, itself first, the nearest
// first; behind them stands -1. The list is not to be changed.
func (m *maze) Nearby(c Cell) []Cell { return m.nearby[int(c)*m.n : (int(c)+1)*m.n] }

// Neighbors are the cells beside c in the order West, East, North, South, -1 for
// walls. The list is not to be changed.
func (m *maze) Neighbors(c Cell) []Cell { return m.neighbor[4*c : 4*c+4] }

// Blind is how deep in a dead end c lies: the number of steps to the first cell with more than one
// endless way, 0 for such cells and everywhere in a maze that is all dead ends.
func (m *maze) Blind(c Cell) int { return int(m.blind[c]) }

// Nearest is the distance from c to the nearest cell of a set, cell i being bit
// i%64 of word i/64; [Apart] where none can be reached.
func (m *maze) Nearest(c Cell, set []uint64) int {
	for _, to := range m.Nearby(c) {
		if to < 0 {
			break
		}
		if set[to>>6]&(1<<(to&63)) != 0 {
			return m.Distance(c, to)
		}
	}
	return Apart
}
