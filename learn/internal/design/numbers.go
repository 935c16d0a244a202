package design

import (
	"cmp"
	"slices"

	"plyfit/game"
	"plyfit/internal/hashed"
)

// episodeSet is a set of episodes. Those that come in ascending order, as data sets have them, are
// kept as runs, the others by their hashes. Fits over rows that are each an episode of their own
// would spend much of the first pass here with a map.
type episodeSet struct {
	runs   []run // ascending, the last one's end is the largest number of all
	ran    int   // how many numbers the runs hold
	others *hashed.Table[struct{}]
}

type run struct{ first, last uint64 }

func NewEpisodeSet() *episodeSet { return &episodeSet{others: hashed.New[struct{}](0)} }

// Add reports whether x is new.
func (n *episodeSet) Add(x uint64) bool {
	k := len(n.runs)
	if k == 0 || x > n.runs[k-1].last {
		n.ran++
		if k > 0 && n.runs[k-1].last+1 == x {
			n.runs[k-1].last = x
		} else {
			n.runs = append(n.runs, run{x, x})
		}
		return true
	}
	in, _ := slices.BinarySearchFunc(n.runs, x, func(r run, x uint64) int { return cmp.Compare(r.last, x) })
	if n.runs[in].first <= x {
		return false
	}
	_, had := n.others.At(game.Mix(x)) // one to one
	return !had
}

// Len is how many there are.
func (n *episodeSet) Len() int { return n.ran + n.others.Len() }
