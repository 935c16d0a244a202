package serve

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/search"
	"plyfit/stats"
)

// playMatch plays a match of a game into a file.
func playMatch(t *testing.T, path, spec, a, b string, change func(*arena.Config)) arena.Result {
	t.Helper()
	w, err := catalog.All().World(spec)
	if err != nil {
		t.Fatal(err)
	}
	cfg := arena.Config{Game: w.Game, Pairs: 12, Seed: 3, Out: path}
	for i, text := range []string{a, b} {
		agent, err := w.Agent(text, catalog.AgentOptions{})
		if err != nil {
			t.Fatal(err)
		}
		*[]*search.Factory{&cfg.A, &cfg.B}[i] = search.Factory{Name: text, New: agent.New}
	}
	if change != nil {
		change(&cfg)
	}
	r, err := arena.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A match is shown while its file grows: its estimate, its test's log-likelihood ratio
// between the bounds, its games; and beside another one.
func TestMatchPages(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "cup", "m.jsonl")
	want := playMatch(t, path, "connect4", "alphabeta:depth=2", "random", func(c *arena.Config) {
		c.Openings.Plies = 2
		c.SPRT = &stats.SPRT{Low: 0, High: 50}
	})
	playMatch(t, filepath.Join(folder, "other.jsonl"), "connect4", "random", "random", func(c *arena.Config) { c.NoMoves = true })
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A part of it was written, the rest comes later.
	if err := os.WriteFile(path, text[:len(text)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	v := visit(t, Config{Runs: folder})
	if list := v.want("/runs", nil); !strings.Contains(list, "cup/m.jsonl") || !strings.Contains(list, "other.jsonl") {
		t.Fatalf("not listed: %s", list)
	}
	at := "/run?" + url.Values{"name": {"cup/m.jsonl"}}.Encode()
	half := v.want(at, nil)
	sentence := html.EscapeString(strings.ReplaceAll(want.Sentence, "alphabeta:depth=2", "alphabeta depth 2"))
	if !strings.Contains(half, "so far, of the first") || strings.Contains(half, sentence) || !strings.Contains(half, "data-stream=") {
		t.Errorf("half of it: %s", half)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0o644) // appended to, as by a match
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(text[len(text)/2:], int64(len(text)/2)); err != nil {
		t.Fatal(err)
	}
	file.Close()
	page := v.want(at, nil)
	for _, what := range []string{sentence, "log-likelihood ratio", "0 is accepted", "50 is accepted", fmt.Sprintf("LLR %.2f between -2.94 and 2.94", want.SPRT.LLR), fmt.Sprintf("%d pairs", want.Pairs)} {
		if !strings.Contains(page, what) {
			t.Errorf("no %q in %s", what, page)
		}
	}
	beside := v.want(at+"&beside=other.jsonl", nil)
	if strings.Count(beside, "alphabeta depth 2") < 1 || !strings.Contains(beside, "random") || strings.Count(beside, `<path fill="none"`) != 6 {
		t.Errorf("two matches: %d lines drawn, want 3 and 3 levels in %s", strings.Count(beside, `<path fill="none"`), beside)
	}
	if none := v.want("/run?name=other.jsonl", nil); !strings.Contains(none, "were not kept") {
		t.Errorf("without moves: %s", none)
	}
	// Another match has taken the file's place.
	playMatch(t, path+".new", "tictactoe", "random", "random", nil)
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	if page := v.want(at, nil); !strings.Contains(page, "tictactoe") || strings.Contains(page, "log-likelihood") {
		t.Errorf("the other match: %s", page)
	}
	if err := os.WriteFile(path, append(text[:len(text)/2], "}}\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, body, _ := v.ask(at, nil); code != http.StatusBadRequest || !strings.Contains(body, "m.jsonl, line ") {
		t.Errorf("a damaged file: %d %s", code, body)
	}
}

var stepField = regexp.MustCompile(`data-key="ArrowRight" hx-get="([^"]*)"`)

// A game of a match is gone through from its first ply to its last, and searched.
func TestReplay(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct{ spec, a, b, agent string }{
		{"connect4", "alphabeta:depth=2", "random", "alphabeta:depth=4"},
		{"connect4:columns=4,rows=4+slip=0.2", "random", "random", "expectimax:depth=2"},
		{"2048:size=2", "expectimax:depth=1", "random", "expectimax:depth=2"},
		{"pig:target=15", "random", "random", "expectimax:depth=1"},
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
			values := v.want("/replay/values", url.Values{"name": {"m.jsonl"}, "pair": {"2"}, "game": {"2"}, "agent": {c.agent}})
			if !strings.Contains(values, "<svg") || strings.Contains(values, "were searched in the time") {
				t.Errorf("values: %s", values)
			}
			for path, want := range map[string]string{
				"/replay?name=m.jsonl&pair=3": "want one of the first 2", "/replay?name=m.jsonl&pair=x": "want a whole number", "/replay?name=m.jsonl&game=3": "want one of the pair",
				"/replay?name=..": "no match", "/replay/board?name=m.jsonl&ply=9999": "want a whole number from 0 to",
			} {
				if code, text, _ := v.asked("GET", path, "", nil); code != 404 && code != 400 || !strings.Contains(text, want) {
					t.Errorf("%s: %d %s", path, code, text)
				}
			}
			if code, text, _ := v.asked("POST", "/replay/values", "name=m.jsonl&agent=alphabeta:depth=40", nil); code != 400 || !strings.Contains(text, "at most 12") {
				t.Errorf("beyond the limits: %d %s", code, text)
			}
			if code, text, _ := v.asked("POST", "/replay/values", "name=m.jsonl&agent=random", nil); code != 400 || !strings.Contains(text, "want one that searches") {
				t.Errorf("an agent without values: %d %s", code, text)
			}
		})
	}
}

// Searched to its end, tic-tac-toe has no value but 1, 0 and -1: a move that gives a
// draw or a win away is a blunder of 1 or 2, and no other one loses anything.
func TestBlunders(t *testing.T) {
	w, err := catalog.All().World("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Catalog: catalog.All()})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(4, 2))
	blunders := 0
	for range 12 {
		g := &replayed{world: w, Transcript: &game.Transcript{}}
		var want []float64 // lost, by move
		for state := w.New(); state.Turn() >= 0; {
			moves := state.Moves(nil)
			m := moves[rng.IntN(len(moves))]
			mover, before := state.Turn(), solved(state)
			state.Play(m)
			loss := before[mover] - solved(state)[mover]
			want = append(want, loss)
			g.Moves = append(g.Moves, m)
		}
		got, err := s.annotate(t.Context(), g, "alphabeta:depth=9")
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d moves annotated of %d: %v", len(got), len(want), err)
		}
		for i, m := range got {
			mark := ""
			if want[i] > 0 {
				mark = "blunder"
				blunders++
			}
			if m.Loss != want[i] || m.Mark != mark || want[i] > 0 && m.Better == "" {
				t.Errorf("move %d, %s: %+v, want a loss of %v", i, m.Move, m, want[i])
			}
		}
	}
	if blunders < 5 {
		t.Errorf("%d blunders in random games", blunders)
	}
}

// solved are the utilities of tic-tac-toe under best play.
func solved(s game.State) [2]float64 {
	if s.Turn() == game.Nobody {
		return [2]float64{s.Utility(0), s.Utility(1)}
	}
	best, mover := [2]float64{-9, -9}, s.Turn()
	for _, m := range s.Moves(nil) {
		s.Play(m)
		if v := solved(s); v[mover] > best[mover] {
			best = v
		}
		s.Undo()
	}
	return best
}
