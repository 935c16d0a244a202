package confirm

import (
	"context"
	"errors"
	"fmt"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/learn"
	"plyfit/study"
	"plyfit/study/bases"
	"plyfit/study/damage"
)

// unit is an evaluation that came of a source, with what it is beside the truth.
type unit struct {
	world  *World
	source *Source
	seed   uint64 // of the training
	own    uint64 // seed of all else: from the world, the source and the training seed

	subject     *damage.Subject // the evaluation itself
	model       damage.Damage   // the same in another's place
	calibration damage.Calibration
	pass        Pass
}

// named makes a seed of a name.
func named(seed uint64, names ...string) uint64 {
	for _, name := range names {
		for _, c := range []byte(name) {
			seed = game.Seed(seed, uint64(c))
		}
		seed = game.Seed(seed, 0x100)
	}
	return seed
}

// make makes the units of a world: evaluations, their calibrations, and the pass over
// positions that the law wants. A unit whose values say nothing of results has no
// calibration and is left out.
func (p *Protocol) make(ctx context.Context, s *study.Session, w *World) ([]*unit, error) {
	units, err := p.learn(ctx, s, w)
	if err != nil {
		return nil, err
	}
	of := map[string]*unit{}
	var games []damage.CalibrationGames
	for _, u := range units {
		k := damage.CalibrationGames{Game: w.Game, Eval: u.subject.Digest, World: w.expectimax(), Games: w.Calibrate, Seed: named(u.own, "calibration")}
		of[fmt.Sprint(k)] = u
		games = append(games, k)
	}
	found, err := study.Cells(ctx, s, p.title("calibrations of "+w.ID), games, nil, func(ctx context.Context, k damage.CalibrationGames) (damage.Calibration, error) {
		c, err := of[fmt.Sprint(k)].subject.Calibrate(ctx, k)
		if none := learn.Senseless(""); errors.As(err, &none) {
			return damage.Calibration{}, nil // of slope 0: the unit is left out
		}
		return c, err
	})
	if err != nil {
		return nil, err
	}
	var passes []passKey
	var kept []*unit
	for i, u := range units {
		if u.calibration = found[i]; found[i].Platt.Slope > 0 {
			kept = append(kept, u)
		}
	}
	units = kept
	for _, u := range units {
		passes = append(passes, passKey{Game: w.world.Spec, Eval: u.subject.Digest, Slope: u.calibration.Platt.Slope, Positions: p.Law.Positions, Depth: p.Law.Depth, Plies: w.Plies, Seed: named(u.own, "law")})
	}
	byKey := map[passKey]*unit{}
	for i, k := range passes {
		byKey[k] = units[i]
	}
	seen, err := study.Cells(ctx, s, p.title("one pass over positions of "+w.ID), passes, nil, func(ctx context.Context, k passKey) (Pass, error) {
		return byKey[k].measure(ctx, k)
	})
	for i := range seen {
		units[i].pass = seen[i]
	}
	return units, err
}

// learn makes the evaluations, fitted ones and trained ones cell by cell.
func (p *Protocol) learn(ctx context.Context, s *study.Session, w *World) ([]*unit, error) {
	var units []*unit
	for _, id := range w.Sources {
		source := p.source(id)
		var models []bases.Model
		var err error
		seeds := w.units()
		switch {
		case source.Evaluation != "":
			seeds = seeds[:1] // one evaluation: described, not tested
		case source.Method != "":
			var list []bases.Training
			at := w.world
			if source.Dry {
				at = w.base
			}
			for _, seed := range seeds {
				list = append(list, bases.Training{Game: at.Spec, Method: source.Method, Games: source.Games, Seed: named(seed, w.ID, id), Agent: source.Agent})
			}
			models, err = bases.TrainAll(ctx, s, p.title(id+" in "+w.ID), at, list)
		default:
			var list []bases.Fit
			for _, seed := range seeds {
				list = append(list, bases.Fit{Game: w.Game, World: w.expectimax(), Games: source.Games, Seed: named(seed, w.ID, id), Label: bases.Label(source.Label), Out: w.Groups[source.Out]})
			}
			models, err = bases.All(ctx, s, p.title(id+" in "+w.ID), w.base, list)
		}
		if err != nil {
			return nil, err
		}
		for i, seed := range seeds {
			u := &unit{world: w, source: source, seed: seed, own: named(game.Seed(p.Seed, seed), w.ID, id)}
			name := fmt.Sprintf("%s, seed %d", id, seed)
			if source.Evaluation != "" {
				e, err := damage.NewEvaluation(w.base, source.Evaluation)
				if err != nil {
					return nil, err
				}
				u.subject = damage.NewContestant(e, u.own)
			} else if u.subject, err = models[i].Contestant(w.base, name, u.own); err != nil {
				return nil, err
			}
			u.subject.Leaves = nil
			u.subject.Evaluation.Leaves = "" // asked where somebody is to move, whoever learned it
			u.model = damage.Damage{Kind: damage.Other, By: 1, Model: u.subject.Digest, Linear: u.subject.Model, Name: name}
			units = append(units, u)
		}
	}
	return units, nil
}

// references are the evaluations that units of a training seed are measured by, one a
// seed.
func (p *Protocol) references(ctx context.Context, s *study.Session, w *World) (map[uint64]*damage.Subject, error) {
	var list []bases.Fit
	for _, seed := range w.units() {
		list = append(list, bases.Fit{Game: w.Game, World: w.expectimax(), Games: w.Reference, Seed: named(seed, w.ID, "reference")})
	}
	models, err := bases.All(ctx, s, p.title("references of "+w.ID), w.base, list)
	if err != nil {
		return nil, err
	}
	out := map[uint64]*damage.Subject{}
	for i, seed := range w.units() {
		if out[seed], err = models[i].Contestant(w.base, fmt.Sprintf("reference, seed %d", seed), list[i].Seed); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// taken is the share of the decisions met that are taken as positions.
const taken = 0.2

// met are n positions that games of the evaluation against itself meet, one decision
// ahead after some random decisions, at which there is a choice.
func met(ctx context.Context, u *damage.Subject, w *World, n, plies int, seed uint64) ([]game.State, error) {
	agent := u.Planner(w.expectimax(), 1, damage.Damage{})
	var out []game.State
	for i := uint64(0); len(out) < n; i++ {
		if i > 1000*uint64(n) {
			return nil, fmt.Errorf("%s: too few positions with a choice", w.world.Spec)
		}
		random := study.NewRand(seed, 0x9a55, i)
		dice := &play.Dice{Random: random}
		s := w.world.New()
		e := play.Episode{Luck: dice}
		e.Begin(s, 0, w.world.MaxPlies)
		opening := random.IntN(plies + 1)
		for e.Next() && len(out) < n {
			if e.Decisions < opening {
				e.Play(dice.Uniform(s))
				continue
			}
			if random.Float64() < taken && len(s.Moves(nil)) > 1 {
				out = append(out, s.Clone())
			}
			r, err := agent.Search(ctx, s)
			if err != nil {
				return nil, err
			}
			e.Play(r.Move)
		}
	}
	return out, nil
}
