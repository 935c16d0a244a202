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

// Unit is what a label is given in, seen by whom the columns are seen by.
type Unit string

// The units of labels.
const (
	unitShare      Unit = "0..1"  // share of the point: 0 lost, 0.5 drawn, 1 won, and between
	unitWDL        Unit = "wdl"   // 1, 0.5, 0, or win, draw, loss, w, d, l, 1-0, 1/2-1/2, 0-1, and no other
	unitSigned     Unit = "-1..1" // -1 lost, 0 drawn, 1 won, and between
	unitCentipawns Unit = "cp"    // a score of s hundredths of a pawn is 1/(1+10^(-s/400)) of the point

	// Utility is the unit of a game's samples, as plyfit dataset export writes them: labels
	// are any numbers and stay as they are, and columns called kind and bias are no features.
	Utility Unit = "utility"
)

// units are those of labels that engines tell.
var units = []Unit{unitShare, unitWDL, unitSigned, unitCentipawns}

// share is the share of the point of a label; ok is false for one that the unit does not have.
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

// want says what the unit has.
func (u Unit) want() string {
	switch u {
	case Utility:
		return "a finite number"
	case unitWDL:
		return "1, 0.5 or 0, or win, draw, loss (1-0, 1/2-1/2, 0-1), since the unit of labels is wdl"
	case unitSigned:
		return "a label from -1 to 1"
	case unitCentipawns:
		return "a label from -32000 to 32000 centipawns, or a mate near 100000"
	}
	return "a label from 0 to 1, unless another unit of labels is declared (wdl, -1..1, cp)"
}

// Layout says what the columns of a table are. Every column that it does not name,
// and that is not called weight, is a feature unless it numbers the rows.
type Layout struct {
	Unit     Unit    // of labels; "": 0..1
	Label    string  // the column of labels; "": "label"
	Group    string  // the column whose equal cells mark rows of one game; "": the first of [datasets.GameColumns] in the table, else each row by itself
	Phase    string  // the column of the phase; "": weights are not tapered
	PhaseMax float64 // the phase of the middlegame, 0 being the end of the endgame; 0: 1
	Skip     []string
	Keep     []string // features, even if they number the rows
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
	numbered // a feature unless it numbers the rows
)

// number reports whether cells of the role are numbers and no words.
func (r role) number() bool { return r != labelRole && r != groupRole && r != skipped }

// Complete fills in the defaults, and tells what cannot be.
func (l *Layout) Complete() error {
	l.Unit = cmp.Or(l.Unit, unitShare)
	if l.Unit != Utility && !slices.Contains(units, l.Unit) {
		return fmt.Errorf("label unit %q: want 0..1, wdl, -1..1 or cp", l.Unit)
	}
	l.Label = cmp.Or(l.Label, "label")
	l.PhaseMax = cmp.Or(l.PhaseMax, 1)
	if !(l.PhaseMax > 0) || math.IsInf(l.PhaseMax, 0) {
		return fmt.Errorf("phase %s:%v: want a number above 0 after the colon, the phase of the middlegame", l.Phase, l.PhaseMax)
	}
	return nil
}

// roles are those of columns with these names.
func (l *Layout) roles(names []string) ([]role, error) {
	out := make([]role, len(names))
	seen := map[string]int{}
	group := slices.IndexFunc(datasets.GameColumns, func(name string) bool { return slices.Contains(names, name) })
	if l.Unit == Utility || group < 0 {
		group = 0
	}
	for i, name := range names {
		if before, twice := seen[name]; twice && name != "" {
			return nil, fmt.Errorf("column %d: %q is the name of column %d, too: want each name once", i+1, name, before+1)
		}
		seen[name] = i
		out[i] = l.role(name, datasets.GameColumns[group])
	}
	for i, want := range slices.Concat([]string{l.Label, l.Phase, l.Group}, l.Skip, l.Keep) {
		_, ok := seen[want]
		if _, wide := seen[want+"[0]"]; !ok && !(wide && i > 2) && want != "" {
			hint := ""
			if i == 0 && l.Unit != Utility {
				hint = "; --label-column names the column of labels"
			}
			return nil, fmt.Errorf("no column %q: the columns are %s%s", want, Listed(names), hint)
		}
	}
	return out, nil
}

// role is what a column of this name is; group is that of games without another name.
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

// Listed are names for a message, the first ten.
func Listed(names []string) string {
	const most = 10
	rest := ""
	if len(names) > most {
		rest = fmt.Sprintf(" and %d more", len(names)-most)
		names = names[:most]
	}
	return strings.Join(names, ", ") + rest
}

// frameIndex matches the names that pandas, Dask and R give to a column of row numbers without a name.
var frameIndex = regexp.MustCompile(`^(__index_level_\d+__|__null_dask_index__|Unnamed: \d+(\.\d+|_level_\d+)*|\.\.\.\d+)$`)

// mayNumber matches the names of columns that are row numbers if every row has another whole number.
var mayNumber = regexp.MustCompile(`(?i)^(index|id|idx|(row|record|sample|position)[ _.-]?(id|index|nr|num|number|names?)?|level_0|column0)$`)

// numberRows reports whether each row has another whole number. All beyond 2^53 count as different.
func numberRows(rows []float64) bool {
	slices.Sort(rows)
	for i, x := range rows {
		if x != math.Trunc(x) || i > 0 && x == rows[i-1] && math.Abs(x) < 1<<53 {
			return false
		}
	}
	return true
}

// dropRowNumbers takes the columns that number the rows out of the features.
func (b *builder) dropRowNumbers() {
	t, names := b.t, []string(nil)
	to := make([]int32, len(t.Columns))
	for c, name := range t.Columns {
		if to[c] = int32(len(names)); b.numbers[c] != nil && numberRows(b.numbers[c]) {
			to[c] = gone
			t.RowNumbers = append(t.RowNumbers, fmt.Sprintf("%q", name))
			continue
		}
		names = append(names, name)
	}
	if len(names) < len(to) {
		t.Columns, b.to = names, to
	}
}

// Notes returns a line about the columns that are left out, if there are any.
func (t *Table) Notes() []string {
	if len(t.RowNumbers) == 0 {
		return nil
	}
	return []string{"row numbers, left out of the features: " + Listed(t.RowNumbers)}
}
