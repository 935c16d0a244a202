package fit

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"math"
	"strings"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/hashed"
)

// groups finds dependent episodes of a data set by their contents. A group falls into one fold or
// one side of a split, and standard errors are clustered by it.
//
// Games that meet in a position beyond the opening (at the ply of the data set's longest opening,
// or later) form one group: connected components. Mirror images of a board count as one position
// if their features are equal ([features.Keys]). If a component exceeds a tenth of the episodes,
// as in small games and those from a single start, no split could separate them. Then only games
// equal from end to end form a group, and positions shared between held-out and training games are
// reported ([learn.Overlap]). With nature in the game, a line that occurs twice is evidence twice.
//
// A replay equals an earlier episode because its opening does: if all episodes from the same
// position continue alike, nothing was random after the opening, and the second adds no
// information. Replays are left out. If lines part by chance, exploration or random choice among
// equal moves, a repeated line is evidence of its frequency, and all of them count.
type groups struct {
	of      []uint32 // by episode: the first episode of its group
	several []bool   // by episode: its group has others, too
	replay  []bool   // by episode
	replays int
	many    int  // groups of several episodes
	joined  bool // groups are of games that meet

	alike []uint64 // by episode: a hash of its outcome and all its positions
}

// mostMet is the largest share of the episodes that may be of one group.
const mostMet = 0.1

// material joins the records of several data sets of one game: episodes of each follow the last's.
type material struct {
	name     string // for messages
	episodes int
	openings int   // the longest, in plies
	count    int64 // of records
	// plain means that no move beyond the openings was random or came from elsewhere.
	plain   bool
	records func() iter.Seq2[*datasets.Record, error]
}

func materialOf(sets ...*datasets.Set) *material {
	m := &material{plain: true, records: sets[0].Records}
	var names []string
	for _, data := range sets {
		names = append(names, data.Dir)
		m.episodes += data.Episodes
		m.openings = max(m.openings, data.Openings)
		m.count += data.Manifest.Records
		m.plain = m.plain && data.Explore == 0 && !data.Imported()
	}
	m.name = strings.Join(names, ", ")
	if len(sets) > 1 {
		m.records = func() iter.Seq2[*datasets.Record, error] { return oneAfterTheOther(sets) }
	}
	return m
}

func oneAfterTheOther(sets []*datasets.Set) iter.Seq2[*datasets.Record, error] {
	return func(yield func(*datasets.Record, error) bool) {
		before := uint64(0)
		for _, data := range sets {
			for r, err := range data.Records() {
				if err != nil {
					yield(nil, err)
					return
				}
				moved := *r
				moved.Episode += before
				if !yield(&moved, nil) {
					return
				}
			}
			before += uint64(data.Episodes)
		}
	}
}

// newGroups reads the records of data once, as a fit of the set sees them.
func newGroups(g *game.Game, set features.Set, data *material) (*groups, error) {
	n := data.episodes
	if n > math.MaxUint32 {
		return nil, fmt.Errorf("%s: %d episodes: want at most %d", data.name, n, uint32(math.MaxUint32))
	}
	r := recordScan{dir: data.name, game: g, beyond: int32(data.openings), keys: features.NewKeys(g, set), lines: make([]uint64, n), alike: make([]uint64, n), rows: make([]uint64, n), count: make([]uint32, n), begun: make([]uint64, n),
		parent: make([]uint32, n), first: hashed.New[uint32](data.count)}
	for e := range r.parent {
		r.parent[e] = uint32(e)
	}
	if err := r.all(data.records()); err != nil {
		return nil, err
	}
	out := &groups{alike: r.alike, of: make([]uint32, n), several: make([]bool, n), replay: make([]bool, n)}
	if !r.nature && data.plain {
		out.findReplays(&r)
	}
	out.joined = true
	size := make([]int, n)
	kept := n - out.replays
	for e := range n {
		if !out.replay[e] {
			root := r.root(uint32(e))
			if size[root]++; float64(size[root]) > max(1, mostMet*float64(kept)) {
				out.joined = false
			}
		}
	}
	if !r.nature {
		r.joinAlike(out.joined)
	}
	for e := range n {
		if out.of[e] = uint32(e); out.joined || !r.nature {
			out.of[e] = r.root(uint32(e))
		}
	}
	clear(size)
	for e, id := range out.of {
		if !out.replay[e] {
			size[id]++
		}
	}
	for e, id := range out.of {
		if out.several[e] = size[id] > 1; out.several[e] && id == uint32(e) {
			out.many++
		}
	}
	return out, nil
}

// findReplays marks episodes equal to an earlier one with the same beginning, where that is the
// rule.
func (g *groups) findReplays(r *recordScan) {
	first := map[uint64]int{}
	for e := range r.begun {
		if other, had := first[r.begun[e]]; !had {
			first[r.begun[e]] = e
		} else if r.lines[other] != r.lines[e] {
			clear(g.replay)
			g.replays = 0
			return
		} else {
			g.replay[e] = true
			g.replays++
		}
	}
}

