package study

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
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"plyfit/internal/atomicfile"
	"plyfit/internal/checkline"
	"plyfit/internal/lease"
)

// store is the file of an experiment's finished cells: one JSON object a line,
// {"cell": ..., "result": ...} and its checksum, sorted by cell, so that it does not tell in which
// order they were finished, or by how many workers or processes. It is written
// whole each time, and appears whole or not at all. What other processes have
// written meanwhile stays.
type store struct {
	path   string
	claims *lease.Claims // on cells that are worked out

	mu       sync.Mutex
	cells    map[string]json.RawMessage
	unsaved  []string // finished since the file was written, and still claimed
	saved    time.Time
	standing fs.FileInfo // the file whose cells we have; nil: none
}

// saveEvery is how much work a kill may cost at most, beside the cells under
// way.
const saveEvery = 2 * time.Second

type storedCell struct {
	Cell   string          `json:"cell"`
	Result json.RawMessage `json:"result"`
}

// OpenStore reads the cells at path; no file is no cells. A line that is none
// of ours is an error that names it.
func OpenStore(path string) (*store, error) {
	s := &store{path: path, cells: map[string]json.RawMessage{}, saved: time.Now(), claims: lease.NewClaims(filepath.Join(filepath.Dir(path), claimsFolder))}
	return s, s.read()
}

// claimsFolder is where processes at work on a study claim cells.
const claimsFolder = ".work"

// read adds the cells of the file, where it is another one than that which was
// read last.
func (s *store) read() error {
	f, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if s.standing != nil && os.SameFile(info, s.standing) && info.ModTime().Equal(s.standing.ModTime()) && info.Size() == s.standing.Size() {
		return nil
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	if err := s.parse(data); err != nil {
		return err
	}
	s.standing = info
	return nil
}

// parse adds the cells of a file.
func (s *store) parse(data []byte) error {
	in := bufio.NewScanner(bytes.NewReader(data))
	in.Buffer(nil, len(data)+1)
	for line := 1; in.Scan(); line++ {
		if !checkline.Intact(append(in.Bytes()[:len(in.Bytes()):len(in.Bytes())], '\n')) {
			return fmt.Errorf("%s, line %d: want the cell as it was written, its checksum tells of another; remove the line to work it out anew", s.path, line)
		}
		var c storedCell
		if err := json.Unmarshal(in.Bytes(), &c); err != nil || c.Cell == "" || c.Result == nil {
			return fmt.Errorf("%s, line %d: want a cell as JSON, {\"cell\": ..., \"result\": ...}; remove the file to begin anew", s.path, line)
		}
		s.cells[c.Cell] = c.Result
	}
	return in.Err()
}

// get reads the result of a cell into result, if it is there.
func (s *store) get(cell string, result any) (found bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, found := s.cells[cell]
	if !found {
		return false, nil
	}
	if err := json.Unmarshal(text, result); err != nil {
		return false, fmt.Errorf("%s: cell %s: %w", s.path, cell, err)
	}
	return true, nil
}

// put keeps the result of a cell that was claimed.
func (s *store) put(cell string, result []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells[cell] = result
	s.unsaved = append(s.unsaved, cell)
	return s.writeNowAndThen()
}

// forget removes the results of cells.
func (s *store) forget(cells []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.read(); err != nil { // else writing would read them again
		return err
	}
	for _, cell := range cells {
		delete(s.cells, cell)
	}
	return s.write()
}

// has reports whether a cell is there, by us or others.
func (s *store) has(cell string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cells[cell] == nil {
		if err := s.read(); err != nil {
			return false, err
		}
	}
	// Others may wait for what we have, while we wait for them.
	return s.cells[cell] != nil, s.writeNowAndThen()
}

// claimOn is the name of the claim on a cell.
func (s *store) claimOn(cell string) string {
	sum := sha256.Sum256([]byte(filepath.Base(s.path) + "\x00" + cell))
	return hex.EncodeToString(sum[:12])
}

// mostUnsaved is how many cells may wait to be written: the claim on each of them is
// an open file.
const mostUnsaved = 30

func (s *store) writeNowAndThen() error {
	if len(s.unsaved) == 0 || len(s.unsaved) < mostUnsaved && time.Since(s.saved) < saveEvery {
		return nil
	}
	return s.write()
}

func (s *store) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unsaved) == 0 {
		return nil
	}
	return s.write()
}

// merge adds the cells of another store and writes them.
func (s *store) merge(from *store) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for cell, result := range from.cells {
		if there := s.cells[cell]; there != nil && !bytes.Equal(there, result) {
			return fmt.Errorf("%s and %s: two results of cell %s: want those of one study", s.path, from.path, cell)
		}
		s.cells[cell] = result
	}
	return s.write()
}

// write writes the file, with what others have added, and then gives up the claims
// on its cells. It makes the folder first: a run that was refused leaves none.
// Nobody waits for it long, and an interrupted run waits too.
func (s *store) write() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o777); err != nil {
		return err
	}
	err := lease.AloneWith(context.Background(), s.path, func() error {
		if err := s.read(); err != nil {
			return err
		}
		if err := atomicfile.Write(s.path, s.writeCells); err != nil {
			return err
		}
		info, err := os.Stat(s.path)
		s.standing = info
		return err
	})
	if err != nil {
		return err
	}
	for _, cell := range s.unsaved {
		s.claims.Release(s.claimOn(cell))
	}
	s.unsaved, s.saved = nil, time.Now()
	return nil
}

func (s *store) writeCells(w io.Writer) error {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	for _, cell := range slices.Sorted(maps.Keys(s.cells)) {
		line.Reset()
		if err := e.Encode(storedCell{cell, s.cells[cell]}); err != nil {
			return err
		}
		if _, err := w.Write(checkline.Seal(line.Bytes())); err != nil {
			return err
		}
	}
	return nil
}

// CellKeys are the keys of the cells in a file, sorted.
func CellKeys(path string) ([]string, error) {
	s, err := OpenStore(path)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(s.cells)), nil
}
