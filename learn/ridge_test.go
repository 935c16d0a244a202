package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/internal/vectors"
	"plyfit/learn/internal/design"
	"plyfit/learn/internal/learntest"
	"plyfit/models"

	"gonum.org/v1/gonum/mat"
)

// reference solves the weighted ridge problem with gonum. It represents the penalty as additional
// rows.
func reference(data datasets.Rows, n int, penalty float64, variance, prior []float64) []float64 {
	x := mat.NewDense(len(data)+n+1, n+1, nil)
	y := mat.NewVecDense(len(data)+n+1, nil)
	total := 0.0
	for i, s := range data {
		root := math.Sqrt(s.Weight)
		total += s.Weight
		for _, t := range s.X {
			x.Set(i, int(t.Index)+1, x.At(i, int(t.Index)+1)+root*float64(t.Value))
		}
		y.SetVec(i, root*s.Y)
	}
	for j := range n {
		root := math.Sqrt(penalty * total * variance[j])
		x.Set(len(data)+1+j, j+1, root)
		y.SetVec(len(data)+1+j, root*prior[j])
	}
	var w mat.VecDense
	vectors.Check(w.SolveVec(x, y))
	return w.RawVector().Data
}

// spread returns the weighted variance of each feature.
func spread(data datasets.Rows, n int) []float64 {
	sum, square, total := make([]float64, n), make([]float64, n), 0.0
	for _, s := range data {
		total += s.Weight
		for _, t := range s.X {
			if t.Index >= 0 {
				sum[t.Index] += s.Weight * float64(t.Value)
				square[t.Index] += s.Weight * float64(t.Value) * float64(t.Value)
			}
		}
	}
	for j := range sum {
		square[j] = square[j]/total - sum[j]/total*sum[j]/total
	}
	return square
}

func TestRidgeAgainstGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	w := []float64{2, -1, 0.5, 3, 0}
	data := learntest.Simulated(rng, 50, 10, w, 0.3, 0.5)
	for i := range data {
		data[i].Weight = 0.5 + rng.Float64()
	}
	variance := spread(data, len(w))
	for _, penalty := range []float64{0, 1e-12, 1e-3, 1, 100} {
		prior := learntest.Model(len(w))
		copy(prior.Weights, []float64{1, 1, 1, 1, 1})
		m := learntest.Model(len(w))
		r := vectors.Must(Ridge{Options: Options{Penalty: penalty, Prior: prior}}.Learn(context.Background(), m, data))
		want := reference(data, len(w), penalty, variance, prior.Weights)
		for j := range w {
			if !learntest.Near(m.Weights[j], want[j+1], 1e-8) {
				t.Errorf("penalty %v, weight %d: %v, want %v", penalty, j, m.Weights[j], want[j+1])
			}
		}
		if !learntest.Near(m.Bias, want[0], 1e-8) {
			t.Errorf("penalty %v, bias: %v, want %v", penalty, m.Bias, want[0])
		}
		if r.Rows != 500 || r.Episodes != 50 || r.Positions != 500 {
			t.Errorf("report counts %d rows, %d episodes, %d positions", r.Rows, r.Episodes, r.Positions)
		}
	}
}

