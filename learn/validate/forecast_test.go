package validate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"plyfit/datasets"
	"plyfit/internal/vectors"
	"plyfit/learn"
	"plyfit/learn/internal/learntest"
	"plyfit/models"
)

// forecasts iterates over the given rows.
func forecasts(rows []Forecast) Forecasts {
	return func(yield func(*Forecast, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	}
}

// walks returns games in which the probability of winning is known at every ply: the game is won if
// a sum of normally distributed steps ends above 0. The first evaluation predicts the true
// probability. The second assumes that only half as many steps remain.
func walks(rng *rand.Rand, games, plies int) []Forecast {
	above := func(sum, left float64) float64 { return 0.5 * math.Erfc(-sum/math.Sqrt(2*left)) }
	var rows []Forecast
	for g := range games {
		sum, first := rng.NormFloat64(), len(rows)
		for p := range plies {
			left := float64(plies - p)
			rows = append(rows, Forecast{Episode: uint64(g), Ply: int32(p), Weight: 1, Predicted: []float64{above(sum, left), above(sum, left/2)}})
			sum += rng.NormFloat64()
		}
		for i := range rows[first:] {
			if sum > 0 {
				rows[first+i].Realised = 1
			}
		}
	}
	return rows
}

var ofWalks = Examining{Names: []string{"truth", "hasty"}, Probabilities: []bool{true, true}, Hi: 1}

// TestIntervalsOfExaminationsCover checks that 95% intervals contain the true value in 90% to 99%
// of 300 examinations, and those of each tenth in at least 92%. For the evaluation that predicts
// the true probability, the true value is a bias of 0 in every tenth and at every stage. For its
// loss, and for the additional loss of a worse evaluation, it is the mean over 20,000 games.
func TestIntervalsOfExaminationsCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 3))
	const trials, games = 300, 60
	many := vectors.Must(Examine(context.Background(), forecasts(walks(rng, 20000, 8)), ofWalks))
	less := many.Evaluations[1].Less
	loss := many.Evaluations[0].Squared.Value
	if less.Squared.Value <= 0 || less.CrossEntropy.Value <= 0 || less.Alike {
		t.Fatalf("the worse evaluation loses %+v", less)
	}
	inside := func(f *Figure, truth float64) float64 {
		if f.Low != nil && *f.Low <= truth && truth <= *f.High {
			return 1.0 / trials
		}
		return 0
	}
	var tenths [10]float64
	var stage, level, squared, entropy, bias float64
	for range trials {
		x := vectors.Must(Examine(context.Background(), forecasts(walks(rng, games, 8)), ofWalks))
		if x.Rows != 8*games || x.Episodes != games || x.Groups != games || len(x.Calibration) != 10 || len(x.Stages) != 5 {
			t.Fatalf("%+v", x)
		}
		for i := range x.Calibration {
			if c := &x.Calibration[i]; math.Abs(c.Bias()) <= c.Half() {
				tenths[i] += 1.0 / trials
			}
		}
		for i := range x.Stages {
			if s := &x.Stages[i]; math.Abs(s.Bias()) <= s.Half() {
				stage += 1.0 / trials / 5
			}
		}
		level += inside(&x.Evaluations[0].Squared, loss)
		bias += inside(&x.Evaluations[0].Bias, 0)
		squared += inside(&x.Evaluations[1].Less.Squared, less.Squared.Value)
		entropy += inside(x.Evaluations[1].Less.CrossEntropy, less.CrossEntropy.Value)
	}
	t.Logf("tenths %.3f, stages %.3f, loss %.3f, bias %.3f, differences %.3f and %.3f", tenths, stage, level, bias, squared, entropy)
	// If no game has an unexpected result in some tenth, the interval results from the predicted
	// chance alone. Without this rule, the intervals of the outer tenths would contain the true
	// value in only half of the cases.
	for i, share := range tenths {
		if share < 0.92 {
			t.Errorf("the intervals of tenth %d hold the truth in %.3f of cases", i+1, share)
		}
	}
	for name, share := range map[string]float64{"stages": stage, "loss": level, "bias": bias, "squared difference": squared, "difference of entropies": entropy} {
		if share < 0.9 || share > 0.99 {
			t.Errorf("intervals of %s hold the truth in %.3f of cases", name, share)
		}
	}
}

// TestBiasShowsAtItsStage checks that values that are too high early in a game and too low late in
// it show a bias at these stages, even if the mean bias is 0.
func TestBiasShowsAtItsStage(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 3))
	rows := walks(rng, 2000, 10)
	for i := range rows {
		rows[i].Predicted[0] += 0.3 - float64(rows[i].Ply)/15
	}
	x := vectors.Must(Examine(context.Background(), forecasts(rows), ofWalks))
	if b := x.Evaluations[0].Bias; math.Abs(b.Value) > 0.03 {
		t.Errorf("bias of all %+v", b)
	}
	for i, want := range []float64{0.267, 0.133, 0, -0.133, -0.267} {
		s := &x.Stages[i]
		if math.Abs(s.Bias()-want) > 3*s.Error || s.First != int32(2*i) || s.Last != int32(2*i+1) || s.Rows != 4000 {
			t.Errorf("stage %d: %+v, bias %v, want %v", i, s, s.Bias(), want)
		}
	}
}

