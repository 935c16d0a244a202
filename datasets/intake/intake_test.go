package intake

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/game/poker"
	"plyfit/internal/vectors"
)

func chessGame(t *testing.T) *game.Game {
	t.Helper()
	return vectors.Must(chess.New(new(game.Options)))
}

// read writes text to a file with the given name and reads it.
func read(t *testing.T, name, text string, o Options) (*Collection, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	vectors.Check(os.WriteFile(path, []byte(text), 0o644))
	if o.Game == nil {
		o.Game = chessGame(t)
	}
	return Read(context.Background(), []string{path}, o)
}

// records writes the collection as a data set and returns its records.
func records(t *testing.T, c *Collection) (out []datasets.Record) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	vectors.Must(c.Write(context.Background(), dir))
	vectors.Must(datasets.Verify(dir))
	set := vectors.Must(datasets.Open(dir))
	for r, err := range set.Records() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *r)
	}
	return out
}

const (
	start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	reply = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
)

// TestEPD reads labelled positions in several forms, and episodes whose positions are not adjacent.
func TestEPD(t *testing.T) {
	c, err := read(t, "x.epd", start+"; [1.0] g7\n\n# a comment\n"+
		reply+" [0.5]\r\n"+
		`rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - c9 "0-1"; id "g9"; ce 100;`+"\n"+
		`rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5; c9 "1/2-1/2";`+"\n"+
		reply+"; [1-0] g7", Options{Score: Centipawns})
	if err != nil {
		t.Fatal(err)
	}
	got := records(t, c)
	type row struct {
		episode uint64
		ply     int32
		id      string
		mover   game.Player
		outcome float64
	}
	want := []row{{0, 0, "g7", 0, 1}, {0, 1, "g7", 1, 1}, {1, 0, "", 1, 0}, {2, 0, "g9", 1, -1}, {3, 0, "", 1, 0}}
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d: %+v", len(got), len(want), got)
	}
	for i, r := range got {
		if g := (row{r.Episode, r.Ply, r.ID, r.Mover, r.Outcome[0]}); g != want[i] || r.Outcome[1] != -r.Outcome[0] || r.Truncated {
			t.Errorf("record %d is %+v, want %+v", i, r, want[i])
		}
	}
	// 100 centipawns for the mover, who is Black, are worth 0.64 points to Black.
	if v := got[3].Value; !got[3].HasValue || math.Abs(v-(2/(1+math.Pow(10, -0.25))-1)) > 1e-12 {
		t.Errorf("a score of 100 is worth %v to black", v)
	}
	if got[3].Position != reply {
		t.Errorf("position %q, want its clocks filled in", got[3].Position)
	}
	if c.Lines != 7 {
		t.Errorf("%d lines", c.Lines)
	}
}

// TestVariants reads results without brackets, positions and scores separated by bars, and plies
// derived from move numbers.
func TestVariants(t *testing.T) {
	const later = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 12"
	c, err := read(t, "x.txt", start+" 1-0\n"+later+"; 0.5\n"+later+" moves e7e5 [0.0]\n"+
		later+" | 100 | 0.0\n"+later+" | #-3 | [1/2-1/2]\n", Options{Score: Centipawns})
	if err != nil {
		t.Fatal(err)
	}
	share := 2/(1+math.Pow(10, 0.25)) - 1 // Black's value if White has 100 centipawns
	want := []struct {
		ply     int32
		outcome float64
		value   float64
		valued  bool
	}{{0, 1, 0, false}, {23, 0, 0, false}, {24, -1, 0, false}, {23, -1, share, true}, {23, 0, 1, true}}
	got := records(t, c)
	if len(got) != len(want) {
		t.Fatalf("%d records, want %d", len(got), len(want))
	}
	for i, w := range want {
		if r := got[i]; r.Ply != w.ply || r.Outcome[0] != w.outcome || r.HasValue != w.valued || math.Abs(r.Value-w.value) > 1e-12 {
			t.Errorf("record %d is %+v, want %+v", i, r, w)
		}
	}
}

