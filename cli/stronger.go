package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/game"
)

// tellStronger says on standard error, once a command, what is stronger than the shipped
// model that eval=best names, where there is such a thing: it is named by what ships, and
// not by what can be learned.
func (a *app) tellStronger(cmd *cobra.Command, args []string) {
	said := slices.Clone(args)
	cmd.Flags().Visit(func(f *pflag.Flag) { said = append(said, f.Value.String()) })
	asked := func(e string) bool {
		return slices.ContainsFunc(said, func(text string) bool {
			return text == "best" || strings.Contains(text, "eval=best") || strings.Contains(text, e+"/best")
		})
	}
	for _, text := range args {
		spec, err := game.ParseSpec(text)
		if err != nil {
			continue
		}
		e, err := a.Catalog.Entry(spec.Name)
		if err != nil || !asked(e.Name) {
			continue
		}
		for _, m := range e.Shipped() {
			if m.Best && m.Stronger != "" {
				fmt.Fprintf(a.Stderr, "eval=best is %s/%s, the strongest that ships: %s\n", e.Name, m.Name, m.Stronger)
				return
			}
		}
	}
}
