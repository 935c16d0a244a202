package game

import "strings"

// PositionLine is what a line of a file of positions holds: without a byte order mark,
// blanks around it and semicolons behind it. ok is false for an empty line and for a
// comment, which begins with #. Every reader of such lines uses it.
func PositionLine(line string) (position string, ok bool) {
	position = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
	if strings.HasPrefix(position, "#") {
		return "", false
	}
	position = strings.TrimRight(position, "; \t")
	return position, position != ""
}
