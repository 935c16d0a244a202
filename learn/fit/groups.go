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

// groups contains the groups of dependent episodes in a data set, found by comparing the episodes'
// contents. All episodes in a group are in the same fold and, unless a split by name divides them,
// on the same side of the split. Standard errors are clustered by group.
//
// Games that share a position beyond the opening are in one group, and so are games connected
// through other games. A position counts as beyond the opening from the ply at which the longest
// opening in the data set ends. Mirror images of a board count as the same position if their
// features are equal ([features.Keys]).
//
// If such a group would contain more than a tenth of the episodes, games are not grouped in this
// way. This may happen in small games or if all games start from the same position. In that case
// only identical games form a group, and positions shared by held-out and training games are
// reported ([learn.Overlap]). If the game also has chance moves, identical games are independent
// and are not grouped.
//
// A replay is an episode that repeats an earlier one because it starts from the same opening. If
// all episodes from the same position continue in the same way, nothing after the opening was
// random, and a repeat adds no information. Replays are left out in that case. If games diverge
// because of chance, exploration or random choices among equal moves, a repeat is evidence of how
// frequent the line is, and all episodes count.
type groups struct {
	of          []uint32 // by episode: first episode of its group
	several     []bool   // by episode: whether its group has other members
	replay      []bool   // by episode
	replays     int
	largeGroups int  // number of groups with several episodes
	joined      bool // whether games that share a position are grouped

	alike []uint64 // by episode: hash of its outcome and all its positions
}

// maxGroupShare is the maximum fraction of the episodes that one group may contain.
const maxGroupShare = 0.1

// recordSource joins the records of several data sets for the same game. The episodes of each set
// are numbered after those of the previous set.
type recordSource struct {
	name     string // for messages
	episodes int
	openings int   // length of the longest opening, in plies
	count    int64 // number of records
	// plain is set if the moves after the openings were neither explored at random nor imported.
	plain   bool
	records func() iter.Seq2[*datasets.Record, error]
}

func newRecordSource(sets ...*datasets.Set) *recordSource {
	m := &recordSource{plain: true, records: sets[0].Records}
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
		m.records = func() iter.Seq2[*datasets.Record, error] { return concatenate(sets) }
	}
	return m
}

func concatenate(sets []*datasets.Set) iter.Seq2[*datasets.Record, error] {
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

// newGroups finds the groups in the data in one pass over the records. Positions are compared by
// set's features.
func newGroups(g *game.Game, set features.Set, data *recordSource) (*groups, error) {
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
			if size[root]++; float64(size[root]) > max(1, maxGroupShare*float64(kept)) {
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
			out.largeGroups++
		}
	}
	return out, nil
}

// findReplays marks the replays. It marks none if two episodes with the same first position differ.
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

// group implements learn.Options.Group.
func (g *groups) group(episode uint64) (id uint64, alone bool) {
	if episode >= uint64(len(g.of)) {
		return episode, true
	}
	return uint64(g.of[episode]), !g.several[episode]
}

// filtered returns the records for which keep returns true.
func filtered(records func() iter.Seq2[*datasets.Record, error], keep func(r *datasets.Record) bool) func() iter.Seq2[*datasets.Record, error] {
	return func() iter.Seq2[*datasets.Record, error] { return datasets.Those(records(), keep) }
}

// A recordScan accumulates hashes of the episodes in one pass over the records.
type recordScan struct {
	dir    string // for messages
	game   *game.Game
	keys   *features.Keys
	beyond int32                 // first ply at which a shared position joins games
	lines  []uint64              // by episode: hash of its outcome, boards and moves
	alike  []uint64              // by episode: hash of its outcome and positions, equal for mirror images; in long episodes, a hash of rows instead
	rows   []uint64              // by episode: hash of its outcome and the features of its rows, which are sampled in long episodes
	count  []uint32              // by episode: number of records
	begun  []uint64              // by episode: hash of its first position, including the position's history
	parent []uint32              // by episode: parent in the union-find forest
	first  *hashed.Table[uint32] // first episode that reaches each position
	nature bool                  // whether plies are missing between the records, as in games with chance moves
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
		if n := r.count[episode]; n < 2*leastAlike || n%leastAlike == 0 { // sample the rows of a long game
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

// leastAlike is the minimum number of rows for comparing episodes by the features of their rows.
// Two different games are unlikely to agree in that many rows. Games that agree are treated as the
// same game or as mirror images.
const leastAlike = 8

func (r *recordScan) root(e uint32) uint32 {
	for r.parent[e] != e {
		r.parent[e] = r.parent[r.parent[e]]
		e = r.parent[e]
	}
	return e
}

// joinAlike groups identical episodes. If the parameter beside is false, it first dissolves the
// groups of games that share a position. Games that end within the opening have no positions beyond
// it, so only joinAlike can group them.
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

// join merges the groups of a and b. The root of a group is its lowest episode.
func (r *recordScan) join(a, b uint32) {
	a, b = r.root(a), r.root(b)
	r.parent[max(a, b)] = min(a, b)
}
