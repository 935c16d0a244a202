package confirm

import (
	"fmt"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/study"
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
		if _, err := damage.NewEvaluation(base, w.Evaluation); err != nil {
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
	slope    float64 // of the reliability, where the evaluation was fitted
	excluded string  // why it is left out; "": it is not
}

// units are those of a world, in the order of their seeds.
func (p *Protocol) units(g *studiedGame) ([]*unit, error) {
	var out []*unit
	var shared *damage.Subject
	for _, seed := range g.Seeds {
		u := &unit{seed: seed, subject: shared}
		if shared == nil {
			e, err := damage.NewEvaluation(g.base, g.Evaluation)
			if err != nil {
				return nil, err
			}
			if shared, err = damage.NewSubject(e, p.Seed); err != nil {
				return nil, err
			}
			u.subject = shared
		}
		out = append(out, u)
	}
	return out, nil
}

// draws are the draws of an error for a unit. Their seeds follow from the
// protocol's, the unit's, the error's name and the draw.
func (p *Protocol) draws(e *Error, u *unit) ([]damage.Damage, error) {
	name := uint64(0)
	for _, c := range []byte(e.ID) {
		name = game.Seed(name, uint64(c))
	}
	out := make([]damage.Damage, max(1, e.Draws))
	for i := range out {
		d := damage.Damage{Kind: damage.Kind(e.Kind), By: e.By, Shared: e.Shared}
		if d.Random() {
			d.Seed = game.Seed(p.Seed, u.seed, name, uint64(i))
		}
		if e.Misfit > 0 && i > 0 && d.Kind == damage.Noise {
			d.By = out[0].By // its size hardly depends on the draw
		} else if e.Misfit > 0 {
			var err error
			if d, err = u.subject.Strong(d, e.Misfit); err != nil {
				return nil, fmt.Errorf("error %s, unit %d: %w", e.ID, u.seed, err)
			}
		}
		out[i] = d
	}
	return out, nil
}
