package report

import (
	"regexp"
	"strings"
)

// Count is a whole number with commas between its thousands: 18,435.
func Count[T ~int | ~int64 | ~int32](n T) string { return thousands(tickLabel(float64(n))) }

// number is a number as figures and tables write it: with or without a fraction.
var number = regexp.MustCompile(`^([-−+]?)(\d{4,})((?:\.\d+)?[%,:;]?)$`)

// grouped is the text of a cell with commas between the thousands of its numbers.
func grouped(cell string) string {
	words := strings.Split(cell, " ")
	for i, w := range words {
		head := strings.TrimLeft(w, "(")
		tail := strings.TrimRight(head, ")")
		words[i] = w[:len(w)-len(head)] + thousands(tail) + head[len(tail):]
	}
	return strings.Join(words, " ")
}

// thousands is a number with commas between its thousands; other text is as it was.
func thousands(text string) string {
	m := number.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	digits := m[2]
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return m[1] + b.String() + m[3]
}
