package cli

import (
	"embed"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"plyfit/internal/terminal"
)

// helpFiles has a file for each command with more help than a line: the text, and behind the line Examples: some
// commands.
//
//go:embed help
var helpFiles embed.FS

func helpFile(command string) string { return strings.ReplaceAll(command, " ", "-") + ".txt" }

// addHelp adds the texts of helpFiles to the commands below root.
func addHelp(root *cobra.Command) {
	texts := template.Must(template.New("").Funcs(template.FuncMap{
		"assignments": assignmentsHelp,
		"experiments": experimentsHelp,
		"methods":     methodDocs,
		"positions":   func() string { return positionsName },
		"words":       func() string { return terminal.Help },
	}).ParseFS(helpFiles, "help/*.txt"))
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
