package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"

	"plyfit/internal/disk"
	"plyfit/work"
)

// store is the file of an experiment's finished cells: one JSON object a line, {"cell": ...,
// "result": ...} and its checksum. Cells are appended as they are finished; in the end they are
// sorted, so that the file does not tell in which order that was, or by how many workers.
type store struct {
	mu    sync.Mutex
	file  work.Journal
	cells map[string]json.RawMessage
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
	if err := s.file.Load(s.line); err != nil {
		return nil, fmt.Errorf("%w; remove the line to work its cell out anew", err)
	}
	return s, nil
}

// lineStart is how all lines begin.
const lineStart = `{"cell":"`

// line adds the cell of a line.
func (s *store) line(text []byte, torn bool) error {
	if torn && bytes.HasPrefix([]byte(lineStart), text[:min(len(text), len(lineStart))]) {
		return nil
	}
	var c storedCell
	if err := json.Unmarshal(text, &c); err != nil || c.Cell == "" || c.Result == nil {
		return s.file.Fail(`want a cell as JSON, {"cell": ..., "result": ...}`)
	}
	s.cells[c.Cell] = c.Result
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
	line, err := disk.SealedLine(storedCell{cell, result})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells[cell] = result
	return s.file.Append(line)
}

// close ends the appending and writes the file anew if its lines are not in order, or one is torn.
func (s *store) close() error {
	lines, err := s.lines()
	if err != nil {
		return err
	}
	if err := s.file.Close(); err != nil {
		return err
	}
	if old, _ := os.ReadFile(s.file.Path); bytes.Equal(old, lines) {
		return nil
	}
	return disk.WriteBytes(s.file.Path, lines)
}

// lines returns the lines of all cells except those named, in order.
func (s *store) lines(except ...string) (lines []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	others := maps.Clone(s.cells)
	for _, cell := range except {
		delete(others, cell)
	}
	for _, cell := range slices.Sorted(maps.Keys(others)) {
		line, err := disk.SealedLine(storedCell{cell, others[cell]})
		if err != nil {
			return nil, err
		}
		lines = append(lines, line...)
	}
	return lines, nil
}
