package intake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/game/connect4"
	"plyfit/game/othello"
	"plyfit/game/pig"
	"plyfit/internal/vectors"
)

// TestWriteEPD checks the first exported line, that positions are exported without their history,
// and that the numbers of positions and episodes and the outcomes can be read back.
func TestWriteEPD(t *testing.T) {
	chessGame, four := chessGame(t), vectors.Must(connect4.New(new(game.Options)))
	const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	for _, c := range []struct {
		g       *game.Game
		records []datasets.Record
		want    string // first line of the output
		left    int
	}{
		{chessGame, []datasets.Record{
			{Position: start + " moves g1f3 g8f6", Outcome: []float64{1, -1}, ID: `a "b"; c`},
			{Position: "8/8/4k3/8/4K3/4P3/8/8 b - - 7 50", Outcome: []float64{0, 0}, Episode: 1},
			{Position: start, Truncated: true, Episode: 2},
		}, `rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - c9 "1-0"; id "a 'b', c"; hmvc 2; fmvn 2;`, 1},
		{four, []datasets.Record{
			{Position: four.New().String(), Outcome: []float64{-1, 1}},
			{Position: four.New().String(), Outcome: []float64{0.5, -0.5}, Episode: 1},
		}, four.New().String() + ` c9 "0-1"; id "0";`, 0},
	} {
		var b bytes.Buffer
		left := vectors.Must(WriteEPD(&b, c.g, each(c.records)))
		first, _, _ := strings.Cut(b.String(), "\n")
		if first != c.want || left != c.left {
			t.Errorf("%s: writes\n%s\nwant\n%s\n%d left out, want %d", c.g.Name, first, c.want, left, c.left)
		}
		if strings.Contains(b.String(), "moves") {
			t.Errorf("%s: a position with its past:\n%s", c.g.Name, b.String())
		}
		back := vectors.Must(read(t, "x.epd", b.String(), Options{Game: c.g}))
		if back.Positions() != len(c.records)-c.left || back.Episodes() != back.Positions() {
			t.Errorf("%s: read back %d positions of %d episodes", c.g.Name, back.Positions(), back.Episodes())
		}
		for k, r := range records(t, back) {
			if got, want := fmt.Sprint(r.Outcome), fmt.Sprint(c.records[k].Outcome); got != want {
				t.Errorf("%s, position %d: outcome %s, want %s", c.g.Name, k, got, want)
			}
		}
	}
	g := vectors.Must(pig.New(new(game.Options)))
	if _, err := WriteEPD(new(bytes.Buffer), g, each(nil)); err == nil && g.Players != 2 {
		t.Error("a game of one was written")
	}
}

func each(records []datasets.Record) iter.Seq2[*datasets.Record, error] {
	return func(yield func(*datasets.Record, error) bool) {
		for i := range records {
			if !yield(&records[i], nil) {
				return
			}
		}
	}
}

// TestBadFiles checks that invalid files of several formats are rejected with a one-line error that
// contains the file name and, in some cases, the line number.
func TestBadFiles(t *testing.T) {
	pgn := func(moves string) string { return "[Event \"x\"]\n[Result \"1-0\"]\n\n" + moves + " 1-0\n" }
	const boardOnly = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
	for _, c := range []struct{ name, text, want string }{
		{"empty.epd", "", "no usable position"},
		{"label.epd", start + "; [1.5] a\n", ":1: want results on a single scale, which is 0..1, 0..2 or -1..1 (--result-unit), not 1.5"},
		{"nan.epd", start + "; [NaN] a\n", ":1: want a result"},
		{"open.epd", start + "; [1.0 a\n", ":1: want a ] after the result"},
		{"none.epd", start + "\n", `:1: want [RESULT] or c9 "RESULT"`},
		{"c9.epd", boardOnly + " c9 \"white\";\n", `:1: want a result`},
		{"ce.epd", boardOnly + " c9 \"1-0\"; ce high;\n", `:1: want a score, not "high"`},
		{"board.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1; [1.0] a\n", ":1: want a position of chess"},
		{"bars.txt", start + " | 31 | 2.5\n", ":1: want results on a single scale"},
		{"word.txt", start + " | high | 1.0\n", `:1: want a score, not "high"`},
		{"second.txt", start + " | 31 | 1.0\n" + start + " | 31 |\n", ":2: want POSITION | SCORE | RESULT"},
		{"header.csv", "board,color\n", ":1: want a column named result, outcome or score"},
		{"cells.csv", "fen,score\n" + start + "\n", ":2: want 2 cells, not 1"},
		{"score.csv", "fen,score\n" + start + ",1e999\n", `:2: want a score, not "1e999"`},
		{"ply.csv", "fen,result,ply\n" + start + ",1-0,-3\n", `:2: want a whole number in column ply, not "-3"`},
		{"moves.pgn", pgn("1. e4 e5 2. Ke3"), ":1: want legal moves; at ply 2"},
		{"unknown.bin", "x", "want a file name that ends in .epd, .txt, .csv, .tsv or .pgn (optionally followed by .gz or .zst), or --format"},
		{"gzip.epd.gz", "not packed at all", ""},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		vectors.Check(os.WriteFile(path, []byte(c.text), 0o644))
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

// FuzzRead checks that no file causes a panic, that errors name the file, that the counts of used
// and skipped records are consistent, and that all imported positions are valid.
func FuzzRead(f *testing.F) {
	formats := []Format{formatEPD, formatCSV, formatPGN}
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
		g := vectors.Must(make(game.NewOptions("x")))
		games[g.Name] = g
	}
	path := filepath.Join(f.TempDir(), "file")
	f.Fuzz(func(t *testing.T, format uint8, text string) {
		vectors.Check(os.WriteFile(path, []byte(text), 0o644))
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
