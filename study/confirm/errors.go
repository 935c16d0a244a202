package confirm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/study"
	"plyfit/study/bases"
	"plyfit/study/damage"
)

// kind is what an error of a protocol may be, and which of its keys it heeds.
type kind struct {
	name    string
	sized   bool                                      // misfit or by
	draws   bool                                      // depends on a seed
	fitted  bool                                      // beside a fitted base evaluation alone
	least   float64                                   // strength at which it does nothing
	most    float64                                   // greatest strength that is tried
	damages func(r recipe) ([][]damage.Damage, error) // nil: of the kind's name, by and seed
}

// recipe is what draws of an error are made from.
type recipe struct {
	ctx   context.Context
	s     *study.Session
	title string // of cells
	g     *studiedGame
	e     *Error
	units []*unit
}

var kinds = []kind{
	{name: string(damage.Exp), sized: true, least: 0.05, most: 7},
	{name: string(damage.Power), sized: true, least: 1, most: 20},
	{name: string(damage.Rescaled), sized: true, least: 1, most: 12},
	{name: string(damage.LogOdds)},
	{name: string(damage.Noise), sized: true, draws: true, most: 8},
	{name: string(damage.Weights), sized: true, draws: true, most: 4},
	{name: "refit", draws: true, fitted: true, damages: recipe.refits},
	{name: "label", fitted: true, damages: recipe.refits},
	{name: "left out", fitted: true, damages: recipe.refits},
	{name: "platt", draws: true, damages: recipe.calibrations},
	{name: "isotonic", draws: true, damages: recipe.calibrations},
}

func kindNamed(name string) *kind {
	if i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name }); i >= 0 {
		return &kinds[i]
	}
	return nil
}

// kindNames are the kinds in messages.
func kindNames() string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return strings.Join(names, ", ")
}

func (e *Error) check(key string, ids map[string]bool) error {
	if err := once(key, e.ID, ids); err != nil {
		return err
	}
	k := kindNamed(e.Kind)
	if k == nil {
		return wrong(key+".kind", kindNames(), e.Kind)
	}
	if err := e.checkSize(key, k); err != nil {
		return err
	}
	return e.checkSource(key, k)
}

// checkSource checks what an error is drawn or learned from, each of its own kinds alone.
func (e *Error) checkSource(key string, k *kind) error {
	switch {
	case !(e.Shared >= 0 && e.Shared <= 1) || e.Shared > 0 && e.Kind != string(damage.Noise):
		return wrong(key+".shared", "a share from 0 to 1, of noise alone", e.Shared)
	case e.Draws < 0 || e.Draws > mostDraws || e.Draws > 1 && !k.draws:
		return wrong(key+".draws", "a whole number up to 10,000, of random errors alone", e.Draws)
	case (e.Kind == "refit") != (e.Data > 0) || !(e.Data >= 0 && e.Data <= 1):
		return wrong(key+".data", "a share of the games above 0 and up to 1, of refits alone", e.Data)
	case (e.Kind == "platt" || e.Kind == "isotonic") != (e.Games > 0) || e.Games < 0 || e.Games > mostPairs:
		return wrong(key+".games", "how many games a calibration is learned from, of calibrations alone", e.Games)
	case (e.Kind == "label") != (e.Label != "") || !slices.Contains(bases.Labels, bases.Label(e.Label)):
		return wrong(key+".label", "search, ranks, points, of labels alone", e.Label)
	case (e.Kind == "left out") != (len(e.Group) > 0):
		return wrong(key+".group", "how the names of the features begin, of features left out alone", e.Group)
	}
	return nil
}

func (e *Error) checkSize(key string, k *kind) error {
	switch {
	case !(e.Misfit >= 0 && e.Misfit < 1):
		return wrong(key+".misfit", "a number from 0 to 1, in half ranges of utility", e.Misfit)
	case k.sized && (e.Misfit == 0) == (e.By == 0):
		return wrong(key+".misfit", "either misfit or by", e.Misfit)
	case !k.sized && (e.Misfit != 0 || e.By != 0):
		return wrong(key+".misfit", "neither misfit nor by of this kind", e.Misfit)
	case e.By < 0 && e.Kind != string(damage.Exp):
		return wrong(key+".by", "a strength above 0", e.By)
	}
	return nil
}