// TestComments reads scores in comments. Match runners write scores from the mover's point of view.
// %eval is from White's point of view and refers to the position after the move.
func TestComments(t *testing.T) {
	text := "[Result \"1-0\"]\n\n1. e4 {+0.35/12 0.1s} e5 {[%eval 0.24] [%clk 0:01:00]} 2. Nf3 {book} (2. d4 {9.99/2}) Nc6 {1/2 offered} " +
		"3. Bb5 {-M4/20 1.2s, x} a6 {(a7a6 O-O) -1,50/8} 4. Ba4 { [%eval #-3] } Nf6 {} 5. O-O {[%eval -2]} Be7 {-0.5/3 [%eval 1.0]} 1-0\n"
	c := vectors.Must(read(t, "x.pgn", text, Options{}))
	pawns := func(p float64) float64 { return 2/(1+math.Pow(10, -p/4)) - 1 }
	none := math.NaN()
	values := []float64{pawns(0.35), none, pawns(0.24), none, -1, pawns(-1.5), none, 1, none, pawns(-0.5)}
	depths := []int32{12, 0, 0, 0, 20, 8, 0, 0, 0, 3}
	got := records(t, c)
	if len(got) != len(values) {
		t.Fatalf("%d records, want %d", len(got), len(values))
	}
	for i, r := range got {
		if r.HasValue == math.IsNaN(values[i]) || r.HasValue && math.Abs(r.Value-values[i]) > 1e-12 || r.Depth != depths[i] {
			t.Errorf("ply %d: value %v (%v), depth %d, want %v and %d", i, r.Value, r.HasValue, r.Depth, values[i], depths[i])
		}
	}
}

