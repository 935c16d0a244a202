package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plyfit/catalog"
	"plyfit/internal/list"
	"plyfit/internal/spec"
	"plyfit/internal/text"
)

// counted checks the number of arguments, which cmd.Use names before the flags. [X] may be left
// out, and X... may be repeated.
func counted(cmd *cobra.Command, args []string) error {
	want, _, _ := strings.Cut(strings.Join(strings.Fields(cmd.Use)[1:], " "), "-")
	least, most := 0, 0
	for _, word := range strings.Fields(want) {
		if most++; word[0] != '[' {
			least++
		}
	}
	if len(args) >= least && (len(args) <= most || strings.Contains(want, "...")) {
		return nil
	}
	hint := ""
	if len(args) > most && cmd.Flags().Lookup("position") != nil {
		position := strings.Join(args[1:], " ")
		hint = fmt.Sprintf("; to pass a position, use %s %s --position '%s'", cmd.CommandPath(), args[0], position)
	}
	return fmt.Errorf("%s: %s given, want %s%s", cmd.CommandPath(), text.Counted(len(args), "argument"), cmp.Or(strings.TrimSpace(want), "none"), hint)
}

// countArguments makes a command count its arguments if it has no other check.
func countArguments(_ string, cmd *cobra.Command) {
	if cmd.Args == nil {
		cmd.Args = counted
	}
}

var setting = regexp.MustCompile(`^[a-z]+=[^:]*$`)

// agents checks the arguments of commands that take agents. An agent's settings belong to its
// spec. If a setting such as depth=4 is a separate argument, the error shows the correct spec.
func agents(cmd *cobra.Command, args []string) error {
	i := slices.IndexFunc(args, setting.MatchString)
	if i < 1 {
		return counted(cmd, args)
	}
	joint := ":"
	if strings.Contains(args[i-1], ":") {
		joint = ","
	}
	return fmt.Errorf("%s: unexpected argument %s; want %s%s%s", cmd.CommandPath(), args[i], args[i-1], joint, args[i])
}

// Group returns a command that only has subcommands.
func Group(use, short string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: onlyCommands}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(commands...)
	return cmd
}

// onlyCommands rejects the arguments of a command that only has subcommands.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return fmt.Errorf("unknown command %q for %s%s", args[0], cmd.CommandPath(), suggestion(cmd, args[0], names))
}

// misnamed returns an error if the user asks for help on an unknown subcommand. This check is
// necessary because cobra does not check arguments when it prints help.
func misnamed(cmd *cobra.Command) error {
	words := cmd.Flags().Args()
	for len(words) > 0 { // cobra does not resolve subcommands that follow -h
		i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == words[0] })
		if i < 0 {
			break
		}
		cmd, words = cmd.Commands()[i], words[1:]
	}
	if cmd.HasAvailableSubCommands() && cmd.Args != nil && cmd.Args(cmd, nil) == nil {
		return cmd.Args(cmd, words)
	}
	return nil
}

// flagError rewrites pflag's errors so that they name the flag and, where possible, the value that
// it expects.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var alone *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &alone):
		_, usage := pflag.UnquoteUsage(alone.GetFlag())
		return fmt.Errorf("--%s needs a value (%s); see %s --help", alone.GetFlag().Name, usage, cmd.CommandPath())
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s %s: %s; see %s --help", invalid.GetFlag().Name, invalid.GetValue(), wanted(invalid), cmd.CommandPath())
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

// wanted describes the value that a flag expects. The errors of this package's flag types already
// contain the description.
func wanted(invalid *pflag.InvalidValueError) string {
	var number *strconv.NumError
	kind := invalid.GetFlag().Value.Type()
	switch {
	case kind == "duration":
		return "want a time such as 500ms or 2m"
	case !errors.As(invalid, &number):
		return errors.Unwrap(invalid).Error()
	case kind == "bool":
		return "want true or false"
	case kind == "float64":
		return "want a number"
	case kind == "uint64":
		return "want a whole number of at least 0"
	}
	return "want a whole number"
}

// replaced returns an error that names the replacement if args, the words after cmd, contain a
// command, flag, value or file format that only earlier releases supported.
func replaced(cmd *cobra.Command, args []string) error {
	path := cmd.CommandPath()
	if len(args) > 0 {
		if err := spec.Gone(path, args[0]); err != nil {
			return err
		}
	}
	for i, arg := range args {
		plain := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(arg), ".gz"), ".zst")
		if err := spec.Gone(path, filepath.Ext(plain)); err != nil {
			return err
		}
		flag, value, joined := strings.Cut(arg, "=")
		if !joined && i+1 < len(args) {
			value = args[i+1]
		}
		flag, _, _ = strings.Cut(flag, " ")
		if len(flag) == 2 && flag[0] == '-' && flag[1] != '-' {
			if f := cmd.Flags().ShorthandLookup(flag[1:]); f != nil {
				flag = "--" + f.Name
			}
		}
		if err := cmp.Or(spec.Gone(path, flag), spec.Gone(path, flag, value)); err != nil {
			return err
		}
	}
	return nil
}

func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	flag, names := "-"+unknown.GetSpecifiedName(), []string{}
	if listen := cmd.Flags().Lookup("listen"); listen != nil && unknown.GetSpecifiedName() == "port" {
		return fmt.Errorf("unknown flag: --port; use --listen ADDRESS:PORT, such as --listen %s", listen.DefValue)
	}
	if unknown.GetSpecifiedShortnames() == "" {
		flag = "-" + flag
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	}
	return fmt.Errorf("unknown flag: %s%s", flag, suggestion(cmd, flag, names))
}

// suggestion returns the name closest to word as a hint. If no name is close, it refers to the
// command's help.
func suggestion(cmd *cobra.Command, word string, names []string) string {
	if hint := text.Hint(word, names); hint != "" {
		return hint
	}
	return fmt.Sprintf("; see %s --help", cmd.CommandPath())
}

// complete adds shell completion of games and of --method to the commands below root. File names
// are completed by the shell itself.
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
				return games, closed | cobra.ShellCompDirectiveNoSpace // options may follow the name
			}
		}
		for flag, words := range map[string][]string{"game": games, "method": methods[cmd.Name()]} {
			if cmd.Flags().Lookup(flag) != nil {
				_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, closed)) // fails only if the command has registered its own completion
			}
		}
	}
}
