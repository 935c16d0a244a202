package learn

import (
	"plyfit/datasets"
	"plyfit/game"
)

// Repeats lists episodes equal to an earlier one, row for row by datasets.Sample.Position and in
// the same order: the same game under another number, which is no independent evidence. Labels are
// not compared. An episode of a single row is never a repeat, since two games may reach the same
// position; [Overlap] counts those.
type Repeats struct {
	Episodes int // that go like an earlier one
	Groups   int // of several episodes: what [Options].Groups wants

	first map[uint64]uint64 // the first of its group, of episodes in groups of several
}

// FindRepeats reads samples once; all must have a Position. An episode's rows need not be adjacent.
func FindRepeats(samples datasets.Samples) (*Repeats, error) {
	type line struct {
		hash uint64
		rows int
	}
	lines := map[uint64]*line{}
	var order []uint64 // episodes by their first rows
	var at *line
	var last uint64
	for s, err := range datasets.Outlines(samples) {
		if err != nil {
			return nil, err
		}
		if at == nil || s.Episode != last {
			if at = lines[s.Episode]; at == nil {
				at = new(line)
				lines[s.Episode] = at
				order = append(order, s.Episode)
			}
			last = s.Episode
		}
		at.hash = game.Mix(at.hash ^ s.Position)
		at.rows++
	}
	r := &Repeats{first: map[uint64]uint64{}}
	known := map[line]uint64{}
	for _, e := range order {
		l := *lines[e]
		if l.rows < 2 {
			continue
		}
		first, had := known[l]
		if !had {
			known[l] = e
			continue
		}
		r.Episodes++
		if _, several := r.first[first]; !several {
			r.first[first] = first
			r.Groups++
		}
		r.first[e] = first
	}
	return r, nil
}

// Group is [Options].Group.
func (r *Repeats) Group(episode uint64) (id uint64, alone bool) {
	if first, several := r.first[episode]; several {
		return first, false
	}
	return episode, true
}
