package rules_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/game/rules"
	"plyfit/internal/vectors"
)

// BenchmarkBreakthrough plays random games of docs/rules/breakthrough.py without the cache. It then
// sends the same questions to a single copy of the program without waiting for answers, and reports
// both rates and their ratio.
func BenchmarkBreakthrough(b *testing.B) {
	const script = "../../docs/rules/breakthrough.py"
	python, err := exec.LookPath("python3")
	if err != nil {
		b.Skip(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			r := vectors.Must(rules.New(rules.Source{Program: []string{python, script}, NoCache: true}))
			questions := make([]strings.Builder, workers)
			var wait sync.WaitGroup
			b.ResetTimer()
			began := time.Now()
			for k := range workers {
				wait.Go(func() {
					rng, s := rand.New(rand.NewPCG(1, uint64(k))), r.Game().New()
					for range b.N / workers {
						fmt.Fprintf(&questions[k], "{\"id\":1,\"positions\":[%q]}\n", s)
						moves := s.Moves(nil)
						if s.Play(moves[rng.IntN(len(moves))]); s.Turn() == game.Nobody {
							s = r.Game().New()
						}
					}
				})
			}
			wait.Wait()
			ours := time.Since(began)
			b.StopTimer()
			alone := exec.Command(python, script)
			var readers []io.Reader
			for k := range questions {
				readers = append(readers, strings.NewReader(questions[k].String()))
			}
			alone.Stdin = io.MultiReader(readers...)
			began = time.Now()
			vectors.Check(alone.Run())
			theirs := time.Since(began)
			b.ReportMetric(float64(b.N)/ours.Seconds(), "plies/s")
			b.ReportMetric(float64(b.N)/theirs.Seconds(), "alone/s")
			b.ReportMetric(theirs.Seconds()/ours.Seconds(), "ratio")
		})
	}
}
