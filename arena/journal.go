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
	Digest     string        `json:"digest"` // of the line without it
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

// journal is a record file open for appending.
type journal struct {
	file   *os.File
	held   *lease.Lease
	size   int64 // what it should be
	synced time.Time
}

// openJournal opens or begins the record file of the match that the header
// describes and hands its pairs to each, in order. A last line that was torn is
// cut off; any other fault is an error that names file and line. A file that
// another process is writing is refused.
func openJournal(ctx context.Context, path string, want Header, each func(*PairRecord) error) (*journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	held, err := lease.TakeFile(ctx, path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		held.Release()
		return nil, err
	}
	j := &journal{file: f, held: held, synced: time.Now()}
	whole, err := readJournal(f, path, want, each)
	if err == nil {
		err = f.Truncate(whole)
	}
	if err == nil {
		j.size, err = f.Seek(whole, io.SeekStart)
	}
	if err == nil && whole == 0 {
		err = j.write(want)
	}
	if err == nil && whole == 0 {
		err = j.sync()
	}
	if err != nil {
		f.Close()
		held.Release()
		return nil, err
	}
	return j, nil
}

// readJournal reads the whole lines of a record file and returns how many bytes
// they take.
func readJournal(r io.Reader, path string, want Header, each func(*PairRecord) error) (whole int64, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	fail := func(line int, format string, args ...any) error {
		return fmt.Errorf("%s, line %d: %s", path, line, fmt.Sprintf(format, args...))
	}
	pairs := 0
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		torn := err != nil // no newline: this is the end of the file
		if line == 1 {
			if torn {
				// A header that was cut off, or a file that is none of ours.
				first, err := lineOf(want)
				if err != nil {
					return 0, err
				}
				if !bytes.HasPrefix(first, text) {
					return 0, fail(line, "want the header of a match (%s)", journalFormat)
				}
				return 0, nil
			}
			var h Header
			if json.Unmarshal(text, &h) != nil || h.Format != journalFormat {
				return 0, fail(line, "want the header of a match (%s)", journalFormat)
			}
			if h.Digest != h.digest() {
				return 0, fail(line, "digest %q does not belong to this header", h.Digest)
			}
			if what := h.differs(want); what != "" {
				return 0, fmt.Errorf("%s holds another match: %s", path, what)
			}
		} else {
			if torn {
				return whole, nil
			}
			if !checkline.Intact(text) {
				return 0, fail(line, "want the pair as it was written: its checksum tells of another")
			}
			var p PairRecord
			if err := json.Unmarshal(text, &p); err != nil {
				return 0, fail(line, "want a pair as JSON: %v", err)
			}
			if p.Pair != pairs {
				return 0, fail(line, "pair %d, want %d", p.Pair, pairs)
			}
			if err := each(&p); err != nil {
				return 0, fmt.Errorf("%s, line %d: %w", path, line, err)
			}
			pairs++
		}
		whole += int64(len(text))
	}
}

// lineOf is v as a line of the file.
func lineOf(v any) ([]byte, error) {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return buf.Bytes(), err
}

// write puts v on a line of its own, with one call to the system.
func (j *journal) write(v any) error {
	line, err := lineOf(v)
	if err != nil {
		return fmt.Errorf("%s: %w", j.file.Name(), err)
	}
	if _, pair := v.(*PairRecord); pair { // the header has its digest
		line = checkline.Seal(line)
	}
	// Two matches on one file would write each pair twice. The lease keeps others
	// out, but for those that know of none.
	if err := j.held.Lost(); err != nil {
		return err
	}
	if info, err := j.file.Stat(); err != nil {
		return err
	} else if info.Size() != j.size {
		return fmt.Errorf("%s: somebody else writes to it: %d bytes, want %d", j.file.Name(), info.Size(), j.size)
	}
	n, err := j.file.Write(line)
	j.size += int64(n)
	return err
}

func (j *journal) append(r *PairRecord) error {
	if err := j.write(r); err != nil {
		return err
	}
	if time.Since(j.synced) < syncEvery {
		return nil
	}
	return j.sync()
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

// EachRecord hands the pairs of a record file to each, in order, a torn last
// line left out. An error of each's ends it.
func EachRecord(path string, each func(*PairRecord) error) (Header, error) {
	f, err := os.Open(path)
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	var h Header
	if err := json.NewDecoder(f).Decode(&h); err != nil || h.Format != journalFormat {
		return h, fmt.Errorf("%s, line 1: want the header of a match (%s)", path, journalFormat)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return h, err
	}
	_, err = readJournal(f, path, h, each)
	return h, err
}