// draws are the draws of an error for each of the units. A unit beside which it
// cannot become so large is excluded, where the protocol says so, and has none.
func (r recipe) draws(p *Protocol) ([][]damage.Damage, error) {
	k := kindNamed(r.e.Kind)
	if k.damages != nil {
		return k.damages(r)
	}
	var out [][]damage.Damage
	for _, u := range r.units {
		t := damage.Tunable{Name: r.e.ID, From: k.least, To: k.most, Make: func(by float64) []damage.Damage { return r.e.at(by, p.Seed, u.seed) }}
		if r.e.Misfit == 0 {
			out = append(out, t.Make(r.e.By))
			continue
		}
		list, err := u.subject.Sized(r.ctx, t, r.e.Misfit)
		if low := new(damage.Unreached); errors.As(err, &low) && p.Exclusions.Unreached {
			u.excluded = fmt.Sprintf("%s comes to an error of %s only, want %v", r.e.ID, study.Number(low.Most, 4), low.Want)
		} else if err != nil {
			return nil, fmt.Errorf("error %s, unit %d: %w", r.e.ID, u.seed, err)
		}
		out = append(out, list)
	}
	return out, nil
}

// seed is what a draw of the error follows from: the protocol's, the unit's, the
// error's name and the draw.
func (e *Error) seed(protocol, unit uint64, draw int) uint64 {
	name := uint64(0)
	for _, c := range []byte(e.ID) {
		name = game.Seed(name, uint64(c))
	}
	return game.Seed(protocol, unit, name, uint64(draw))
}

// at are the draws of the error at that strength.
func (e *Error) at(by float64, protocol, unit uint64) []damage.Damage {
	out := make([]damage.Damage, max(1, e.Draws))
	for i := range out {
		out[i] = damage.Damage{Kind: damage.Kind(e.Kind), By: by, Shared: e.Shared}
		if kindNamed(e.Kind).draws {
			out[i].Seed = e.seed(protocol, unit, i)
		}
	}
	return out
}

// refits are models fitted to part of each unit's games, to other labels, or to
// part of the features.
func (r recipe) refits() ([][]damage.Damage, error) {
	var fits []bases.Fit
	for _, u := range r.units {
		for i := range uint64(max(1, r.e.Draws)) {
			f := u.fit
			f.Label, f.Share, f.Out = bases.Label(r.e.Label), r.e.Data, r.e.Group
			if f.Share > 0 {
				f.Draw = i
			}
			fits = append(fits, f)
		}
	}
	found, err := bases.All(r.ctx, r.s, r.title, r.g.base, fits)
	if err != nil {
		return nil, err
	}
	out := make([][]damage.Damage, len(r.units))
	for i, m := range found {
		d, err := bases.Damage(r.g.base, r.e.ID, m)
		if err != nil {
			return nil, err
		}
		of := i * len(r.units) / len(found)
		out[of] = append(out[of], d)
	}
	return out, nil
}

// calibrations are the base evaluations seen through what games of their own, that
// no match plays, say of their values: an error with the opposite sign.
func (r recipe) calibrations() ([][]damage.Damage, error) {
	var keys []damage.CalibrationGames
	draws := max(1, r.e.Draws)
	subjects := map[string]*damage.Subject{}
	for _, u := range r.units {
		subjects[u.subject.Digest] = u.subject
		for i := range draws {
			keys = append(keys, damage.CalibrationGames{Game: r.g.base.Spec, Eval: u.subject.Digest, World: r.g.world(), Games: r.e.Games, Seed: r.e.seed(r.s.Seed, u.seed, i)})
		}
	}
	found, err := study.Cells(r.ctx, r.s, r.title, keys, nil, func(ctx context.Context, k damage.CalibrationGames) (damage.Calibration, error) {
		return subjects[k.Eval].Calibrate(ctx, k)
	})
	if err != nil {
		return nil, err
	}
	out := make([][]damage.Damage, len(r.units))
	for i, c := range found {
		if u := r.units[i/draws]; r.g.Evaluation != fitted && i%draws == 0 {
			u.slope = c.Platt.Slope
		}
		d := c.ByPlatt()
		if r.e.Kind == "isotonic" {
			d = c.ByIsotonic()
		}
		out[i/draws] = append(out[i/draws], d)
	}
	return out, nil
}
