package cli

import (
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/internal/list"
	"plyfit/internal/proc"
	"plyfit/internal/report"
	"plyfit/internal/text"
)

// agentsCommand returns the command that lists the kinds of agents and their keys, from the table
// that the spec parser uses.
func (a *App) agentsCommand() *cobra.Command {
	var spec string
	var asJSON, markdown bool
	cmd := &cobra.Command{
		Use:   "agents [KIND]",
		Short: "List the kinds of agents and their options",
		RunE: func(cmd *cobra.Command, args []string) error {
			kinds := a.Catalog.Kinds()
			if spec != "" {
				w, err := a.Catalog.World(spec)
				if err != nil {
					return err
				}
				kinds = w.Kinds()
			}
			if len(args) == 1 {
				k, err := kindNamed(kinds, args[0])
				if err != nil {
					return err
				}
				kinds = []catalog.Kind{k}
			}
			switch {
			case asJSON:
				return a.printKindsJSON(kinds)
			case markdown:
				return a.printf("%s", agentsPage(kinds))
			}
			return a.printKinds(kinds, len(args) == 1)
		},
	}
	cmd.Flags().StringVar(&spec, "game", "", "list the agents and defaults for this game")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object per kind")
	cmd.Flags().BoolVar(&markdown, "markdown", false, "print the content of docs/agents.md")
	return cmd
}

func kindNamed(kinds []catalog.Kind, name string) (catalog.Kind, error) {
	var names []string
	for _, k := range kinds {
		if k.Name == name || k.Name == name+"(...)" {
			return k, nil
		}
		names = append(names, k.Name)
	}
	return catalog.Kind{}, fmt.Errorf("unknown kind %q; want one of %s%s", name, strings.Join(names, ", "), text.Hint(name, names))
}

func (a *App) printKinds(kinds []catalog.Kind, keys bool) error {
	t := report.Table{Head: []string{"agent", "keys", "description"}, Words: 3}
	if keys {
		k := kinds[0]
		fmt.Fprintf(a.Stdout, "%s: %s\n\n", k.Name, k.Doc)
		t = report.Table{Head: []string{"key", "values", "default", "meaning"}, Words: 4}
		t.Rows = list.Map(k.Keys, func(key catalog.Key) []string {
			return []string{key.Name, strings.Join(key.Values, ", "), key.Default, key.Doc}
		})
		if len(t.Rows) == 0 {
			return a.printf("This agent has no keys.\n")
		}
		return proc.Failure(t.Print(a.Stdout))
	}
	for _, k := range kinds {
		keys := list.Map(k.Keys, func(key catalog.Key) string { return key.Name })
		t.Rows = append(t.Rows, []string{k.Name, strings.Join(keys, ", "), k.Doc})
	}
	return proc.Failure(t.Print(a.Stdout))
}

func (a *App) printKindsJSON(kinds []catalog.Kind) error {
	for _, k := range kinds {
		if err := WriteJSON(a.Stdout, struct {
			Name string        `json:"name"`
			Doc  string        `json:"doc"`
			Keys []catalog.Key `json:"keys"`
		}{k.Name, k.Doc, append([]catalog.Key{}, k.Keys...)}); err != nil {
			return err
		}
	}
	return nil
}

//go:embed agents.md.tmpl
var agentsText string

// agentsPage returns the reference page for agents in Markdown. Kinds with an identical key share
// one row.
func agentsPage(kinds []catalog.Kind) string {
	type row struct {
		Of []string
		catalog.Key
	}
	var rows []row
	for _, k := range kinds {
		for _, key := range k.Keys {
			i := slices.IndexFunc(rows, func(r row) bool { return reflect.DeepEqual(r.Key, key) })
			if i < 0 {
				i, rows = len(rows), append(rows, row{Key: key})
			}
			rows[i].Of = append(rows[i].Of, k.Name)
		}
	}
	page := report.Prose(agentsText, template.FuncMap{"join": strings.Join})
	return page("page", struct {
		Kinds []catalog.Kind
		Rows  []row
	}{kinds, rows})
}
