package study

import (
	"bufio"
	"bytes"
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
)

// store is the file of an experiment's finished cells: one JSON object a line,
// {"cell": ..., "result": ...} and its checksum, sorted by cell, so that it does not tell in which
// order they were finished, or by how many workers. It is written whole each
// time, and appears whole or not at all.
type store struct {
	path string

	mu      sync.Mutex
	cells   map[string]json.RawMessage
	unsaved int
	saved   time.Time
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
	s := &store{path: path, cells: map[string]json.RawMessage{}, saved: time.Now()}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	in := bufio.NewScanner(bytes.NewReader(data))
	in.Buffer(nil, len(data)+1)
	for line := 1; in.Scan(); line++ {
		if !checkline.Intact(append(in.Bytes()[:len(in.Bytes()):len(in.Bytes())], '\n')) {
			return nil, fmt.Errorf("%s, line %d: want the cell as it was written, its checksum tells of another; remove the line to work it out anew", path, line)
		}
		var c storedCell
		if err := json.Unmarshal(in.Bytes(), &c); err != nil || c.Cell == "" || c.Result == nil {
			return nil, fmt.Errorf("%s, line %d: want a cell as JSON, {\"cell\": ..., \"result\": ...}; remove the file to begin anew", path, line)
		}
		s.cells[c.Cell] = c.Result
	}
	return s, in.Err()
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

// put stores a result, and reads back into result what was stored.
func (s *store) put(cell string, value, result any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("cell %s: %w", cell, err)
	}
	if err := json.Unmarshal(text, result); err != nil {
		return fmt.Errorf("cell %s: %w", cell, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells[cell] = text
	s.unsaved++
	if time.Since(s.saved) < saveEvery {
		return nil
	}
	return s.write()
}

func (s *store) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unsaved == 0 {
		return nil
	}
	return s.write()
}

// write makes the folder first: a run that was refused leaves none.
func (s *store) write() error {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o777); err != nil {
		return err
	}
	err := atomicfile.Write(s.path, func(w io.Writer) error {
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
	})
	if err == nil {
		s.unsaved, s.saved = 0, time.Now()
	}
	return err
}

// CellKeys are the keys of the cells in a file, sorted.
func CellKeys(path string) ([]string, error) {
	s, err := OpenStore(path)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(s.cells)), nil
}
