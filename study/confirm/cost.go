package confirm

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"plyfit/catalog"
	"plyfit/internal/process"
	"plyfit/study"
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
	Bases    float64    `json:"bases"` // CPU hours of fits and draws
	Hours    float64    `json:"hours"` // CPU time of all
}

// rehearsal is what units and openings of a dry run follow from: no protocol's.
const rehearsal = 0xd127

// Cost times a few pairs of each cell, with base evaluations and openings of its
// own, and says what the whole protocol will take. Nothing of it is kept, and no
// result told.
func Cost(ctx context.Context, games catalog.Catalog, p *Protocol, pairs int) (*Costs, error) {
	dir, err := os.MkdirTemp("", "rehearsal")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := &study.Session{Catalog: games, Workers: 1, Dir: dir, Log: io.Discard, Quiet: true}
	if s.Store, err = study.OpenStore(filepath.Join(dir, "cells.jsonl")); err != nil {
		return nil, err
	}
	rehearsed := *p
	rehearsed.Seed, rehearsed.Exclusions = rehearsal, Exclusions{Unreached: p.Exclusions.Unreached}
	rehearsed.Worlds = slices.Clone(p.Worlds)
	for i := range rehearsed.Worlds {
		rehearsed.Worlds[i].Seeds = []uint64{rehearsal, rehearsal + 1, rehearsal + 2}
	}
	if err := rehearsed.find(games); err != nil {
		return nil, err
	}
	out := &Costs{Protocol: p.Digest}
	begin := process.CPUTime()
	l, err := newPlan(ctx, s, &rehearsed)
	if err != nil {
		return nil, err
	}
	for _, w := range p.Worlds {
		if l.tooFew(w.ID) {
			return nil, fmt.Errorf("world %s: of three bases of the dry run too few are left (%s)", w.ID, strings.Join(l.excluded, "; "))
		}
	}
	units := 0
	for _, w := range p.Worlds {
		units += len(w.Seeds)
	}
	out.Bases = (process.CPUTime() - begin).Hours() * float64(units) / float64(3*len(p.Worlds))
	out.Hours = out.Bases
	for _, c := range l.cells {
		cost := CellCost{World: c.key.World, Planner: c.key.Planner, Depth: c.key.Depth, What: c.key.Error}
		switch {
		case c.key.role == depthOne:
			cost.What += " (" + string(c.key.role) + ")"
		case c.key.role != measured:
			cost.What = string(c.key.role)
		}
		for _, m := range c.matches[0] {
			cost.Pairs += m.Pairs * len(p.world(c.key.World).Seeds)
		}
		m := c.matches[0][0]
		m.From, m.Pairs, m.Seed = 0, pairs, rehearsal
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
