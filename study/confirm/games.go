package confirm

import (
	"context"

	"plyfit/game"
	"plyfit/study"
	"plyfit/study/damage"
)

// Arms of a unit in games.
const (
	armMinimax = iota
	armExpectimax
	armPlatt
	armMinimaxMore
	armExpectimaxMore
	gameArms
)

// anchorShare is the share of the pairs that anchors play, whose losses are large.
const anchorShare = 10

// matches are those of a unit at a depth, by arm: against the same planner with the
// reference, on openings and luck of the unit's own that all arms share.
func (u *unit) matches(reference *damage.Subject, depth int) (out [gameArms]damage.Match) {
	w := u.world
	m := damage.Match{Game: w.Game, Eval: reference.Digest, World: w.expectimax(), Depth: depth, Plies: w.Plies, Stream: u.own, Pairs: w.Pairs, Damage: u.model}
	for i := range out {
		k := m
		k.Assumes = w.expectimax()
		if i == armMinimax || i == armMinimaxMore {
			k.Assumes = w.minimax()
		}
		if i == armPlatt {
			k.Damage = u.model.Seen(u.calibration.ByPlatt())
		}
		if i >= armMinimaxMore {
			k.Anchor, k.Pairs = damage.More, w.Pairs/anchorShare
		}
		out[i] = k
	}
	return out
}

// byGames plays the units of a world. Blind are the losses of planners without an
// evaluation, by depth, over all training seeds.
func (p *Protocol) byGames(ctx context.Context, s *study.Session, w *World, units []*unit) (arms []Arms, blind []Blind, err error) {
	references, err := p.references(ctx, s, w)
	if err != nil {
		return nil, nil, err
	}
	subjects := damage.Subjects{}
	for _, r := range references {
		subjects.Add(r)
	}
	var matches []damage.Match
	for _, depth := range w.Depths {
		for _, u := range units {
			list := u.matches(references[u.seed], depth)
			matches = append(matches, list[:]...)
		}
	}
	first := len(matches)
	for _, depth := range w.Depths {
		for _, seed := range w.units() {
			for _, assumes := range []study.World{w.minimax(), w.expectimax()} {
				matches = append(matches, damage.Match{Game: w.Game, Eval: references[seed].Digest, World: w.expectimax(), Assumes: assumes, Depth: depth, Anchor: damage.Zero, Plies: w.Plies, Stream: named(seed, w.ID, "blind"), Pairs: max(2, w.Pairs/anchorShare)})
			}
		}
	}
	played, err := damage.PlayAll(ctx, s, p.title("games of "+w.ID), subjects, matches)
	if err != nil {
		return nil, nil, err
	}
	mean := func(at int) float64 { return study.Mean(played[at].Points.Losses()) }
	arms = make([]Arms, len(units))
	at := 0
	for _, depth := range w.Depths {
		for i := range units {
			arms[i].put(depth, mean(at), mean(at+1), mean(at+2), mean(at+3), mean(at+4))
			at += gameArms
		}
	}
	at = first
	for _, depth := range w.Depths {
		b := Blind{World: w.ID, Depth: depth}
		for range w.units() {
			b.Minimax, b.Expectimax = append(b.Minimax, mean(at)), append(b.Expectimax, mean(at+1))
			at += 2
		}
		blind = append(blind, b)
	}
	return arms, blind, nil
}

// put sets the losses of a depth.
func (a *Arms) put(depth int, losses ...float64) {
	for i, list := range []*[]float64{&a.Minimax, &a.Expectimax, &a.Platt, &a.MinimaxMore, &a.ExpectimaxMore} {
		for len(*list) < depth {
			*list = append(*list, 0)
		}
		(*list)[depth-1] = losses[i]
	}
}

// regretKey is a cell's key.
type regretKey struct {
	Game      string      `json:"game"`
	Eval      string      `json:"eval"` // the reference
	World     study.World `json:"world"`
	Model     string      `json:"model"`
	Platt     string      `json:"platt"`
	Positions int         `json:"positions"`
	Depth     int         `json:"depth"`
	Seed      uint64      `json:"seed"`
}

// byRegret measures what units give away at positions that they meet, a game's decisions
// of a side together.
func (p *Protocol) byRegret(ctx context.Context, s *study.Session, w *World, units []*unit) ([]Arms, error) {
	references, err := p.references(ctx, s, w)
	if err != nil {
		return nil, err
	}
	arms := make([]Arms, len(units))
	for _, depth := range w.Depths {
		var keys []regretKey
		of := map[regretKey]*unit{}
		for _, u := range units {
			k := regretKey{Game: w.Game, Eval: references[u.seed].Digest, World: w.expectimax(), Model: u.subject.Digest, Platt: u.calibration.ByPlatt().Model, Positions: w.Positions, Depth: depth, Seed: named(u.own, "regret")}
			keys, of[k] = append(keys, k), u
		}
		found, err := study.Cells(ctx, s, p.title("regret in "+w.ID), keys, nil, func(ctx context.Context, k regretKey) ([]float64, error) {
			u := of[k]
			list, err := met(ctx, u.subject, w, k.Positions, w.Plies, k.Seed)
			if err != nil {
				return nil, err
			}
			return u.regrets(ctx, references[u.seed], list, depth)
		})
		if err != nil {
			return nil, err
		}
		for i, u := range units {
			each := u.pass.Decisions
			arms[i].put(depth, each*found[i][0], each*found[i][1], each*found[i][2], 0, 0)
		}
	}
	return arms, nil
}

// regrets are the mean regrets under minimax, expectimax, and expectimax calibrated.
func (u *unit) regrets(ctx context.Context, reference *damage.Subject, list []game.State, depth int) ([]float64, error) {
	fear, err := reference.Regrets(ctx, list, u.world.minimax(), depth, []damage.Damage{u.model})
	if err != nil {
		return nil, err
	}
	expect, err := reference.Regrets(ctx, list, u.world.expectimax(), depth, []damage.Damage{u.model, u.model.Seen(u.calibration.ByPlatt())})
	if err != nil {
		return nil, err
	}
	return []float64{study.Mean(fear[0]), study.Mean(expect[0]), study.Mean(expect[1])}, nil
}
