package learn

import (
	"plyfit/datasets"
	"plyfit/game"
)

// Repeats says which episodes of samples go like an earlier one, row for row by
// datasets.Sample.Position and in the same order, whatever their numbers are: the same
// game under another name, which is no evidence of its own. Labels do not part them.
//
// An episode of a single row is never taken for a repeat: without a game around it, the
// same row twice may well be two games that came to the same position. [Overlap] tells
// of it.
type Repeats struct {
	Episodes int // that go like an earlier one
	Groups   int // of several episodes: what [Options].Groups wants

	first map[uint64]uint64 // the first of its group, of episodes in groups of several
}

// FindRepeats goes once over samples, all of which know their Position. The rows of an
// episode need not stand together.
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
