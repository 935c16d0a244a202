package table

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/elementary"
	"plyfit/internal/spec"
)

// A Unit is the unit of the labels in a table. Labels and features must be from the point of view
// of the same player.
type Unit string

// The units of labels.
const (
	unitShare      Unit = "0..1"  // fraction of a point: 0 for a loss, 0.5 for a draw, 1 for a win, or anything between
	unitWDL        Unit = "wdl"   // 1, 0.5, 0, win, draw, loss, w, d, l, 1-0, 1/2-1/2 or 0-1
	unitSigned     Unit = "-1..1" // -1 for a loss, 0 for a draw, 1 for a win, or anything between
	unitCentipawns Unit = "cp"    // centipawns; a score of s is worth 1/(1+10^(-s/400)) of a point

	// Utility is the unit of tables written by "plyfit dataset export". Labels can be any finite
	// numbers and remain unchanged. The columns kind and bias are not features.
	Utility Unit = "utility"
)

// units lists the units other than Utility.
var units = []Unit{unitShare, unitWDL, unitSigned, unitCentipawns}

// share converts a label to a fraction of a point. ok is false if the label is not valid in the
// unit. Labels in the unit Utility are returned unchanged.
func (u Unit) share(label float64) (share float64, ok bool) {
	switch u {
	case Utility:
		return label, label-label == 0
	case unitWDL:
		return label, label == 0 || label == 0.5 || label == 1
	case unitSigned:
		return (label + 1) / 2, label >= -1 && label <= 1
	case unitCentipawns:
		return 1 / (1 + elementary.Pow(10, -label/400)), game.IsCentipawns(label)
	}
	return label, label >= 0 && label <= 1
}

func (u Unit) parse(text string) (share float64, ok bool) {
	if u == unitWDL {
		if share, finished, _ := game.WordResult(text); finished {
			return share, true
		}
		if share, ok := game.LetterResult(text); ok {
			return share, true
		}
	}
	x, ok := spec.Decimal(text)
	if !ok {
		return 0, false
	}
	return u.share(x)
}

// want describes the valid labels, for error messages.
func (u Unit) want() string {
	switch u {
	case Utility:
		return "a finite number"
	case unitWDL:
		return "1, 0.5 or 0, or win, draw or loss (1-0, 1/2-1/2 or 0-1), because the label unit is wdl"
	case unitSigned:
		return "a label from -1 to 1"
	case unitCentipawns:
		return "a label from -32000 to 32000 centipawns, or a mate near 100000"
	}
	return "a label from 0 to 1, unless another label unit is declared (wdl, -1..1, cp)"
}

// A Layout assigns roles to the columns of a table. A column called weight contains weights. The
// remaining columns are features, except those that have no name or contain only row numbers.
type Layout struct {
	Unit  Unit   // unit of the labels; 0..1 if empty
	Label string // column of the labels; "label" if empty
	// Group is the column that identifies games: rows with equal cells belong to the same game. If
	// it is empty, the first column of [datasets.GameColumns] in the table is used. If there is
	// none either, each row is its own game.
	Group    string
	Phase    string   // column of the phase; if it is empty, weights are not tapered
	PhaseMax float64  // phase of the full middlegame, on a scale from 0 (endgame); 0 means 1
	Skip     []string // columns to ignore
	Keep     []string // columns that are features even if they contain row numbers
}

type role int

const (
	feature role = iota
	labelRole
	groupRole
	weightRole
	phaseRole
	kindRole
	biasRole
	skipped
	numbered // feature unless its values are row numbers
)

// number reports whether the cells of a column with role r must be numbers.
func (r role) number() bool { return r != labelRole && r != groupRole && r != skipped }

// Complete sets the defaults and returns an error if the layout is invalid.
func (l *Layout) Complete() error {
	l.Unit = cmp.Or(l.Unit, unitShare)
	if l.Unit != Utility && !slices.Contains(units, l.Unit) {
		return fmt.Errorf("label unit %q: want 0..1, wdl, -1..1 or cp", l.Unit)
	}
	l.Label = cmp.Or(l.Label, "label")
	l.PhaseMax = cmp.Or(l.PhaseMax, 1)
	if !(l.PhaseMax > 0) || math.IsInf(l.PhaseMax, 0) {
		return fmt.Errorf("phase %s:%v: want the phase of the middlegame, a number above 0, after the colon", l.Phase, l.PhaseMax)
	}
	return nil
}

