package text

import (
	"fmt"
	"strings"
)

// Hint suggests the name most similar to word, as in `; did you mean "chess"?`. It returns "" if
// there is none. A name is similar if its edit distance (optimal string alignment: insertions,
// deletions, replacements and swaps of neighbours) is at most a third of the word's length, between
// one and three. A name is also similar if it is the only name that starts with the word or with
// the word's first four letters.
func Hint(word string, names []string) string {
	word = strings.ToLower(word)
	best, least, begun := "", min(3, max(1, len(word)/3))+1, []string{}
	for _, name := range names {
		lower := strings.ToLower(name)
		if d := Distance(word, lower); d < least {
			best, least = name, d
		}
		if len(word) >= 2 && strings.HasPrefix(lower, word) {
			begun = append(begun, name)
		}
	}
	if best == "" && len(begun) == 0 && len(word) > stem {
		for _, name := range names {
			if strings.HasPrefix(strings.ToLower(name), word[:stem]) {
				begun = append(begun, name)
			}
		}
	}
	if best == "" && len(begun) == 1 {
		best = begun[0]
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// stem is the number of first letters that identify a name.
const stem = 4

// Distance returns the optimal string alignment distance between a and b.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range y {
		rows[0][j+1] = j + 1
	}
	for i := range x {
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			d := min(rows[i][j+1]+1, rows[i+1][j]+1, rows[i][j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				d = min(d, rows[i-1][j-1]+1)
			}
			rows[i+1][j+1] = d
		}
	}
	return rows[len(x)][len(y)]
}
