package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"plyfit/internal/atomicfile"
	"plyfit/internal/checkline"
	"plyfit/internal/lease"
	"plyfit/work"
)

// pairUnits are the pairs of a match as the units of a job, played but not yet
// counted.
type pairUnits interface {
	work.Store
	size() int                    // pairs a unit
	unit(pair int) int            // of which it is
	span(unit int) (from, to int) // its pairs, [from, to)
	play(ctx context.Context, w *worker, pair int) (PairRecord, error)
	join(unit int, pairs []PairRecord) ([]byte, error)
	count(ctx context.Context) error // all whose turn has come
	forget(units []int) error        // results of one who was found to lie
}

// inMemory are units of one pair each, of a match that is not written anywhere.
type inMemory struct{ *counting }

func (m *inMemory) size() int                                { return 1 }
func (m *inMemory) unit(pair int) int                        { return pair }
func (m *inMemory) span(unit int) (from, to int)             { return unit, unit + 1 }
func (m *inMemory) Claim(context.Context, int) (bool, error) { return true, nil }
func (m *inMemory) Release(int)                              {}
func (m *inMemory) Put(int, []byte) error                    { return nil }

func (m *inMemory) play(ctx context.Context, w *worker, pair int) (PairRecord, error) {
	return w.pair(ctx, pair)
}

func (m *inMemory) Has(unit int) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, there := m.waiting[unit]
	return there || m.reached(unit+1), nil
}

func (m *inMemory) count(context.Context) error { return nil }

// forget takes nothing back: the match ends with an error, and nothing of it is left.
func (m *inMemory) forget([]int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cast = true
	return nil
}

// join keeps the record as it is, since bytes would cost more than a short game,
// and counts it.
func (m *inMemory) join(unit int, pairs []PairRecord) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waiting[unit] = pairs[0]
	return nil, m.countOn()
}

func (m *inMemory) countOn() error {
	for !m.reached(m.end) {
		r, there := m.waiting[m.next()]
		if !there {
			return nil
		}
		delete(m.waiting, m.next())
		if err := m.add(&r); err != nil {
			return err
		}
	}
	return nil
}

// unitTime is the CPU time of a unit of pairs that is written: much more than it
// takes to claim and write one, and what a kill may cost beside the pairs under
// way.
var unitTime = 100 * time.Millisecond

// mostPairs is the largest unit.
const mostPairs = 512

// onFile are units in a folder beside the file of pairs, .NAME.work: each a file
// of the pairs' lines, which goes when they are in the file. Several processes
// may share it. Nothing is lost with it, as pairs can be played again; so its
// files are not synced, and are checked when they are read.
type onFile struct {
	*counting
	dir    string
	claims *lease.Claims
	pairs  int         // a unit
	probe  *PairRecord // the pair that was timed; nil: by another process
}

// unitPlan is what processes that share a folder agree on: its file "job".
type unitPlan struct {
	Job      string `json:"job"`
	UnitSize int    `json:"unit_size"`
}

// openUnits opens the folder of units. The first process plays a pair to find out
// how many are to be a unit, with worker w; nil, where all pairs were counted
// meanwhile.
func (c *counting) openUnits(ctx context.Context, w *worker) (*onFile, error) {
	path := c.out.path
	u := &onFile{counting: c, dir: filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".work")}
	u.claims = lease.NewClaims(u.dir)
	const attempts = 3 // the folder goes when somebody has counted all
	var err error
	for range attempts {
		if err = os.MkdirAll(u.dir, 0o777); err != nil {
			return nil, err
		}
		err = lease.AloneWith(ctx, u.plan(), func() error { return u.agree(ctx, w) })
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
		if cerr := c.catchUp(); cerr != nil {
			return nil, cerr
		}
		if c.done() {
			return nil, nil
		}
	}
	if err != nil {
		os.Remove(u.dir) // stays where it holds anything
		return nil, err
	}
	return u, nil
}

// agree reads the plan of those who share the folder, or makes it.
func (u *onFile) agree(ctx context.Context, w *worker) error {
	path, job := u.plan(), u.job().Name()
	var p unitPlan
	if text, err := os.ReadFile(path); err == nil && json.Unmarshal(text, &p) == nil && p.Job == job && p.UnitSize > 0 {
		u.pairs = p.UnitSize
		return nil
	}
	// What is there was left by another job, since nobody works on another one now.
	left, err := os.ReadDir(u.dir)
	if err != nil {
		return err
	}
	for _, file := range left {
		if filepath.Ext(file.Name()) != unitEnding {
			continue
		}
		if err := os.Remove(filepath.Join(u.dir, file.Name())); err != nil {
			return err
		}
	}
	begun := time.Now()
	r, err := w.pair(ctx, u.next())
	if err != nil {
		return err
	}
	u.probe = &r
	u.pairs = int(max(1, min(unitTime/max(1, time.Since(begun)), mostPairs)))
	if work.ElsewhereOf(ctx) != nil {
		u.pairs = u.pairsElsewhere(time.Since(begun))
	}
	text, err := json.Marshal(unitPlan{job, u.pairs})
	if err != nil {
		return err
	}
	return atomicfile.Pass(path, append(text, '\n'))
}

// plan is the file of the plan.
func (u *onFile) plan() string { return filepath.Join(u.dir, "job") }

func (u *onFile) size() int         { return u.pairs }
func (u *onFile) unit(pair int) int { return pair / u.pairs }

