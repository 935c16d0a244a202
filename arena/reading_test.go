package arena

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/arena/stats"
	"plyfit/game"
)

// The file of a match says where those who played it left it, and hands on its pairs; a
// half of it says where they stood then. What is no such file, or was changed, is an error
// that names it.
func TestReadResult(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	cfg := journalConfig(path)
	cfg.Game, cfg.Pairs = connect4Game(t), 30
	cfg.SPRT = &stats.SPRT{Low: 0, High: 200}
	cfg.Openings.Plies = 2
	cfg.B.Name = "B"
	want := mustRun(t, cfg)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	find := func(spec string) (*game.Game, error) { return cfg.Game, nil }
	pairs := 0
	h, got, any, err := ReadResult("m.jsonl", bytes.NewReader(text), find, func(r *PairRecord) error {
		if r.Pair != pairs {
			t.Errorf("pair %d in the place of pair %d", r.Pair, pairs)
		}
		pairs++
		return nil
	})
	if err != nil || !any || pairs != want.Pairs || h.B != "B" {
		t.Fatalf("%d pairs, %v, %+v, %v", pairs, any, h, err)
	}
	got.Planned = want.Planned // which is not in the file
	same(t, "read", got, want)
	if _, half, any, err := ReadResult("m.jsonl", bytes.NewReader(text[:len(text)/2]), find, nil); err != nil || !any || half.Pairs >= want.Pairs {
		t.Errorf("half of it: %+v, %v", half, err)
	}
	for name, text := range map[string]string{
		"a letter": "To whom it may concern", "another object": "{}\n", "a changed header": strings.Replace(string(text), `"seed":6`, `"seed":7`, 1),
		"a changed pair": strings.Replace(string(text), `"plies":`, `"plies":1`, 1),
	} {
		if _, _, _, err := ReadResult("m.jsonl", strings.NewReader(text), find, nil); err == nil || !strings.HasPrefix(err.Error(), "m.jsonl") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