// roles returns the roles of the columns with the given names.
func (l *Layout) roles(names []string) ([]role, error) {
	out := make([]role, len(names))
	seen := map[string]int{}
	group := slices.IndexFunc(datasets.GameColumns, func(name string) bool { return slices.Contains(names, name) })
	if l.Unit == Utility || group < 0 {
		group = 0
	}
	for i, name := range names {
		if before, twice := seen[name]; twice && name != "" {
			return nil, fmt.Errorf("column %d: %q is also the name of column %d; want unique names", i+1, name, before+1)
		}
		seen[name] = i
		out[i] = l.role(name, datasets.GameColumns[group])
	}
	for i, want := range slices.Concat([]string{l.Label, l.Phase, l.Group}, l.Skip, l.Keep) {
		_, ok := seen[want]
		if _, wide := seen[want+"[0]"]; !ok && !(wide && i > 2) && want != "" {
			hint := ""
			if i == 0 && l.Unit != Utility {
				hint = "; use --label-column to name the label column"
			}
			return nil, fmt.Errorf("no column %q: the columns are %s%s", want, Listed(names), hint)
		}
	}
	return out, nil
}

// role returns the role of the column with the given name. If l.Group is empty, the parameter group
// is the name of the column that identifies games.
func (l *Layout) role(name, group string) role {
	switch {
	case name == "":
		return skipped
	case name == l.Label:
		return labelRole
	case name == l.Phase:
		return phaseRole
	case name == l.Group:
		return groupRole
	case name == "weight":
		return weightRole
	case l.Unit == Utility && name == "kind":
		return kindRole
	case l.Unit == Utility && name == "bias":
		return biasRole
	case l.skips(name):
		return skipped
	case slices.Contains(l.Keep, name):
		return feature
	case l.Group == "" && name == group:
		return groupRole
	case frameIndex.MatchString(name):
		return skipped
	case mayNumber.MatchString(name):
		return numbered
	}
	return feature
}

func (l *Layout) skips(name string) bool {
	return slices.Contains(l.Skip, name) || name != "" && slices.Contains(l.Skip, name[:max(strings.LastIndexByte(name, '['), 0)])
}

// Listed joins names for an error message. It includes at most the first ten.
func Listed(names []string) string {
	const most = 10
	rest := ""
	if len(names) > most {
		rest = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return strings.Join(names, ", ") + rest
}

// frameIndex matches the names that pandas, Dask and R give to unnamed columns of row numbers.
var frameIndex = regexp.MustCompile(`^(__index_level_\d+__|__null_dask_index__|Unnamed: \d+(\.\d+|_level_\d+)*|\.\.\.\d+)$`)

// mayNumber matches the names of columns that contain row numbers if all their values are distinct
// integers.
var mayNumber = regexp.MustCompile(`(?i)^(index|id|idx|(row|record|sample|position)[ _.-]?(id|index|nr|num|number|names?)?|level_0|column0)$`)

// numberRows reports whether the values are distinct integers. Integers beyond 2^53 count as
// distinct. numberRows sorts the slice rows.
func numberRows(rows []float64) bool {
	slices.Sort(rows)
	for i, x := range rows {
		if x != math.Trunc(x) || i > 0 && x == rows[i-1] && math.Abs(x) < 1<<53 {
			return false
		}
	}
	return true
}

// dropRowNumbers removes columns of row numbers from the features.
func (b *builder) dropRowNumbers() {
	t, names := b.t, []string(nil)
	to := make([]int32, len(t.Columns))
	for c, name := range t.Columns {
		if to[c] = int32(len(names)); b.numbers[c] != nil && numberRows(b.numbers[c]) {
			to[c] = dropped
			t.RowNumbers = append(t.RowNumbers, fmt.Sprintf("%q", name))
			continue
		}
		names = append(names, name)
	}
	if len(names) < len(to) {
		t.Columns, b.to = names, to
	}
}

// Notes returns a line that lists the excluded columns, or nil if there are none.
func (t *Table) Notes() []string {
	if len(t.RowNumbers) == 0 {
		return nil
	}
	return []string{"columns excluded from the features because they contain row numbers: " + Listed(t.RowNumbers)}
}
