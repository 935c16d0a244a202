package confirm

import (
	"fmt"
	"slices"
	"strings"

	"plyfit/study"
)

// checks are the theorems that the measurement must show, whatever is true of the
// hypotheses. Where one fails, no verdict is given.
func (l *plan) checks() []study.Check {
	var out []study.Check
	// even counts pairs that are not shared evenly between players who choose alike.
	even := func(name string, of func(c *cell) bool) {
		pairs, uneven := 0.0, 0.0
		for _, c := range l.cells {
			if of(c) {
				t := c.tally()
				pairs += t.Pairs()
				uneven += t.Pairs() - t[2]
			}
		}
		if pairs > 0 {
			out = append(out, study.Check{Name: name, Passed: uneven == 0, Figure: fmt.Sprintf("%.0f of %.0f pairs uneven", uneven, pairs)})
		}
	}
	even("identity", func(c *cell) bool { return c.key.role == identity })
	even("positive affine map", func(c *cell) bool { return c.key.role == affine })
	even("warps under minimax", func(c *cell) bool { return c.theorem })

	// One decision ahead a slip gives every move the same share of all others:
	// V(m) = (1-p) v(m) + p/n sum v, so planners that assume any p choose alike.
	pairs, unlike := 0, 0
	var worlds []string
	for _, c := range l.cells {
		if c.key.role != depthOne || c.key.Planner != expectimax {
			continue
		}
		if !slices.Contains(worlds, c.key.World) {
			worlds = append(worlds, c.key.World)
		}
		other := c.key.Arm
		other.Planner = minimax
		a, b := slices.Concat(c.losses()...), slices.Concat(l.at(depthOne, other).losses()...)
		pairs += len(a)
		for i := range a {
			if a[i] != b[i] {
				unlike++
			}
		}
	}
	if pairs > 0 {
		out = append(out, study.Check{Name: "planners alike at depth 1 in " + study.Join(worlds), Passed: unlike == 0, Figure: fmt.Sprintf("%d of %d pairs unlike", unlike, pairs)})
	}
	return out
}

// diceLine says where planners need not choose alike one decision ahead; "" where
// there is no such world.
func (p *Protocol) diceLine() string {
	var worlds []string
	for _, g := range p.games {
		if g.chancy {
			worlds = append(worlds, g.ID)
		}
	}
	if worlds == nil {
		return ""
	}
	return "With chance of the game's own the planners differ one decision ahead by design, so there is no such check of them in " + study.Join(worlds) + "."
}

// deviations are what the file asked and the run did not do.
func (l *plan) deviations() []string {
	out := slices.Clone(l.excluded)
	for _, g := range l.protocol.games {
		if asked, used := len(g.Seeds), len(l.units[g.ID]); used < asked {
			out = append(out, fmt.Sprintf("%s: %d units of the %d asked for", g.ID, used, asked))
			if l.tooFew(g.ID) {
				out = append(out, g.ID+": too few units, so it was not played, and its hypotheses are not decided")
			}
		}
	}
	for _, c := range l.cells {
		if c.key.role != measured {
			continue
		}
		for i, row := range c.losses() {
			if len(row) != c.world.Pairs {
				out = append(out, fmt.Sprintf("%s, unit %d: %d pairs of the %d asked for", c.key.World, l.units[c.key.World][i].seed, len(row), c.world.Pairs))
			}
		}
	}
	return out
}

// DeviationsLine is one line about them.
func (r *Result) DeviationsLine() string {
	if len(r.Deviations) == 0 {
		return "Deviations from the protocol: none."
	}
	return fmt.Sprintf("Deviations from the protocol: %s.", strings.Join(r.Deviations, "; "))
}

// Refused reports whether a check failed.
func (r *Result) Refused() bool {
	return slices.ContainsFunc(r.Checks, func(c study.Check) bool { return !c.Passed })
}
