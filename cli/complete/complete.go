// Package complete has the shell complete what commands take: games, agents with their
// keys, models, feature sets, methods, formats and layouts.
//
//  1. [Install] looks at the arguments and flags of every command, and gives each the
//     completion of what it is named after.
//
//  2. [Games], [Agents] and [Models] are the candidates.
package complete

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/catalog"
	"plyfit/cli/shell"
	"plyfit/game/pacman"
)

// Install gives the commands below root their completions. An argument is what its word
// in Use says, and a flag what its name says; for others the shell completes files.
func Install(root *cobra.Command, a *shell.App, methods map[string][]string) {
	for _, cmd := range root.Commands() {
		Install(cmd, a, methods)
		words := strings.Fields(cmd.Use)[1:]
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
				return candidates(a, word(words, len(args)), args, begun)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { flag(cmd, a, f.Name, methods[cmd.Name()]) })
	}
}

// word is what Use calls the argument behind so many.
func word(words []string, given int) string {
	var arguments []string
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			break
		}
		arguments = append(arguments, strings.Trim(w, "[].|"))
	}
	if len(arguments) == 0 {
		return ""
	}
	return arguments[min(given, len(arguments)-1)]
}

// candidates are those of an argument.
func candidates(a *shell.App, word string, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	switch word {
	case "GAME":
		return Games(a.Catalog, begun), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	case "AGENT", "A", "B", "C":
		if len(args) == 0 { // of plyfit model diff A B
			return Models(a.Catalog), cobra.ShellCompDirectiveDefault
		}
		if _, err := a.Catalog.World(args[0]); err != nil {
			return Models(a.Catalog), cobra.ShellCompDirectiveDefault
		}
		return Agents(a.Catalog, args[0], begun), cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	case "KIND":
		var names []string
		for _, k := range catalog.Kinds() {
			names = append(names, k.Name)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	case "MODEL":
		return Models(a.Catalog), cobra.ShellCompDirectiveDefault
	}
	return nil, cobra.ShellCompDirectiveDefault
}

// flag registers the completion of a flag that has one.
func flag(cmd *cobra.Command, a *shell.App, name string, methods []string) {
	var f func(args []string, begun string) ([]string, cobra.ShellCompDirective)
	const open = cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
	fixed := func(words ...string) func([]string, string) ([]string, cobra.ShellCompDirective) {
		return func([]string, string) ([]string, cobra.ShellCompDirective) {
			return words, cobra.ShellCompDirectiveNoFileComp
		}
	}
	switch name {
	case "game":
		f = func(_ []string, begun string) ([]string, cobra.ShellCompDirective) {
			return Games(a.Catalog, begun), open
		}
	case "agent":
		f = func(args []string, begun string) ([]string, cobra.ShellCompDirective) {
			return Agents(a.Catalog, first(args), begun), open
		}
	case "model", "eval", "prior", "init":
		f = func(args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return evaluations(a.Catalog, first(args)), cobra.ShellCompDirectiveDefault
		}
	case "features":
		f = func(args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return sets(a.Catalog, first(args)), cobra.ShellCompDirectiveNoFileComp
		}
	case "method":
		f = fixed(methods...)
	case "format":
		f = fixed("json", "csv", "go", "c", "onnx")
	default:
		return
	}
	// It fails only where a command has registered its own.
	_ = cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		return f(args, begun)
	})
}

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// Games are what may stand for a game where begun has been typed: names, wrappers
// behind a +, layouts of pacman.
func Games(c catalog.Catalog, begun string) (out []string) {
	if at := strings.LastIndexByte(begun, '+'); at >= 0 {
		return []string{begun[:at] + "+slip=", begun[:at] + "+adversary"}
	}
	const layout = "pacman:layout="
	if strings.HasPrefix(begun, "pacman:") {
		for _, name := range pacman.Layouts() {
			out = append(out, layout+name)
		}
		return out
	}
	for i := range c {
		out = append(out, c[i].Name)
	}
	return out
}

// Agents are what may stand for an agent of a game where begun has been typed: kinds,
// then keys, then values. Of a game that is not known yet they are those of every game.
func Agents(c catalog.Catalog, spec, begun string) (out []string) {
	kinds := catalog.Kinds()
	if w, err := c.World(spec); err == nil {
		kinds = w.Kinds()
	}
	name, options, open := strings.Cut(begun, ":")
	if !open {
		for _, k := range kinds {
			if base, inner := strings.CutSuffix(k.Name, "(...)"); inner {
				out = append(out, base+"(")
				continue
			}
			out = append(out, k.Name)
		}
		return out
	}
	at := strings.LastIndexByte(options, ',') + 1
	before, last := name+":"+options[:at], options[at:]
	for _, k := range kinds {
		if k.Name != name {
			continue
		}
		for _, key := range k.Keys {
			if !strings.HasPrefix(last, key.Name+"=") {
				out = append(out, before+key.Name+"=")
				continue
			}
			out = out[:0]
			for _, value := range key.Values {
				if value != strings.ToUpper(value) {
					out = append(out, before+key.Name+"="+value)
				}
			}
			return out
		}
	}
	return out
}

// Models are the shipped models of all games.
func Models(c catalog.Catalog) (out []string) {
	for i := range c {
		for _, m := range c[i].Shipped() {
			out = append(out, c[i].Name+"/"+m.Name)
		}
	}
	return out
}

// evaluations are what a game's eval may be, files apart; of no game, all shipped models.
func evaluations(c catalog.Catalog, spec string) []string {
	w, err := c.World(spec)
	if err != nil {
		return Models(c)
	}
	for _, k := range w.Kinds() {
		for _, key := range k.Keys {
			if key.Name != "eval" {
				continue
			}
			var out []string
			for _, value := range key.Values {
				if value != strings.ToUpper(value) {
					out = append(out, value)
				}
			}
			return out
		}
	}
	return nil
}

// sets are the feature sets of a game, or of all.
func sets(c catalog.Catalog, spec string) (out []string) {
	for i := range c {
		w, err := c.World(spec)
		if err != nil {
			if w, err = c.World(c[i].Name); err != nil {
				continue
			}
		} else if w.Name != c[i].Name {
			continue
		}
		for _, s := range w.Entry.Sets(w.Base()) {
			out = append(out, s.Name())
		}
	}
	return out
}
