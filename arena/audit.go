package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"plyfit/internal/disk"
	"plyfit/work"
)

// mostGameBytes is the limit for a game's lines: 2048 by strong agents has some 100,000 moves.
const mostGameBytes = 4 << 20

// mostUnitBytes is how much those of a unit may take.
const mostUnitBytes = 1 << 30

// audit is what the units of so many pairs have to pass.
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
		switch what := "its checksum tells of another"; {
		case pair == to:
			return nil, fmt.Errorf("more lines than the %d pairs of the unit", to-from)
		case !disk.Intact(line) || json.Unmarshal(line, &r) != nil:
			return nil, fmt.Errorf("pair %d: %s", pair, what)
		case r.Pair != pair:
			return nil, fmt.Errorf("pair %d in the place of pair %d", r.Pair, pair)
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
