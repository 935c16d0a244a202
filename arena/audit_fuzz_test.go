package arena

import (
	"bytes"
	"context"
	"testing"
)

// FuzzAudit: lines that pass are those that an honest worker hands in, to the last byte.
func FuzzAudit(f *testing.F) {
	m, err := newMatch(Config{Game: tictactoeGame(f), A: randomly("a"), B: randomly("b"), Pairs: 4, Seed: 1, Openings: Openings{Plies: 2}})
	if err != nil {
		f.Fatal(err)
	}
	w := newWorker(m)
	w.spell = true
	r, err := w.pair(context.Background(), 2)
	if err != nil {
		f.Fatal(err)
	}
	right, err := sealedLines([]PairRecord{r})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(right)
	f.Add(right[:len(right)/2])
	f.Add(right[:len(right)-size(right)])
	f.Add([]byte(`{"pair":2,"games":[{},{}]}` + "\n"))
	f.Fuzz(func(t *testing.T, lines []byte) {
		records, err := m.audited(context.Background(), 2, 3, lines)
		if err == nil && len(records) != 1 {
			t.Errorf("%d records of one pair", len(records))
		}
		// Agents that draw their moves may have played another legal game, of the same
		// opening, whose line has to be as it is written.
		if err == nil && !bytes.Equal(lines, right) {
			again, err := sealedLines(records)
			if err != nil || !bytes.Equal(again, lines) || records[0].From != r.From {
				t.Errorf("%q passes", lines)
			}
		}
	})
}

// size is how long the checksum of a line is, with what follows.
func size(line []byte) int { return len(line) - bytes.LastIndex(line, []byte(`,"crc32c"`)) }
