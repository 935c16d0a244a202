package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/datasets/table"
)

// layoutFlags describe the columns of a table without a game.
type layoutFlags struct {
	unit, label, group, phase string
	skip, keep                []string
}

var layoutFlagNames = []string{"label-unit", "label-column", "group", "phase", "skip", "keep"}

// add adds the flags; of is the part of their usage that names the tables.
func (l *layoutFlags) add(cmd *cobra.Command, of string) {
	flags := cmd.Flags()
	flags.StringVar(&l.unit, "label-unit", "0..1", of+": 0..1, wdl, -1..1 or cp (centipawns)")
	flags.StringVar(&l.label, "label-column", "label", of+": the column of labels")
	flags.StringVar(&l.group, "group", "", of+": the column that names the game of a row; default: episode or game, if there")
	flags.StringVar(&l.phase, "phase", "", of+": COLUMN[:MAX], 0 in the endgame, MAX (1) in the middlegame; each column then has two weights")
	flags.StringArrayVar(&l.skip, "skip", nil, of+": a column that is no feature")
	flags.StringArrayVar(&l.keep, "keep", nil, of+": a column (index, id) that is a feature even if it numbers the rows")
}

func (l *layoutFlags) read() (out table.Layout, err error) {
	out = table.Layout{Unit: table.Unit(l.unit), Label: l.label, Group: l.group, Phase: l.phase, Skip: l.skip, Keep: l.keep}
	if i := strings.LastIndexByte(l.phase, ':'); i >= 0 {
		if out.PhaseMax, err = strconv.ParseFloat(l.phase[i+1:], 64); err != nil || !(out.PhaseMax > 0) {
			return out, fmt.Errorf("--phase %s: want a number above 0 after the colon, the phase of the middlegame", l.phase)
		}
		out.Phase = l.phase[:i]
	}
	return out, out.Complete()
}
