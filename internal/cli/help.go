package cli

import (
	"embed"
	"io/fs"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"plyfit/internal/grade"
	"plyfit/internal/terminal"
	"plyfit/study/ask"
)

// helpFiles contains the help texts of the built-in commands, in the layout that [Extension].Help
// describes.
//
//go:embed help
var helpFiles embed.FS

func helpFile(command string) string { return strings.ReplaceAll(command, " ", "-") + ".txt" }

// addHelp sets the help texts and the examples of the commands below root.
func addHelp(root *cobra.Command, files fs.FS) {
	texts := template.Must(template.New("").Funcs(template.FuncMap{
		"assignments": grade.Shipped,
		"experiments": ask.All,
		"join":        strings.Join,
		"methods":     methodDocs,
		"positions":   func() string { return positionsName },
		"words":       func() string { return terminal.Help },
	}).ParseFS(files, "help/*.txt"))
	eachCommand(root, func(name string, cmd *cobra.Command) {
		t := texts.Lookup(helpFile(name))
		if t == nil {
			return
		}
		var b strings.Builder
		if err := t.Execute(&b, nil); err != nil {
			panic("cli: help of " + name + ": " + err.Error())
		}
		text, examples, _ := strings.Cut(b.String(), "Examples:\n")
		cmd.Long, cmd.Example = strings.TrimSpace(text), strings.TrimRight(examples, "\n")
	})
}