func (u *onFile) span(unit int) (from, to int) { return u.match.span(unit, u.pairs) }

const unitEnding = ".jsonl"

func (u *onFile) file(unit int) string {
	return filepath.Join(u.dir, fmt.Sprintf("%08d%s", unit, unitEnding))
}

// Has implements [work.Store]. A unit's file goes after its pairs were written to
// the file of pairs, so that is read last.
func (u *onFile) Has(unit int) (bool, error) {
	_, to := u.span(unit)
	counted := func() bool { u.mu.Lock(); defer u.mu.Unlock(); return u.reached(to) }
	if counted() {
		return true, nil
	}
	if _, err := os.Stat(u.file(unit)); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err == nil, err
	}
	err := u.catchUp()
	return counted(), err
}

// Claim implements [work.Store].
func (u *onFile) Claim(ctx context.Context, unit int) (bool, error) {
	return u.claims.Try(ctx, fmt.Sprintf("%08d", unit))
}

// Release implements [work.Store].
func (u *onFile) Release(unit int) { u.claims.Release(fmt.Sprintf("%08d", unit)) }

// Put implements [work.Store].
func (u *onFile) Put(unit int, lines []byte) error {
	defer u.Release(unit)
	if there, err := u.Has(unit); there || err != nil {
		return err
	}
	if u.cfg.NoMoves && bytes.Contains(lines, []byte(`"moves":[`)) {
		// Other processes send them, so that they can be played again.
		from, to := u.span(unit)
		records, err := u.records(from, to, lines)
		if err != nil {
			return fmt.Errorf("unit %d: %w", unit, err)
		}
		for i := range records {
			records[i] = records[i].withoutMoves()
		}
		if lines, err = sealedLines(records); err != nil {
			return err
		}
	}
	return atomicfile.Pass(u.file(unit), lines)
}

// play plays a pair, unless it is in the file of pairs already: then its record
// is empty.
func (u *onFile) play(ctx context.Context, w *worker, pair int) (PairRecord, error) {
	u.mu.Lock()
	counted := pair < u.next()
	u.mu.Unlock()
	switch {
	case counted:
		return PairRecord{Pair: pair}, nil
	case u.probe != nil && u.probe.Pair == pair:
		return *u.probe, nil
	}
	return w.pair(ctx, pair)
}

func (u *onFile) join(_ int, pairs []PairRecord) ([]byte, error) { return sealedLines(pairs) }

// sealedLines are the lines of the pairs that are not empty.
func sealedLines(pairs []PairRecord) ([]byte, error) {
	var lines []byte
	for i := range pairs {
		if pairs[i].Games == nil {
			continue
		}
		line, err := sealedLine(&pairs[i])
		if err != nil {
			return nil, err
		}
		lines = append(lines, line...)
	}
	return lines, nil
}

// count writes what is next into the file of pairs, from the units that are there,
// one process at a time.
func (u *onFile) count(ctx context.Context) error {
	if err := u.catchUp(); err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.cast || u.reached(u.end) {
		return nil
	}
	if _, err := os.Stat(u.file(u.unit(u.next()))); err != nil {
		return nil
	}
	return u.out.alone(ctx, u.add, func() error {
		for !u.reached(u.end) {
			unit := u.unit(u.next())
			lines, err := os.ReadFile(u.file(unit))
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			if err := u.write(unit, lines); err != nil {
				return err
			}
			if err := os.Remove(u.file(unit)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	})
}

// write writes the lines of a unit that are next. Lines that are damaged are left out,
// and their pairs are played again.
func (u *onFile) write(unit int, lines []byte) error {
	for len(lines) > 0 {
		end := bytes.IndexByte(lines, '\n') + 1
		line := lines[:end]
		lines = lines[end:]
		var r PairRecord
		if end == 0 || !checkline.Intact(line) || json.Unmarshal(line, &r) != nil || u.layout.fits(&r) != "" || r.Pair > u.next() {
			return nil
		}
		if r.Pair < u.next() || u.reached(u.end) {
			continue
		}
		if err := u.out.append(line); err != nil {
			return err
		}
		if err := u.add(&r); err != nil {
			return err
		}
	}
	return nil
}

// forget removes the units of one who was found to lie, and cuts the file of pairs off
// before the first of their pairs: those behind it are played again, too. The match ends
// with an error, so nothing is counted any more.
func (u *onFile) forget(units []int) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.cast = true
	first := u.end
	for _, unit := range units {
		from, _ := u.span(unit)
		first = min(first, from)
		if err := os.Remove(u.file(unit)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return u.out.alone(context.Background(), u.add, func() error { return u.out.cut(first - u.first) })
}

// catchUp counts what other processes have written into the file of pairs.
func (c *counting) catchUp() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.out.readOn(c.add)
}

// close gives up what is claimed. The folder goes once all pairs are counted, or
// where it holds no unit and nobody else is at work, and stays otherwise for those
// who go on.
func (u *onFile) close() {
	u.claims.Close()
	switch {
	case u.done():
		os.RemoveAll(u.dir)
	case u.out.held.Sole() && u.bare():
		os.Remove(u.plan())
		os.Remove(u.dir)
	}
}

// bare reports whether the folder holds nothing but the plan.
func (u *onFile) bare() bool {
	left, err := os.ReadDir(u.dir)
	return err == nil && len(left) == 1 && left[0].Name() == filepath.Base(u.plan())
}
