package intake

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/spec"
)

// A Collection contains the positions that were read, in their original order. All positions are
// kept in memory, because the positions of an episode need not be adjacent in a file. Each takes
// 100 to 200 bytes.
type Collection struct {
	Lines  int     // number of lines read
	Games  Account // games in PGN files
	Rows   Account // rows or lines with a position, excluding blank lines, comments and headers
	Plies  Account // plies of the imported games
	Scores Account // scores of the imported positions, and comments on all moves of the imported games
	// Terminations counts the imported games by the value of the Termination tag, except "normal".
	Terminations map[string]int
	Skips        []LineError
	Bad          int      // number of skipped records that could not be read
	Notes        []string // assumptions and ignored data, for the user
	Digest       string   // SHA-256 of the files' digests

	game     *game.Game
	slips    bool // the game has slips, so the move that was made is unknown
	entries  []item
	outcomes [][]float64
	outcome  map[string]int32
	names    []string // name of each episode; empty if it has none
	files    []string // file of each episode
	events   map[int32]string
	episode  map[string]int32
}

// An Account counts the records of one kind. Seen is the sum of Used and all values of Skipped.
type Account struct {
	Seen    int            `json:"seen"`
	Used    int            `json:"taken"`
	Skipped map[string]int `json:"skipped"` // number of skipped records by reason
}

// The reasons for skipping a record, a ply or a score.
const (
	Unfinished = "unfinished" // game without a result
	Finished   = "finished position"
	Behind     = "behind the game's end" // ply after the end of the game
	NotQuiet   = "not quiet"             // ply that Options.Quiet rejects
	Unreadable = "unreadable score"

	noMoves = "no moves"
	variant = "variant"
	endedBy = "ended by " // followed by the kind of forfeit
	noScore = "no score"
	leftOut = "of a position left out"
	second  = "a second score"
)

// count counts n more records, which were skipped for the given reason or, if reason is empty,
// used.
func (a *Account) count(reason string, n int) {
	a.Seen += n
	if reason == "" {
		a.Used += n
		return
	}
	if a.Skipped == nil {
		a.Skipped = map[string]int{}
	}
	a.Skipped[reason] += n
}

// add adds the counts of b to a.
func (a *Account) add(b Account) {
	a.count("", b.Used)
	for reason, n := range b.Skipped {
		a.count(reason, n)
	}
}

// record counts a record and the reason why it was skipped, if any. It returns an error if more
// records are unreadable than Options.BadLines allows.
func (r *reader) record(a *Account, line int, f fault) error {
	a.count(f.reason, 1)
	if f.reason == "" || f.reason == Finished {
		return nil
	}
	e := LineError{r.path, line, f.want}
	r.Skips = append(r.Skips, e)
	if f.reason == Unfinished || f.reason == noMoves || f.reason == variant || strings.HasPrefix(f.reason, endedBy) {
		return nil // such games are not errors in the file
	}
	if r.Bad++; r.Bad > r.o.BadLines {
		if r.o.BadLines == 0 {
			return e
		}
		return fmt.Errorf("%w; found %d bad lines, but the limit is %d", e, r.Bad, r.o.BadLines)
	}
	return nil
}

// An entry is a position as read from a file.
type entry struct {
	position, move, id string
	score              score
	outcome            []float64 // nil if the outcome is unknown or given by label
	label              int32     // index of the label in reader.labels; -1 if there is none
	ply, depth         int32
	placed             bool // the file specifies the ply
}

// item is a position in the collection.
type item struct {
	position, move string
	value          float64
	episode        int32
	outcome        int32 // index in outcomes; -1 if unknown; -2-label until the end of the file is reached
	ply, depth     int32
	mover          int8
	valued, placed bool
}

// Positions returns the number of positions, and Episodes the number of episodes.
func (c *Collection) Positions() int { return len(c.entries) }
func (c *Collection) Episodes() int  { return len(c.names) }

func (r *reader) add(e *entry) fault {
	s, err := r.game.Parse(e.position)
	if err != nil {
		return fault{"unreadable position", "a position of " + r.base.Name + ": " + err.Error()}
	}
	mover := s.Turn()
	switch mover {
	case game.Nobody:
		return fault{Finished, "a position in which a player is to move"}
	case game.Chance:
		return fault{"chance decides", "a position in which a player is to move, not chance"}
	}
	if e.outcome != nil {
		if err := r.base.CheckOutcome(e.outcome); err != nil {
			return fault{"unreadable result", err.Error()}
		}
	}
	k := item{position: s.String(), move: e.move, mover: int8(mover), ply: e.ply, depth: e.depth, placed: e.placed, outcome: -1}
	if !e.placed && r.base.Name == "chess" {
		k.ply, k.placed = plyOf(k.position)
	}
	if e.move != "" {
		m, err := r.game.ParseMove(s, e.move)
		if err != nil {
			return fault{"illegal or ambiguous move", err.Error()}
		}
		k.move = s.MoveString(m)
	}
	missing := e.score.missing()
	if text := e.score.text; text != "" && !missing {
		if k.value, k.valued = r.value(e.score, mover); !k.valued {
			return fault{Unreadable, fmt.Sprintf("a score, not %.40q", text)}
		}
		if b := r.base; k.value < b.Min || k.value > b.Max {
			return fault{Unreadable, fmt.Sprintf("a score from %v to %v (the utility range of %s), not %.40s", b.Min, b.Max, b.Name, text)}
		}
	}
	if e.outcome == nil && e.label < 0 && !k.valued {
		return fault{"no result and no score", "a result or a score"}
	}
	if missing {
		r.Scores.count(Unreadable, 1)
		r.ignored["scores that are NaN or exceed 32000 centipawns without being a mate"]++
	} else if k.valued {
		r.Scores.count("", 1)
	}
	if r.base.Ignored != nil {
		if what := r.base.Ignored(e.position); what != "" {
			r.ignored[what]++
		}
	}
	r.keep(&k, e.outcome, e.id)
	if e.label >= 0 {
		r.entries[len(r.entries)-1].outcome = -2 - e.label
	}
	return fault{}
}

