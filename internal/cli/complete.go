package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/internal/list"
)

// complete adds completions of games and of --method to the commands below root. The shell
// completes files.
func (a *App) complete(root *cobra.Command, methods map[string][]string) {
	const closed = cobra.ShellCompDirectiveNoFileComp
	games := list.Map(a.Catalog, func(e catalog.Entry) string { return e.Name })
	for _, cmd := range root.Commands() {
		a.complete(cmd, methods)
		if words := strings.Fields(cmd.Use); len(words) > 1 && strings.Trim(words[1], "[]") == "GAME" {
			cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
				if len(args) > 0 {
					return nil, cobra.ShellCompDirectiveDefault
				}
				return games, closed | cobra.ShellCompDirectiveNoSpace // options may follow
			}
		}
		for flag, words := range map[string][]string{"game": games, "method": methods[cmd.Name()]} {
			if cmd.Flags().Lookup(flag) != nil {
				_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, closed)) // it fails only where a command has registered its own
			}
		}
	}
}
