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

// ModelOver returns the model that [World.Model] reads, converted to the named feature set.
// Features missing from the model have weight 0. The set must contain all features with nonzero
// weights in the model. If set is empty, the model keeps its own feature set.
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
		return nil, nil, fmt.Errorf("model %s: the model has the features %s; want %s or a subset of %s", name, own.Name(), set, set)
	}
	return wide, over, nil
}

// reweigh changes the weights of terms in a model. Each change has the form TERM=WEIGHT, where
// bias=WEIGHT changes the bias. It removes all standard errors, because they are no longer valid.
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

// Range returns the range of the world's utilities if models made for the world must record it. It
// returns nil if the range is the same as with the game's default options, if the game has a score
// (whose unit never changes), or if there are no bounds.
func (w *World) Range() *models.Range {
	own := w.utilities()
	if usual := w.usual(); own == nil || usual == nil || *own == *usual {
		return nil
	}
	return own
}

// utilities returns the bounds of the world without wrappers, or nil if models cannot depend on
// them.
func (w *World) utilities() *models.Range {
	base := w.Base()
	if _, points := game.As[game.Scorer](base.New()); points || math.IsInf(base.Max-base.Min, 0) {
		return nil
	}
	return &models.Range{Min: base.Min, Max: base.Max}
}

// usual returns the bounds of the game with its default options.
func (w *World) usual() *models.Range {
	g, err := w.Entry.New(game.NewOptions(w.Entry.Name))
	if err != nil {
		return nil // a game with mandatory options has no usual range
	}
	return (&World{Game: g, Entry: w.Entry}).utilities()
}

// fitRange checks that m was made for the world's range of utilities. If scaled is set, it rescales
// m instead of returning an error. A model with a link but no recorded range fits any range,
// because the link maps onto the world's range.
func (w *World) fitRange(name string, m *models.Linear, scaled bool) error {
	own, made := w.utilities(), m.Range
	if made == nil && m.Link.Kind == models.Identity {
		made = w.usual()
	}
	switch {
	case own == nil || made == nil || *own == *made:
		return nil
	case !scaled:
		return fmt.Errorf("model %s: the model was made for utilities from %v, but the utilities of %s are %v; use eval=(%s,scale=range) to rescale the model", name, made, w.Base().Spec, own, name)
	}
	m.Rescale(*made, *own)
	m.Range = w.Range()
	return nil
}

// Bind binds a model file to its feature set. Errors refer to the file by name.
func (w *World) Bind(name string, f *models.File) (features.Set, *models.Linear, error) {
	return w.bind(name, f, false)
}

func (w *World) bind(name string, f *models.File, scaled bool) (features.Set, *models.Linear, error) {
	if f.Game != w.Name {
		return nil, nil, fmt.Errorf("model %s: the model was made for the game %q; want a model for %q", name, f.Game, w.Name)
	}
	set, err := w.Set(f.Features)
	if err != nil {
		return nil, nil, fmt.Errorf("model %s: %w", name, err)
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

// hasFeatures reports whether the world has f's feature set, with the features for which f was
// made. For example, the patterns for a board depend on its size.
func (w *World) hasFeatures(f *models.File) bool {
	set, err := w.Set(f.Features)
	return err == nil && (f.Fingerprint == "" || models.SameFeatures(f.Fingerprint, models.Fingerprint(set.Blocks())))
}

// Mover returns the player from whose point of view the value of s is reported. This is the player
// to move, or player 0 at chance nodes and when the game is over.
func Mover(s game.State) game.Player { return max(0, s.Turn()) }
