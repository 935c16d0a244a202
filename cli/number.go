package cli

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"
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
