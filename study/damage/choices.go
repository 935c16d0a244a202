package damage

import (
	"context"
	"math"

	"plyfit/game"
	"plyfit/study"
)

// Choices is a part of the positions at which damaged planners choose: a cell's
// key. One walk serves all damages and slips.
type Choices struct {
	Game    string    `json:"game"`
	Eval    string    `json:"eval"` // its digest
	Hostile bool      `json:"hostile,omitempty"`
	Slips   []float64 `json:"slips"`
	Depth   int       `json:"depth"`
	Damages []Damage  `json:"damages"`
	From    int       `json:"from"`
	Count   int       `json:"count"`
	Seed    uint64    `json:"seed"`
}

// Regrets is what came of it, by slip and damage and then by position. All are
// in half ranges of utility, by the clean search of the same depth.
type Regrets struct {
	Changed [][]float64 `json:"changed"` // 1 where the damaged planner's move is none of the best
	Regret  [][]float64 `json:"regret"`  // what its move is worth less than the best
	Random  [][]float64 `json:"random"`  // what a random move is worth less; by slip alone
}

// Choose searches the positions of the part.
func (u *Subject) Choose(ctx context.Context, k Choices) (Regrets, error) {
	nature := natureOf(study.World{Hostile: k.Hostile})
	w := newWalk(u.Evaluation, k.Depth, nature, k.Slips, append([]Damage{{}}, u.finishAll(k.Damages)...)...)
	n := len(k.Damages)
	r := Regrets{Changed: make([][]float64, len(k.Slips)*n), Regret: make([][]float64, len(k.Slips)*n), Random: make([][]float64, len(k.Slips))}
	for _, s := range u.Positions(k.From, k.Count) {
		if err := ctx.Err(); err != nil {
			return r, err
		}
		_, values := w.Values(s, s.Turn())
		_, chance := game.As[game.Chancer](s)
		for i, p := range k.Slips {
			near := Tolerance
			if p == 0 && (!chance || nature == Opposes) {
				near = 0 // nothing was averaged: values are exact
			}
			clean := i * (n + 1)
			best, sum := math.Inf(-1), 0.0
			for _, v := range values {
				best = math.Max(best, v[clean])
				sum += v[clean]
			}
			r.Random[i] = append(r.Random[i], compact(best-sum/float64(len(values))))
			for j := range n {
				chosen := values[firstBest(values, clean+1+j, near)][clean]
				changed, regret := 0.0, 0.0
				if best-chosen > near {
					changed, regret = 1, compact(best-chosen)
				}
				r.Changed[i*n+j] = append(r.Changed[i*n+j], changed)
				r.Regret[i*n+j] = append(r.Regret[i*n+j], regret)
			}
		}
	}
	return r, nil
}

// compact drops the digits that no reader of a cell wants.
func compact(x float64) float64 { return study.Round(x, 9) }

// add appends the positions of another part.
func (r *Regrets) add(o Regrets) {
	join := func(a *[][]float64, b [][]float64) {
		if *a == nil {
			*a = make([][]float64, len(b))
		}
		for i := range b {
			(*a)[i] = append((*a)[i], b[i]...)
		}
	}
	join(&r.Changed, o.Changed)
	join(&r.Regret, o.Regret)
	join(&r.Random, o.Random)
}

// CellPositions is how many positions a cell searches.
const CellPositions = 50

// ChooseAll searches so many positions for each of the keys, in parts.
func ChooseAll(ctx context.Context, s *study.Session, title string, subjects map[string]*Subject, keys []Choices, positions int) ([]Regrets, error) {
	var parts []Choices
	var of []int
	for i, k := range keys {
		for from := 0; from < positions; from += CellPositions {
			k.From, k.Count, k.Seed = from, min(CellPositions, positions-from), s.Seed
			parts, of = append(parts, k), append(of, i)
		}
	}
	cost := func(k Choices) float64 { return float64(k.Count) * subjects[k.Game].Effort(k.Depth, false) }
	found, err := study.Cells(ctx, s, title, parts, cost, func(ctx context.Context, k Choices) (Regrets, error) {
		return subjects[k.Game].Choose(ctx, k)
	})
	if err != nil {
		return nil, err
	}
	out := make([]Regrets, len(keys))
	for i, r := range found {
		out[of[i]].add(r)
	}
	return out, nil
}
