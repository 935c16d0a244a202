package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/search"
	"plyfit/work"
)

// journalFormat identifies a record file in its first line.
const journalFormat = "plyfit-match/1"

// Header is the first line of a record file. It contains everything that determines a pair. The
// number of pairs is not included, so that a match can be extended. The test is included, because
// it must not change once results are known.
type Header struct {
	Format     string        `json:"format" is:"format"`
	Game       string        `json:"game" is:"game"`
	A          string        `json:"a" is:"first agent"`
	B          string        `json:"b" is:"second agent"`
	Nature     string        `json:"nature,omitempty" is:"nature"`
	Seed       uint64        `json:"seed" is:"seed"`
	Plies      int           `json:"opening_plies,omitempty" is:"opening plies"`
	Positions  string        `json:"opening_positions,omitempty" is:"opening positions"` // number of positions and their digest
	Fixed      bool          `json:"openings_fixed,omitempty" is:"fixed openings"`
	MoveTime   string        `json:"move_time,omitempty" is:"move time limit"`
	Margin     string        `json:"margin,omitempty" is:"time margin"`
	NoMoves    bool          `json:"no_moves,omitempty" is:"no moves"`
	Measure    Measure       `json:"measure" is:"measure"`
	SPRT       *stats.SPRT   `json:"sprt,omitempty" is:"sprt"`
	Adjudicate *Adjudication `json:"adjudicate,omitempty" is:"adjudication"`
	Digest     string        `json:"digest" is:"digest"` // digest of the line without this field
}

func headerOf(cfg Config) Header {
	h := Header{
		Format: journalFormat, Game: cfg.Game.Spec, A: cfg.A.ID(), B: cfg.B.ID(),
		Seed: cfg.Seed, Plies: cfg.Openings.Plies, Fixed: cfg.Openings.Fixed, NoMoves: cfg.NoMoves, Measure: cfg.Measure, SPRT: cfg.SPRT, Adjudicate: cfg.Adjudicate,
	}
	if cfg.Nature != nil {
		h.Nature = cfg.Nature.ID()
	}
	if n := len(cfg.Openings.Positions); n > 0 {
		text, _ := json.Marshal(cfg.Openings.Positions)
		h.Positions = fmt.Sprintf("%d, %s", n, digest(text))
	}
	if cfg.MoveTime > 0 {
		h.MoveTime, h.Margin = cfg.MoveTime.String(), cfg.Margin.String()
	}
	h.Digest = h.digest()
	return h
}

// config returns the configuration that the header describes, without a time limit. The caller sets
// the number of pairs, the listed positions and nature.
func (h Header) config(g *game.Game, a, b search.Factory) Config {
	return Config{
		Game: g, A: a, B: b, Seed: h.Seed, Measure: h.Measure, SPRT: h.SPRT, Adjudicate: h.Adjudicate,
		NoMoves: h.NoMoves, Openings: Openings{Plies: h.Plies, Fixed: h.Fixed},
	}
}

func digest(text []byte) string { return work.Digest(text)[:16] }

func (h Header) digest() string {
	h.Digest = ""
	text, err := json.Marshal(h)
	if err != nil {
		panic("arena: " + err.Error()) // all fields of a header can be marshalled
	}
	return digest(text)
}

// differs describes the first field in which h differs from the expected header. It returns an
// empty string if the headers are equal.
func (h Header) differs(want Header) string {
	has, wants := reflect.ValueOf(h), reflect.ValueOf(want)
	for i := range has.NumField() {
		if x, y := orNone(has.Field(i)), orNone(wants.Field(i)); x != y {
			return fmt.Sprintf("%s %v, want %v", has.Type().Field(i).Tag.Get("is"), x, y)
		}
	}
	return ""
}

// orNone returns v, or the value that v points to, for comparison and printing.
func orNone(v reflect.Value) any {
	switch {
	case v.Kind() != reflect.Pointer:
		return v.Interface()
	case v.IsNil():
		return "none"
	}
	return v.Elem().Interface()
}

// A journal is the record file of a match.
type journal struct {
	work.Journal
	want    *Header // nil to accept any match
	header  Header  // as read from the file
	pairs   int     // number of pairs read
	release func()  // releases the lock on the file
}

// openJournal opens or creates the record file of a match and passes every pair to the callback, in
// order. An incomplete last line is dropped. Errors about any other line contain the file name. If
// another process is writing the file, openJournal returns a [work.HeldError].
func openJournal(path string, want Header, each func(*PairRecord) error) (*journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	release, err := work.Hold(path)
	if err != nil {
		return nil, err
	}
	j := &journal{Journal: work.Journal{Path: path}, want: &want, release: release}
	err = j.Load(j.line(each))
	if err == nil && j.Lines == 0 {
		var header []byte
		if header, err = disk.Line(want); err == nil {
			err = j.Append(header)
		}
	}
	if err != nil {
		j.Close()
		release()
		return nil, err
	}
	return j, nil
}

