package pacman

import "slices"

// Apart is the distance between cells that are not connected.
const Apart = 1 << 14

// maze contains precomputed paths through a layout.
type maze struct {
	n        int
	distance []int16 // n x n distances
	nearby   []Cell  // n x n: for each cell, all cells reachable from it, nearest first, padded with -1
	neighbor []Cell  // four neighbours per cell: West, East, North, South; -1 for walls
	blind    []uint8 // result of Blind for each cell
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

// flood computes the distances from a cell to all others by breadth-first search.
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

// fill finds the dead ends. It repeatedly fills cells that have only one open neighbour. The depth
// of a filled cell is its distance from the nearest cell that is not filled.
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

// Distance returns the number of steps from a to b through the maze, or [Apart] if they are not
// connected.
func (m *maze) Distance(a, b Cell) int { return int(m.distance[int(a)*m.n+int(b)]) }

// Steps returns the distances from c to all cells, in the order of their numbers. The list must not
// be modified.
func (m *maze) Steps(c Cell) []int16 { return m.distance[int(c)*m.n : (int(c)+1)*m.n] }

// Nearby returns the cells that can be reached from c, nearest first and beginning with c itself.
// The list is padded with -1. It must not be modified.
func (m *maze) Nearby(c Cell) []Cell { return m.nearby[int(c)*m.n : (int(c)+1)*m.n] }

// Neighbors returns the neighbours of c in the order West, East, North, South, with -1 for walls.
// The list must not be modified.
func (m *maze) Neighbors(c Cell) []Cell { return m.neighbor[4*c : 4*c+4] }

// Blind returns the depth of c in a dead end: the number of steps to the first cell that is not
// part of a dead end. It returns 0 for cells outside dead ends, and for all cells if the whole maze
// consists of dead ends.
func (m *maze) Blind(c Cell) int { return int(m.blind[c]) }

// Nearest returns the distance from c to the nearest cell of a set, or [Apart] if none can be
// reached. Bit i%64 of word i/64 represents cell i.
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
