package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"plyfit/internal/disk"
	"plyfit/work"
)

// store is the file of an experiment's finished cells: one JSON object a line, {"cell": ...,
// "result": ...} and its checksum. Cells are appended as they are finished; in the end they are
// sorted, so that the file does not tell in which order that was, or by how many workers.
type store struct {
	mu       sync.Mutex
	file     work.Journal
	cells    map[string]json.RawMessage
	last     string // of the file that was read
	unsorted bool   // the file is, or has a torn line
}

type storedCell struct {
	Cell   string          `json:"cell"`
	Result json.RawMessage `json:"result"`
}

func newStore(path string) *store {
	return &store{file: work.Journal{Path: path}, cells: map[string]json.RawMessage{}}
}

// OpenStore reads the cells at path; no file is no cells. A line that is none of ours is an error
// that names it; one that was cut off when its process was killed is left out.
func OpenStore(path string) (*store, error) {
	s := newStore(path)
	return s, s.advise(s.file.Load(s.line))
}

// read adds the cells of a file.
func (s *store) read(r io.Reader) error { return s.advise(s.file.Read(r, s.line)) }

// advise says what to do where a file cannot be read.
func (s *store) advise(err error) error {
	if err != nil {
		err = fmt.Errorf("%w; remove the line to work its cell out anew", err)
	}
	return err
}

// lineStart is how all lines begin.
const lineStart = `{"cell":"`

// line adds the cell of a line.
func (s *store) line(text []byte, torn bool) error {
	if torn && bytes.HasPrefix([]byte(lineStart), text[:min(len(text), len(lineStart))]) {
		s.unsorted = s.unsorted || len(text) > 0
		return nil
	}
	var c storedCell
	if err := json.Unmarshal(text, &c); err != nil || c.Cell == "" || c.Result == nil {
		return s.file.Fail(`want a cell as JSON, {"cell": ..., "result": ...}`)
	}
	s.unsorted = s.unsorted || c.Cell <= s.last
	s.cells[c.Cell], s.last = c.Result, c.Cell
	return nil
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
		return false, fmt.Errorf("%s: cell %s: %w", s.file.Path, cell, err)
	}
	return true, nil
}

// put keeps the result of a cell.
func (s *store) put(cell string, result []byte) error {
	line, err := cellLine(cell, result)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells[cell], s.unsorted = result, true
	return s.file.Append(line)
}

// sort puts the file in order, if it is not.
func (s *store) sort() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.unsorted {
		return nil
	}
	return s.write()
}

// write writes all cells anew, in order, and makes the folder: a refused run leaves none.
func (s *store) write() error {
	lines, err := s.lines()
	if err != nil {
		return err
	}
	if err := s.file.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(s.file.Path), 0o777); err != nil {
		return err
	}
	if err := disk.WriteBytes(s.file.Path, lines); err != nil {
		return err
	}
	s.file.Lines, s.file.Size, s.unsorted = len(s.cells), int64(len(lines)), false
	return nil
}

// lines are those of all cells, in order.
func (s *store) lines() (lines []byte, err error) {
	for _, cell := range slices.Sorted(maps.Keys(s.cells)) {
		line, err := cellLine(cell, s.cells[cell])
		if err != nil {
			return nil, err
		}
		lines = append(lines, line...)
	}
	return lines, nil
}

// cellLine is the line of a cell.
func cellLine(cell string, result []byte) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(storedCell{cell, result}); err != nil {
		return nil, err
	}
	return disk.Seal(line.Bytes()), nil
}
