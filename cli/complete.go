package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/catalog"
	"plyfit/game/pacman"
)

// flagWords are the words of arguments that flags take as well.
var flagWords = map[string]string{"game": "GAME", "agent": "AGENT", "model": "EVAL", "eval": "EVAL", "prior": "EVAL", "init": "EVAL", "features": "SET"}

// complete gives the commands below root their completions: games, agents with their keys,
// models, feature sets, methods, formats and layouts. An argument is what its word in Use
// says, and a flag what its name says; for others the shell completes files.
func (a *app) complete(root *cobra.Command, methods map[string][]string) {
	for _, cmd := range root.Commands() {
		a.complete(cmd, methods)
		words := strings.Fields(cmd.Use)[1:]
		if cmd.ValidArgsFunction == nil && len(cmd.ValidArgs) == 0 {
			cmd.ValidArgsFunction = func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
				word := argumentOf(words, len(args))
				if _, err := a.Catalog.World(firstOf(args)); err != nil && word == "AGENT" { // of plyfit model diff A B
					word = "MODEL"
				}
				return a.candidates(word, firstOf(args), begun)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			var all cobra.CompletionFunc
			switch word, ok := flagWords[f.Name]; {
			case ok:
				all = func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
					return a.candidates(word, firstOf(args), begun)
				}
			case f.Name == "method":
				all = cobra.FixedCompletions(methods[cmd.Name()], cobra.ShellCompDirectiveNoFileComp)
			case f.Name == "format":
				all = cobra.FixedCompletions([]string{"json", "csv", "go", "c"}, cobra.ShellCompDirectiveNoFileComp)
			default:
				return
			}
			_ = cmd.RegisterFlagCompletionFunc(f.Name, all) // it fails only where a command has registered its own
		})
	}
}

// argumentOf is what Use calls the argument behind so many.
func argumentOf(words []string, given int) string {
	word := ""
	for i, w := range words {
		if strings.HasPrefix(w, "-") || i > given {
			break
		}
		word = strings.Trim(w, "[].|")
	}
	if word == "A" || word == "B" || word == "C" {
		return "AGENT"
	}
	return word
}

// candidates are what may stand for a word of a command on that game ("": on none).
func (a *app) candidates(word, spec, begun string) ([]string, cobra.ShellCompDirective) {
	const closed = cobra.ShellCompDirectiveNoFileComp
	switch word {
	case "GAME":
		return gameCandidates(a.Catalog, begun), closed | cobra.ShellCompDirectiveNoSpace
	case "AGENT":
		return agentCandidates(a.Catalog, spec, begun), closed | cobra.ShellCompDirectiveNoSpace
	case "KIND":
		var names []string
		for _, k := range a.Catalog.Kinds() {
			names = append(names, k.Name)
		}
		return names, closed
	case "SET":
		return setCandidates(a.Catalog, spec), closed
	case "MODEL":
		return modelCandidates(a.Catalog), cobra.ShellCompDirectiveDefault
	case "EVAL":
		return evaluationCandidates(a.Catalog, spec), cobra.ShellCompDirectiveDefault
	}
	return nil, cobra.ShellCompDirectiveDefault
}

func firstOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// gameCandidates are what may stand for a game where begun has been typed: names, wrappers
// behind a +, layouts of pacman.
func gameCandidates(c catalog.Catalog, begun string) (out []string) {
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

// agentCandidates are what may stand for an agent of a game where begun has been typed: kinds,
// then keys, then values. Of a game that is not known yet they are those of every game.
func agentCandidates(c catalog.Catalog, spec, begun string) (out []string) {
	kinds := c.Kinds()
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
			return wordsOf(key, before+key.Name+"=")
		}
	}
	return out
}

// modelCandidates are the shipped models of all games.
func modelCandidates(c catalog.Catalog) (out []string) {
	for i := range c {
		for _, m := range c[i].Shipped() {
			out = append(out, c[i].Name+"/"+m.Name)
		}
	}
	return out
}

// evaluationCandidates are what a game's eval may be, files apart; of no game, all shipped models.
func evaluationCandidates(c catalog.Catalog, spec string) []string {
	w, err := c.World(spec)
	if err != nil {
		return modelCandidates(c)
	}
	for _, k := range w.Kinds() {
		for _, key := range k.Keys {
			if key.Name == "eval" {
				return wordsOf(key, "")
			}
		}
	}
	return nil
}

// wordsOf are the words that a key takes, each behind before.
func wordsOf(key catalog.Key, before string) (out []string) {
	for _, value := range key.Values {
		if value != strings.ToUpper(value) {
			out = append(out, before+value)
		}
	}
	return out
}

// setCandidates are the feature sets of a game, or of all.
func setCandidates(c catalog.Catalog, spec string) (out []string) {
	for i := range c {
		w, err := c.World(spec)
		if err != nil {
			if w, err = c.World(c[i].Name); err != nil {
				continue
			}
		} else if w.Name != c[i].Name {
			continue
		}
		for _, s := range w.Sets() {
			out = append(out, s.Name())
		}
	}
	return out
}
