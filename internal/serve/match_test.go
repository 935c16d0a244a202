package serve

import (
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// playMatch plays a match and writes its record to path.
func playMatch(t *testing.T, path, spec, a, b string, change func(*arena.Config)) arena.Result {
	t.Helper()
	w := vectors.Must(catalog.All().World(spec))
	cfg := arena.Config{Game: w.Game, Pairs: 12, Seed: 3, Out: path}
	for i, text := range []string{a, b} {
		agent := vectors.Must(w.Agent(text, catalog.AgentOptions{}))
		*[]*search.Factory{&cfg.A, &cfg.B}[i] = search.Factory{Name: text, New: agent.New}
	}
	if change != nil {
		change(&cfg)
	}
	r := vectors.Must(arena.Run(t.Context(), cfg))
	return r
}

// TestMatchInTheList checks that a match is listed with its score while its file grows, and that an
// error in the file is reported with the line number.
func TestMatchInTheList(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "cup", "m.jsonl")
	want := playMatch(t, path, "connect4", "alphabeta:depth=2", "random", nil)
	text := vectors.Must(os.ReadFile(path))
	write := func(text string) {
		vectors.Check(os.WriteFile(path, []byte(text), 0o644))
	}
	write(string(text[:len(text)/2]))
	v := visit(t, Config{Runs: folder})
	score := standing(&want)
	if list := v.want("/runs", nil); !strings.Contains(list, "cup/m.jsonl") || !strings.Contains(list, " won, ") || strings.Contains(list, score) {
		t.Errorf("half of it: %s", list)
	}
	write(string(text))
	if list := v.want("/runs", nil); !strings.Contains(list, score) {
		t.Errorf("no %q in %s", score, list)
	}
	write(string(text[:len(text)/2]) + "}}\n")
	if list := v.want("/runs", nil); !strings.Contains(list, "m.jsonl, line ") {
		t.Errorf("a damaged file: %s", list)
	}
	playMatch(t, filepath.Join(folder, "nomoves.jsonl"), "connect4", "random", "random", func(c *arena.Config) { c.NoMoves = true })
	if code, body, _ := v.ask("/replay?name=nomoves.jsonl", nil); code != http.StatusNotFound || !strings.Contains(body, "without moves") {
		t.Errorf("without moves: %d %s", code, body)
	}
}

var stepField = regexp.MustCompile(`data-key="ArrowRight" hx-get="([^"]*)"`)

// TestReplay steps through a game of a match from the first ply to the last.
func TestReplay(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct{ spec, a, b string }{
		{"connect4", "alphabeta:depth=2", "random"},
		{"connect4:columns=4,rows=4+slip=0.2", "random", "random"},
		{"2048:size=2", "expectimax:depth=1", "random"},
		{"pig:target=15", "random", "random"},
	} {
		t.Run(c.spec, func(t *testing.T) {
			playMatch(t, filepath.Join(folder, "m.jsonl"), c.spec, c.a, c.b, func(c *arena.Config) { c.Pairs = 2 })
			defer os.Remove(filepath.Join(folder, "m.jsonl"))
			v := visit(t, Config{Runs: folder})
			page := v.want("/replay?name=m.jsonl&pair=2&game=2", nil)
			if !strings.Contains(page, "Pair 2 of 2, game 2 of 2") {
				t.Fatalf("another game: %s", page)
			}
			plies := 0
			for board := page; ; plies++ {
				next := stepField.FindStringSubmatch(board)
				if next == nil {
					break
				}
				board = v.want(html.UnescapeString(next[1]), nil)
			}
			if !strings.Contains(page, fmt.Sprintf("Ply 0 of %d<", plies)) || plies < 3 {
				t.Errorf("%d plies: %s", plies, page)
			}
			for path, want := range map[string]string{
				"/replay?name=m.jsonl&pair=3": "want 1 to 2", "/replay?name=m.jsonl&pair=x": "want a whole number", "/replay?name=m.jsonl&game=3": "want 1 to 2",
				"/replay?name=..": "no match", "/replay/board?name=m.jsonl&ply=9999": "want a whole number from 0 to",
			} {
				if code, text, _ := v.asked("GET", path, "", nil); code != 404 && code != 400 || !strings.Contains(text, want) {
					t.Errorf("%s: %d %s", path, code, text)
				}
			}
		})
	}
}
