package confirm

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/study"
	"plyfit/study/bases"
	"plyfit/study/damage"
	"plyfit/train"
)

// studiedGame is a world of the protocol with its game, found in the catalog.
type studiedGame struct {
	*World
	base   *catalog.World
	chancy bool // has chance of its own
}

// find looks the worlds' games up.
func (p *Protocol) find(games catalog.Catalog) error {
	p.games = nil
	for i := range p.Worlds {
		w := &p.Worlds[i]
		key := fmt.Sprintf("worlds[%d]", i)
		base, err := games.World(w.Game)
		if err != nil {
			return fmt.Errorf("key %s.game: %w", key, err)
		}
		name := w.Evaluation
		if name == fitted || name == trained {
			name = "handwritten" // plays the games that bases are fitted to
		}
		if _, err := train.MethodNamed(w.Method); err != nil {
			return fmt.Errorf("key %s.method: %w", key, err)
		}
		if _, err := damage.NewEvaluation(base, name); err != nil {
			return fmt.Errorf("key %s.evaluation: %w", key, err)
		}
		g := &studiedGame{w, base, base.Chancy()}
		if g.chancy && w.Slip > 0 {
			return wrong(key+".slip", "0, as the game has chance of its own", w.Slip)
		}
		if !g.chancy && w.Slip == 0 {
			return wrong(key+".slip", "a probability above 0, without which the planners are one", w.Slip)
		}
		w.Game = base.Spec
		p.games = append(p.games, g)
	}
	return p.suit()
}

// suit says which error a game of its hypotheses cannot have.
func (p *Protocol) suit() error {
	for i := range p.Hypotheses {
		for _, a := range p.Hypotheses[i].arms() {
			e, base := p.error(a.Error), p.game(a.World).base
			if err := bases.CheckLabel(base, bases.Label(e.Label)); err != nil {
				return fmt.Errorf("key hypotheses[%d], error %s: %w", i, e.ID, err)
			}
			if err := bases.CheckGroup(base, e.Group); err != nil {
				return fmt.Errorf("key hypotheses[%d], error %s: %w", i, e.ID, err)
			}
		}
	}
	return nil
}

func (p *Protocol) game(id string) *studiedGame {
	for _, g := range p.games {
		if g.ID == id {
			return g
		}
	}
	panic("confirm: no such world: " + id)
}

// world is the one that is played in, assumes what a planner takes it for.
func (g *studiedGame) world() study.World { return study.World{Slip: g.Slip} }

func (g *studiedGame) assumes(planner string) study.World {
	return assumption(g.Slip, planner, g.chancy)
}

// unit is a base evaluation with openings of its own.
type unit struct {
	seed     uint64
	subject  *damage.Subject
	fit      bases.Fit // where the evaluation was fitted
	slope    float64   // of its reliability; of another than a fitted one Platt's, where it was calibrated
	excluded string    // why it is left out; "": it is not
}

// units are those of a world, in the order of their seeds.
func (p *Protocol) units(ctx context.Context, s *study.Session, g *studiedGame) ([]*unit, error) {
	switch g.Evaluation {
	case fitted:
		return p.fittedUnits(ctx, s, g)
	case trained:
		return p.trainedUnits(ctx, s, g)
	}
	e, err := damage.NewEvaluation(g.base, g.Evaluation)
	if err != nil {
		return nil, err
	}
	shared, err := damage.NewSubject(ctx, e, p.Seed)
	if err != nil {
		return nil, err
	}
	var out []*unit
	for _, seed := range g.Seeds {
		out = append(out, &unit{seed: seed, subject: shared})
	}
	return out, nil
}

// fittedUnits are base evaluations fitted to games of their own.
func (p *Protocol) fittedUnits(ctx context.Context, s *study.Session, g *studiedGame) ([]*unit, error) {
	var fits []bases.Fit
	for _, seed := range g.Seeds {
		fits = append(fits, bases.Fit{Game: g.base.Spec, World: g.world(), Games: g.Games, Seed: seed})
	}
	found, err := bases.All(ctx, s, p.cellTitle("bases of "+g.ID), g.base, fits)
	if err != nil {
		return nil, err
	}
	var out []*unit
	for i, f := range fits {
		u := &unit{seed: f.Seed, fit: f, slope: found[i].Slope}
		if r := p.Exclusions.Reliability; r != nil && !(u.slope >= r[0] && u.slope <= r[1]) {
			u.excluded = fmt.Sprintf("its reliability slope is %s", study.Number(u.slope, 3))
		}
		if u.subject, err = f.Subject(ctx, g.base, found[i]); err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

// trainedUnits are base evaluations that learned while they played.
func (p *Protocol) trainedUnits(ctx context.Context, s *study.Session, g *studiedGame) ([]*unit, error) {
	var list []bases.Training
	for _, seed := range g.Seeds {
		list = append(list, bases.Training{Game: g.base.Spec, Method: g.Method, Games: g.Games, Seed: seed})
	}
	found, err := bases.TrainAll(ctx, s, p.cellTitle("bases of "+g.ID), g.base, list)
	if err != nil {
		return nil, err
	}
	var out []*unit
	for i, t := range list {
		u := &unit{seed: t.Seed}
		if u.subject, err = t.Subject(ctx, g.base, found[i]); err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}
