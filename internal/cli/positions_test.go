package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/datasets/intake"
	"plyfit/internal/vectors"
)

// readers contains the readers of chess positions. Each returns the error for a line that it
// rejects. A line is not considered rejected if its only fault is that the game is over or a label
// is missing.
var readers = map[string]func(t *testing.T, w *catalog.World, line string) error{
	"import": func(t *testing.T, w *catalog.World, line string) error {
		o := intake.Options{Game: w.Game, BadLines: 1, Score: intake.Centipawns}
		_, err := intake.Read(context.Background(), []string{lineFile(t, line)}, o)
		if err != nil && (strings.Contains(err.Error(), `c9 "RESULT" `) || !strings.Contains(err.Error(), "skipped")) { // a line without a label, or a finished game
			return nil
		}
		return err
	},
	"book": func(t *testing.T, w *catalog.World, line string) error {
		_, err := arena.ReadOpenings(lineFile(t, line), w.Game, nil)
		return unlessOver(err)
	},
	"--position": func(_ *testing.T, _ *catalog.World, line string) error {
		return failed(run("", "eval", "chess", "--json", "--position", line))
	},
	"standard input": func(_ *testing.T, _ *catalog.World, line string) error {
		return failed(run(line+"\n", "eval", "chess", "--json", "--position", "-"))
	},
	"uci": func(_ *testing.T, _ *catalog.World, line string) error {
		_, said, _ := run("position fen "+line+"\nisready\nquit\n", "uci", "chess")
		if before, ready, _ := strings.Cut(said, "readyok"); strings.Contains(before+ready, "info string") {
			return fmt.Errorf("%s", said)
		}
		return nil
	},
	"stdio": func(_ *testing.T, _ *catalog.World, line string) error {
		request, _ := json.Marshal(map[string]any{"id": 1, "method": "new", "params": map[string]string{"game": "chess", "position": line}})
		if _, said, _ := run(string(request)+"\n", "serve", "--stdio"); strings.Contains(said, `"error"`) {
			return fmt.Errorf("%s", said)
		}
		return nil
	},
}

// lineFile writes a file with a single line and returns its path.
func lineFile(t *testing.T, line string) string {
	path := filepath.Join(t.TempDir(), "one.epd")
	vectors.Check(os.WriteFile(path, []byte(line+"\n"), 0o644))
	return path
}

func unlessOver(err error) error {
	if err != nil && strings.Contains(err.Error(), "the game is over") {
		return nil
	}
	return err
}

func failed(code int, _, stderr string) error {
	if code != 0 {
		return unlessOver(errors.New(stderr))
	}
	return nil
}

// unlike returns "" if all readers agree on a line. Otherwise, it lists those that accept the line
// and those that reject it.
func unlike(t *testing.T, w *catalog.World, line string) string {
	var read, refused []string
	for name, reader := range readers {
		if name == "uci" && strings.Contains(line, "moves") { // uci has its own syntax for moves
			continue
		}
		if err := reader(t, w, line); err != nil {
			refused = append(refused, fmt.Sprintf("%s (%v)", name, err))
		} else {
			read = append(read, name)
		}
	}
	if len(read) == 0 || len(refused) == 0 {
		return ""
	}
	slices.Sort(refused)
	return fmt.Sprintf("%v read it, not %s", read, strings.Join(refused, ", "))
}

// TestOnePositionReader checks that all readers agree on each line of six files (uci only without
// moves), and that the expected number of lines is skipped if a file is used as a book.
func TestOnePositionReader(t *testing.T) {
	w := vectors.Must(catalog.All().World("chess"))
	for file, used := range map[string]int{"e2a-quoted-ce.epd": 2, "e3-move0.epd": 3, "e4-result-eval.epd": 3, "e7-rights.epd": 6, "o1-hmvc.epd": 4, "labels.epd": 10} {
		path := filepath.Join("testdata", file)
		if file != "labels.epd" {
			path = filepath.Join("..", "..", "datasets", "intake", "testdata", file)
		}
		text := vectors.Must(os.ReadFile(path))
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		for i, line := range lines {
			if differ := unlike(t, w, line); differ != "" {
				t.Errorf("%s:%d: %s: %s", file, i+1, line, differ)
			}
		}
		code, _, stderr := run("", "match", "chess", "random", "random", "--pairs", "1", "--quiet", "--json", "--openings", "@"+path)
		if n := strings.Count(stderr, "skipped: "); code != 0 || n != len(lines)-used {
			t.Errorf("%s as a book: exit code %d, %d lines skipped, want %d: %s", file, code, n, len(lines)-used, stderr)
		}
	}
}