// TestBadLines checks that unreadable lines are counted, reported and limited in number.
func TestBadLines(t *testing.T) {
	text := start + "; [1.0] a\nnonsense; [1.0] a\n" + start + "; [7] a\n" + start + "\n" + start + "; [1.0 a\n"
	c := vectors.Must(read(t, "x.epd", text, Options{BadLines: 4, Scale: Shares}))
	var lines []int
	for _, f := range c.Skips {
		lines = append(lines, f.Line)
	}
	if len(lines) != 4 || lines[0] != 2 || lines[3] != 5 || c.Positions() != 1 {
		t.Errorf("bad lines %v, %d positions", lines, c.Positions())
	}
	_, err := read(t, "x.epd", text, Options{BadLines: 2, Scale: Shares})
	var f LineError
	if !errors.As(err, &f) || f.Line != 4 || !strings.Contains(err.Error(), "found 3 bad lines, but the limit is 2") {
		t.Errorf("error %v", err)
	}
	if _, err = read(t, "x.epd", text, Options{Scale: Shares}); !errors.As(err, &f) || f.Line != 2 {
		t.Errorf("error %v", err)
	}
	for name, text := range map[string]string{"x.epd": "\n", "x.csv": "fen\n" + start, "y.csv": "one\n", "x.txt": ""} {
		if _, err := read(t, name, text, Options{}); err == nil {
			t.Errorf("%s with %q: no error", name, text)
		}
	}
	// Positions in which the game is over are skipped, but they are not errors.
	c, err = read(t, "x.epd", start+"; [1.0]\n7k/6Q1/6K1/8/8/8/8/8 b - - 0 1; [1.0]\n", Options{})
	if err != nil || c.Rows.Skipped[Finished] != 1 || c.Positions() != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestCSV(t *testing.T) {
	c, err := read(t, "x.csv", "id,Fen,Score,WDL,ply,comment\na,"+start+",20,1-0,3,hm\na,"+reply+",#-3,,4,\nb,"+reply+",x,0,1,\nb,"+reply+",0\n",
		Options{Score: Centipawns, BadLines: 2})
	if err != nil {
		t.Fatal(err)
	}
	got := records(t, c)
	if len(got) != 2 || len(c.Skips) != 2 || c.Skips[0].Line != 4 || c.Skips[1].Line != 5 {
		t.Fatalf("%+v, faults %v", got, c.Skips)
	}
	if got[0].Ply != 3 || got[0].Outcome[0] != 1 || got[1].Ply != 4 || !got[1].Truncated || got[1].Value != 1 || got[1].ID != "a" {
		t.Errorf("%+v", got)
	}
	if len(c.Notes) != 3 || !strings.Contains(c.Notes[0], "comment") {
		t.Errorf("notes %q", c.Notes)
	}
	// This file has no header. Its scores are the mover's, in the game's units.
	c = vectors.Must(read(t, "x.csv", reply+",0.25,0.5\n", Options{ByMover: true}))
	if got := records(t, c); got[0].Value != 0.25 || got[0].Outcome[0] != 0 {
		t.Errorf("%+v", got)
	}
}

const games = `[Event "one"]
[Result "1-0"]

1. e4 {a comment
[Event "inside"] it} e5 2. Nf3 (2. f4 exf4) 2... Nc6 $1 3. Bb5 a6 4. Bxc6 dxc6 5. O-O 1-0

[Event "two"]
[Result "*"]

1. d4 *

[Event "three"]
[Result "0-1"]

1. e4 e5 2. Ke3 0-1

[Event "four"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]
[SetUp "1"]
[Result "1/2-1/2"]

1. a8=N Kd7 1/2-1/2
`

// TestHidden checks that records of a game with hidden cards contain the mover's information.
func TestHidden(t *testing.T) {
	g := vectors.Must(poker.NewKuhn(new(game.Options)))
	c := vectors.Must(read(t, "x.csv", "position,result\n2 0 pb,1\n0 1 b,0\n", Options{Game: g}))
	if got := records(t, c); len(got) != 2 || got[0].View != "2 ? pb" || got[1].View != "? 1 b" {
		t.Errorf("%+v, want what the movers know", got)
	}
}

func TestPGN(t *testing.T) {
	c := vectors.Must(read(t, "x.pgn", games, Options{BadLines: 1}))
	got := records(t, c)
	if len(got) != 9+1 || c.Plies.Skipped[Behind] != 1 || c.Games.Skipped[Unfinished] != 1 || len(c.Skips) != 2 || c.Bad != 1 || c.Skips[1].Line != 12 {
		t.Fatalf("%d records, %d open, faults %v", len(got), c.Games.Skipped[Unfinished], c.Skips)
	}
	if got[0].Position != start || got[0].Move != "e2e4" || got[8].Move != "e1g1" || got[8].Ply != 8 || got[0].Outcome[0] != 1 || got[0].ID != "pgn1" {
		t.Errorf("%+v", got[:9])
	}
	if got[9].Move != "a7a8n" || got[9].Outcome[0] != 0 || got[9].ID != "pgn4" {
		t.Errorf("%+v", got[9:])
	}
	// Quiet rejects the positions in which Black is to move.
	c, err := read(t, "x.pgn", games, Options{BadLines: 1, Quiet: func(s game.State) bool { return s.Turn() == 0 }})
	if err != nil || c.Positions() != 5+1 || c.Plies.Skipped[NotQuiet] != 4 {
		t.Errorf("%d positions, plies %v, %v", c.Positions(), c.Plies, err)
	}
}

// TestPacked checks that plain, gzip and zstd files produce the same data set, and that writing it
// a second time to the same directory succeeds. Truncated gzip and zstd files must be rejected.
func TestPacked(t *testing.T) {
	text := []byte(strings.Repeat(start+"; [1.0] g1\n"+reply+"; [0.0] g2\n", 300))
	var zipped bytes.Buffer
	g := gzip.NewWriter(&zipped)
	g.Write(text)
	g.Close()
	z := vectors.Must(zstd.NewWriter(nil))
	var want string
	for name, data := range map[string][]byte{"a.epd": text, "a.epd.gz": zipped.Bytes(), "a.epd.zst": z.EncodeAll(text, nil)} {
		c, err := read(t, name, string(data), Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		dir := filepath.Join(t.TempDir(), "data")
		m := vectors.Must(c.Write(context.Background(), dir))
		if want == "" {
			want = m.Digest
		}
		if m.Digest != want || m.Records != 600 || m.Episodes != 2 {
			t.Errorf("%s: %d records of %d episodes, digest %s, want %s", name, m.Records, m.Episodes, m.Digest, want)
		}
		if again, err := c.Write(context.Background(), dir); err != nil || again.Digest != want {
			t.Errorf("a second time: %v", err)
		}
	}
	for _, packed := range [][]byte{zipped.Bytes(), z.EncodeAll(text, nil)} {
		if _, err := read(t, "cut.epd", string(packed[:len(packed)-9]), Options{}); err == nil {
			t.Error("no error for a file that is cut off")
		}
	}
}

// TestHostile checks that damaged files are either read or rejected with an error, without a panic.
// Except for PGN, the error must be a single line.
func TestHostile(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	texts := map[string]string{
		"x.epd": start + "; [1.0] g7\n" + reply + ` c9 "0-1"; id "g9"; ce 100;` + "\n",
		"x.csv": "id,fen,score,wdl,ply\na," + start + ",20,1-0,3\nb," + reply + ",#-3,0.5,4\n",
		"x.pgn": games,
	}
	for name, text := range texts {
		for round := range 100 {
			b := []byte(text)
			for range 1 + rng.IntN(6) {
				switch at := rng.IntN(len(b)); rng.IntN(3) {
				case 0:
					b[at] = byte(rng.IntN(256))
				case 1:
					b = append(b[:at], b[min(len(b), at+rng.IntN(20)):]...)
				default:
					b = append(b[:at:at], append([]byte("\"[{;,"), b[at:]...)...)
				}
				if len(b) == 0 {
					b = []byte("x")
				}
			}
			c, err := read(t, name, string(b), Options{Score: Centipawns, BadLines: 3})
			if err == nil {
				balanced(t, c)
			}
			if err == nil && round%10 == 0 {
				records(t, c)
			} else if err != nil && strings.Contains(err.Error(), "\n") && !strings.HasSuffix(name, "pgn") {
				t.Errorf("%s: more than a line: %q", name, err)
			}
		}
	}
}

// TestImpossibleFigures checks that outcomes and scores outside the game's range count as
// unreadable, and that the line is reported if no valid position is left. It also checks that valid
// outcomes and scores, and files with a byte order mark, are read.
func TestImpossibleFigures(t *testing.T) {
	const start, next = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
	for _, c := range []struct{ row, want string }{
		{start + ",5 -5,", "want utilities of chess from -1 to 1, not 5"},
		{start + ",1 1,", "want utilities of chess that sum to 0, not [1 1]"},
		{start + ",,300", "want a score from -1 to 1 (the utility range of chess), not 300"},
		{next + ",,-1.5", "want a score from -1 to 1"},
	} {
		_, err := read(t, "x.csv", "position,outcome,score\n"+c.row, Options{BadLines: 5})
		if err == nil || !strings.Contains(err.Error(), "x.csv:2: "+c.want) || !strings.Contains(err.Error(), "no usable position") {
			t.Errorf("%s: %v, want %s", c.row, err, c.want)
		}
	}
	for _, text := range []string{"position,outcome,score\n" + start + ",1 -1,-1\n" + next + ",-1,1", "\ufeff" + start + ",1-0\n" + next + ",0.5"} {
		c := vectors.Must(read(t, "x.csv", text, Options{}))
		if lines := 1 + strings.Count(text, "\n"); c.Positions() != 2 || c.Lines != lines {
			t.Errorf("%q: %d positions from %d lines, want 2 from %d", text, c.Positions(), c.Lines, lines)
		}
	}
	if c, err := read(t, "x.epd", "\ufeff"+start+" [1.0]", Options{}); err != nil || c.Positions() != 1 {
		t.Errorf("a mark of byte order before an EPD: %v", err)
	}
}
