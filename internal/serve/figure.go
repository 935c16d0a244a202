package serve

import (
	"html/template"
	"strings"

	"plyfit/study/report"
)

// plot draws a plot for the page, whose style sheet ends with [report.Palette].
func plot(p report.Plot) template.HTML {
	f, err := report.NewFigure("", "", "", p)
	if err != nil {
		return drawing(err.Error())
	}
	return template.HTML(strings.Join(f.Panels(), "\n"))
}
