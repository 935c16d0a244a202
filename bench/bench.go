// Package bench measures the speed of this machine and of the searches on it.
//
//  1. Say in a [Bench] which games are measured, how thoroughly, and who is told of
//     each [Measurement] as soon as it is taken.
//
//  2. Bench.Run counts the nodes of the signature, times every algorithm on the
//     games that suit it and on the yardsticks of other systems, and counts what
//     pruning and tables save. Bench.Profile writes a profile of the same searches.
//
// Times are CPU time of the process. Errors that are no fault of the input are
// marked by package failure.
package bench

import (
	"context"
	"io"
	"runtime"
	"runtime/pprof"
	"slices"
	"time"

	"plyfit/catalog"
	"plyfit/internal/failure"
	"plyfit/internal/process"
)

// Measurement is one line of what a [Bench] says.
type Measurement struct {
	Name   string    `json:"name"`
	Game   string    `json:"game"`
	Agent  string    `json:"agent"`
	Unit   string    `json:"unit"`
	Median float64   `json:"median"`
	Runs   []float64 `json:"runs"` // in the order in which they ran; one where no clock has a say
	Nodes  int64     `json:"nodes,omitempty"`
	// Allocations per node, of a run after the first; absent where not measured.
	Allocations *float64 `json:"allocations,omitempty"`
}

// Bench is what is measured. Games that the catalog does not list are left out.
type Bench struct {
	Catalog catalog.Catalog
	Quick   bool   // shorter runs, and none of the slow measures
	Vectors string // the folder of connect4/Test_L3_R1.txt and Test_L2_R1.txt, to be solved, too; "": none
	Out     func(Measurement) error
}

// Run takes every measure.
func (b *Bench) Run(ctx context.Context) error {
	sets, err := b.scoreSets()
	if err != nil {
		return err
	}
	nodes, err := b.Signature(ctx)
	if err != nil {
		return err
	}
	if err := b.Out(Measurement{Name: "signature", Unit: "nodes", Median: float64(nodes), Runs: []float64{float64(nodes)}, Nodes: nodes}); err != nil {
		return err
	}
	for _, t := range trials {
		if !b.listed(t) {
			continue
		}
		s, err := b.searcher(t, catalog.AgentOptions{})
		if err != nil {
			return err
		}
		if err := b.time(ctx, t.game+" "+t.agent, s, nodesASecond); err != nil {
			return err
		}
	}
	return b.yardsticks(ctx, sets)
}

// Signature is the number of nodes that plyfit bench prints under that name.
func (b *Bench) Signature(ctx context.Context) (nodes int64, err error) {
	for _, t := range signed {
		s, err := b.searcher(t, catalog.AgentOptions{})
		if err != nil {
			return 0, err
		}
		sum, err := s.run(ctx)
		if err != nil {
			return 0, err
		}
		nodes += sum.nodes
	}
	return nodes, nil
}

// rate turns what happened in so many CPU seconds into the unit measured.
type rate struct {
	unit string
	of   func(t tally, seconds float64) float64
}

var (
	nodesASecond   = rate{"nodes/s", func(t tally, s float64) float64 { return float64(t.nodes) / s }}
	nanoseconds    = rate{"ns/node", func(t tally, s float64) float64 { return 1e9 * s / float64(t.nodes) }}
	triedASecond   = rate{"tried/s", func(t tally, s float64) float64 { return float64(t.evaluations) / s }}
	decidedASecond = rate{"decided/s", func(t tally, s float64) float64 { return float64(t.searches) / s }}
)

const runs = 5

// time repeats the searches of s in five runs, each of at least 100 ms of CPU
// time (3 in a quick bench), or of one repetition, and reports each rate.
func (b *Bench) time(ctx context.Context, name string, s *searcher, rates ...rate) error {
	least := 100 * time.Millisecond
	if b.Quick {
		least = 3 * time.Millisecond
	}
	if _, err := s.run(ctx); err != nil { // buffers grow, memory warms
		return err
	}
	measures := make([]Measurement, len(rates))
	var allocations float64
	for i := range runs {
		var sum tally
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var took time.Duration
		for begin := process.CPUTime(); took < least; took = process.CPUTime() - begin {
			t, err := s.run(ctx)
			if err != nil {
				return err
			}
			sum.nodes, sum.evaluations, sum.searches = sum.nodes+t.nodes, sum.evaluations+t.evaluations, sum.searches+t.searches
		}
		runtime.ReadMemStats(&after)
		if a := float64(after.Mallocs-before.Mallocs) / float64(sum.nodes); i == 0 || a < allocations {
			allocations = a
		}
		for k, r := range rates {
			measures[k].Runs = append(measures[k].Runs, r.of(sum, took.Seconds()))
		}
		measures[0].Nodes = sum.nodes * int64(len(s.states)) / sum.searches
	}
	for k, m := range measures {
		m.Name, m.Game, m.Agent, m.Unit = name, s.game, s.trial.agent, rates[k].unit
		m.Median = median(m.Runs)
		m.Nodes = measures[0].Nodes
		m.Allocations = &allocations
		if err := b.Out(m); err != nil {
			return err
		}
	}
	return nil
}

func median(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Profile measures nothing, but writes a CPU profile over all searches, each for
// the same time, the yardsticks for three times as long: other systems are held
// to those.
func (b *Bench) Profile(ctx context.Context, w io.Writer) error {
	share := 600 * time.Millisecond
	if b.Quick {
		share = 30 * time.Millisecond
	}
	if err := pprof.StartCPUProfile(w); err != nil {
		return failure.Of(err)
	}
	defer pprof.StopCPUProfile()
	for _, t := range trials {
		if err := b.repeat(ctx, t, share); err != nil {
			return err
		}
	}
	for _, t := range yardsticks {
		if err := b.repeat(ctx, t, 3*share); err != nil {
			return err
		}
	}
	return nil
}

// repeat runs a trial over and over for a share of CPU time.
func (b *Bench) repeat(ctx context.Context, t trial, share time.Duration) error {
	if !b.listed(t) {
		return nil
	}
	s, err := b.searcher(t, catalog.AgentOptions{})
	if err != nil {
		return err
	}
	for begin := process.CPUTime(); process.CPUTime()-begin < share; {
		if _, err := s.run(ctx); err != nil {
			return err
		}
	}
	return nil
}
