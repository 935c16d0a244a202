package arena

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/stats"
)

// A match that is followed in pieces of any length stands at its end where those who
// played it left it, and each of its pairs is found again.
func TestFollow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.jsonl")
	cfg := journalConfig(path)
	cfg.Game, cfg.Pairs = connect4Game(t), 30
	cfg.SPRT = &stats.SPRT{Low: 0, High: 200}
	cfg.Openings.Plies = 2
	cfg.B.Name = "B"
	want := mustRun(t, cfg)
	_, pairs, err := readRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	find := func(spec string) (*game.Game, error) { return cfg.Game, nil }
	for _, step := range []int{1, 97, 10_000, len(text)} {
		f := NewFollower("m.jsonl", find)
		for size := 0; ; size = min(size+step, len(text)) {
			if err := f.Read(bytes.NewReader(text[:size]), int64(size)); err != nil {
				t.Fatalf("at byte %d: %v", size, err)
			}
			if size == len(text) {
				break
			}
		}
		got, any := f.Result()
		if !any {
			t.Fatal("nothing was counted")
		}
		got.Planned = want.Planned // which is not in the file
		same(t, "followed", got, want)
		for n := range pairs {
			r, err := f.Pair(bytes.NewReader(text), n)
			if err != nil || r.Games[0].Hash != pairs[n].Games[0].Hash || r.Pair != n {
				t.Fatalf("pair %d: %+v, %v", n, r, err)
			}
		}
		if _, err := f.Pair(bytes.NewReader(text), len(pairs)); err == nil {
			t.Error("a pair that was not played was found")
		}
		if err := f.Read(bytes.NewReader(text[:9]), 9); err == nil || !strings.Contains(err.Error(), "another match") {
			t.Errorf("a file that is shorter: %v", err)
		}
	}
	for name, text := range map[string]string{
		"a letter": "To whom it may concern", "another object": "{}\n", "a changed header": strings.Replace(string(text), `"seed":6`, `"seed":7`, 1),
		"a changed pair": strings.Replace(string(text), `"plies":`, `"plies":1`, 1),
	} {
		f := NewFollower("m.jsonl", find)
		if err := f.Read(strings.NewReader(text), int64(len(text))); err == nil || !strings.HasPrefix(err.Error(), "m.jsonl") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
