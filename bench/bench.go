// Package bench measures the speed of this machine and of the searches on it.
//
//  1. Say in a [Bench] which games are measured, how thoroughly, and who is told of
//     each [Measurement] as soon as it is taken.
//
//  2. Bench.Run counts the nodes of the signature and times every algorithm on the
//     games that suit it. Bench.Profile writes a profile of the same searches.
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
	Quick   bool // shorter runs
	Out     func(Measurement) error
}

// Run takes every measure.
func (b *Bench) Run(ctx context.Context) error {
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
		s, err := b.searcher(t)
		if err != nil {
			return err
		}
		if err := b.time(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// Signature is the number of nodes that plyfit bench prints under that name.
func (b *Bench) Signature(ctx context.Context) (nodes int64, err error) {
	for _, t := range signed {
		s, err := b.searcher(t)
		if err != nil {
			return 0, err
		}
		n, err := s.run(ctx)
		if err != nil {
			return 0, err
		}
		nodes += n
	}
	return nodes, nil
}

const runs = 5

// time repeats the searches of s in five runs, each of at least 100 ms of CPU
// time (3 in a quick bench), or of one repetition, and reports nodes a second.
func (b *Bench) time(ctx context.Context, s *searcher) error {
	least := 100 * time.Millisecond
	if b.Quick {
		least = 3 * time.Millisecond
	}
	if _, err := s.run(ctx); err != nil { // buffers grow, memory warms
		return err
	}
	m := Measurement{Name: s.game + " " + s.trial.agent, Game: s.game, Agent: s.trial.agent, Unit: "nodes/s"}
	var allocations float64
	for i := range runs {
		var sum, repetitions int64
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var took time.Duration
		for begin := process.CPUTime(); took < least; took = process.CPUTime() - begin {
			nodes, err := s.run(ctx)
			if err != nil {
				return err
			}
			sum, repetitions = sum+nodes, repetitions+1
		}
		runtime.ReadMemStats(&after)
		if a := float64(after.Mallocs-before.Mallocs) / float64(sum); i == 0 || a < allocations {
			allocations = a
		}
		m.Runs = append(m.Runs, float64(sum)/took.Seconds())
		m.Nodes = sum / repetitions
	}
	m.Median, m.Allocations = median(m.Runs), &allocations
	return b.Out(m)
}

func median(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Profile measures nothing, but writes a CPU profile over all searches, each for
// the same time.
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
	return nil
}

// repeat runs a trial over and over for a share of CPU time.
func (b *Bench) repeat(ctx context.Context, t trial, share time.Duration) error {
	if !b.listed(t) {
		return nil
	}
	s, err := b.searcher(t)
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
