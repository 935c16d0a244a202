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

// store is the file of an experiment's finished cells, one per line. Cells are appended as they are
// finished and sorted in the end, so that the file does not depend on the number of workers.
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

// openStore reads the cells at path; a missing file has none. It leaves out a last line that is torn.
// Any other line that is not a cell is an error.
func openStore(path string) (*store, error) {
	s := newStore(path)
	if err := s.file.Load(s.line); err != nil {
		return nil, fmt.Errorf("%w; remove the line to work its cell out anew", err)
	}
	return s, nil
}

// line adds the cell of a line.
func (s *store) line(text []byte, torn bool) error {
	const start = `{"cell":"`
	if n := min(len(text), len(start)); torn && string(text[:n]) == start[:n] {
		return nil
	}
	var c storedCell
	if err := json.Unmarshal(text, &c); err != nil || c.Cell == "" || c.Result == nil {
		return s.file.Fail(`want a cell as JSON, {"cell": ..., "result": ...}`)
	}
	s.cells[c.Cell] = c.Result
	return nil
}

// get reads the result of a cell that is in the store.
func (s *store) get(cell string, result any) error {
	if err := json.Unmarshal(s.cells[cell], result); err != nil {
		return fmt.Errorf("%s: cell %s: %w", s.file.Path, cell, err)
	}
	return nil
}

// put adds the result of a cell. Several goroutines may call it.
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

// close writes the file anew unless its lines are whole and in order.
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
