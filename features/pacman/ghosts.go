package pacman

import maze "plyfit/game/pacman"

// meet sets the terms that depend on ghosts. The argument capsule is the distance to the nearest
// remaining capsule.
func (v *values) meet(s *maze.State, capsule int) {
	m, at := s.Maze(), s.Pacman()
	steps, blind := m.Steps(at), m.Blind(at)
	var active [maze.MaxGhosts]maze.Ghost
	actives, nearest, inverse, caged, bait := 0, maze.Apart, 0.0, 0, 0.0
	var count [5]int // number of active ghosts for each number of moves to Pacman, up to a limit
	for i := range s.Ghosts() {
		g := s.Ghost(i)
		d := int(steps[g.Cell])
		if g.Timer > 0 {
			v.hunt(g, d)
			continue
		}
		active[actives] = g
		actives++
		if d >= maze.Apart {
			continue
		}
		if blind > 0 && d <= 2*blind {
			caged++
		}
		if capsule <= far {
			bait += 1 / float64(max(d, 1)) / float64(max(capsule, 1))
		}
		ahead := approach(m, g, at, steps)
		nearest = min(nearest, ahead)
		inverse += 1 / float64(max(ahead, 1))
		if ahead < len(count) {
			count[ahead]++
		}
	}
	v.capsuleBait = bait
	if actives == 0 {
		return
	}
	v.deadEnd, v.trapped = float64(blind), float64(caged)
	v.flee(m, at, steps, active[:actives])
	own := owned(m, at, active[:actives])
	v.territory = float64(own) / float64(m.Cells())
	if own < corner {
		v.cornered = 1 - float64(own)/corner
	}
	if nearest < maze.Apart {
		v.ghostNear, v.ghostInverse = float64(min(nearest, far)), inverse
		v.ghostsAt1 = float64(count[0] + count[1])
		v.ghostsAt2, v.ghostsAt3, v.ghostsAt4 = float64(count[2]), float64(count[3]), float64(count[4])
	}
}

// hunt adds the terms of a scared ghost that is d steps away.
func (v *values) hunt(g maze.Ghost, d int) {
	v.scaredTime += float64(g.Timer) / 40
	if d > g.Timer { // the ghost recovers before Pacman can reach it, even if it does not run away
		return
	}
	way := float64(d)
	if g.Half {
		way += 0.5
	}
	if v.scared == 0 || way < v.scaredNear {
		v.scaredNear = way
	}
	v.scared++
	v.scaredInverse += 1 / max(way, 0.5)
}

// flee counts the ways out and the ways from which ghosts approach. The argument steps contains the
// distances from Pacman's cell.
func (v *values) flee(m *maze.Layout, at maze.Cell, steps []int16, active []maze.Ghost) {
	free, pinched := 0, 0
	for _, to := range m.Neighbors(at) {
		if to < 0 {
			continue
		}
		safe := true
		from := m.Steps(to)
		for i := range active {
			c := active[i].Cell
			safe = safe && from[c] > 2
			if from[c] <= 3 && from[c] < steps[c] {
				pinched++
			}
		}
		if safe {
			free++
		}
	}
	v.escapes = float64(free)
	v.pincer = float64(max(pinched-1, 0))
}

// approach returns the minimum number of moves that an unscared ghost needs to reach a cell if it
// does not turn back immediately. The argument steps contains the distances from that cell.
func approach(m *maze.Layout, g maze.Ghost, to maze.Cell, steps []int16) int {
	if g.Cell == to {
		return 0
	}
	back := -1
	switch g.Heading { // the neighbours are in the order West, East, North, South
	case maze.West:
		back = 1
	case maze.East:
		back = 0
	case maze.North:
		back = 3
	case maze.South:
		back = 2
	}
	best := maze.Apart
	for i, n := range m.Neighbors(g.Cell) {
		if n >= 0 && i != back {
			best = min(best, 1+int(steps[n]))
		}
	}
	if best >= maze.Apart { // in a dead end, the ghost must turn back
		best = 2 + int(steps[g.Cell])
		if back >= 0 && m.Neighbors(g.Cell)[back] >= 0 {
			best = 1 + int(steps[m.Neighbors(g.Cell)[back]])
		}
	}
	return best
}

// Pacman counts as cornered if fewer than corner cells are nearer to Pacman than to any ghost.
const corner = 10

// owned returns the number of cells that are nearer to the given cell than to any ghost.
func owned(m *maze.Layout, at maze.Cell, ghosts []maze.Ghost) (n int) {
	mine := m.Steps(at)
	theirs := m.Steps(ghosts[0].Cell)[:len(mine)]
	if len(ghosts) == 1 {
		for i, d := range mine {
			if d < theirs[i] {
				n++
			}
		}
		return n
	}
	others := m.Steps(ghosts[1].Cell)[:len(mine)]
	for i, d := range mine {
		if d >= theirs[i] || d >= others[i] {
			continue
		}
		own := 1
		for _, g := range ghosts[2:] {
			if d >= m.Steps(g.Cell)[i] {
				own = 0
				break
			}
		}
		n += own
	}
	return n
}