// line returns a function that reads the lines of the file and passes their pairs to the callback.
func (j *journal) line(each func(*PairRecord) error) func(text []byte, torn bool) error {
	return func(text []byte, torn bool) error {
		switch {
		case j.Lines == 0:
			return j.first(text, torn)
		case torn:
			return nil
		}
		return j.pair(text, each)
	}
}

func (j *journal) first(text []byte, torn bool) error {
	if torn && j.want != nil {
		// A truncated header can be written again. Any other content means that the file is not a
		// record file of this match.
		if whole, err := disk.Line(*j.want); err != nil || bytes.HasPrefix(whole, text) {
			return err
		}
	}
	h := &j.header
	if torn || json.Unmarshal(text, h) != nil || h.Format != journalFormat {
		return j.Fail("want a match header (%s)", journalFormat)
	}
	if h.Digest != h.digest() {
		return j.Fail("digest %q does not match this header", h.Digest)
	}
	if j.want != nil {
		if what := h.differs(*j.want); what != "" {
			return fmt.Errorf("%s contains another match: %s", j.Path, what)
		}
	}
	return nil
}

// pair decodes a line and passes the resulting pair to the callback.
func (j *journal) pair(text []byte, each func(*PairRecord) error) error {
	var r PairRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return j.Fail("want a pair as JSON: %w", err)
	}
	if r.Pair != j.pairs {
		return j.Fail("pair %d, want %d", r.Pair, j.pairs)
	}
	if err := each(&r); err != nil {
		return j.Fail("%w", err)
	}
	j.pairs++
	return nil
}

const longestHeader = 1 << 16

// ReadHeader reads the header at the beginning of a record file. Errors contain the file name.
func ReadHeader(name string, r io.Reader) (h Header, err error) {
	if err := json.NewDecoder(io.LimitReader(r, longestHeader)).Decode(&h); err != nil || h.Format != journalFormat {
		return h, fmt.Errorf("%s, line 1: want a match header (%s)", name, journalFormat)
	}
	return h, nil
}

func sealedLines(pairs []PairRecord) ([]byte, error) {
	var lines []byte
	for i := range pairs {
		line, err := disk.SealedLine(&pairs[i])
		if err != nil {
			return nil, err
		}
		lines = append(lines, line...)
	}
	return lines, nil
}

// EachRecord calls the given function with every pair in a record file, in order. It ignores an
// incomplete last line, and stops if the function returns an error.
func EachRecord(path string, each func(*PairRecord) error) (Header, error) {
	f, err := os.Open(path)
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	j := journal{Journal: work.Journal{Path: path}}
	err = j.Read(f, j.line(each))
	return j.header, err
}

// mostGameBytes is the maximum average size of a game. Games of 2048 between strong agents have
// about 100,000 moves.
const mostGameBytes = 4 << 20

// mostUnitBytes is the maximum size of a unit's result.
const mostUnitBytes = 1 << 30

// audit returns the checks applied to the results of units with the given number of pairs.
func (m *match) audit(pairs int) *work.Audit {
	return &work.Audit{
		MostBytes: min(int64(pairs)*int64(len(m.layout.seats))*mostGameBytes, mostUnitBytes),
		Check: func(_ context.Context, unit int, lines []byte) error {
			from, to := m.span(unit, pairs)
			_, err := m.records(from, to, lines)
			return err
		},
	}
}

func (m *match) records(from, to int, lines []byte) ([]PairRecord, error) {
	records := make([]PairRecord, 0, to-from)
	for line := range bytes.Lines(lines) {
		pair := from + len(records)
		var r PairRecord
		switch what := "the checksum does not match"; {
		case pair == to:
			return nil, fmt.Errorf("the result has more lines than the unit has pairs (%d)", to-from)
		case !disk.Intact(line) || json.Unmarshal(line, &r) != nil:
			return nil, fmt.Errorf("pair %d: %s", pair, what)
		case r.Pair != pair:
			return nil, fmt.Errorf("pair %d, want pair %d", r.Pair, pair)
		}
		if what := m.layout.fits(&r); what != "" {
			return nil, fmt.Errorf("pair %d: %s", pair, what)
		}
		records = append(records, r)
	}
	if len(records) != to-from {
		return nil, fmt.Errorf("%d pairs, want %d", len(records), to-from)
	}
	return records, nil
}
