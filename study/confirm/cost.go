package confirm

import (
	"context"
	"fmt"
	"time"

	"plyfit/internal/process"
	"plyfit/study/damage"
)

// CellCost is what an arm takes.
type CellCost struct {
	World   string  `json:"world"`
	Planner string  `json:"planner"`
	Depth   int     `json:"depth"`
	What    string  `json:"what"`    // the error, anchor or control
	Pairs   int     `json:"pairs"`   // in all
	Seconds float64 `json:"seconds"` // CPU time of a pair
}

// Hours is the CPU time of the whole cell.
func (c CellCost) Hours() float64 { return float64(c.Pairs) * c.Seconds / 3600 }

// Costs of a protocol.
type Costs struct {
	Protocol string     `json:"protocol"` // its digest
	Cells    []CellCost `json:"cells"`
	Hours    float64    `json:"hours"` // CPU time of all
}

// rehearsal is what the openings of a dry run follow from: no unit's.
const rehearsal = 0xd127

// Cost times a few pairs of each cell, on openings that no unit meets, and says
// what the whole protocol will take. Nothing of it is kept, and no result told.
func Cost(ctx context.Context, p *Protocol, pairs int) (*Costs, error) {
	rehearsed := *p
	rehearsed.Seed = rehearsal
	l, err := newPlan(&rehearsed)
	if err != nil {
		return nil, err
	}
	out := &Costs{Protocol: p.Digest}
	for _, c := range l.cells {
		cost := CellCost{World: c.key.World, Planner: c.key.Planner, Depth: c.key.Depth, What: c.key.Error}
		switch {
		case c.key.role == depthOne:
			cost.What += " (" + string(c.key.role) + ")"
		case c.key.role != measured:
			cost.What = string(c.key.role)
		}
		for _, unit := range c.matches {
			for _, m := range unit {
				cost.Pairs += m.Pairs
			}
		}
		m := c.matches[0][0]
		m.Stream, m.From, m.Pairs, m.Seed = rehearsal, 0, pairs, rehearsal
		if cost.Seconds, err = timed(ctx, l.units[c.key.World][0].subject, m); err != nil {
			return nil, fmt.Errorf("%s: %w", c.key.World, err)
		}
		out.Cells = append(out.Cells, cost)
		out.Hours += cost.Hours()
	}
	return out, nil
}

// timed is the CPU time of a pair.
func timed(ctx context.Context, u *damage.Subject, m damage.Match) (float64, error) {
	begin := process.CPUTime()
	_, err := u.Play(ctx, m)
	return (process.CPUTime() - begin).Seconds() / float64(m.Pairs), err
}

// String is the whole in one line.
func (c *Costs) String() string {
	pairs := 0
	for _, x := range c.Cells {
		pairs += x.Pairs
	}
	return fmt.Sprintf("%d cells, %d pairs: about %.3g CPU hours (%v)", len(c.Cells), pairs, c.Hours, time.Duration(c.Hours*float64(time.Hour)).Round(time.Second))
}
