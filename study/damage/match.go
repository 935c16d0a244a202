package damage

import (
	"context"
	"fmt"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/search"
	"plyfit/study"
)

// World is where a damaged evaluation is tried: the subject's game, with slip or
// with an adversary in nature's place.
type World struct {
	Slip    float64 `json:"slip,omitempty"`
	Hostile bool    `json:"hostile,omitempty"`
}

// Of is the world made of a base game.
func (w World) Of(g *game.Game) (*game.Game, error) {
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

// Match is a match of the damaged against the clean evaluation under the same
// planner, or a part of one: a cell's key.
type Match struct {
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

// openingPlies are the random decisions at a pair's beginning.
const OpeningPlies = 8

// Play plays the pairs of the part: two games each, from one opening, with the
// seats swapped and the same luck, slips included. Openings and luck follow from
// seed and part alone: they are the same for all damages, depths and slips.
func (u *Subject) Play(ctx context.Context, k Match) (study.Tally, error) {
	g, err := k.World.Of(u.Base.Game)
	if err != nil {
		return study.Tally{}, err
	}
	entrant := func(name string, d Damage) search.Factory {
		return search.Factory{Name: name, New: func() (search.Agent, error) { return u.Planner(k.World, k.Depth, d), nil }}
	}
	r, err := arena.Run(ctx, arena.Config{
		Game: g, A: entrant("damaged", k.Damage), B: entrant("clean", Damage{}),
		Pairs: k.Pairs, Seed: game.Seed(k.Seed, 0xd0e1, uint64(k.Part)), Openings: arena.Openings{Plies: k.Plies}, Measure: arena.Wins,
	})
	if err != nil {
		return study.Tally{}, err
	}
	if r.FaultsA.All()+r.FaultsB.All() > 0 {
		return study.Tally{}, fmt.Errorf("%s: faults in a match (%v, %v)", k.Game, r.FaultsA, r.FaultsB)
	}
	return study.Tally(r.Versus.Pentanomial), nil
}

// cellPairs is how many pairs a cell plays: little enough that a kill costs little,
// and that all workers have something to do until the end.
const CellPairs = 50

// PlayAll plays matches, each of its number of pairs, in parts: a tally a match.
func PlayAll(ctx context.Context, s *study.Session, title string, subjects map[string]*Subject, matches []Match) ([]study.Tally, error) {
	var keys []Match
	var of []int
	for i, m := range matches {
		pairs := m.Pairs
		for p := 0; p*CellPairs < pairs; p++ {
			m.Part, m.Pairs, m.Seed = p, min(CellPairs, pairs-p*CellPairs), s.Seed
			keys, of = append(keys, m), append(of, i)
		}
	}
	cost := func(k Match) float64 {
		return float64(k.Pairs) * subjects[k.Game].Effort(k.Depth, k.World.Slip == 0)
	}
	tallies, err := study.Cells(ctx, s, title, keys, cost, func(ctx context.Context, k Match) (study.Tally, error) {
		return subjects[k.Game].Play(ctx, k)
	})
	if err != nil {
		return nil, err
	}
	out := make([]study.Tally, len(matches))
	for j, t := range tallies {
		out[of[j]] = out[of[j]].Plus(t)
	}
	return out, nil
}
