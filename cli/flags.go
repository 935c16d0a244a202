package cli

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// whole is a flag's value: a whole number of at least least.
type whole struct {
	n     *int
	least int
}

func (w whole) String() string {
	if w.n == nil {
		return "0"
	}
	return strconv.Itoa(*w.n)
}

func (w whole) Type() string { return "int" }

func (w whole) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < w.least {
		return fmt.Errorf("want a whole number of at least %d", w.least)
	}
	*w.n = n
	return nil
}

// wholeFlag adds a flag that takes whole numbers of at least least, a letter
// for short where it has one.
func wholeFlag(cmd *cobra.Command, n *int, name, letter string, otherwise, least int, usage string) {
	*n = otherwise
	cmd.Flags().VarP(whole{n, least}, name, letter, usage)
}

// counted is n things, in words that agree: 1 shard, 2 shards.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// exactly is cobra.ExactArgs with a message that says what was expected.
func exactly(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != len(names) {
			return misgiven(cmd, args, names)
		}
		return nil
	}
}

// atLeast is [exactly] for commands that take more arguments like the last.
func atLeast(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return misgiven(cmd, args, append(names, "..."))
		}
		return nil
	}
}

func misgiven(cmd *cobra.Command, args, want []string) error {
	count, wanted := fmt.Sprintf("%d arguments", len(args)), strings.Join(want, " ")
	if len(args) == 1 {
		count = "1 argument"
	}
	if len(want) == 0 {
		wanted = "none"
	}
	return fmt.Errorf("%s: %s given, want %s", cmd.CommandPath(), count, wanted)
}

// workersFlag adds --workers, which never changes a result.
func workersFlag(cmd *cobra.Command, workers *int) {
	wholeFlag(cmd, workers, "workers", "", runtime.GOMAXPROCS(0), 1, "games played at once; never changes a result")
}

// seedFlag adds --seed.
func seedFlag(cmd *cobra.Command, seed *uint64) {
	cmd.Flags().Uint64Var(seed, "seed", 1, "makes the run repeatable")
}

// lacking tells which flag a command cannot do without, and what it wants there.
func lacking(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if err == nil && f.Annotations[cobra.BashCompOneRequiredFlag] != nil && !f.Changed {
			_, usage := pflag.UnquoteUsage(f)
			err = fmt.Errorf("%s: want --%s: %s", cmd.CommandPath(), f.Name, usage)
		}
	})
	return err
}