// group is learn.Options.Group.
func (g *groups) group(episode uint64) (id uint64, alone bool) {
	if episode >= uint64(len(g.of)) {
		return episode, true
	}
	return uint64(g.of[episode]), !g.several[episode]
}

// withoutReplays are the records without replays.
func (g *groups) withoutReplays(records func() iter.Seq2[*datasets.Record, error]) func() iter.Seq2[*datasets.Record, error] {
	if g == nil || g.replays == 0 {
		return records
	}
	return filtered(records, func(r *datasets.Record) bool { return !g.replay[r.Episode] })
}

// filtered are the records that keep tells.
func filtered(records func() iter.Seq2[*datasets.Record, error], keep func(r *datasets.Record) bool) func() iter.Seq2[*datasets.Record, error] {
	return func() iter.Seq2[*datasets.Record, error] { return datasets.Those(records(), keep) }
}

// recordScan goes through the records of a data set.
type recordScan struct {
	dir    string // for messages
	game   *game.Game
	keys   *features.Keys
	beyond int32                 // plies from which on positions join games
	lines  []uint64              // by episode: a hash of its outcome, boards and moves
	alike  []uint64              // by episode: a hash of its outcome and positions, images of boards being one
	rows   []uint64              // by episode: a hash of its outcome and of its rows' features alone
	count  []uint32              // by episode, of records
	begun  []uint64              // by episode: a hash of its first position with its past
	parent []uint32              // by episode: union-find
	first  *hashed.Table[uint32] // the first episode that comes to a position
	nature bool                  // moves stand between the records
}

func (r *recordScan) all(records iter.Seq2[*datasets.Record, error]) error {
	line := fnv.New64a()
	var buf []byte
	episode, ply, any := uint64(0), int32(0), false
	for rec, err := range records {
		if err != nil {
			return err
		}
		s, err := r.game.Parse(rec.Position)
		if err != nil {
			return fmt.Errorf("%s: episode %d, ply %d: %w", r.dir, rec.Episode, rec.Ply, err)
		}
		board, place := game.BoardHash(s), r.keys.Of(game.Base(s))
		if !any || rec.Episode != episode {
			line.Reset()
			for _, u := range rec.Outcome {
				buf = binary.LittleEndian.AppendUint64(buf[:0], math.Float64bits(u))
				line.Write(buf)
			}
			r.alike[rec.Episode], r.rows[rec.Episode] = line.Sum64(), line.Sum64()
			h := fnv.New64a()
			h.Write([]byte(rec.Position))
			r.begun[rec.Episode] = h.Sum64()
		} else if rec.Ply-ply > 1 {
			r.nature = true
		}
		episode, ply, any = rec.Episode, rec.Ply, true
		buf = append(binary.LittleEndian.AppendUint64(buf[:0], board), rec.Move...)
		line.Write(append(buf, 0))
		r.lines[episode], r.alike[episode] = line.Sum64(), game.Mix(r.alike[episode]^place)
		if n := r.count[episode]; n < 2*leastAlike || n%leastAlike == 0 { // enough of a long game
			r.rows[episode] = game.Mix(r.rows[episode] ^ r.keys.Row(game.Base(s)))
		}
		r.count[episode]++
		if rec.Ply < r.beyond {
			continue
		}
		if by, had := r.first.At(place); had {
			r.join(*by, uint32(episode))
		} else {
			*by = uint32(episode)
		}
	}
	for e, n := range r.count {
		if n >= leastAlike {
			r.alike[e] = game.Mix(r.rows[e] + uint64(n))
		}
	}
	return nil
}

// leastAlike is how many rows two games hardly share by chance in a set large enough to fit: games
// with so many in common, in order, are one game or its image.
const leastAlike = 8

func (r *recordScan) root(e uint32) uint32 {
	for r.parent[e] != e {
		r.parent[e] = r.parent[r.parent[e]]
		e = r.parent[e]
	}
	return e
}

// joinAlike groups episodes equal from end to end: in addition to those that meet beyond the
// opening, which games ending within it never do, or alone.
func (r *recordScan) joinAlike(beside bool) {
	if !beside {
		for e := range r.parent {
			r.parent[e] = uint32(e)
		}
	}
	alike := map[uint64]uint32{}
	for e := range r.parent {
		if first, had := alike[r.alike[e]]; had {
			r.join(first, uint32(e))
		} else {
			alike[r.alike[e]] = uint32(e)
		}
	}
}

// join makes one group of two, which goes by its least episode.
func (r *recordScan) join(a, b uint32) {
	a, b = r.root(a), r.root(b)
	r.parent[max(a, b)] = min(a, b)
}
