package work

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"plyfit/internal/disk"
)

// Results is a file with the results of finished cells, one cell per line. Cells are appended as
// they finish. At the end, they are sorted by name, so that the file does not depend on the number
// of workers.
type Results struct {
	mu    sync.Mutex
	file  Journal
	cells map[string]json.RawMessage
}

type cell struct {
	Cell   string          `json:"cell"`
	Result json.RawMessage `json:"result"`
}

// OpenResults reads the cells in the file at path. A missing file contains no cells. An incomplete
// last line is ignored if it begins like a cell. Any other line that is not a valid cell is an
// error.
func OpenResults(path string) (*Results, error) {
	s := &Results{file: Journal{Path: path}, cells: map[string]json.RawMessage{}}
	if err := s.file.Load(s.addLine); err != nil {
		return nil, fmt.Errorf("%w; delete the line to have the cell computed again", err)
	}
	return s, nil
}

// ReadResults reads cells from r. Errors contain the given name.
func ReadResults(name string, r io.Reader) (*Results, error) {
	s := &Results{file: Journal{Path: name}, cells: map[string]json.RawMessage{}}
	return s, s.file.Read(r, s.addLine)
}

// addLine adds the cell in one line of the file.
func (s *Results) addLine(text []byte, torn bool) error {
	const start = `{"cell":"`
	if n := min(len(text), len(start)); torn && string(text[:n]) == start[:n] {
		return nil
	}
	var c cell
	if err := json.Unmarshal(text, &c); err != nil || c.Cell == "" || c.Result == nil {
		return s.file.Fail(`want a cell as JSON, {"cell": ..., "result": ...}`)
	}
	s.cells[c.Cell] = c.Result
	return nil
}

// Has reports whether a cell is finished.
func (s *Results) Has(name string) bool { return s.cells[name] != nil }

// Get decodes the result of a finished cell.
func (s *Results) Get(name string, result any) error {
	if err := json.Unmarshal(s.cells[name], result); err != nil {
		return fmt.Errorf("%s: cell %s: %w", s.file.Path, name, err)
	}
	return nil
}

// Put adds the result of a cell. It may be called concurrently, but not at the same time as other
// methods.
func (s *Results) Put(name string, result []byte) error {
	line, err := disk.SealedLine(cell{name, result})
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cells[name] = result
	return s.file.Append(line)
}

// Close closes the file. It rewrites the file unless all lines are complete and in order.
func (s *Results) Close() error {
	lines, err := s.Lines()
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

// Lines returns the encoded lines of all cells, in order, except those with the given names.
func (s *Results) Lines(except ...string) (lines []byte, err error) {
	others := maps.Clone(s.cells)
	for _, name := range except {
		delete(others, name)
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		line, err := disk.SealedLine(cell{name, others[name]})
		if err != nil {
			return nil, err
		}
		lines = append(lines, line...)
	}
	return lines, nil
}
