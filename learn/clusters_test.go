package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/learn/internal/learntest"
	"plyfit/models"
)

// jackknifed is the standard error of a weight by fits that each leave one episode
// out.
func jackknifed(t *testing.T, weight int, episodes int, fit func(without uint64) (*models.Linear, error)) float64 {
	t.Helper()
	whole, err := fit(math.MaxUint64)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for e := range episodes {
		m, err := fit(uint64(e))
		if err != nil {
			t.Fatal(err)
		}
		sum += (m.Weights[weight] - whole.Weights[weight]) * (m.Weights[weight] - whole.Weights[weight])
	}
	return math.Sqrt(sum * float64(episodes-1) / float64(episodes))
}

// Least squares and temporal differences: leaving out by algebra is leaving out.
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
	if _, err := (Ridge{}).Learn(context.Background(), m, data); err != nil {
		t.Fatal(err)
	}
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
		if _, err := (LSTD{Lambda: lambda}).Learn(context.Background(), m, steps); err != nil {
			t.Fatal(err)
		}
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

// A weight that one episode alone speaks of has no interval, and says so.
func TestOneEpisodeGivesNoInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	data := learntest.Simulated(rng, 30, 6, []float64{1}, 1, 0.5)
	for i := range data {
		if data[i].Episode == 7 {
			data[i].X = append(data[i].X, models.Term{Index: 1, Value: float32(1 + i%3)})
		}
	}
	m := learntest.Model(2)
	r, err := Ridge{}.Learn(context.Background(), m, data)
	if err != nil {
		t.Fatal(err)
	}
	if w := r.Weights[2]; w.Error != 0 || !math.IsNaN(m.Errors[1]) || !strings.Contains(w.Note, "one episode") {
		t.Errorf("%+v, error %v in the model", w, m.Errors[1])
	}
	if _, _, ok := r.Weights[1].Interval(); !ok || r.Weights[1].Freedom < 10 {
		t.Errorf("the other weight: %+v", r.Weights[1])
	}
}

// What a penalty took from a weight is told: for least squares exactly.
func TestShrunkWeightsSaySo(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	data := learntest.Simulated(rng, 60, 5, []float64{1, -2}, 0.5, 0.5)
	free, drawn := learntest.Model(2), learntest.Model(2)
	if r, err := (Ridge{}).Learn(context.Background(), free, data); err != nil || len(r.Notes) > 0 {
		t.Fatal(err, r.Notes)
	}
	r, err := Ridge{Options: Options{Penalty: 0.3}}.Learn(context.Background(), drawn, data)
	if err != nil {
		t.Fatal(err)
	}
	for j, w := range r.Weights[1:] {
		if want := fmt.Sprintf("shrunk: without the penalty about %.4g", free.Weights[j]); w.Note != want {
			t.Errorf("%s: note %q, want %q", w.Name, w.Note, want)
		}
	}
	if r, err = (Ridge{Options: Options{Penalty: 1e-6}}).Learn(context.Background(), drawn, data); err != nil || len(r.Notes) > 0 {
		t.Errorf("a penalty of next to nothing: %v, %v", r.Notes, err)
	}
}
