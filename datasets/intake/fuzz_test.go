package intake

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/game/othello"
)

// FuzzRead: no file makes the reader panic; an error names the file, and what
// it takes are positions of the game.
func FuzzRead(f *testing.F) {
	formats := formats
	for _, seed := range []struct{ format, text string }{
		{"epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1; [1.0] game 1\n"},
		{"epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c9 \"1-0\"; id \"a\"; ce 31;\n"},
		{"csv", "fen,score,result,ply\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1,#-3,0-1,7\n"},
		{"csv", "position,outcome,episode\n\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1\",1 -1,x\n"},
		{"csv", "---------------------------OX------XO--------------------------- X,0.5\n"},
		{"pgn", "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 {a (b} Nc6 (2... d6 $3) 3. Bb5 1-0\n"},
		{"pgn", "[FEN \"8/8/8/8/8/k7/p7/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n1/2-1/2\n"},
		{"pgn", "[Result \"1-0\"]\n\n1. e4 {+0.35/12 0.1s} e5 {[%eval 0.24]} 2. Nf3 {-M4/10} Nc6 {[%eval #-3]} 1-0\n"},
		{"epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 31 | 0.5\n"},
		{"epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1-0\n"},
	} {
		f.Add(uint8(slices.Index(formats, Format(seed.format))), seed.text)
	}
	games := map[string]*game.Game{}
	for _, make := range []func(*game.Options) (*game.Game, error){chess.New, othello.New} {
		g, err := make(game.NewOptions("x"))
		if err != nil {
			f.Fatal(err)
		}
		games[g.Name] = g
	}
	path := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, format uint8, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for name, g := range games {
			c, err := Read(context.Background(), []string{path}, Options{Game: g, Format: formats[int(format)%len(formats)], BadLines: 3})
			if err != nil {
				var fault LineError
				if !strings.Contains(err.Error(), path) && !errors.As(err, &fault) {
					t.Errorf("%s: error %q does not name the file", name, err)
				}
				continue
			}
			balanced(t, c)
			for _, e := range c.entries {
				if _, err := g.Parse(e.position); err != nil {
					t.Errorf("%s: took %v", name, err)
				}
			}
		}
	})
}
