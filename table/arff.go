package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// readARFF reads Weka's attribute-relation format: dense rows of numeric attributes.
func readARFF(in io.Reader, b *builder) error {
	var names []string
	cut := func(dst [][]byte, text []byte) ([][]byte, error) {
		switch text = bytes.TrimSpace(text); text[0] {
		case '%':
			return dst, nil
		case '{':
			return dst, errors.New("want dense rows, not sparse ones")
		}
		return cut(dst, text, ',')
	}
	err := below(in, b, cut, func(line int, text []byte) error {
		fault := func(want string) error { return fmt.Errorf("%s:%d: want %s", b.t.File, line, want) }
		text = bytes.TrimSpace(text)
		if text[0] == '%' {
			return nil
		}
		keyword, rest, _ := strings.Cut(strings.Replace(string(text), "\t", " ", 1), " ")
		switch strings.ToLower(keyword) {
		case "@relation":
		case "@attribute":
			name, kind, ok := cutName(strings.TrimSpace(rest))
			if !ok {
				return fault("@attribute NAME TYPE")
			}
			if !slices.Contains([]string{"real", "numeric", "integer"}, strings.ToLower(kind)) {
				return fault("an attribute that is real, numeric or integer")
			}
			names = append(names, name)
		case "@data":
			return b.head(line, names)
		default:
			return fault("@relation, @attribute or @data")
		}
		return nil
	})
	if err == nil && b.roles == nil {
		err = fmt.Errorf("%s: want @data", b.t.File)
	}
	return err
}

// quoted and unquoted are the letters that stand otherwise in a quoted name.
var (
	quoted   = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\r", `\r`, "\t", `\t`)
	unquoted = strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`, `\n`, "\n", `\r`, "\r", `\t`, "\t")
)

// cutName splits NAME TYPE, where the name may be quoted.
func cutName(text string) (name, kind string, ok bool) {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		at := strings.IndexAny(text, " \t")
		return text[:max(at, 0)], strings.TrimSpace(text[max(at, 0):]), at >= 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[0]:
			return unquoted.Replace(text[1:i]), strings.TrimSpace(text[i+1:]), true
		}
	}
	return "", "", false
}

// arffName is a name as ARFF wants it: quoted where it holds more than a word.
func arffName(name string) string {
	if name != "" && !strings.ContainsAny(name, " \t\r\n,'\"\\{}%@?") {
		return name
	}
	return "'" + quoted.Replace(name) + "'"
}
