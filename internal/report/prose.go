package report

import (
	"strings"
	"text/template"
)

// Prose parses the parts of a report. The returned function executes one of the parts with the
// given data. It panics if the template cannot be executed with the data.
func Prose(parts string, funcs template.FuncMap) func(part string, data any) string {
	t := template.Must(template.New("").Funcs(funcs).Parse(parts))
	return func(part string, data any) string {
		var b strings.Builder
		if err := t.ExecuteTemplate(&b, part, data); err != nil {
			panic("report: " + err.Error())
		}
		return b.String()
	}
}
