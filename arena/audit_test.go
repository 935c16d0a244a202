package arena

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// TestRecordsRefuse: lines that cannot be those of a unit are found, with the reason.
func TestRecordsRefuse(t *testing.T) {
	m, err := newMatch(Config{Game: tictactoeGame(t), A: randomly("a"), B: randomly("b"), Pairs: 8, Seed: 1, Openings: Openings{Plies: 2}})
	if err != nil {
		t.Fatal(err)
	}
	played := func(from, to int) []byte {
		w := newWorker(m)
		defer w.close()
		var records []PairRecord
		for pair := from; pair < to; pair++ {
			r, err := w.pair(context.Background(), pair)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
		}
		text, err := sealedLines(records)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	right := played(4, 6)
	for name, c := range map[string]struct {
		lines []byte
		want  string // "": nothing is wrong
	}{
		"right":          {right, ""},
		"another unit":   {played(6, 8), "pair 6 in the place of pair 4"},
		"one pair short": {played(4, 5), "1 pairs, want 2"},
		"one too many":   {played(4, 7), "more lines than the 2 pairs"},
		"nothing":        {nil, "0 pairs, want 2"},
		"garbage":        {[]byte("garbage\n"), "pair 4: its checksum"},
		"half a line":    {right[:len(right)-20], "pair 5: "},
		"a changed line": {bytes.Replace(right, []byte(`"pair":5`), []byte(`"pair":6`), 1), "pair 5: its checksum"},
	} {
		_, err := m.records(4, 6, c.lines)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