func TestRidgeReport(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	w := []float64{2, -1}
	data := learntest.Simulated(rng, 400, 5, w, 0, 1)
	hand := learntest.Model(2)
	hand.Bias, hand.Weights[0], hand.Weights[1] = 1, 2, -1
	m := learntest.Model(2)
	r := vectors.Must(Ridge{Options: Options{HeldOut: SplitEvery(4, 9), Baselines: []Baseline{{"hand", hand}}}}.Learn(context.Background(), m, data))
	if r.Rows+r.HeldOutRows != 2000 || r.Episodes+r.HeldOutEpisodes != 400 || r.HeldOutEpisodes < 70 || r.HeldOutEpisodes > 130 {
		t.Errorf("split: %d and %d rows, %d and %d episodes", r.Rows, r.HeldOutRows, r.Episodes, r.HeldOutEpisodes)
	}
	// The loss of the true weights is the variance of the noise. The fit must be at least as good
	// in training and about as good on held-out rows. The loss of a constant is the variance of y,
	// 1 + 2*(4+1).
	if r.Loss > r.Baselines[0].Loss || !learntest.Near(r.HeldOutLoss, 1, 0.2) || !learntest.Near(r.Constant.HeldOutLoss, 11, 0.2) {
		t.Errorf("losses: %+v", r)
	}
	if r.Zero.Loss < r.Constant.Loss || !learntest.Near(r.R2, 1-r.Loss/r.Constant.Loss, 1e-12) || r.HeldOutR2 < 0.85 {
		t.Errorf("zero %v, constant %v, R2 %v and %v", r.Zero, r.Constant, r.R2, r.HeldOutR2)
	}
	if len(r.Weights) != 3 || r.Weights[0].Name != "bias" || r.Weights[1].Support != r.Rows {
		t.Errorf("weights %+v", r.Weights)
	}
}

func TestLostColumnsAreNamed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	prior := learntest.Model(6)
	copy(prior.Weights, []float64{0, 0, 7, 8, 9, 0})
	for _, penalty := range []float64{0, 1e-4} {
		var data datasets.Rows
		for i := range 3000 {
			a, b := float64(float32(rng.NormFloat64())), float64(rng.IntN(3))
			// f2 never occurs, f3 is constant, f4 = 2 f1 + 1, and f5 is rare.
			c := 0.0
			if i%100 == 0 {
				c = 1
			}
			data = append(data, datasets.Sample{X: learntest.Vector(a, b, 0, 5, 2*b+1, c), Y: a - b + 2, Weight: 1, Episode: uint64(i / 10)})
		}
		m := learntest.Model(6)
		r := vectors.Must(Ridge{Options: Options{Penalty: penalty, Prior: prior}}.Learn(context.Background(), m, data))
		if m.Weights[2] != 7 || m.Weights[3] != 8 || penalty == 0 && m.Weights[4] != 9 {
			t.Errorf("penalty %v: lost columns left their prior: %v", penalty, m.Weights)
		}
		for _, s := range data[:20] {
			if p := m.Dot(s.X); math.Abs(p-s.Y) > 0.05 {
				t.Errorf("penalty %v: prediction %v of %v", penalty, p, s.Y)
			}
		}
		all := strings.Join(r.Notes, "\n")
		for _, want := range []string{"never occur in the training rows, keep the prior weight: f2", "constant, keep the prior weight: f3", "f4 (a combination of bias, f1", "f5 (30 rows)"} {
			if !strings.Contains(all, want) {
				t.Errorf("penalty %v: notes lack %q:\n%s", penalty, want, all)
			}
		}
		for _, w := range r.Weights {
			if w.Value-w.Value != 0 || w.Error-w.Error != 0 || w.VIF-w.VIF != 0 {
				t.Errorf("not finite: %+v", w)
			}
		}
	}
}

// TestNearRepeatsAreNamed checks that nearly collinear features are named if there is no penalty.
func TestNearRepeatsAreNamed(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var data datasets.Rows
	for i := range 2000 {
		a := float64(float32(rng.NormFloat64()))
		b, c := float64(float32(a+1e-4*rng.NormFloat64())), float64(float32(rng.NormFloat64()))
		data = append(data, datasets.Sample{X: learntest.Vector(a, c, b), Y: 1 + 3*a - 2*b + c, Weight: 1, Episode: uint64(i)})
	}
	for _, penalty := range []float64{0, 1e-6} {
		m := learntest.Model(3)
		r := vectors.Must(Ridge{Options: Options{Penalty: penalty}}.Learn(context.Background(), m, data))
		if named := strings.Contains(strings.Join(r.Notes, "\n"), "features nearly repeat each other"); named != (penalty == 0) {
			t.Errorf("penalty %v: notes %q", penalty, r.Notes)
		}
		if penalty == 0 && (!strings.HasSuffix(r.Notes[len(r.Notes)-1], "1e-6: f2") || !learntest.Near(m.Weights[0], 3, 1e-3) || !learntest.Near(m.Weights[2], -2, 1e-3)) {
			t.Errorf("notes %q, weights %v", r.Notes, m.Weights)
		}
	}
}

