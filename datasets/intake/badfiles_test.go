package intake

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadFiles: what is wrong with a file, whatever its format, is told in one line
// with the file and where in it, and nothing is taken.
func TestBadFiles(t *testing.T) {
	pgn := func(moves string) string { return "[Event \"x\"]\n[Result \"1-0\"]\n\n" + moves + " 1-0\n" }
	const bare = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
	for _, c := range []struct{ name, text, want string }{
		{"empty.epd", "", "no position that can be learned from"},
		{"label.epd", start + "; [1.5] a\n", ":1: want results on one scale, 0..1, 0..2 or -1..1 (--result-unit), not 1.5"},
		{"nan.epd", start + "; [NaN] a\n", ":1: want a result"},
		{"open.epd", start + "; [1.0 a\n", ":1: want a ] after the result"},
		{"none.epd", start + "\n", `:1: want [RESULT] or c9 "RESULT"`},
		{"c9.epd", bare + " c9 \"white\";\n", `:1: want a result`},
		{"ce.epd", bare + " c9 \"1-0\"; ce high;\n", `:1: want a score, not "high"`},
		{"board.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1; [1.0] a\n", ":1: want a position of chess"},
		{"bars.txt", start + " | 31 | 2.5\n", ":1: want results on one scale"},
		{"word.txt", start + " | high | 1.0\n", `:1: want a score, not "high"`},
		{"second.txt", start + " | 31 | 1.0\n" + start + " | 31 |\n", ":2: want POSITION | SCORE | RESULT"},
		{"header.csv", "board,color\n", ":1: want a column result, outcome or score"},
		{"cells.csv", "fen,score\n" + start + "\n", ":2: want 2 cells, not 1"},
		{"score.csv", "fen,score\n" + start + ",1e999\n", `:2: want a score, not "1e999"`},
		{"ply.csv", "fen,result,ply\n" + start + ",1-0,-3\n", `:2: want a whole number as ply, not "-3"`},
		{"moves.pgn", pgn("1. e4 e5 2. Ke3"), ":1: want legal moves: at ply 2"},
		{"unknown.bin", "x", "want a name that ends in .epd, .txt, .csv, .tsv or .pgn (and .gz or .zst), or --format"},
		{"gzip.epd.gz", "not packed at all", ""},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Read(context.Background(), []string{path}, Options{Game: chessGame(t), Score: Centipawns})
		if err == nil {
			t.Errorf("%s: taken, want an error", c.name)
			continue
		}
		text := err.Error()
		var at LineError
		if where := strings.HasPrefix(c.want, ":"); where && (!errors.As(err, &at) || !strings.HasPrefix(text, path+c.want)) {
			t.Errorf("%s: got %q, want it to begin with the file and %q", c.name, text, c.want)
		}
		if !strings.Contains(text, path) || !strings.Contains(text, c.want) || strings.ContainsAny(text, "\n\x00") {
			t.Errorf("%s: got %q, want one line with the file and %q", c.name, text, c.want)
		}
	}
}
