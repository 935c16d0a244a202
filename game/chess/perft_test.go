package chess

import (
	"sort"
	"strconv"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
)

// perfts compares the perft counts of each position in a file with lines `FEN ;D1 n ;D2 n ...`. It
// skips counts above most. It returns the number of counts compared and the sum of their leaves.
func perfts(t *testing.T, path string, most int64) (compared int, leaves int64) {
	t.Helper()
	var buffers [][]game.Move
	for range 8 {
		buffers = append(buffers, make([]game.Move, 0, mostMoves))
	}
	for _, line := range vectors.Lines(t, path) {
		f := strings.Split(line, ";")
		s := vectors.Must(ParsePosition(strings.TrimSpace(f[0]))).WithoutDraws()
		for _, entry := range f[1:] {
			depth, text, _ := strings.Cut(strings.TrimSpace(entry), " ")
			if depth[0] != 'D' {
				continue
			}
			d, err := strconv.Atoi(depth[1:])
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			want, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if want > most {
				break
			}
			if got := game.Perft(s, d, buffers); got != want {
				t.Errorf("%s, depth %d: %d paths, want %d", f[0], d, got, want)
			}
			compared++
			leaves += want
		}
	}
	return compared, leaves
}

func TestPerftStandard(t *testing.T) {
	most, want := int64(1e5), 20
	if vectors.Long() {
		most, want = 1e10, 41
	}
	n, leaves := perfts(t, "testdata/standard6.epd", most)
	t.Logf("%d counts, %d leaves", n, leaves)
	if n < want {
		t.Errorf("%d counts compared, want %d", n, want)
	}
}

func TestPerftSuite(t *testing.T) {
	most := int64(3e5)
	if vectors.Long() {
		most = 1e9
	}
	n, leaves := perfts(t, vectors.Shared(t, "chess/perftsuite126.epd"), most)
	t.Logf("%d counts, %d leaves", n, leaves)
	if n < 500 {
		t.Errorf("%d counts compared, want at least 500", n)
	}
}

func TestPerftRandom(t *testing.T) {
	most := int64(5e4)
	if vectors.Long() {
		most = 1e9
	}
	n, leaves := perfts(t, "testdata/random250_perft_moves.epd", most)
	t.Logf("%d counts, %d leaves", n, leaves)
	if n < 500 {
		t.Errorf("%d counts compared, want at least 500", n)
	}
}

// TestMoveLists compares the generated moves, by name, with a list.
func TestMoveLists(t *testing.T) {
	for _, line := range vectors.Lines(t, "testdata/random250_perft_moves.epd") {
		f := strings.Split(line, ";")
		fen := strings.TrimSpace(f[0])
		s := vectors.Must(ParsePosition(fen)).WithoutDraws()
		var want, got []string
		for _, field := range f {
			if names, ok := strings.CutPrefix(strings.TrimSpace(field), "moves "); ok && names != "-" { // a mate has none
				want = strings.Fields(names)
			}
		}
		for _, m := range s.Moves(nil) {
			got = append(got, s.MoveString(m))
		}
		sort.Strings(got)
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: moves %v, want %v", fen, got, want)
		}
	}
}
