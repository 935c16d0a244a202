package confirm

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"plyfit/study"
	"plyfit/study/damage"
)

// cellKey is an arm of the protocol, or an anchor or a control of its planner.
type cellKey struct {
	Arm
	role role
}

type role string

const (
	measured role = ""
	onePly   role = "one ply less"
	zero     role = "zero"
	random   role = "random"
	identity role = "identity"
	affine   role = "affine map"
	depthOne role = "depth 1" // the error, one decision ahead
)

// Sizes of what stands beside the arms, in pairs a unit.
const (
	controlPairs = 20 // every pair of a control must come to the same
	anchorPairs  = 50
)

// cell is an arm with its matches, a list a unit.
type cell struct {
	key     cellKey
	world   *studiedGame
	theorem bool // a warp under minimax: only controlPairs are played, and none may be lost
	pairs   int  // a unit
	matches [][]damage.Match
	played  [][]damage.Played
	planted study.Nested // by tests: losses that nobody played
}

// plan is all that a protocol has played.
type plan struct {
	protocol *Protocol
	units    map[string][]*unit // by world, the excluded ones left out
	excluded []string           // sentences
	cells    []*cell
	subjects damage.Subjects
	damages  map[drawKey][]damage.Damage
}

type drawKey struct {
	error string
	unit  *unit
}

// newPlan makes the base evaluations and errors, and lists the matches.
func newPlan(ctx context.Context, s *study.Session, p *Protocol) (*plan, error) {
	l := &plan{protocol: p, units: map[string][]*unit{}, subjects: damage.Subjects{}, damages: map[drawKey][]damage.Damage{}}
	keys := p.cellKeys()
	for _, g := range p.games {
		if err := l.admit(ctx, s, g, keys); err != nil {
			return nil, err
		}
	}
	for _, k := range keys {
		if !l.tooFew(k.World) {
			l.cells = append(l.cells, l.cell(k))
		}
	}
	return l, nil
}

// admit makes the units of a world and the errors that they are tried with, and
// leaves out those that the exclusions name.
func (l *plan) admit(ctx context.Context, s *study.Session, g *studiedGame, keys []cellKey) error {
	all, err := l.protocol.units(ctx, s, g)
	if err != nil {
		return err
	}
	left := func() []*unit {
		return slices.DeleteFunc(slices.Clone(all), func(u *unit) bool { return u.excluded != "" })
	}
	l.units[g.ID] = left()
	for _, k := range keys {
		if k.World == g.ID && len(l.units[g.ID]) > 0 {
			if err := l.draw(ctx, s, k); err != nil {
				return err
			}
		}
	}
	l.units[g.ID] = left()
	for _, u := range all {
		if u.excluded != "" {
			l.excluded = append(l.excluded, fmt.Sprintf("%s, base %d: %s", g.ID, u.seed, u.excluded))
		} else {
			u.subject.Leaves = nil // some eighty megabytes, which sizes alone need
			l.subjects.Add(u.subject)
		}
	}
	return nil
}

// tooFew reports whether a world has fewer units than decide a hypothesis.
func (l *plan) tooFew(world string) bool {
	return len(l.units[world]) < max(2, l.protocol.Exclusions.Units)
}

// arms are those of a hypothesis.
func (h *Hypothesis) arms() []Arm {
	if h.Estimand == fade {
		return h.fadeArms()
	}
	var arms []Arm
	for _, c := range h.contrasts() {
		arms = append(arms, c[:]...)
	}
	return arms
}

// cellKeys are the arms of all hypotheses, each once, then what they are held
// against: anchors of their planners, controls of their worlds.
func (p *Protocol) cellKeys() []cellKey {
	var keys []cellKey
	seen := map[cellKey]bool{}
	add := func(r role, a Arm) {
		if k := (cellKey{a, r}); !seen[k] {
			seen[k] = true
			keys = append(keys, k)
		}
	}
	var arms []Arm
	for i := range p.Hypotheses {
		arms = append(arms, p.Hypotheses[i].arms()...)
	}
	for _, a := range arms {
		add(measured, a)
	}
	for _, a := range arms {
		planner := Arm{World: a.World, Planner: a.Planner, Depth: a.Depth}
		if a.Depth > 1 {
			add(onePly, planner)
		}
		add(zero, planner)
		add(random, planner)
		add(identity, planner)
		add(affine, planner)
		if p.world(a.World).Slip > 0 {
			for _, planner := range []string{minimax, expectimax} {
				add(depthOne, Arm{a.World, planner, a.Error, 1})
			}
		}
	}
	slices.SortStableFunc(keys, func(a, b cellKey) int { return cmp.Compare(a.World, b.World) })
	return keys
}

