package learn

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/internal/vectors"
	"plyfit/learn/internal/learntest"
	"plyfit/models"
)

// randomWalks returns episodes over the states 1..n. An episode starts in the middle and moves left
// or right with equal probability. Leaving on the right pays 1, and leaving on the left pays 0. The
// value of state i is i/(n+1) (Sutton 1988).
func randomWalks(rng *rand.Rand, episodes, n int, features func(i int) models.Vector) stepsOf {
	var out stepsOf
	for e := range episodes {
		i := (n + 1) / 2
		for i >= 1 && i <= n {
			j := i + 2*rng.IntN(2) - 1
			s := Transition{X: features(i), Episode: uint64(e), Weight: 1}
			if j >= 1 && j <= n {
				s.Next = features(j)
			} else {
				s.Terminal, s.Reward = true, float64(min(max(j-n, 0), 1))
			}
			out = append(out, s)
			i = j
		}
	}
	return out
}

func TestLSTDOnTheRandomWalk(t *testing.T) {
	const n = 5
	one := func(i int) models.Vector { return models.Vector{{Index: int32(i - 1), Value: 1}} }
	data := randomWalks(rand.New(rand.NewPCG(1, 1)), 4000, n, one)
	for _, lambda := range []float64{0, 0.5, 1} {
		m := learntest.Model(n)
		r := vectors.Must(LSTD{Lambda: lambda}.Learn(context.Background(), m, data))
		for i, w := range m.Weights {
			if math.Abs(w-float64(i+1)/(n+1)) > 4*m.Errors[i] || m.Errors[i] > 0.02 || m.Errors[i] < 1e-3 {
				t.Errorf("lambda %v: state %d is worth %v ± %v", lambda, i+1, w, m.Errors[i])
			}
		}
		if r.Constant.Loss < r.Loss || r.Episodes != 4000 {
			t.Errorf("lambda %v: %+v", lambda, r)
		}
	}
}

// TestLSTD1IsRegression checks that LSTD(1) equals regression on the outcome, except for rounding.
func TestLSTD1IsRegression(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	features := func(i int) models.Vector { return learntest.Vector(float64(i), float64(i*i)) }
	steps := randomWalks(rng, 300, 7, features)
	var rows datasets.Rows
	for i := 0; i < len(steps); {
		j := i
		for !steps[j].Terminal {
			j++
		}
		for ; i <= j; i++ {
			rows = append(rows, datasets.Sample{X: steps[i].X, Y: steps[j].Reward, Weight: 1, Episode: steps[i].Episode})
		}
	}
	a, b := learntest.Model(2), learntest.Model(2)
	ra := vectors.Must(LSTD{Lambda: 1}.Learn(context.Background(), a, steps))
	rb := vectors.Must(Ridge{}.Learn(context.Background(), b, rows))
	for j := range a.Weights {
		if !learntest.Near(a.Weights[j], b.Weights[j], 1e-8) || !learntest.Near(a.Errors[j], b.Errors[j], 1e-6) {
			t.Errorf("weight %d: %v ± %v and %v ± %v", j, a.Weights[j], a.Errors[j], b.Weights[j], b.Errors[j])
		}
	}
	if !learntest.Near(ra.Loss, rb.Loss, 1e-9) || !learntest.Near(ra.Constant.Loss, rb.Constant.Loss, 1e-9) || !learntest.Near(ra.Zero.Loss, rb.Zero.Loss, 1e-9) {
		t.Errorf("losses %v %v %v and %v %v %v", ra.Loss, ra.Constant.Loss, ra.Zero.Loss, rb.Loss, rb.Constant.Loss, rb.Zero.Loss)
	}
}

// TestLSTDFrozenScore checks a score that is part of the value. The weight of the score is frozen
// at one, and the fit learns the rest.
func TestLSTDFrozenScore(t *testing.T) {
	var data stepsOf
	for e := range 50 {
		// Each of the 4 steps adds 10 points to the score f0, which is paid at the end. The number
		// of steps left is f1.
		for k := range 4 {
			s := Transition{X: learntest.Vector(float64(10*k), float64(4-k)), Next: learntest.Vector(float64(10*k+10), float64(3-k)), Episode: uint64(e), Weight: 1}
			if k == 3 {
				s.Terminal, s.Reward = true, 40
			}
			data = append(data, s)
		}
	}
	m := learntest.Model(2)
	m.Weights[0] = 1
	vectors.Must((LSTD{Options: Options{Frozen: []int32{0}, NoErrors: true}}).Learn(context.Background(), m, data))
	if !learntest.Near(m.Weights[1], 10, 1e-9) || !learntest.Near(m.Bias, 0, 1e-8) || m.Weights[0] != 1 {
		t.Errorf("weights %v, bias %v", m.Weights, m.Bias)
	}
}

func TestLSTDNeedsAnEnd(t *testing.T) {
	data := stepsOf{{X: learntest.Vector(1), Next: learntest.Vector(2), Weight: 1}}
	if _, err := (LSTD{}).Learn(context.Background(), learntest.Model(1), data); err == nil || !strings.Contains(err.Error(), "end") {
		t.Errorf("error %v", err)
	}
}

