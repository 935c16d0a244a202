package tune

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/datasets/table"
	"plyfit/internal/disk"
	"plyfit/learn/fit"
	"plyfit/models"
)

// Ladder fits weights with one width of the prior after another, and has matches choose.
type Ladder struct {
	World  *catalog.World
	Table  *table.Table
	Fit    fit.Options // Start is needed; its Width is the rung's
	Widths []float64   // of the rungs, in the weights' unit
	Engine Engine
	Name   string // prefix of what the files of weights declare

	Openings Openings
	Pairs    int        // of each rung in the first round; twice as many in the next
	Test     stats.SPRT // of the winner
	Confirm  int        // pairs, at most, that the test may take
	Seed     uint64
	Workers  int // never changes the result

	Dir string // holds all that was done, so that the same ladder goes on with it
	// Given is what else results follow from, by name: a folder of other values is refused.
	Given map[string]string
	// Told hears what is done now; nil: none does.
	Told func(what string)
}

// Rung is one set of weights.
type Rung struct {
	Width   float64 `json:"width"`
	Weights string  `json:"weights"` // the file
	HeldOut float64 `json:"held_out"`
	// Race is its match against the start, at its last round.
	Pairs int            `json:"pairs"`
	Score stats.Estimate `json:"score"`
	Elo   stats.Estimate `json:"elo"`
	Out   string         `json:"out,omitempty"` // why it is out of the race; "": it is the last

	engine made
}

type rungFile struct {
	HeldOut float64 `json:"held_out"`
	Start   float64 `json:"start"` // held-out loss of the starting weights
	Spec    string  `json:"spec"`
	Digest  string  `json:"digest"`
}

const (
	ladderFile = "ladder.json"
	rungName   = "rung.json"
	startName  = "start"
)

func (l *Ladder) check() error {
	switch {
	case l.Fit.Start == nil:
		return errors.New("ladder without starting weights: want those that the engine has now")
	case len(l.Widths) == 0:
		return errors.New("ladder without widths: want some, such as 3,12,50")
	}
	for i, w := range l.Widths {
		if !(w > 0) || slices.Contains(l.Widths[:i], w) {
			return fmt.Errorf("width %v: want numbers above 0, each once", w)
		}
	}
	return l.Engine.Check()
}

// begin refuses a folder in which another ladder stands.
func (l *Ladder) begin() error {
	if err := os.MkdirAll(l.Dir, 0o777); err != nil {
		return err
	}
	path := filepath.Join(l.Dir, ladderFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return writeJSON(path, l.Given)
	}
	if err != nil {
		return err
	}
	var had map[string]string
	if err := json.Unmarshal(data, &had); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	names := map[string]bool{}
	for name := range had {
		names[name] = true
	}
	for name := range l.Given {
		names[name] = true
	}
	for _, name := range sorted(names) {
		if had[name] != l.Given[name] {
			return fmt.Errorf("%s: another ladder, whose %s is %q, not %q: want another folder", l.Dir, name, had[name], l.Given[name])
		}
	}
	return nil
}

// rungs fits all widths and makes their engines. start's is made last: the build leaves it behind.
func (l *Ladder) rungs(ctx context.Context) (rungs []*Rung, start *Rung, err error) {
	start = &Rung{}
	loss := 0.0
	for _, width := range l.Widths {
		r := &Rung{Width: width}
		if loss, err = l.rung(ctx, r, fmt.Sprintf("width-%v", width)); err != nil {
			return nil, nil, fmt.Errorf("width %v: %w", width, err)
		}
		rungs = append(rungs, r)
	}
	if _, err := l.rung(ctx, start, startName); err != nil {
		return nil, nil, fmt.Errorf("starting weights: %w", err)
	}
	start.HeldOut = loss
	return rungs, start, l.differ(append(slices.Clone(rungs), start))
}

// differ is an error where the build made one program of different weights.
func (l *Ladder) differ(rungs []*Rung) error {
	if l.Engine.Build == "" {
		return nil
	}
	weights := map[string]string{} // by program
	for _, r := range rungs {
		data, err := os.ReadFile(r.Weights)
		if err != nil {
			return err
		}
		had, ok := weights[r.engine.digest]
		if ok && had != digest(data) {
			return fmt.Errorf("build %q: made the same program of other weights (%s): want one that reads {} and makes the program again, as make -B does", l.Engine.Build, r.Weights)
		}
		weights[r.engine.digest] = digest(data)
	}
	return nil
}

// rung fits one set of weights, or takes the start, and makes its engine; start is the start's loss.
func (l *Ladder) rung(ctx context.Context, r *Rung, name string) (start float64, err error) {
	folder := filepath.Join(l.Dir, name)
	r.Weights = filepath.Join(folder, l.Engine.File)
	kept := filepath.Join(folder, rungName)
	var had rungFile
	data, err := os.ReadFile(kept)
	switch {
	case err == nil:
		if err := json.Unmarshal(data, &had); err != nil {
			return 0, fmt.Errorf("%s: %w", kept, err)
		}
		r.HeldOut, r.engine = had.HeldOut, made{had.Spec, had.Digest}
		return had.Start, nil
	case !errors.Is(err, fs.ErrNotExist):
		return 0, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return 0, err
	}
	weights := fit.ColumnWeights(l.Table, l.Fit.Start)
	if r.Width > 0 {
		l.tell("fits with the width %v", r.Width)
		c := l.Fit
		c.Width = fit.Width{Value: r.Width, By: c.Width.By}
		f, err := fit.RunColumns(ctx, l.Table, c)
		if err != nil {
			return 0, err
		}
		weights = f.Weights()
		r.HeldOut = weights.HeldOut
		for _, b := range f.Report.Baselines {
			if b.Name == fit.StartingWeights {
				start = b.HeldOutLoss
			}
		}
	}
	if err := l.write(r.Weights, weights); err != nil {
		return 0, err
	}
	l.tell("makes the engine of %s", r.Weights)
	if r.engine, err = l.Engine.make(ctx, folder); err != nil {
		return 0, err
	}
	return start, writeJSON(kept, rungFile{r.HeldOut, start, r.engine.spec, r.engine.digest})
}

func (l *Ladder) write(path string, w *models.Weights) error {
	return disk.Write(path, func(out io.Writer) error { return w.Write(out, path, l.Name) })
}

func (l *Ladder) tell(format string, values ...any) {
	if l.Told != nil {
		l.Told(fmt.Sprintf(format, values...))
	}
}

func writeJSON(path string, v any) error {
	return disk.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

func sorted(names map[string]bool) (list []string) {
	for name := range names {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
