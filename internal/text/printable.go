package text

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Most is the maximum number of characters that [Printable] keeps.
const Most = 300

// Or lists words in the form "a, b or c".
func Or[S ~string](words []S) string {
	var b strings.Builder
	for i, w := range words {
		switch i {
		case 0:
		case len(words) - 1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(w))
	}
	return b.String()
}

// Clip returns s, or its first n bytes and an ellipsis if s is longer.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "..."
}

// Counted returns a number with a noun in the singular or plural, for example "1 shard" or "2
// shards".
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Capital returns s with its first letter, which must be ASCII, in upper case.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Printable escapes control characters, invisible characters and invalid bytes like a Go string
// literal, and shortens text to [Most] characters.
func Printable(text string) string {
	var b strings.Builder
	n := 0
	for i, r := range text {
		if n++; n > Most {
			b.WriteString("...")
			break
		}
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			b.WriteString(`\x` + strconv.FormatUint(uint64(text[i])|0x100, 16)[1:])
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}

var (
	number = regexp.MustCompile(`^([-−+]?)(\d{4,})((?:\.\d+)?[%,:;]?)$`)
	word   = regexp.MustCompile(`[^ ()]+`)
)

// Grouped returns text with commas between the thousands of its numbers.
func Grouped(text string) string { return word.ReplaceAllStringFunc(text, Thousands) }

// Thousands inserts commas into a number. It returns other text unchanged.
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

// Digits formats x with the given number of significant digits. If x is 0 or least <= |x| < most,
// the result has no exponent.
func Digits(x float64, digits int, least, most float64) string {
	text := strconv.FormatFloat(x, 'g', digits, 64)
	if v, err := strconv.ParseFloat(text, 64); err == nil && (math.Abs(v) >= least || v == 0) && math.Abs(v) < most {
		text = strconv.FormatFloat(v+0, 'f', -1, 64)
	}
	return text
}

// Short formats x with two significant digits, without a 0 before the decimal point.
func Short(x float64) string {
	text := Digits(x, 2, 0.001, 1e5)
	if strings.HasPrefix(strings.TrimPrefix(text, "-"), "0.") {
		text = strings.Replace(text, "0.", ".", 1)
	}
	return text
}
