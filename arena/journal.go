package arena

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"plyfit/arena/stats"
	"plyfit/internal/checkline"
	"plyfit/internal/lease"
	"plyfit/work"
)

// journalFormat is what the first line of a record file says it is.
const journalFormat = "plyfit-match/1"

// Header is the first line of a record file: everything that a pair follows
// from. The number of pairs is not in it, so that a match can be prolonged; the
// test is, since changing it once figures are known would break its promise.
type Header struct {
	Format     string        `json:"format"`
	Game       string        `json:"game"`
	A          string        `json:"a"`
	B          string        `json:"b"`
	Nature     string        `json:"nature,omitempty"`
	Seed       uint64        `json:"seed"`
	Plies      int           `json:"opening_plies,omitempty"`
	Positions  string        `json:"opening_positions,omitempty"` // their number and digest
	Fixed      bool          `json:"openings_fixed,omitempty"`
	MoveTime   string        `json:"move_time,omitempty"`
	Margin     string        `json:"margin,omitempty"`
	NoMoves    bool          `json:"no_moves,omitempty"`
	Measure    Measure       `json:"measure"`
	SPRT       *stats.SPRT   `json:"sprt,omitempty"`
	Adjudicate *Adjudication `json:"adjudicate,omitempty"`
	Slice      Share         `json:"slice,omitzero"` // of which the pairs are
	Digest     string        `json:"digest"`         // of the line without it
}

// Share are the pairs of a slice of a match, [From, To). The zero value is all.
type Share struct {
	Slice work.Slice `json:"slice"`
	Pairs int        `json:"pairs"` // of the whole match
	From  int        `json:"from"`
	To    int        `json:"to"`
}

// String is "slice 2/4 of 200 pairs", or none.
func (s Share) String() string {
	if s.Slice.Whole() {
		return "none"
	}
	return fmt.Sprintf("%v of %d pairs", s.Slice, s.Pairs)
}

func headerOf(cfg Config) Header {
	h := Header{
		Format: journalFormat, Game: cfg.Game.Spec, A: cfg.A.ID(), B: cfg.B.ID(),
		Seed: cfg.Seed, Plies: cfg.Openings.Plies, Fixed: cfg.Openings.Fixed, NoMoves: cfg.NoMoves, Measure: cfg.Measure, SPRT: cfg.SPRT, Adjudicate: cfg.Adjudicate,
	}
	if !cfg.Slice.Whole() {
		from, to := cfg.Slice.Range(cfg.Pairs)
		h.Slice = Share{cfg.Slice, cfg.Pairs, from, to}
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

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

func (h Header) digest() string {
	h.Digest = ""
	text, err := json.Marshal(h)
	if err != nil {
		panic("arena: " + err.Error()) // no field of a header can fail
	}
	return digest(text)
}

// differs names the first field in which the file's header is not the wanted
// one, "" where there is none.
func (h Header) differs(want Header) string {
	for _, f := range []struct {
		name      string
		has, want any
	}{
		{"format", h.Format, want.Format},
		{"game", h.Game, want.Game},
		{"first agent", h.A, want.A},
		{"second agent", h.B, want.B},
		{"nature", h.Nature, want.Nature},
		{"seed", h.Seed, want.Seed},
		{"opening plies", h.Plies, want.Plies},
		{"opening positions", h.Positions, want.Positions},
		{"fixed openings", h.Fixed, want.Fixed},
		{"time for a move", h.MoveTime, want.MoveTime},
		{"margin of time", h.Margin, want.Margin},
		{"no moves", h.NoMoves, want.NoMoves},
		{"measure", h.Measure, want.Measure},
		{"sprt", orNone(h.SPRT), orNone(want.SPRT)},
		{"adjudication", orNone(h.Adjudicate), orNone(want.Adjudicate)},
		{"slice", h.Slice, want.Slice},
		{"digest", h.Digest, want.Digest},
	} {
		if f.has != f.want {
			return fmt.Sprintf("%s %v, want %v", f.name, f.has, f.want)
		}
	}
	return ""
}

// orNone is what p points to, for comparing and printing.
func orNone[T any](p *T) any {
	if p == nil {
		return "none"
	}
	return *p
}

// syncEvery is how much of a match a power failure may cost. Being killed costs
// nothing but the pairs under way: what was written is the system's.
const syncEvery = time.Second

// journal is a record file open for reading on and appending, by one process or
// several.
type journal struct {
	place
	file   *os.File
	held   *lease.Lease
	synced time.Time
}

// openJournal opens or begins the record file of the match that the header
// describes and hands its pairs to each, in order. A last line that was torn is
// cut off; any other fault is an error that names file and line. A file that
// another process is writing is refused, unless it does the same job.
func openJournal(ctx context.Context, path string, want Header, job string, each func(*PairRecord) error) (*journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	held, err := lease.JoinFile(ctx, path, job)
	if err != nil {
		return nil, err
	}
	j := &journal{place: place{path: path, want: want}, held: held, synced: time.Now()}
	err = lease.AloneWith(ctx, j.turn(), func() error { return j.open(each) })
	if err != nil {
		if j.file != nil {
			j.file.Close()
		}
		held.Release()
		return nil, err
	}
	return j, nil
}

// turn names what processes wait for who want to write.
func (j *journal) turn() string { return j.path + ".count" }

func (j *journal) open(each func(*PairRecord) error) (err error) {
	if j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return err
	}
	if err := j.read(j.file, each); err != nil {
		return err
	}
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	if j.size > 0 {
		return nil
	}
	header, err := lineOf(j.want)
	if err != nil {
		return fmt.Errorf("%s: %w", j.path, err)
	}
	if err := j.writeLine(header); err != nil {
		return err
	}
	j.lines++
	return j.sync()
}

// alone has something appended while no other process appends, after what others
// have written was read.
func (j *journal) alone(ctx context.Context, each func(*PairRecord) error, do func() error) error {
	return lease.AloneWith(ctx, j.turn(), func() error {
		if err := j.readOn(each); err != nil {
			return err
		}
		// What is left of a line belongs to one who was killed.
		if err := j.file.Truncate(j.size); err != nil {
			return err
		}
		if err := do(); err != nil || time.Since(j.synced) < syncEvery {
			return err
		}
		return j.sync()
	})
}

// readOn reads what others have written since.
func (j *journal) readOn(each func(*PairRecord) error) error {
	info, err := j.file.Stat()
	if err != nil || info.Size() == j.size {
		return err
	}
	before := j.size
	if info.Size() > j.size {
		err = j.read(io.NewSectionReader(j.file, j.size, info.Size()-j.size), each)
	} else {
		err = fmt.Errorf("%d bytes, want %d", info.Size(), before)
	}
	if err != nil {
		return fmt.Errorf("%s: somebody else writes to it: %w", j.path, err)
	}
	return nil
}

// append writes the line of the next pair.
func (j *journal) append(line []byte) error {
	if err := j.held.Lost(); err != nil {
		return err
	}
	if err := j.writeLine(line); err != nil {
		return err
	}
	j.lines++
	j.pairs++
	return nil
}

// cut leaves the first pairs of the file, so many.
func (j *journal) cut(pairs int) error {
	if pairs >= j.pairs {
		return nil
	}
	in := bufio.NewReaderSize(io.NewSectionReader(j.file, 0, j.size), 1<<16)
	size := int64(0)
	for range pairs + 1 { // the header is the first line
		line, err := in.ReadBytes('\n')
		if err != nil {
			return fmt.Errorf("%s: %w", j.path, err)
		}
		size += int64(len(line))
	}
	if err := j.file.Truncate(size); err != nil {
		return err
	}
	j.size, j.lines, j.pairs = size, pairs+1, pairs
	return j.sync()
}

// writeLine writes a line with one call to the system.
func (j *journal) writeLine(line []byte) error {
	n, err := j.file.WriteAt(line, j.size)
	if err == nil {
		j.size += int64(n)
	}
	return err
}

func (j *journal) sync() error {
	j.synced = time.Now()
	return j.file.Sync()
}

func (j *journal) close() error {
	err := j.sync()
	if cerr := j.file.Close(); err == nil {
		err = cerr
	}
	if lost := j.held.Release(); lost != nil {
		return lost
	}
	return err
}

// place is how far a record file was read.
type place struct {
	path  string
	want  Header
	lines int   // read, the header among them
	pairs int   // read
	size  int64 // of the lines
}

// read reads whole lines from where the place is, and hands the pairs on. What is
// left of a torn last line is not read.
func (p *place) read(r io.Reader, each func(*PairRecord) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		text, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		torn := err != nil // no newline: this is the end of the file
		switch err = nil; {
		case p.lines == 0:
			err = p.header(text, torn)
		case !torn:
			err = p.pair(text, each)
		}
		if torn || err != nil {
			return err
		}
		p.lines++
		p.size += int64(len(text))
	}
}

