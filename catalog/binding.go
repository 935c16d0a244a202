package catalog

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/internal/text"
	"plyfit/models"
)

// ModelOver is a model as [World.Model] reads it, over the named feature set ("": its own):
// the features that it lacks weigh nothing. The set has to have all that it weighs.
func (w *World) ModelOver(name, set string) (features.Set, *models.Linear, error) {
	own, m, err := w.Model(name)
	if err != nil || set == "" || set == own.Name() {
		return own, m, err
	}
	wide, err := w.Set(set)
	if err != nil {
		return nil, nil, err
	}
	f := m.File()
	f.Features, f.Fingerprint, f.BiasError, f.Softmax, f.Provenance = set, "", 0, models.Softmax{}, nil
	f.Terms = slices.DeleteFunc(f.Terms, func(t models.NamedWeight) bool { return t.Weight == 0 })
	for i := range f.Terms {
		f.Terms[i].Error = math.NaN()
	}
	over, err := features.Bind(wide, w.Base(), f)
	if err != nil {
		return nil, nil, fmt.Errorf("model %s: has the features %s: want %s, or a set that %s has all of", name, own.Name(), set, set)
	}
	return wide, over, nil
}

// reweigh gives terms of a model other weights, each change being TERM=WEIGHT (bias=WEIGHT
// for the bias). What was known of the errors of weights holds no longer.
func reweigh(m *models.Linear, changes ...string) error {
	for _, change := range changes {
		at := strings.LastIndexByte(change, '=')
		if at <= 0 {
			return fmt.Errorf("%q: want TERM=WEIGHT", change)
		}
		weight, err := spec.Number(change[at+1:])
		if err != nil {
			return fmt.Errorf("%s: %w", change, err)
		}
		i, names := models.Bias-1, []string{"bias"}
		for k := models.Bias; k < int32(len(m.Weights)); k++ {
			if m.Name(k) == change[:at] {
				i = k
			}
			names = append(names, m.Name(k))
		}
		switch {
		case i < models.Bias:
			return fmt.Errorf("%s: %s has no term %q%s", change, m.Features, change[:at], text.Hint(change[:at], names))
		case i == models.Bias:
			m.Bias = weight
		default:
			m.Weights[i] = weight
		}
		m.Errors, m.BiasError = nil, 0
	}
	return nil
}

// Range is the world's range of utilities if a model made for it must record it: nil for those of
// the game's default options, for games of points, whose unit never changes, and without bounds.
func (w *World) Range() *models.Range {
	own := w.utilities()
	if usual := w.usual(); own == nil || usual == nil || *own == *usual {
		return nil
	}
	return own
}

// utilities are the bounds of the world without wrappers, nil if no model can depend on them.
func (w *World) utilities() *models.Range {
	base := w.Base()
	if _, points := game.As[game.Scorer](base.New()); points || math.IsInf(base.Max-base.Min, 0) {
		return nil
	}
	return &models.Range{Min: base.Min, Max: base.Max}
}

// usual are those of the game with its default options.
func (w *World) usual() *models.Range {
	g, err := w.Entry.New(game.NewOptions(w.Entry.Name))
	if err != nil {
		return nil // a game that wants options has no usual range
	}
	return (&World{Game: g, Entry: w.Entry}).utilities()
}

// fitRange sees to it that m is one of the world's range of utility. A link spans
// the range that the world has: with one, a model that names no range fits all.
func (w *World) fitRange(name string, m *models.Linear, scaled bool) error {
	own, made := w.utilities(), m.Range
	if made == nil && m.Link.Kind == models.Identity {
		made = w.usual()
	}
	switch {
	case own == nil || made == nil || *own == *made:
		return nil
	case !scaled:
		return fmt.Errorf("model %s: was made for utilities of %v: want those of %s, %v; eval=(%s,scale=range) scales it", name, made, w.Base().Spec, own, name)
	}
	m.Rescale(*made, *own)
	m.Range = w.Range()
	return nil
}

// Bind joins a model file, called name in messages, to its feature set.
func (w *World) Bind(name string, f *models.File) (features.Set, *models.Linear, error) {
	return w.bind(name, f, false)
}

func (w *World) bind(name string, f *models.File, scaled bool) (features.Set, *models.Linear, error) {
	if f.Game != w.Name {
		return nil, nil, fmt.Errorf("model %s: is of game %q: want %q", name, f.Game, w.Name)
	}
	set, err := w.Set(f.Features)
	if err != nil {
		return nil, nil, fmt.Errorf("model %s: %w", name, err)
	}
	if _, shipped := w.Entry.shippedPath(name); shipped && !w.hasFeatures(f) {
		return nil, nil, fmt.Errorf("model %s: made for another variant, the features of %s are others in %s: want handwritten, or what plyfit learn %s makes", name, f.Features, w.Base().Spec, w.Base().Spec)
	}
	m, err := features.Bind(set, w.Base(), f)
	if err != nil {
		return nil, nil, fmt.Errorf("model %s: %w", name, err)
	}
	if err := w.fitRange(name, m, scaled); err != nil {
		return nil, nil, err
	}
	return set, m, nil
}

// hasFeatures reports whether the world has the feature set of f, with the features that f
// was made for: the shapes of a board of one size are not those of another.
func (w *World) hasFeatures(f *models.File) bool {
	set, err := w.Set(f.Features)
	return err == nil && (f.Fingerprint == "" || models.SameFeatures(f.Fingerprint, models.Fingerprint(set.Blocks())))
}

// Mover is the player in whose view the value of s is reported: the one to move,
// player 0 at a chance node and when the game is over.
func Mover(s game.State) game.Player { return max(0, s.Turn()) }
