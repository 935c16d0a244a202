package cli

import (
	"context"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
)

// Extension is what another main function adds to the commands; its fields may be nil.
type Extension struct {
	// Commands are more commands, listed behind those that are there.
	Commands []func(*App) *cobra.Command
	// Help has a file help/COMMAND.txt for commands with more help than a line: the text, and behind the line Examples:
	// some commands. Hyphens replace the blanks of the command's name.
	Help fs.FS
	// Flags adds flags to the command of that name, such as "selfplay" or "dataset relabel". It is
	// called for each.
	Flags func(name string, cmd *cobra.Command)
	// Begin is called when the command of that name has read its flags. It returns the command's
	// context, which must end with cmd.Context(), for example one of [plyfit/work.WithExecutor].
	// Errors are of bad input unless [plyfit/internal/proc.Failure] marks them. end is called with
	// the command's error when it has ended; it may be nil.
	Begin func(name string, cmd *cobra.Command) (ctx context.Context, end func(error), err error)
}

// extend adds to the commands under root. The returned functions must be called when the command
// has ended.
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

// eachCommand calls do for the commands below cmd.
func eachCommand(cmd *cobra.Command, do func(name string, cmd *cobra.Command)) {
	for _, c := range cmd.Commands() {
		do(nameOf(c), c)
		eachCommand(c, do)
	}
}

// nameOf is a command's name without plyfit.
func nameOf(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}
