package confirm

import (
	"context"
	"fmt"
	"time"

	"plyfit/internal/proc"
)

// partCost is what a match takes.
type partCost struct {
	Name    string  `json:"name"`
	Pairs   int     `json:"pairs"`
	Playing float64 `json:"playing"` // CPU seconds a pair
}

// Hours is the CPU time of the whole match.
func (c partCost) Hours() float64 { return float64(c.Pairs) * c.Playing / 3600 }

// Costs of a protocol.
type Costs struct {
	Protocol string     `json:"protocol"` // its digest
	Parts    []partCost `json:"parts"`
	Hours    float64    `json:"hours"` // CPU time of all
}

// String is the whole in one line.
func (c *Costs) String() string {
	return fmt.Sprintf("about %.3g CPU hours (%v)", c.Hours, time.Duration(c.Hours*float64(time.Hour)).Round(time.Second))
}

// rehearsal is what a dry run's openings and units follow from: no protocol's.
const rehearsal = 0xd127

// rehearsedPairs is how many pairs of each match a dry run plays.
const rehearsedPairs = 3

// Cost times a few pairs of each match, on its own seed, to say what all will take. Nothing is kept.
func Cost(ctx context.Context, p *Protocol) (*Costs, error) {
	out := &Costs{Protocol: p.Digest}
	for _, m := range p.Matches {
		begin := proc.CPUTime()
		if _, err := m.play(ctx, batchKey{Plies: m.Plies, Pairs: rehearsedPairs, Seed: rehearsal}); err != nil {
			return nil, err
		}
		c := partCost{Name: m.ID, Pairs: m.Pairs, Playing: (proc.CPUTime() - begin).Seconds() / rehearsedPairs}
		out.Parts, out.Hours = append(out.Parts, c), out.Hours+c.Hours()
	}
	return out, nil
}
