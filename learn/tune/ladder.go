package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"plyfit/arena"
	"plyfit/arena/engine"
	"plyfit/catalog"
	"plyfit/datasets/table"
	"plyfit/internal/disk"
	"plyfit/learn/fit"
)

// Ladder fits weights with one width of the prior after another, and races them.
type Ladder struct {
	Race
	World  *catalog.World
	Table  *table.Table
	Fit    fit.Options        // Start is needed; its Width is the candidate's
	Widths []float64          // of the candidates, in the weights' unit, or in Units
	Units  map[string]float64 // of some weights' widths
	Engine engine.Maker
	Name   string // prefix of what the files of weights declare

	Book arena.Book // Plies and Within of openings
	// Given is what else results follow from, by name: a folder of other values is refused.
	Given map[string]string
}

type rungFile struct {
	HeldOut float64 `json:"held_out"`
	Start   float64 `json:"start"` // held-out loss of the starting weights
	Spec    string  `json:"spec"`
	Digest  string  `json:"digest"`
	// Files are the SHA-256 digests of the other files in the folder, by name.
	Files map[string]string `json:"files"`
}

const (
	rungName  = "rung.json"
	startName = "start"
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

// Run fits, races and confirms what is missing.
func (l *Ladder) Run(ctx context.Context) (*Outcome, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	return l.alone(func() (*Outcome, error) { return l.run(ctx) })
}

func (l *Ladder) run(ctx context.Context) (*Outcome, error) {
	if err := l.begin(l.Given, len(l.Widths), 0, 0); err != nil {
		return nil, err
	}
	candidates, start, err := l.fits(ctx)
	if err != nil {
		return nil, err
	}
	l.Start = start
	l.Field = &engineField{book: l.Book, world: l.World, dir: l.Dir, seed: l.Seed, books: map[string][]string{}, tell: l.tell}
	o, err := l.Race.Run(ctx, candidates)
	if err == nil {
		o.Start = start.HeldOut
	}
	return o, err
}

// fits fits all widths and makes their engines. start's is made last: the build leaves it behind.
func (l *Ladder) fits(ctx context.Context) (list []*Candidate, start *Candidate, err error) {
	start = &Candidate{Name: startName}
	loss := 0.0
	for _, width := range slices.Sorted(slices.Values(l.Widths)) {
		r := &Candidate{Name: fmt.Sprintf("width %v", width), Width: width}
		if loss, err = l.rung(ctx, r); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", r.Name, err)
		}
		list = append(list, r)
	}
	if _, err := l.rung(ctx, start); err != nil {
		return nil, nil, fmt.Errorf("starting weights: %w", err)
	}
	start.HeldOut = loss
	return list, start, l.differ(append(slices.Clone(list), start))
}

// differ is an error where the build made one program of different weights.
func (l *Ladder) differ(list []*Candidate) error {
	if l.Engine.Build == "" {
		return nil
	}
	weights := map[string]string{} // by program
	for _, r := range list {
		now, err := disk.Digest(r.Weights)
		if err != nil {
			return err
		}
		had, ok := weights[r.made.Digest]
		if ok && had != now {
			return fmt.Errorf("build %q: made the same program of other weights (%s): want one that reads {} and makes the program again, as make -B does", l.Engine.Build, r.Weights)
		}
		weights[r.made.Digest] = now
	}
	return nil
}

// rung fits one set of weights, or takes the start, and makes its engine; start is the start's loss.
func (l *Ladder) rung(ctx context.Context, r *Candidate) (start float64, err error) {
	folder := filepath.Join(l.Dir, fileName(r.Name))
	r.Weights = filepath.Join(folder, l.Engine.File)
	kept := filepath.Join(folder, rungName)
	var had rungFile
	switch err := disk.ReadSealed(kept, &had); {
	case err == nil:
		r.HeldOut, r.made = had.HeldOut, engine.Made{Spec: had.Spec, Digest: had.Digest}
		for _, name := range slices.Sorted(maps.Keys(had.Files)) {
			err = cmp.Or(err, disk.CheckDigest(filepath.Join(folder, name), had.Files[name], kept))
		}
		return had.Start, err
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
		by := map[string]float64{}
		maps.Copy(by, c.Width.By)
		for name, unit := range l.Units {
			by[name] = r.Width * unit
		}
		c.Width = fit.Width{Value: r.Width, By: by}
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
	l.Engine.Clip(weights)
	if err := write(r.Weights, weights, l.Name); err != nil {
		return 0, err
	}
	l.tell("makes the engine of %s", r.Weights)
	if r.made, err = l.Engine.Make(ctx, folder); err != nil {
		return 0, err
	}
	had = rungFile{r.HeldOut, start, r.made.Spec, r.made.Digest, map[string]string{}}
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if err == nil {
			had.Files[e.Name()], err = disk.Digest(filepath.Join(folder, e.Name()))
		}
	}
	if err != nil {
		return 0, err
	}
	return start, disk.WriteSealed(kept, had)
}