type stepsOf []Transition

func (r stepsOf) All() iter.Seq2[*Transition, error] {
	return func(yield func(*Transition, error) bool) {
		for i := range r {
			s := r[i]
			if !yield(&s, nil) {
				return
			}
		}
	}
}

// jackknifed returns the standard error of a weight from fits that each leave out one episode.
func jackknifed(t *testing.T, weight int, episodes int, fit func(without uint64) (*models.Linear, error)) float64 {
	t.Helper()
	whole := vectors.Must(fit(math.MaxUint64))
	sum := 0.0
	for e := range episodes {
		m := vectors.Must(fit(uint64(e)))
		sum += (m.Weights[weight] - whole.Weights[weight]) * (m.Weights[weight] - whole.Weights[weight])
	}
	return math.Sqrt(sum * float64(episodes-1) / float64(episodes))
}

// TestErrorsAreTheJackknife compares the algebraic jackknife with refitting, for least squares and
// for temporal differences.
func TestErrorsAreTheJackknife(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	const episodes = 12
	data := learntest.Simulated(rng, episodes, 6, []float64{1, -2}, 1, 0.5)
	steps := make(stepsOf, len(data))
	for i, s := range data {
		last := i%6 == 5
		steps[i] = Transition{X: s.X, Reward: s.Y / 6, Terminal: last, Episode: s.Episode, Weight: 1}
		if !last {
			steps[i].Next = data[i+1].X
		}
	}
	m := learntest.Model(2)
	vectors.Must((Ridge{}).Learn(context.Background(), m, data))
	want := jackknifed(t, 1, episodes, func(without uint64) (*models.Linear, error) {
		m := learntest.Model(2)
		_, err := Ridge{Options: Options{HeldOut: func(e uint64) bool { return e == without }}}.Learn(context.Background(), m, data)
		return m, err
	})
	if !learntest.Near(m.Errors[1], want, 1e-8) {
		t.Errorf("least squares: error %v, want %v", m.Errors[1], want)
	}
	for _, lambda := range []float64{0, 0.6} {
		m := learntest.Model(2)
		vectors.Must((LSTD{Lambda: lambda}).Learn(context.Background(), m, steps))
		want := jackknifed(t, 0, episodes, func(without uint64) (*models.Linear, error) {
			m := learntest.Model(2)
			_, err := LSTD{Lambda: lambda, Options: Options{HeldOut: func(e uint64) bool { return e == without }}}.Learn(context.Background(), m, steps)
			return m, err
		})
		if !learntest.Near(m.Errors[0], want, 1e-8) {
			t.Errorf("lambda %v: error %v, want %v", lambda, m.Errors[0], want)
		}
	}
}

// TestOneEpisodeGivesNoInterval checks that a weight that depends on a single episode has no
// interval, and that a note explains why.
func TestOneEpisodeGivesNoInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	data := learntest.Simulated(rng, 30, 6, []float64{1}, 1, 0.5)
	for i := range data {
		if data[i].Episode == 7 {
			data[i].X = append(data[i].X, models.Term{Index: 1, Value: float32(1 + i%3)})
		}
	}
	m := learntest.Model(2)
	r := vectors.Must(Ridge{}.Learn(context.Background(), m, data))
	if w := r.Weights[2]; w.Error != 0 || !math.IsNaN(m.Errors[1]) || !strings.Contains(w.Note, "one episode") {
		t.Errorf("%+v, error %v in the model", w, m.Errors[1])
	}
	if _, _, ok := r.Weights[1].Interval(); !ok || r.Weights[1].Freedom < 10 {
		t.Errorf("the other weight: %+v", r.Weights[1])
	}
}

// TestShrunkWeightsAreNoted checks that the report of a ridge fit gives, for each weight, the value
// that a fit without the penalty finds, rounded to four digits. A tiny penalty must not add notes.
func TestShrunkWeightsAreNoted(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	data := learntest.Simulated(rng, 60, 5, []float64{1, -2}, 0.5, 0.5)
	free, drawn := learntest.Model(2), learntest.Model(2)
	if r, err := (Ridge{}).Learn(context.Background(), free, data); err != nil || len(r.Notes) > 0 {
		t.Fatal(err, r.Notes)
	}
	r := vectors.Must(Ridge{Options: Options{Penalty: 0.3}}.Learn(context.Background(), drawn, data))
	for j, w := range r.Weights[1:] {
		if want := fmt.Sprintf("shrunk: without the penalty about %.4g", free.Weights[j]); w.Note != want {
			t.Errorf("%s: note %q, want %q", w.Name, w.Note, want)
		}
	}
	if r, err := (Ridge{Options: Options{Penalty: 1e-6}}).Learn(context.Background(), drawn, data); err != nil || len(r.Notes) > 0 {
		t.Errorf("a penalty of next to nothing: %v, %v", r.Notes, err)
	}
}