// TestWhatIsCollectedEarnsNothing checks that the score so far, which is known, does not increase
// R².
func TestWhatIsCollectedEarnsNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 3))
	var rows []Forecast
	for g := range 500 {
		known := 0.0
		for p := range 20 {
			// The remaining score is random. The first forecast is biased, and the second is the
			// mean of the remaining score.
			rest := 10 + rng.NormFloat64()
			rows = append(rows, Forecast{Episode: uint64(g), Ply: int32(p), Weight: 1, Known: known, Realised: known + rest, Predicted: []float64{known + 20, known + 10}})
			known += 50
		}
	}
	x := vectors.Must(Examine(context.Background(), forecasts(rows), Examining{Names: []string{"twice", "mean"}, ToCome: true}))
	twice, mean, zero, constant := x.Evaluations[0], x.Evaluations[1], x.Evaluations[2], x.Evaluations[3]
	switch {
	case math.Abs(x.Mean-10) > 0.1, math.Abs(twice.Bias.Value-10) > 0.1, math.Abs(twice.Factor-0.5) > 0.01:
		t.Errorf("mean %v, %+v", x.Mean, twice)
	case twice.R2 > -80 || *twice.OutcomeR2 < 0.99:
		t.Errorf("R² %v still to come, %v of all", twice.R2, *twice.OutcomeR2)
	case math.Abs(mean.R2) > 0.01 || constant.R2 != 0 || mean.Less.Squared.Value > -90:
		t.Errorf("%+v, constant %+v", mean, constant)
	case math.Abs(zero.Bias.Value+10) > 0.1 || zero.CrossEntropy != nil:
		t.Errorf("zero %+v", zero)
	}
	if len(x.Calibration) != 1 || math.Abs(x.Stages[4].Predicted-20) > 1e-9 {
		t.Errorf("calibration %+v, stages %+v", x.Calibration, x.Stages)
	}
}

// TestExaminingTwins checks that an evaluation compared with itself shows no difference, and that
// games in the same group count once.
func TestExaminingTwins(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 3))
	rows := walks(rng, 100, 8)
	once := vectors.Must(Examine(context.Background(), forecasts(rows), ofWalks))
	var four []Forecast
	for k := range 4 {
		for _, f := range rows {
			f.Episode += uint64(100 * k)
			f.Predicted = []float64{f.Predicted[0], f.Predicted[0]}
			four = append(four, f)
		}
	}
	o := ofWalks
	o.Group = func(episode uint64) (uint64, bool) { return episode % 100, false }
	x := vectors.Must(Examine(context.Background(), forecasts(four), o))
	if d := x.Evaluations[1].Less; !d.Alike || d.Squared != (Figure{}) || *d.CrossEntropy != (Figure{}) {
		t.Errorf("twins differ: %+v", d)
	}
	a, b := once.Evaluations[0], x.Evaluations[0]
	if x.Groups != 100 || x.Episodes != 400 || !learntest.Near(*a.Squared.High, *b.Squared.High, 1e-9) || !learntest.Near(*a.Bias.Low, *b.Bias.Low, 1e-9) {
		t.Errorf("once %+v %+v, four times %+v %+v", a.Squared, a.Bias, b.Squared, b.Bias)
	}
}

// TestForecastsOfSamples checks that ForecastsOf reads samples in the same way as SquaredErrors,
// and that Examine returns an error if there are no rows.
func TestForecastsOfSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 3))
	m := learntest.Model(1)
	m.Bias, m.Weights[0] = 1, 2
	data := learntest.Simulated(rng, 40, 5, []float64{2}, 1, 0.5)
	v := Reading{Rows: func(s *datasets.Sample) bool { return s.Episode%2 == 0 }, Link: models.Link{Kind: models.Identity}}
	all := vectors.Must(SquaredErrors(context.Background(), m, data, v, 1, func(*datasets.Sample) int { return 0 }))
	x := vectors.Must(Examine(context.Background(), ForecastsOf(context.Background(), m, data, v, nil), Examining{Names: []string{"fitted"}}))
	if e := x.Evaluations[0]; x.Rows != 100 || !learntest.Near(e.Squared.Value, all[0], 1e-12) {
		t.Errorf("%+v, squared error %v", e, all[0])
	}
	v.Rows = func(*datasets.Sample) bool { return false }
	if _, err := Examine(context.Background(), ForecastsOf(context.Background(), m, data, v, nil), Examining{Names: []string{"fitted"}}); !errors.Is(err, learn.ErrNoRows) {
		t.Errorf("no rows: %v", err)
	}
}
