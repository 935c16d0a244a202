package rules_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"plyfit/game"
	"plyfit/game/rules"
	"plyfit/internal/vectors"
)

// BenchmarkBreakthrough plays random games of docs/rules/breakthrough.py without the cache. It then
// sends the same questions to the program from a buffer, and reports both rates and their ratio.
func BenchmarkBreakthrough(b *testing.B) {
	const script = "../../docs/rules/breakthrough.py"
	python, err := exec.LookPath("python3")
	if err != nil {
		b.Skip(err)
	}
	r := vectors.Must(rules.New(rules.Source{Program: []string{python, script}, NoCache: true}))
	rng := rand.New(rand.NewPCG(1, 2))
	var questions bytes.Buffer
	var moves []game.Move
	s := r.Game().New()
	b.ResetTimer()
	began := time.Now()
	for range b.N {
		fmt.Fprintf(&questions, "{\"id\":1,\"positions\":[%q]}\n", s)
		moves = s.Moves(moves[:0])
		if s.Play(moves[rng.IntN(len(moves))]); s.Turn() == game.Nobody {
			s = r.Game().New()
		}
	}
	ours := time.Since(began)
	b.StopTimer()
	alone := exec.Command(python, script)
	alone.Stdin = &questions
	began = time.Now()
	vectors.Check(alone.Run())
	theirs := time.Since(began)
	b.ReportMetric(float64(b.N)/ours.Seconds(), "plies/s")
	b.ReportMetric(float64(b.N)/theirs.Seconds(), "alone/s")
	b.ReportMetric(theirs.Seconds()/ours.Seconds(), "ratio")
}