func TestFrozenScore(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	data := learntest.Simulated(rng, 100, 10, []float64{1, 2}, 0, 0.1)
	m := learntest.Model(2)
	m.Weights[0] = 1.5
	r := vectors.Must(Ridge{Options: Options{Frozen: []int32{0}}}.Learn(context.Background(), m, data))
	// This is equivalent to regressing y - 1.5 f0 on f1 and a constant.
	var shifted datasets.Rows
	for _, s := range data {
		shifted = append(shifted, datasets.Sample{X: learntest.Vector(float64(s.X[2].Value)), Y: s.Y - 1.5*float64(s.X[1].Value), Weight: 1})
	}
	want := reference(shifted, 1, 0, []float64{0}, []float64{0})
	if m.Weights[0] != 1.5 || !learntest.Near(m.Weights[1], want[1], 1e-9) || !learntest.Near(m.Bias, want[0], 1e-9) {
		t.Errorf("weights %v bias %v, want %v", m.Weights, m.Bias, want)
	}
	if r.Weights[1].Note != "frozen" || !math.IsNaN(m.Errors[0]) {
		t.Errorf("%+v, error %v", r.Weights[1], m.Errors[0])
	}
}

func TestScatteredEpisodesGiveTheSameErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	data := learntest.Simulated(rng, 60, 8, []float64{1, 2, 3}, 1, 1)
	a, b := learntest.Model(3), learntest.Model(3)
	vectors.Must((Ridge{}).Learn(context.Background(), a, data))
	mixed := append(datasets.Rows(nil), data...)
	rng.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	vectors.Must((Ridge{}).Learn(context.Background(), b, mixed))
	for j := range a.Errors {
		if !learntest.Near(a.Errors[j], b.Errors[j], 1e-9) {
			t.Errorf("error %d: %v and %v", j, a.Errors[j], b.Errors[j])
		}
	}
}

func TestInflation(t *testing.T) {
	// If the correlation of two features is c, both have a VIF of 1/(1-c²).
	rng := rand.New(rand.NewPCG(8, 8))
	var data datasets.Rows
	for i := range 20000 {
		a, b := rng.NormFloat64(), rng.NormFloat64()
		data = append(data, datasets.Sample{X: learntest.Vector(3+a, 0.8*a+0.6*b), Y: rng.NormFloat64(), Weight: 1, Episode: uint64(i)})
	}
	m := learntest.Model(2)
	r := vectors.Must(Ridge{}.Learn(context.Background(), m, data))
	for _, w := range r.Weights[1:] {
		if !learntest.Near(w.VIF, 1/(1-0.64), 0.05) {
			t.Errorf("%s: VIF %v, want 2.78", w.Name, w.VIF)
		}
	}
}

