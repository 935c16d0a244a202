package text

// Wrap joins words by spaces into lines that fit, as far as single words do.
func Wrap(words []string, fits func(line string) bool) (lines []string) {
	for _, word := range words {
		if n := len(lines); n > 0 && fits(lines[n-1]+" "+word) {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}
