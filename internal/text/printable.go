package text

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Most is how many characters of a text are shown.
const Most = 300

// Printable is the text without what a terminal would obey: control codes, characters that
// cannot be seen and bytes that are no text are written as in a Go string. Of a long text
// the first [Most] characters are left.
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
