package cli

import (
	"context"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
)

// An Extension adds commands, help texts, flags and hooks to the command line. All fields may be
// nil.
type Extension struct {
	// Commands lists the constructors of additional commands, which the help lists after the
	// built-in ones.
	Commands []func(*App) *cobra.Command
	// Help contains a file help/COMMAND.txt for each command that has a long help text. In the file
	// name, hyphens replace the spaces in the command's name. The lines after "Examples:" are
	// examples.
	Help fs.FS
	// Flags adds flags to the command with the given name, such as "selfplay" or "dataset relabel".
	// It is called once for each built-in command.
	Flags func(name string, cmd *cobra.Command)
	// Begin is called after the command with the given name has parsed its flags. It returns the
	// command's context, which must be derived from cmd.Context(), for example by
	// [plyfit/work.WithExecutor]. Its error is treated as bad input unless it is marked by
	// [plyfit/internal/proc.Failure]. If end is not nil, it is called when the command has ended,
	// with the command's error.
	Begin func(name string, cmd *cobra.Command) (ctx context.Context, end func(error), err error)
}

// extend adds the extensions to the commands under root. The returned function must be called when
// the command has ended, with the command's error.
func (a *App) extend(root *cobra.Command, more []Extension) (end func(error)) {
	var ends []func(error)
	for _, x := range more {
		if x.Flags != nil {
			eachCommand(root, x.Flags)
		}
	}
	for _, x := range more {
		for _, make := range x.Commands {
			root.AddCommand(make(a))
		}
		if x.Help != nil {
			addHelp(root, x.Help)
		}
	}
	eachCommand(root, countArguments)
	before := root.PersistentPreRunE
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		if err := before(cmd, args); err != nil {
			return err
		}
		for _, x := range more {
			if x.Begin == nil {
				continue
			}
			ctx, end, err := x.Begin(nameOf(cmd), cmd)
			if err != nil {
				return err
			}
			cmd.SetContext(ctx)
			if end != nil {
				ends = append(ends, end)
			}
		}
		return nil
	}
	return func(err error) {
		for i := range ends {
			ends[len(ends)-1-i](err)
		}
	}
}

// eachCommand calls do for all commands below cmd.
func eachCommand(cmd *cobra.Command, do func(name string, cmd *cobra.Command)) {
	for _, c := range cmd.Commands() {
		do(nameOf(c), c)
		eachCommand(c, do)
	}
}

// nameOf returns a command's full name without the name of the program.
func nameOf(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}
