package confirm

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/study"
	"plyfit/study/bases"
	"plyfit/study/damage"
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
		if name == fitted {
			name = "handwritten" // plays the games that bases are fitted to
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
	slope    float64   // of its reliability
	excluded string    // why it is left out; "": it is not
}

// units are those of a world, in the order of their seeds.
func (p *Protocol) units(ctx context.Context, s *study.Session, g *studiedGame) ([]*unit, error) {
	if g.Evaluation == fitted {
		return p.fittedUnits(ctx, s, g)
	}
	e, err := damage.NewEvaluation(g.base, g.Evaluation)
	if err != nil {
		return nil, err
	}
	shared, err := damage.NewSubject(e, p.Seed)
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
		if u.subject, err = f.Subject(g.base, found[i]); err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}
