package features

import "regexp"

// squareName names a weight of a piece on a square: what it is of, file, rank, and phase.
var squareName = regexp.MustCompile(`^(.+)-([a-h])([1-8])(@\d+)?$`)

// OnSquare reads the name of a weight for something on a square of an 8x8 board, such as
// knight-f3@0: of what, with the phase if any (knight@0), and file and rank, counted from 0. ok is
// false for other names.
func OnSquare(name string) (of string, file, rank int, ok bool) {
	m := squareName.FindStringSubmatch(name)
	if m == nil {
		return "", 0, 0, false
	}
	return m[1] + m[4], int(m[2][0] - 'a'), int(m[3][0] - '1'), true
}
