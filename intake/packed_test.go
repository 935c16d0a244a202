package intake

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/game"
)

// pack lays a board out in 32 bytes: ranks from the eighth on, as a FEN has them,
// with U and u for rooks that may castle. Its codes are told apart from the reader's.
func pack(boardOf string) (rec [perRecord]byte) {
	var squares [64]byte
	for row, rank := range strings.Split(boardOf, "/") {
		file := 0
		for _, c := range []byte(rank) {
			if c >= '1' && c <= '8' {
				file += int(c - '0')
				continue
			}
			squares[8*(7-row)+file] = c
			file++
		}
	}
	occupied := uint64(0)
	for at, c := range squares {
		if c == 0 {
			continue
		}
		code := byte(strings.IndexByte("PNBRQKU?pnbrqku", c))
		k := bits.OnesCount64(occupied)
		rec[8+k/2] |= code << (4 * (k % 2))
		occupied |= 1 << at
	}
	binary.LittleEndian.PutUint64(rec[:], occupied)
	return rec
}

// packedBullet is a position by the mover, whose king stands on king, the other's, as
// he sees it, on other.
func packedBullet(boardOf string, king, other byte, score int16, result byte) []byte {
	rec := pack(boardOf)
	binary.LittleEndian.PutUint16(rec[24:], uint16(score))
	rec[26], rec[27], rec[28] = result, king, other
	return rec[:]
}

func packedMarlin(boardOf string, side, clock byte, number uint16, score int16, result byte) []byte {
	rec := pack(boardOf)
	rec[24], rec[25] = side, clock
	binary.LittleEndian.PutUint16(rec[26:], number)
	binary.LittleEndian.PutUint16(rec[28:], uint16(score))
	rec[30] = result
	return rec[:]
}

// packedStart is the position at the beginning of a game.
func packedStart(f Format, score int16, result byte) []byte {
	if f == Bullet {
		return packedBullet("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", 4, 4, score, result)
	}
	return packedMarlin("unbqkbnu/pppppppp/8/8/8/8/PPPPPPPP/UNBQKBNU", 64, 0, 1, score, result)
}