func (p *place) fail(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %s", p.path, p.lines+1, fmt.Sprintf(format, args...))
}

// header checks the first line.
func (p *place) header(text []byte, torn bool) error {
	if torn {
		// A header that was cut off, or a file that is none of ours.
		first, err := lineOf(p.want)
		if err == nil && !bytes.HasPrefix(first, text) {
			err = p.fail("want the header of a match (%s)", journalFormat)
		}
		return err
	}
	var h Header
	if json.Unmarshal(text, &h) != nil || h.Format != journalFormat {
		return p.fail("want the header of a match (%s)", journalFormat)
	}
	if h.Digest != h.digest() {
		return p.fail("digest %q does not belong to this header", h.Digest)
	}
	if what := h.differs(p.want); what != "" {
		return fmt.Errorf("%s holds another match: %s", p.path, what)
	}
	return nil
}

// pair checks the line of a pair and hands it on.
func (p *place) pair(text []byte, each func(*PairRecord) error) error {
	if !checkline.Intact(text) {
		return p.fail("want the pair as it was written: its checksum tells of another")
	}
	var r PairRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return p.fail("want a pair as JSON: %v", err)
	}
	if want := p.want.Slice.From + p.pairs; r.Pair != want {
		return p.fail("pair %d, want %d", r.Pair, want)
	}
	if err := each(&r); err != nil {
		return fmt.Errorf("%s, line %d: %w", p.path, p.lines+1, err)
	}
	p.pairs++
	return nil
}

// lineOf is v as a line of the file.
func lineOf(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return buf.Bytes(), err
}

// sealedLine is a pair as a line of the file, with its checksum.
func sealedLine(r *PairRecord) ([]byte, error) {
	line, err := lineOf(r)
	if err != nil {
		return nil, err
	}
	return checkline.Seal(line), nil
}

// EachRecord hands the pairs of a record file to each, in order, a torn last
// line left out. An error of each's ends it.
func EachRecord(path string, each func(*PairRecord) error) (Header, error) {
	h, err := readHeader(path)
	if err != nil {
		return h, err
	}
	f, err := os.Open(path)
	if err != nil {
		return h, err
	}
	defer f.Close()
	p := place{path: path, want: h}
	return h, p.read(f, each)
}
