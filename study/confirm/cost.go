package confirm

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"plyfit/catalog"
	"plyfit/internal/process"
	"plyfit/study"
	"plyfit/study/exact"
)

// PartCost is what a match takes, or a world.
type PartCost struct {
	Name    string  `json:"name"`
	Units   int     `json:"units"`   // evaluations, or pairs of games
	Making  float64 `json:"making"`  // CPU seconds of a unit: to learn, to calibrate and to pass over positions
	Playing float64 `json:"playing"` // CPU seconds of a unit: to measure what it loses
}

// Hours is the CPU time of the whole part.
func (c PartCost) Hours() float64 { return float64(c.Units) * (c.Making + c.Playing) / 3600 }

// Costs of a protocol.
type Costs struct {
	Protocol string     `json:"protocol"` // its digest
	Parts    []PartCost `json:"parts"`
	Hours    float64    `json:"hours"` // CPU time of all
}

// String is the whole in one line.
func (c *Costs) String() string {
	return fmt.Sprintf("about %.3g CPU hours (%v)", c.Hours, time.Duration(c.Hours*float64(time.Hour)).Round(time.Second))
}

// rehearsal is what a dry run's openings and units follow from: no protocol's.
const rehearsal = 0xd127

// Sizes of a dry run, where the protocol's are not smaller.
const (
	rehearsedPairs     = 3
	rehearsedGames     = 60 // learned from
	rehearsedPositions = 10
)

// Cost times a few pairs of each match, and of each world one unit a source, made of fewer
// games, on seeds of its own. It says what the whole protocol will take. Nothing of it is
// kept, and no result told.
func Cost(ctx context.Context, games catalog.Catalog, p *Protocol) (*Costs, error) {
	dir, err := os.MkdirTemp("", "rehearsal")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	s := &study.Session{Catalog: games, Workers: 1, Seed: rehearsal, Dir: dir, Log: io.Discard, Quiet: true}
	if s.Store, err = study.OpenStore(filepath.Join(dir, "cells.jsonl")); err != nil {
		return nil, err
	}
	out := &Costs{Protocol: p.Digest}
	for _, m := range p.Matches {
		seconds, err := timed(func() error {
			_, err := m.play(ctx, batchKey{Plies: m.Plies, Pairs: rehearsedPairs, Seed: rehearsal})
			return err
		})
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, PartCost{Name: m.ID, Units: m.Pairs, Playing: seconds / rehearsedPairs})
	}
	for i := range p.Worlds {
		c, err := p.costOf(ctx, s, &p.Worlds[i])
		if err != nil {
			return nil, fmt.Errorf("world %s: %w", p.Worlds[i].ID, err)
		}
		out.Parts = append(out.Parts, c)
	}
	for _, c := range out.Parts {
		out.Hours += c.Hours()
	}
	return out, nil
}

// timed is the CPU time of work.
func timed(work func() error) (seconds float64, err error) {
	begin := process.CPUTime()
	err = work()
	return (process.CPUTime() - begin).Seconds(), err
}

// learned is how many games the units of a training seed are made of.
func (p *Protocol) learned(w *World) (games float64) {
	for _, id := range w.Sources {
		games += float64(p.source(id).Games + w.Calibrate)
	}
	return games
}

// costOf times a world in small: a unit of each source is made, and the last one measured.
func (p *Protocol) costOf(ctx context.Context, s *study.Session, of *World) (PartCost, error) {
	q, w := *p, *of
	q.Seed, q.Sources = rehearsal, slices.Clone(p.Sources)
	w.Seeds = []uint64{rehearsal, rehearsal}
	asked := q.learned(of)
	for i := range q.Sources {
		q.Sources[i].Games = min(q.Sources[i].Games, rehearsedGames)
	}
	w.Calibrate, w.Reference = min(w.Calibrate, rehearsedGames), min(w.Reference, rehearsedGames)
	w.Pairs, w.Positions = min(w.Pairs, rehearsedPairs), min(w.Positions, rehearsedPositions)
	q.Law.Positions = min(q.Law.Positions, rehearsedPositions)
	times := 1.0 // a board is whole
	if w.Measure != exactly {
		times = float64(of.Pairs+of.Positions) / float64(w.Pairs+w.Positions)
	}
	out := PartCost{Name: w.ID, Units: len(of.Sources) * len(of.units())}
	var units []*unit
	seconds, err := timed(func() (err error) {
		units, err = q.make(ctx, s, &w)
		return err
	})
	if err != nil {
		return out, err
	}
	if len(units) == 0 {
		return out, fmt.Errorf("nothing that a dry run learned can be calibrated")
	}
	out.Making = seconds * asked / q.learned(&w) / float64(len(w.Sources))
	one, solved := units[len(units)-1:], map[string]*exact.Solved{}
	if w.Measure == exactly { // a board is solved once, for all units
		if _, err := newBoard(ctx, &w, solved); err != nil {
			return out, err
		}
	}
	seconds, err = timed(func() error { return q.measureWorld(ctx, s, &w, one, solved, &Result{}) })
	out.Playing = seconds * times
	return out, err
}