// plyOf returns the ply derived from a FEN's move number. It ignores move number 1, because files
// without move numbers use it for all positions.
func plyOf(fen string) (ply int32, ok bool) {
	f := strings.Fields(fen)
	if len(f) < 6 {
		return 0, false
	}
	n, err := strconv.ParseInt(f[5], 10, 32)
	if err != nil || n < 2 || n > 1<<20 {
		return 0, false
	}
	ply = 2 * int32(n-1)
	if f[1] == "b" {
		ply++
	}
	if len(f) > 7 { // FEN moves M...
		ply += int32(len(f) - 7)
	}
	return ply, true
}

// keep appends a position to the collection. id is the name of its episode.
func (r *reader) keep(k *item, outcome []float64, id string) {
	if outcome != nil {
		k.outcome = r.outcomeNumber(outcome)
	}
	k.episode = r.episodeNumber(id)
	r.entries = append(r.entries, *k)
}

func (c *Collection) outcomeNumber(outcome []float64) int32 {
	var key strings.Builder
	for _, u := range outcome {
		key.WriteString(strconv.FormatUint(math.Float64bits(u), 16) + ",") // distinguishes every bit
	}
	n, ok := c.outcome[key.String()]
	if !ok {
		n = int32(len(c.outcomes))
		c.outcome[key.String()] = n
		c.outcomes = append(c.outcomes, outcome)
	}
	return n
}

// episodeNumber returns the number of the episode with the given name in the current file. An empty
// name always starts a new episode.
func (r *reader) episodeNumber(id string) int32 {
	key := string(rune(r.number)) + " " + spec.Canonical(id)
	if id != "" {
		if n, ok := r.episode[key]; ok {
			return n
		}
	}
	n := int32(len(r.names))
	if id != "" {
		id = strings.Clone(id)
		r.episode[key] = n
	}
	r.names, r.files = append(r.names, id), append(r.files, r.path)
	return n
}

// Event returns the PGN tag Event of an episode.
func (c *Collection) Event(episode uint64) string { return c.events[int32(episode)] }

// Records yields the records of all positions, ordered by episode.
func (c *Collection) Records() iter.Seq2[*datasets.Record, error] {
	return func(yield func(*datasets.Record, error) bool) {
		for at := range c.entries {
			if r, err := c.record(&c.entries[at]); !yield(&r, err) {
				return
			}
		}
	}
}

// perShard is the approximate number of records per shard.
const perShard = 1 << 16

// Write writes the collection as a data set in dir. If dir already contains this data set, Write
// only reads it.
func (c *Collection) Write(ctx context.Context, dir string) (*datasets.Manifest, error) {
	if len(c.entries) == 0 {
		return nil, errors.New("intake: nothing to write")
	}
	plan := datasets.Plan{
		Game: c.game.Spec, Agents: []string{datasets.ImportedAgent}, Source: c.Digest,
		Episodes: len(c.names), EpisodesPerShard: max(1, min(len(c.names), perShard*len(c.names)/len(c.entries))),
	}
	return datasets.Fill(ctx, dir, plan, func(ctx context.Context, missing *datasets.Missing) error {
		for _, shard := range missing.Shards {
			var records []datasets.Record
			from, to := plan.Span(shard)
			for at := c.first(from); at < c.first(to); at++ {
				r, err := c.record(&c.entries[at])
				if err != nil {
					return err
				}
				records = append(records, r)
			}
			file, err := datasets.EncodeShard(records)
			if err := cmp.Or(err, context.Cause(ctx)); err != nil {
				return err
			}
			if err := missing.Put(shard, file); err != nil {
				return err
			}
		}
		return nil
	})
}

// byEpisode sorts the positions by episode and otherwise keeps their order. Positions without a ply
// are numbered in this order.
func (c *Collection) byEpisode() {
	slices.SortStableFunc(c.entries, func(a, b item) int { return cmp.Compare(a.episode, b.episode) })
	number := int32(0)
	for i := range c.entries {
		k := &c.entries[i]
		if number++; i == 0 || k.episode != c.entries[i-1].episode {
			number = 0
		}
		if !k.placed {
			k.ply = number
		}
	}
}

// first returns the index of the first position of the given episode. If the episode has no
// positions, it returns the index of the first later one.
func (c *Collection) first(episode uint64) int {
	at, _ := slices.BinarySearchFunc(c.entries, int32(episode), func(k item, e int32) int { return cmp.Compare(k.episode, e) })
	return at
}

// record converts a position to a record.
func (c *Collection) record(t *item) (datasets.Record, error) {
	r := datasets.Record{
		Episode: uint64(t.episode), Ply: t.ply, Position: t.position, Mover: game.Player(t.mover), Move: t.move,
		Value: t.value, HasValue: t.valued, Depth: t.depth, ID: c.names[t.episode],
	}
	if !c.slips {
		r.Made = r.Move
	}
	if t.outcome < 0 {
		r.Outcome, r.Truncated = make([]float64, c.game.Base().Players), true
	} else {
		r.Outcome = c.outcomes[t.outcome]
	}
	if c.game.Hidden { // View is computed here rather than stored with each position, because most games do not need it.
		s, err := c.game.Parse(t.position)
		if err != nil {
			return r, err
		}
		r.View = c.game.View(s, s.Turn())
	}
	return r, nil
}
