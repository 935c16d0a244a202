//go:build unix

package learn

import (
	"syscall"
	"testing"

	"plyfit/datasets"
	"plyfit/learn/internal/learntest"
	"plyfit/models"
)

// sparseProblem returns the sparse benchmark, which has 900,000 training rows, each with 64 terms
// over 50,000 features. Timing starts with the samples in memory.
func sparseProblem() (datasets.Rows, *models.Linear, Options) {
	data, truth := learntest.PatternRows(1, 1_000_000, 64, 50_000, 1.94)
	held := func(e uint64) bool { return e%10 == 9 }
	return data, truth, Options{HeldOut: held, Baselines: []Baseline{{"truth", truth}}}
}

// cpuSeconds returns the CPU time of the process. Wall-clock time would depend on the machine's
// load.
func cpuSeconds() float64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func BenchmarkSparseLBFGS(b *testing.B) {
	data, truth, o := sparseProblem()
	var p *objective
	var x []float64
	first, all, passes := 0.0, 0.0, 0
	for b.Loop() {
		start := cpuSeconds()
		p = opened(truth, &o, data, 1<<30)
		first += cpuSeconds() - start
		if x = (LBFGS{Steps: 20}).minimise(p, &Report{}); x == nil {
			b.Fatal(p.err)
		}
		all += cpuSeconds() - start
		passes = p.passes
	}
	b.ReportMetric(first/float64(b.N), "first-pass-cpu-s")
	b.ReportMetric(all/float64(b.N), "cpu-s")
	b.ReportMetric(float64(passes), "passes")
	f, _ := p.value(x, p.grad)
	b.ReportMetric(f, "loss")
}
