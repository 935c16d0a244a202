//go:build unix

package td

import (
	"context"
	"syscall"
	"testing"
	"time"

	"plyfit/features"
	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
)

// BenchmarkTuples measures the training speed with the tables of 2048/4x6 in moves per second of
// CPU time and of elapsed time, with one thread and with two. A move consists of a decision, which
// evaluates all positions to which it can lead, and the update.
func BenchmarkTuples(b *testing.B) {
	g, set := onlinetest.Set(b, "2048", "2048/4x6")
	for _, c := range []struct {
		name string
		features.Training
	}{
		{"TD", features.Training{Alpha: 0.1, Batch: 1}}, {"Forward", features.Training{Alpha: 0.1, Batch: 1, Forward: true}}, {"TC", features.Training{Alpha: 1, TC: true, Lambda: 0.5, Batch: 1}},
		{"TD2", features.Training{Alpha: 0.1, Batch: 1, Threads: 2}}, {"TC2", features.Training{Alpha: 1, TC: true, Lambda: 0.5, Batch: 1, Threads: 2}},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := models.New("2048", set.Name(), set.Blocks())
			m.Weights[0] = 1
			l := vectors.Must(New(online.Task{Training: c.Training, Game: g, Set: set, Model: m, Seed: 1, Frozen: []int32{0, models.Bias}}))
			const warm = 3000 // games; early games are short and use a small part of the tables
			vectors.Check(l.Advance(context.Background(), 0, warm))
			begun, n := l.Tally(), warm
			from := cpuTime()
			b.ResetTimer()
			for b.Loop() {
				vectors.Check(l.Advance(context.Background(), n, n+100))
				n += 100
			}
			took := cpuTime() - from
			moves := float64(l.Tally().Since(begun).Moves) / 1e6
			b.ReportMetric(moves/took.Seconds(), "Mmoves/cpu-s")
			b.ReportMetric(moves/b.Elapsed().Seconds(), "Mmoves/s")
		})
	}
}

// cpuTime returns the process's user and system time, which is independent of other processes.
func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u) // fails only for invalid arguments
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