// draw makes the draws of a cell's error, for all units of its world, unless there
// are any.
func (l *plan) draw(ctx context.Context, s *study.Session, k cellKey) error {
	units := l.units[k.World]
	if _, made := l.damages[drawKey{k.Error, units[0]}]; made || k.Error == "" {
		return nil
	}
	p := l.protocol
	found, err := recipe{ctx, s, p.cellTitle(k.Error + " of " + k.World), p.game(k.World), p.error(k.Error), units}.draws(p)
	if err != nil {
		return err
	}
	for i, u := range units {
		l.damages[drawKey{k.Error, u}] = found[i]
	}
	return nil
}

// cell lists the matches of a key.
func (l *plan) cell(k cellKey) *cell {
	g := l.protocol.game(k.World)
	c := &cell{key: k, world: g, pairs: g.Pairs}
	switch k.role {
	case zero, random:
		c.pairs = min(g.Pairs, anchorPairs)
	case identity, affine, depthOne:
		c.pairs = min(g.Pairs, controlPairs)
	}
	anchors := map[role]damage.Anchor{onePly: damage.OnePly, zero: damage.Zero, random: damage.Random}
	for _, u := range l.units[k.World] {
		m := damage.Match{Game: g.base.Spec, Eval: u.subject.Digest, World: g.world(), Assumes: g.assumes(k.Planner), Depth: k.Depth,
			Anchor: anchors[k.role], Plies: g.Plies, Stream: u.seed}
		draws := []damage.Damage{{}}
		switch k.role {
		case measured, depthOne:
			draws = l.damages[drawKey{k.Error, u}]
			c.theorem = k.role == measured && !m.Assumes.Averages(g.chancy) && !slices.ContainsFunc(draws, func(d damage.Damage) bool { return !d.Warps() })
		case identity:
			draws[0] = damage.Damage{Kind: damage.Affine, Scale: 1}
		case affine:
			draws[0] = damage.AffineControl
		}
		n := c.pairs
		if c.theorem {
			n = min(n, controlPairs)
		}
		matches := m.Draws(draws, n)
		c.matches = append(c.matches, slices.DeleteFunc(matches, func(m damage.Match) bool { return m.Pairs == 0 }))
	}
	return c
}

// play plays all matches. The protocol's digest stands in the key of each cell.
func (l *plan) play(ctx context.Context, s *study.Session) error {
	for _, g := range l.protocol.games {
		var matches []damage.Match
		var of []*[]damage.Played
		for _, c := range l.cells {
			if c.world != g {
				continue
			}
			c.played = make([][]damage.Played, len(c.matches))
			for i, list := range c.matches {
				for _, m := range list {
					matches, of = append(matches, m), append(of, &c.played[i])
				}
			}
		}
		played, err := damage.PlayAll(ctx, s, l.protocol.cellTitle(g.ID), l.subjects, matches)
		if err != nil {
			return err
		}
		for i, x := range played {
			*of[i] = append(*of[i], x)
		}
	}
	return nil
}

// cellTitle begins the keys of the cells of a world.
func (p *Protocol) cellTitle(world string) string { return p.Registration().CellPrefix() + world }

// at finds the cell of an arm.
func (l *plan) at(r role, a Arm) *cell {
	for _, c := range l.cells {
		if c.key == (cellKey{a, r}) {
			return c
		}
	}
	panic(fmt.Sprintf("confirm: no cell %s of %+v", r, a))
}

// losses are the shares of the points that the weaker side lost, a row a unit and
// in it one number an opening.
func (c *cell) losses() study.Nested {
	if c.planted != nil {
		return c.planted
	}
	out := make(study.Nested, len(c.played))
	for i, list := range c.played {
		if c.theorem {
			out[i] = make([]float64, c.pairs)
			continue
		}
		for _, p := range list {
			out[i] = append(out[i], p.Points.Losses()...)
		}
	}
	return out
}

// tally counts the pairs of all units.
func (c *cell) tally() (t study.Tally) {
	for _, list := range c.played {
		for _, p := range list {
			t = t.Plus(p.Points.Tally())
		}
	}
	return t
}
