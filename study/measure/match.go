// Package measure plays the pairs of games from which losses are measured.
package measure

import (
	"context"
	"fmt"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/proc"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/evaluation"
)

// Pairs contains one player's score in each pair of games, in half points, from 0 (both games lost)
// to 4 (both won).
type Pairs []int

// Tally returns the counts of pairs by score.
func (p Pairs) Tally() (t stats.Pentanomial) {
	for _, halves := range p {
		t[halves]++
	}
	return t
}

// Losses returns the loss in each pair relative to an even score, as a fraction of the points. It
// is .5 if both games were lost and -.5 if both were won.
func (p Pairs) Losses() []float64 {
	return list.Map(p, func(halves int) float64 { return 0.5 - float64(float64(halves)/4) })
}

// Play plays n pairs of games. The games of a pair have the same opening, swapped seats and the
// same luck. Each pair is a separate match, so that it depends only on its seed.
func Play(ctx context.Context, c arena.Config, n int, seed func(pair int) uint64) (Pairs, error) {
	out := make(Pairs, n)
	c.Pairs, c.Measure = 1, arena.Wins
	for i := range out {
		c.Seed = seed(i)
		r, err := arena.Run(ctx, c)
		if err != nil {
			return nil, err
		}
		if r.FaultsA.All()+r.FaultsB.All() > 0 {
			return nil, fmt.Errorf("%s: faults in a match (%v, %v)", c.Game.Spec, r.FaultsA, r.FaultsB)
		}
		out[i] = r.Wins*2 + r.Draws
	}
	return out, nil
}

// A Match is the key of a cell that contains pairs of games between a planner with the damaged
// evaluation and the same planner with the clean one.
type Match struct {
	Game       string            `json:"game"`
	Eval       string            `json:"eval"` // digest of the evaluation
	World      study.World       `json:"world"`
	Assumes    study.World       `json:"assumes"` // model of the world that both planners use
	Depth      int               `json:"depth"`
	Damage     evaluation.Damage `json:"damage"`
	Plies      int               `json:"plies"` // number of random decisions at the start
	study.Span                   // range of pairs; each pair has its own opening
	Seed       uint64            `json:"seed"`
}

// OpeningPlies is the number of random decisions at the start of a pair.
const OpeningPlies = 8

// Draws divides the pairs of a match among several draws of an error, such as different seeds of
// noise. The draws have no openings in common, so that all pairs are independent. Draws without
// pairs are omitted.
func (k Match) Draws(damages []evaluation.Damage, pairs int) (out []Match) {
	for i, d := range damages {
		k.Damage, k.From = d, i*pairs/len(damages)
		if k.Count = (i+1)*pairs/len(damages) - k.From; k.Count > 0 {
			out = append(out, k)
		}
	}
	return out
}

// OpeningSeed returns the seed of the opening and the luck of a pair. It depends only on k.Seed and
// the number of the pair.
func (k Match) OpeningSeed(pair int) uint64 { return game.Seed(k.Seed, 0xd0e1, 0, uint64(k.From+pair)) }

// Play plays the pairs of the match.
func (k Match) Play(ctx context.Context, u *evaluation.Subject) (Pairs, error) {
	g, err := k.World.Of(u.Base.Game)
	if err != nil {
		return nil, err
	}
	damaged, err := u.Planner(k.Assumes, k.Depth, k.Damage)
	if err != nil {
		return nil, err
	}
	clean, err := u.Planner(k.Assumes, k.Depth, evaluation.Damage{})
	if err != nil {
		return nil, err
	}
	// Agents keep no state between games, so all pairs can share them.
	of := func(name string, a search.Agent) search.Factory {
		return search.Factory{Name: name, New: func() (search.Agent, error) { return a, nil }}
	}
	return Play(ctx, arena.Config{Game: g, A: of("damaged", damaged), B: of("clean", clean), Openings: arena.Openings{Plies: k.Plies}}, k.Count, k.OpeningSeed)
}

// PlayAll plays matches, using the evaluation of u.
func PlayAll(ctx context.Context, s *study.Session, title string, u *evaluation.Subject, matches []Match) ([]Played, error) {
	for i := range matches {
		m := &matches[i]
		m.Game, m.Eval, m.Seed, m.Plies = u.Base.Spec, u.Digest, s.Seed, OpeningPlies
	}
	cost := func(k Match) float64 { return float64(k.Count) * u.Effort(k.Depth) }
	points, err := study.Parts(ctx, s, title, matches, 50, cost, func(ctx context.Context, k Match) (Pairs, error) { return k.Play(ctx, u) })
	if err != nil {
		return nil, err
	}
	out := make([]Played, len(matches))
	for i, m := range matches {
		out[i] = Played{m, points[i]}
	}
	return out, nil
}

// Played is a match with the result of each pair.
type Played struct {
	Match
	Points Pairs
}

// PairData returns two tables: NAME with a row per match, and NAME-pairs with a row per pair.
func PairData(name string, list []Played) []study.Data {
	cells := study.Data{Name: name, Head: []string{"cell", "code", "seed", "game", "eval", "slip", "hostile", "assumes_slip", "assumes_hostile", "depth", "error", "error_seed", "opening_plies", "first_opening", "pairs", "score"}}
	pairs := study.Data{Name: name + "-pairs", Head: []string{"cell", "opening", "opening_seed", "points"}}
	code := proc.Version()
	for i, p := range list {
		cells.Row(i, code, p.Seed, p.Game, p.Eval, p.World.Slip, p.World.Hostile, p.Assumes.Slip, p.Assumes.Hostile, p.Depth, p.Damage, p.Damage.Seed, p.Plies, p.From, p.Count, p.Points.Tally().Mean())
		for j, halves := range p.Points {
			pairs.Row(i, p.From+j, fmt.Sprintf("%016x", p.OpeningSeed(j)), float64(halves)/2)
		}
	}
	return []study.Data{cells, pairs}
}
