package features

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/internal/text"
	"plyfit/models"
)

// Bind creates a model of set from a model file. It matches the terms by name. Terms missing from
// the file have weight 0. The game g may be wrapped. Bind returns an error, which contains the name
// of the file and what was expected, in these cases:
//
//   - The model belongs to another game or feature set, or contains an unknown term.
//   - The fingerprint does not match the features.
//   - The table is missing, or its blocks do not match the set.
//   - The link requires bounds of utility, but the game has none.
//   - The bias or a weight of a term is too large.
func Bind(set Set, g *game.Game, f *models.File) (*models.Linear, error) {
	g = g.Base()
	if f.Game != g.Name {
		return nil, f.Fault("game", "a model of "+g.Name, "one of "+f.Game)
	}
	if f.Features != set.Name() {
		return nil, f.Fault("features", "the feature set "+set.Name(), f.Features)
	}
	if f.Link.Bounded() && math.IsInf(g.Max-g.Min, 0) {
		return nil, f.Fault("link", "identity, because the utilities of "+g.Spec+" have no bounds", string(f.Link.Kind))
	}
	m := models.New(g.Name, set.Name(), set.Blocks())
	if f.Fingerprint != "" {
		if !models.SameFeatures(f.Fingerprint, m.Fingerprint) {
			return nil, f.Fault("fingerprint", m.Fingerprint+" (the feature names of "+set.Name()+")", f.Fingerprint)
		}
		if now := Fingerprint(set, g); !models.SameFeatures(f.Fingerprint, now) {
			return nil, f.Fault("fingerprint", now+" (the values of the features of "+set.Name()+")", f.Fingerprint)
		}
		m.Fingerprint = f.Fingerprint
	}
	m.Bias, m.Leaves, m.Range, m.Softmax, m.Provenance = f.Bias, cmp.Or(f.Leaves, models.Decision), f.Range, f.Softmax, f.Provenance
	if m.Link = f.Link; m.Link.Kind == "" {
		m.Link.Kind = models.Identity
	}
	if err := bindTerms(m, f); err != nil {
		return nil, err
	}
	if err := bounded(m, f); err != nil {
		return nil, err
	}
	return m, bindTables(m, f)
}

// tooLarge is the upper limit for the magnitude of weights. Sums of larger weights could overflow,
// and infinities of opposite signs would give NaN, which a search cannot compare.
const tooLarge = 1e150

func bounded(m *models.Linear, f *models.File) error {
	if !(math.Abs(m.Bias) < tooLarge) {
		return f.Fault("bias", "a number below 1e150", fmt.Sprint(m.Bias))
	}
	for i, w := range m.Weights {
		if !(math.Abs(w) < tooLarge) {
			return f.Fault("terms", "weights below 1e150", fmt.Sprintf("%v of %s", w, m.Name(int32(i))))
		}
	}
	return nil
}

func bindTerms(m *models.Linear, f *models.File) error {
	index := make(map[string]int, len(m.Weights))
	i := 0
	for _, b := range m.Blocks {
		for k := 0; k < b.Len && !b.Table; k, i = k+1, i+1 {
			index[b.FeatureName(k)] = i
		}
	}
	if f.BiasError != 0 {
		m.Errors = absent(len(m.Weights))
		m.BiasError = f.BiasError
	}
	for _, t := range f.Terms {
		i, ok := index[t.Name]
		if !ok {
			return f.Fault("terms", "terms of "+m.Features+similar(t.Name, index), fmt.Sprintf("%q", t.Name))
		}
		m.Weights[i] = t.Weight
		if t.Error == t.Error {
			if m.Errors == nil {
				m.Errors = absent(len(m.Weights))
			}
			m.Errors[i] = t.Error
		}
	}
	return nil
}

// absent returns n standard errors, all of which are marked as not estimated.
func absent(n int) []float64 {
	return slices.Repeat([]float64{math.NaN()}, n)
}

func bindTables(m *models.Linear, f *models.File) error {
	if len(f.TableBlocks) > 0 && f.Table == nil {
		return f.Fault("table", "a model whose table was read", "")
	}
	// Usually, the file has the set's tables in the same order. In that case, the tables are
	// shared, not copied.
	blocks := m.Blocks
	for len(blocks) > 0 && !blocks[0].Table {
		blocks = blocks[1:]
	}
	same := func(a models.Block, b models.TableBlock) bool { return a.Name == b.Name && a.Len == b.Len }
	if slices.EqualFunc(blocks, f.TableBlocks, same) {
		m.Share(f)
		return nil
	}
	at, length := map[string]int{}, map[string]int{}
	start := 0
	for _, b := range blocks {
		at[b.Name], length[b.Name] = start, b.Len
		start += b.Len
	}
	from := 0
	for _, b := range f.TableBlocks {
		n, ok := length[b.Name]
		if !ok {
			return f.Fault("table", "tables of "+m.Features+similar(b.Name, at), fmt.Sprintf("%q", b.Name))
		}
		if n != b.Len {
			return f.Fault("table", fmt.Sprintf("%d weights in %q", n, b.Name), fmt.Sprint(b.Len))
		}
		copy(m.Table[at[b.Name]:][:n], f.Table[from:from+n])
		from += b.Len
	}
	return nil
}

// similar returns a hint that lists the known names most similar to name.
func similar(name string, known map[string]int) string {
	distance := func(k string) int { return text.Distance(strings.ToLower(name), strings.ToLower(k)) }
	all := slices.SortedFunc(maps.Keys(known), func(a, b string) int { return cmp.Compare(known[a], known[b]) })
	names := slices.DeleteFunc(slices.Clone(all), func(k string) bool { return distance(k) > max(2, len(name)/3) })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
	names = names[:min(3, len(names))]
	if len(names) == 0 && len(all) <= 12 {
		names = all
	}
	if len(names) == 0 {
		return ""
	}
	return " such as " + strings.Join(names, ", ")
}