// TestRecords: both layouts of 32 bytes, from either side, with what only marlinformat
// knows.
func TestRecords(t *testing.T) {
	const blackToMove = "4k3/8/8/8/4Pp2/8/8/4K2U"
	for _, c := range []struct {
		name     string
		format   Format
		record   []byte
		position string
		mover    game.Player
		ply      int32
		share    float64 // the mover's, by the score
		outcome  float64 // White's utility
	}{
		{"bullet", Bullet, packedStart(Bullet, 100, 2), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", 0, 0, 0.6400649998, 1},
		{"bullet, lost", Bullet, packedBullet("3k4/8/8/8/8/8/p7/6K1", 6, 3, -100, 0), "3k4/8/8/8/8/8/p7/6K1 w - - 0 1", 0, 0, 1 - 0.6400649998, -1},
		{"marlinformat", Marlin, packedStart(Marlin, 0, 1), start, 0, 0, 0.5, 0},
		{"marlinformat, black", Marlin, packedMarlin(blackToMove, 128|20, 0, 17, 100, 2), "4k3/8/8/8/4Pp2/8/8/4K2R b K e3 0 17", 1, 33, 1 - 0.6400649998, 1},
		{"marlinformat, number 0", Marlin, packedMarlin("4k3/8/8/8/8/8/P7/4K3", 64, 3, 0, 0, 0), "4k3/8/8/8/8/8/P7/4K3 w - - 3 1", 0, 0, 0.5, -1},
	} {
		col, err := read(t, "x."+string(c.format), string(c.record), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := records(t, col)
		if len(got) != 1 {
			t.Fatalf("%s: %d records, want 1", c.name, len(got))
		}
		r := got[0]
		if r.Position != c.position || r.Mover != c.mover || r.Ply != c.ply || r.Outcome[0] != c.outcome || !r.HasValue {
			t.Errorf("%s: got %+v, want %q, mover %d, ply %d, outcome %v", c.name, r, c.position, c.mover, c.ply, c.outcome)
		}
		if want := 2*c.share - 1; math.Abs(r.Value-want) > 1e-9 {
			t.Errorf("%s: value %v, want %v", c.name, r.Value, want)
		}
	}
}

// TestBadFiles: what is wrong with a file, whatever its format, is told in one line
// with the file and where in it, and nothing is taken.
func TestBadFiles(t *testing.T) {
	marlin := func(change func(rec []byte)) string {
		rec := packedStart(Marlin, 0, 1)
		change(rec)
		return string(packedStart(Marlin, 0, 1)) + string(rec)
	}
	pgn := func(moves string) string { return "[Event \"x\"]\n[Result \"1-0\"]\n\n" + moves + " 1-0\n" }
	const bare = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
	for _, c := range []struct{ name, text, want string }{
		{"empty.epd", "", "no position that can be learned from"},
		{"label.epd", start + "; [1.5] a\n", ":1: want a result: 1-0, 0-1, 1/2-1/2, or player 0's share of the point, 0 to 1, not \"1.5\""},
		{"nan.epd", start + "; [NaN] a\n", ":1: want a result"},
		{"open.epd", start + "; [1.0 a\n", ":1: want a ] after the result"},
		{"none.epd", start + "\n", `:1: want [RESULT] or c9 "RESULT"`},
		{"c9.epd", bare + " c9 \"white\";\n", `:1: want a result`},
		{"ce.epd", bare + " c9 \"1-0\"; ce high;\n", `:1: want a score, not "high"`},
		{"board.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1; [1.0] a\n", ":1: want a position of chess"},
		{"bars.txt", start + " | 31 | 2.0\n", ":1: want a result"},
		{"word.txt", start + " | high | 1.0\n", `:1: want a score, not "high"`},
		{"second.txt", start + " | 31 | 1.0\n" + start + " | 31 |\n", ":2: want a result"},
		{"header.csv", "board,color\n", ":1: want a column result, outcome or score"},
		{"cells.csv", "fen,score\n" + start + "\n", ":2: want 2 cells, not 1"},
		{"score.csv", "fen,score\n" + start + ",1e999\n", `:2: want a score, not "1e999"`},
		{"ply.csv", "fen,result,ply\n" + start + ",1-0,-3\n", `:2: want a whole number as ply, not "-3"`},
		{"moves.pgn", pgn("1. e4 e5 2. Ke3"), ":1: want a game in PGN"},
		{"eval.pgn", pgn("1. e4 {[%eval high]} e5"), `:1: want pawns or #MOVES as %eval, not "high", at ply 1`},
		{"short.bullet", string(packedStart(Bullet, 0, 1)) + "xyz", ": record 2: want 32 bytes, not 3"},
		{"other.bullet", string(packedStart(Marlin, 0, 1)), ": record 1: want pieces of the kinds 0 to 5, not 6 on square 0"},
		{"king.bullet", string(packedBullet("4k3/8/8/8/8/8/8/4K3", 5, 4, 0, 1)), ": record 1: want the king K on square 5"},
		{"other.marlinformat", string(packedStart(Bullet, 0, 1)), ": record 1: want a position of chess"},
		{"crowd.marlinformat", marlin(func(rec []byte) { rec[3] = 1 }), ": record 2: want at most 32 pieces, not 33"},
		{"kind.marlinformat", marlin(func(rec []byte) { rec[8] = 7 }), ": record 2: want pieces of the kinds 0 to 6, not 7 on square 0"},
		{"passing.marlinformat", marlin(func(rec []byte) { rec[24] = 65 }), ": record 2: want an en passant square"},
		{"result.marlinformat", marlin(func(rec []byte) { rec[30] = 3 }), ": record 2: want a result of 0, 1 or 2, not 3"},
		{"castle.marlinformat", marlin(func(rec []byte) { rec[8] = 0x63 }), ": record 2: want rooks that may castle in the corners"},
		{"unknown.bin", "x", "want a name that ends in .epd, .txt, .csv or .pgn (and .gz or .zst), or --format"},
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
