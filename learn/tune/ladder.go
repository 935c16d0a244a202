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

// A Ladder fits weights with several prior widths and races the results.
type Ladder struct {
	Race
	World  *catalog.World
	Table  *table.Table
	Fit    fit.Options        // Start is required; Width is replaced by each candidate's width
	Widths []float64          // one candidate for each width, in the unit of the weights or in multiples of Units
	Units  map[string]float64 // widths of some weights for a candidate's width of 1
	Engine engine.Maker
	Name   string // prefix of the names that weight files declare

	Book arena.Book // Plies and Within are settings
	// Settings contains the other settings that affect the results, by name. Run returns an error if
	// Dir contains results obtained with other settings.
	Settings map[string]string
}

type rungFile struct {
	HeldOut float64 `json:"held_out"`
	Start   float64 `json:"start"` // held-out loss of the starting weights
	Spec    string  `json:"spec"`
	Digest  string  `json:"digest"`
	// Files contains the SHA-256 digests of the other files in the directory, by file name.
	Files map[string]string `json:"files"`
}

const (
	rungName  = "rung.json"
	startName = "start"
)

func (l *Ladder) check() error {
	switch {
	case l.Fit.Start == nil:
		return errors.New("ladder: no starting weights; want the engine's current weights")
	case len(l.Widths) == 0:
		return errors.New("ladder: no widths; want a list of widths, such as 3,12,50")
	}
	for i, w := range l.Widths {
		if !(w > 0) || slices.Contains(l.Widths[:i], w) {
			return fmt.Errorf("width %v: want distinct numbers above 0", w)
		}
	}
	return l.Engine.Check()
}

// Run fits the weights, races the candidates and confirms the winner. It resumes from the files in
// l.Dir.
func (l *Ladder) Run(ctx context.Context) (*Outcome, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	return l.withLock(func() (*Outcome, error) { return l.run(ctx) })
}

func (l *Ladder) run(ctx context.Context) (*Outcome, error) {
	if err := l.checkSettings(l.Settings, len(l.Widths), 0, 0); err != nil {
		return nil, err
	}
	candidates, start, err := l.fits(ctx)
	if err != nil {
		return nil, err
	}
	l.Start = start
	l.Field = &engineField{book: l.Book, world: l.World, dir: l.Dir, seed: l.Seed, books: map[string][]string{}, logf: l.logf}
	o, err := l.Race.Run(ctx, candidates)
	if err == nil {
		o.Start = start.HeldOut
	}
	return o, err
}

// fits fits the weights for all widths and builds the engines. The build with the starting weights
// comes last, so that it remains.
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

// differ returns an error if the build produced the same program for different weights.
func (l *Ladder) differ(list []*Candidate) error {
	if l.Engine.Build == "" {
		return nil
	}
	weights := map[string]string{} // by program
	for _, r := range list {
		digest, err := disk.Digest(r.Weights)
		if err != nil {
			return err
		}
		previous, ok := weights[r.made.Digest]
		if ok && previous != digest {
			return fmt.Errorf("build %q: the command produced the same program for different weights (%s); use a command that reads {} and always rebuilds, such as make -B", l.Engine.Build, r.Weights)
		}
		weights[r.made.Digest] = digest
	}
	return nil
}

// rung fits the weights of one candidate, or takes the starting weights if the width is 0, and
// builds the candidate's engine. It also returns the held-out loss of the starting weights.
func (l *Ladder) rung(ctx context.Context, r *Candidate) (start float64, err error) {
	folder := filepath.Join(l.Dir, fileName(r.Name))
	r.Weights = filepath.Join(folder, l.Engine.File)
	kept := filepath.Join(folder, rungName)
	var recorded rungFile
	switch err := disk.ReadSealed(kept, &recorded); {
	case err == nil:
		r.HeldOut, r.made = recorded.HeldOut, engine.Made{Spec: recorded.Spec, Digest: recorded.Digest}
		for _, name := range slices.Sorted(maps.Keys(recorded.Files)) {
			err = cmp.Or(err, disk.CheckDigest(filepath.Join(folder, name), recorded.Files[name], kept))
		}
		return recorded.Start, err
	case !errors.Is(err, fs.ErrNotExist):
		return 0, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return 0, err
	}
	weights := fit.ColumnWeights(l.Table, l.Fit.Start)
	if r.Width > 0 {
		l.logf("fitting with width %v", r.Width)
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
	l.logf("building the engine for %s", r.Weights)
	if r.made, err = l.Engine.Make(ctx, folder); err != nil {
		return 0, err
	}
	recorded = rungFile{r.HeldOut, start, r.made.Spec, r.made.Digest, map[string]string{}}
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if err == nil {
			recorded.Files[e.Name()], err = disk.Digest(filepath.Join(folder, e.Name()))
		}
	}
	if err != nil {
		return 0, err
	}
	return start, disk.WriteSealed(kept, recorded)
}
