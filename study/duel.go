package study

import (
	"context"
	"fmt"
	"math"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/search"
)

// World is where a damaged evaluation is tried: the subject's game, with slip or
// with an adversary in nature's place.
type World struct {
	Slip    float64 `json:"slip,omitempty"`
	Hostile bool    `json:"hostile,omitempty"`
}

// of is the world made of a base game.
func (w World) of(g *game.Game) (*game.Game, error) {
	switch {
	case w.Hostile:
		return game.WithAdversary(g)
	case w.Slip > 0:
		return game.WithSlip(g, w.Slip)
	}
	return g, nil
}

func (w World) nature() Nature {
	if w.Hostile {
		return Opposes
	}
	return Averages
}

// player is a planner that knows the world it plays in and looks at it through
// a damage.
type player struct {
	walk *Walk
	near float64 // how far apart values may lie and be as good as each other
}

var _ search.Agent = (*player)(nil)

// nearly is the tolerance of values in half ranges where they were averaged, far
// below what tells neighbouring grades apart.
const nearly = 1e-12

func (u *Subject) player(w World, depth int, d Damage) *player {
	return &player{NewWalk(u.Evaluation, depth, w.nature(), []float64{w.Slip}, u.finish(d)), nearly}
}

// Begin implements [search.Agent]: nothing is remembered, nothing drawn.
func (p *player) Begin(uint64) {}

// Search implements [search.Agent]: the first of the best moves.
func (p *player) Search(_ context.Context, s game.State) (search.Result, error) {
	w := p.walk
	root := s.Turn()
	base := game.Base(s).Clone()
	w.begin(base, root)
	r := search.Result{Move: game.NoMove, Depth: w.depth}
	if w.compares() {
		below := w.depth
		if base.Turn() >= 0 {
			below--
		}
		best := math.Inf(-1)
		for _, m := range base.Moves(nil) {
			base.Play(m)
			if v := w.cut(below, best, math.Inf(1)); v > best || r.Move == game.NoMove {
				best, r.Move = v, m
			}
			base.Undo()
		}
		r.Value = best
		return r, nil
	}
	moves, values := w.Values(base, root)
	i := firstBest(values, 0, p.near)
	r.Move, r.Value = moves[i], values[i][0]
	return r, nil
}

// firstBest is the first of the moves whose value in a column is within near of
// the best.
func firstBest(values [][]float64, column int, near float64) int {
	best := math.Inf(-1)
	for _, v := range values {
		best = math.Max(best, v[column])
	}
	for i, v := range values {
		if v[column] >= best-near {
			return i
		}
	}
	panic("study: no best move")
}

// Duel is a match of the damaged against the clean evaluation under the same
// planner, or a part of one: a cell's key.
type Duel struct {
	Game   string `json:"game"`
	Eval   string `json:"eval"` // its digest
	World  World  `json:"world"`
	Depth  int    `json:"depth"`
	Damage Damage `json:"damage"`
	Plies  int    `json:"plies"` // random decisions at the beginning
	Part   int    `json:"part"`
	Pairs  int    `json:"pairs"`
	Seed   uint64 `json:"seed"`
}

// openings are the random decisions at a pair's beginning.
const openings = 8

// Play plays the pairs of the part: two games each, from one opening, with the
// seats swapped and the same luck, slips included. Openings and luck follow from
// seed and part alone: they are the same for all damages, depths and slips.
func (u *Subject) Play(ctx context.Context, k Duel) (Tally, error) {
	g, err := k.World.of(u.Base.Game)
	if err != nil {
		return Tally{}, err
	}
	entrant := func(name string, d Damage) arena.Entrant {
		return arena.Entrant{Name: name, New: func() (search.Agent, error) { return u.player(k.World, k.Depth, d), nil }}
	}
	r, err := arena.Run(ctx, arena.Config{
		Game: g, A: entrant("damaged", k.Damage), B: entrant("clean", Damage{}),
		Pairs: k.Pairs, Seed: game.Seed(k.Seed, 0xd0e1, uint64(k.Part)), Openings: arena.Openings{Plies: k.Plies}, Measure: arena.Wins,
	})
	if err != nil {
		return Tally{}, err
	}
	if r.FaultsA.All()+r.FaultsB.All() > 0 {
		return Tally{}, fmt.Errorf("%s: faults in a match (%v, %v)", k.Game, r.FaultsA, r.FaultsB)
	}
	return Tally(r.Versus.Pentanomial), nil
}

// part is how many pairs a cell plays: little enough that a kill costs little,
// and that all workers have something to do until the end.
const part = 50

// Duels plays matches, each of its number of pairs, in parts: a tally a match.
func (s *Session) Duels(ctx context.Context, title string, subjects map[string]*Subject, matches []Duel) ([]Tally, error) {
	var keys []Duel
	var of []int
	for i, m := range matches {
		pairs := m.Pairs
		for p := 0; p*part < pairs; p++ {
			m.Part, m.Pairs, m.Seed = p, min(part, pairs-p*part), s.Seed
			keys, of = append(keys, m), append(of, i)
		}
	}
	cost := func(k Duel) float64 {
		return float64(k.Pairs) * subjects[k.Game].effort(k.Depth, k.World.Slip == 0)
	}
	tallies, err := Cells(ctx, s, title, keys, cost, func(ctx context.Context, k Duel) (Tally, error) {
		return subjects[k.Game].Play(ctx, k)
	})
	if err != nil {
		return nil, err
	}
	out := make([]Tally, len(matches))
	for j, t := range tallies {
		out[of[j]] = out[of[j]].plus(t)
	}
	return out, nil
}
