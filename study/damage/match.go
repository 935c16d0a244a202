package damage

import (
	"context"
	"fmt"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/search"
	"plyfit/search/policy"
	"plyfit/study"
)

// Match is a match of the damaged against the clean evaluation under the same planner in the same
// world, or a part of one: a cell's key. Only the error differs between the sides.
type Match struct {
	Game    string      `json:"game"`
	Eval    string      `json:"eval"` // its digest
	World   study.World `json:"world"`
	Assumes study.World `json:"assumes"` // what both planners take the world for
	Depth   int         `json:"depth"`
	Damage  Damage      `json:"damage"`
	Anchor  Anchor      `json:"anchor,omitempty"` // plays in the damaged side's place
	Plies   int         `json:"plies"`            // random decisions at the beginning
	Stream  uint64      `json:"stream"`           // openings of their own: one a base evaluation
	From    int         `json:"from"`             // the first opening of the stream
	Pairs   int         `json:"pairs"`
	Seed    uint64      `json:"seed"`
}

// Anchor is a player by which a loss is measured: most are of known weakness.
type Anchor string

const (
	noAnchor Anchor = ""       // the damaged evaluation plays
	OnePly   Anchor = "ply"    // the clean evaluation, one decision less far
	TwoPlies Anchor = "plies"  // two decisions less far
	Zero     Anchor = "zero"   // an evaluation that knows only the ends of the game
	Random   Anchor = "random" // random moves
)

// Less is how many decisions less deep the anchor searches.
func (a Anchor) Less() int { return map[Anchor]int{OnePly: 1, TwoPlies: 2}[a] }

// OpeningPlies are the random decisions at a pair's beginning.
const OpeningPlies = 8

// Draws shares the pairs of a match out among several draws of one error, such as the seeds of a
// noise: each meets openings that no other meets, so that all pairs are independent.
func (k Match) Draws(damages []Damage, pairs int) []Match {
	out := make([]Match, len(damages))
	for i, d := range damages {
		k.Damage, k.From = d, i*pairs/len(damages)
		k.Pairs = (i+1)*pairs/len(damages) - k.From
		out[i] = k
	}
	return out
}

// OpeningSeed is what opening and luck of a pair follow from: seed, stream and its number in the
// stream alone. They are the same for all damages, depths, planners and slips.
func (k Match) OpeningSeed(pair int) uint64 {
	return game.Seed(k.Seed, 0xd0e1, k.Stream, uint64(k.From+pair))
}

// Arm is the planner, world and error of the match.
func (k Match) Arm() study.Arm {
	of := k.Damage.String()
	if k.Anchor != noAnchor {
		of = string(k.Anchor)
	}
	return study.Arm{Game: k.Game, World: k.World, Assumes: k.Assumes, Error: of, Depth: k.Depth}
}

// Play plays the part's pairs: two games from one opening, seats swapped, with the same luck.
func (u *Subject) Play(ctx context.Context, k Match) (study.Pairs, error) {
	g, err := k.World.Of(u.Base.Game)
	if err != nil {
		return nil, err
	}
	weak, err := u.weaker(k)
	if err != nil {
		return nil, err
	}
	// Agents forget everything when a game begins, so all pairs share them.
	of := func(name string, a search.Agent) search.Factory {
		return search.Factory{Name: name, New: func() (search.Agent, error) { return a, nil }}
	}
	strong, err := u.Planner(k.Assumes, k.Depth, Damage{})
	if err != nil {
		return nil, err
	}
	damaged, clean := of("damaged", weak), of("clean", strong)
	out := make(study.Pairs, k.Pairs)
	for i := range out {
		// A match of one pair, so that a pair depends on its own number alone.
		r, err := arena.Run(ctx, arena.Config{
			Game: g, A: damaged, B: clean,
			Pairs: 1, Seed: k.OpeningSeed(i), Openings: arena.Openings{Plies: k.Plies}, Measure: arena.Wins,
		})
		if err != nil {
			return nil, err
		}
		if r.FaultsA.All()+r.FaultsB.All() > 0 {
			return nil, fmt.Errorf("%s: faults in a match (%v, %v)", k.Game, r.FaultsA, r.FaultsB)
		}
		out[i] = r.Wins*2 + r.Draws
	}
	return out, nil
}

func (u *Subject) weaker(k Match) (search.Agent, error) {
	switch k.Anchor {
	case noAnchor:
		return u.Planner(k.Assumes, k.Depth, k.Damage)
	case OnePly, TwoPlies:
		depth := k.Depth - k.Anchor.Less()
		if depth < 1 {
			return nil, fmt.Errorf("%s: %d plies less than depth %d: want one left", k.Game, k.Anchor.Less(), k.Depth)
		}
		return u.Planner(k.Assumes, depth, Damage{})
	case Zero:
		return u.planner(k.Assumes, k.Depth, u.Blind())
	case Random:
		return policy.NewRandom(), nil
	}
	panic("damage: no such anchor")
}

// cellPairs is how many pairs a cell plays: few, so that a kill costs little and all workers work.
const cellPairs = 50

// Subjects are those of a run, by game and evaluation.
type Subjects map[subjectKey]*Subject

type subjectKey struct{ game, eval string }

// Add makes u known.
func (l Subjects) Add(u *Subject) { l[subjectKey{u.Base.Spec, u.Digest}] = u }

func (l Subjects) of(k Match) *Subject {
	u, ok := l[subjectKey{k.Game, k.Eval}]
	if !ok {
		panic("damage: a match of an unknown evaluation: " + k.Game + " " + k.Eval)
	}
	return u
}

// PlayAll plays matches, each of its number of pairs, in parts: what came of each.
func PlayAll(ctx context.Context, s *study.Session, title string, subjects Subjects, matches []Match) ([]Played, error) {
	var keys []Match
	var of []int
	out := make([]Played, len(matches))
	for i, m := range matches {
		m.Seed = s.Seed
		out[i].Match = m
		for from := 0; from < out[i].Match.Pairs; from += cellPairs {
			m.From, m.Pairs = out[i].From+from, min(cellPairs, out[i].Match.Pairs-from)
			keys, of = append(keys, m), append(of, i)
		}
	}
	cost := func(k Match) float64 {
		u := subjects.of(k)
		return float64(k.Pairs) * u.Effort(k.Depth, !k.Assumes.Averages(u.Base.Chancy()))
	}
	found, err := study.Cells(ctx, s, title, keys, cost, func(ctx context.Context, k Match) (study.Pairs, error) {
		return subjects.of(k).Play(ctx, k)
	})
	if err != nil {
		return nil, err
	}
	for j, p := range found {
		out[of[j]].Points = append(out[of[j]].Points, p...)
	}
	return out, nil
}
