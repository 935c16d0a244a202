package cli

import (
	"fmt"
	"strconv"
	"strings"

	"plyfit/datasets/table"
)

// layoutFlags are the settings that describe the columns of a table without a game.
type layoutFlags struct {
	Unit  string   `flag:"label-unit" for:"columns" default:"0..1" help:"0..1, wdl, -1..1 or cp (centipawns)"`
	Label string   `flag:"label-column" for:"columns" default:"label" help:"the column of labels"`
	Group string   `flag:"group" for:"columns" help:"the column that names the game of a row; default: episode or game, if there"`
	Phase string   `flag:"phase" for:"columns" help:"COLUMN[:MAX], 0 in the endgame, MAX (1) in the middlegame; each column then has two weights"`
	Skip  []string `flag:"skip" for:"columns" help:"a column that is no feature"`
	Keep  []string `flag:"keep" for:"columns" help:"a column (index, id) that is a feature even if it numbers the rows"`
}

func (l *layoutFlags) read() (out table.Layout, err error) {
	out = table.Layout{Unit: table.Unit(l.Unit), Label: l.Label, Group: l.Group, Phase: l.Phase, Skip: l.Skip, Keep: l.Keep}
	if i := strings.LastIndexByte(l.Phase, ':'); i >= 0 {
		if out.PhaseMax, err = strconv.ParseFloat(l.Phase[i+1:], 64); err != nil || !(out.PhaseMax > 0) {
			return out, fmt.Errorf("--phase %s: want a number above 0 after the colon, the phase of the middlegame", l.Phase)
		}
		out.Phase = l.Phase[:i]
	}
	return out, out.Complete()
}
