package features

import "testing"

func TestOnSquare(t *testing.T) {
	for _, c := range []struct {
		name, of   string
		file, rank int
		ok         bool
	}{
		{"knight-f3", "knight", 5, 2, true}, {"passed-pawn-a8@24", "passed-pawn@24", 0, 7, true},
		{"knight-f9", "", 0, 0, false}, {"knight-i3", "", 0, 0, false}, {"f3", "", 0, 0, false}, {"knight-f3@", "", 0, 0, false},
	} {
		if of, file, rank, ok := OnSquare(c.name); of != c.of || file != c.file || rank != c.rank || ok != c.ok {
			t.Errorf("%s: %q, %d, %d, %v; want %q, %d, %d, %v", c.name, of, file, rank, ok, c.of, c.file, c.rank, c.ok)
		}
	}
}