func TestBadRowsAreErrors(t *testing.T) {
	good := datasets.Sample{X: learntest.Vector(1), Y: 1, Weight: 1}
	for name, s := range map[string]datasets.Sample{
		"has feature 5":  {X: models.Vector{{Index: 5, Value: 1}}, Weight: 1},
		"feature f0 is":  {X: models.Vector{{Index: 0, Value: float32(math.NaN())}}, Weight: 1},
		"label +Inf":     {X: learntest.Vector(1), Y: math.Inf(1), Weight: 1},
		"weight -1":      {X: learntest.Vector(1), Weight: -1},
		"has feature -2": {X: models.Vector{{Index: -2, Value: 1}}, Weight: 1},
	} {
		m := learntest.Model(1)
		m.Weights[0] = 3
		_, err := Ridge{}.Learn(context.Background(), m, datasets.Rows{good, s})
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "row 2") {
			t.Errorf("%s: error %v", name, err)
		}
		if m.Weights[0] != 3 {
			t.Error("a failed fit changed the model")
		}
	}
	if _, err := (Ridge{}).Learn(context.Background(), learntest.Model(1), datasets.Rows{}); err != design.ErrNoRows {
		t.Errorf("empty data: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Ridge{}).Learn(ctx, learntest.Model(1), datasets.Rows{good}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// TestSatterthwaite compares the sums of powers with the traces of the matrix. The number of
// degrees of freedom for groups of equal weight must be one less than the number of groups.
func TestSatterthwaite(t *testing.T) {
	for _, groups := range []int{2, 5, 40} {
		equal := make([]float64, groups)
		for i := range equal {
			equal[i] = 1 / float64(groups)
		}
		if got := satterthwaite(equal); math.Abs(got-float64(groups-1)) > 1e-9 {
			t.Errorf("%d groups of one weight: %v degrees of freedom, want %d", groups, got, groups-1)
		}
	}
	shares := []float64{0.4, 0.25, 0.2, 0.1, 0.05}
	all := 0.0
	for _, p := range shares {
		all += p * p
	}
	trace, squares := 0.0, 0.0
	for g, p := range shares {
		for h, q := range shares {
			c := p*q*all - p*q*q - q*p*p
			if g == h {
				c += p * p
				trace += c / ((1 - p) * (1 - p))
			}
			c /= (1 - p) * (1 - q)
			squares += c * c
		}
	}
	if got, want := satterthwaite(shares), trace*trace/squares; math.Abs(got-want) > 1e-9 || want > 4 {
		t.Errorf("%v degrees of freedom, want %v", got, want)
	}
}

// TestElasticNetIsOptimal checks that the subgradient contains zero at the minimum. For a weight
// that moved, the gradient of the loss and the squared penalty must balance the absolute penalty.
// For a weight at its prior, this gradient must not exceed the absolute penalty.
func TestElasticNetIsOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	truth := []float64{3, 0, -2, 0, 0.01}
	data := learntest.Simulated(rng, 200, 5, truth, 0, 1)
	prior := learntest.Model(5)
	prior.Weights[1] = 0.02
	const penalty, mix = 0.05, 0.7
	m := learntest.Model(5)
	r := vectors.Must(ElasticNet{Options{Penalty: penalty, Prior: prior}, mix}.Learn(context.Background(), m, data))
	v := spread(data, 5)
	// Compute the standard deviation of y - prior about its mean.
	var mean, square float64
	for _, s := range data {
		y := s.Y - prior.Dot(s.X)
		mean += y / float64(len(data))
		square += y * y / float64(len(data))
	}
	sd := math.Sqrt(square - mean*mean)
	moved := 0
	for j := range truth {
		grad := 0.0
		for _, s := range data {
			grad += 2 * (m.Dot(s.X) - s.Y) * float64(s.X[j+1].Value) / float64(len(data))
		}
		d := m.Weights[j] - prior.Weights[j]
		grad += 2 * penalty * (1 - mix) * v[j] * d
		cut := 2 * penalty * mix * sd * math.Sqrt(v[j])
		switch {
		case d == 0 && math.Abs(grad) > cut*(1+1e-9):
			t.Errorf("weight %d stays though its gradient %v exceeds %v", j, grad, cut)
		case d != 0 && !learntest.Near(grad, -math.Copysign(cut, d), 1e-7):
			t.Errorf("weight %d: gradient %v, want %v", j, grad, -math.Copysign(cut, d))
		}
		if d != 0 {
			moved++
		}
	}
	if moved != 2 || !strings.Contains(strings.Join(r.Notes, "\n"), "weights moved") {
		t.Errorf("%d weights moved: %v; %v", moved, m.Weights, r.Notes)
	}
	m = learntest.Model(5)
	if _, err := (ElasticNet{Options{Penalty: 1 / mix, Prior: prior}, mix}).Learn(context.Background(), m, data); err != nil || m.Weights[0] != 0 || m.Weights[1] != prior.Weights[1] {
		t.Errorf("at 1/mix: %v, %v", m.Weights, err)
	}
}
