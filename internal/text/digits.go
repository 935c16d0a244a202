package text

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

var (
	number = regexp.MustCompile(`^([-−+]?)(\d{4,})((?:\.\d+)?[%,:;]?)$`)
	word   = regexp.MustCompile(`[^ ()]+`)
)

// Grouped returns a text with commas between the thousands of its numbers.
func Grouped(text string) string { return word.ReplaceAllStringFunc(text, Thousands) }

// Thousands inserts commas into a number; it returns other text unchanged.
func Thousands(text string) string {
	m := number.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	digits := m[2]
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return m[1] + digits + m[3]
}

// Digits formats x with the given significant digits, without an exponent from least to below most.
func Digits(x float64, digits int, least, most float64) string {
	text := strconv.FormatFloat(x, 'g', digits, 64)
	if v, err := strconv.ParseFloat(text, 64); err == nil && (math.Abs(v) >= least || v == 0) && math.Abs(v) < most {
		text = strconv.FormatFloat(v+0, 'f', -1, 64)
	}
	return text
}

// Short formats x with two digits, without the 0 before its point.
func Short(x float64) string {
	text := Digits(x, 2, 0.001, 1e5)
	if strings.HasPrefix(strings.TrimPrefix(text, "-"), "0.") {
		text = strings.Replace(text, "0.", ".", 1)
	}
	return text
}
