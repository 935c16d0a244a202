package tune

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
	"testing"
	"plyfit/internal/vectors"
)

type simField struct {
	elo func(w *models.Weights) float64
	common bool
}

type simReferee struct{ d float64; salt uint64 }

func (s *simReferee) Pair(_ context.Context, seed uint64) (p [2]float64, err error) {
	rng := rand.New(rand.NewPCG(seed, s.salt))
	for i := range p {
		if rng.Float64() < 1/(1+math.Pow(10, -s.d/400)) {
			p[i] = 1
		}
	}
	return p, nil
}
func (s *simReferee) Close() error { return nil }

func (f *simField) Match(_ context.Context, stage string, pairs int, a, b *Candidate) (cfg arena.Config, err error) {
	x := f.elo(vectors.Must(models.ReadWeights(a.Weights)))
	y := f.elo(vectors.Must(models.ReadWeights(b.Weights)))
	salt := uint64(0)
	if !f.common {
		salt = math.Float64bits(x)
	}
	cfg.Game = &game.Game{Spec: "sim"}
	cfg.A, cfg.B = search.Factory{Name: a.Name, Identity: a.Name+fmt.Sprint(x)}, search.Factory{Name: b.Name, Identity: b.Name+fmt.Sprint(y)}
	cfg.Referee = func() (arena.Referee, error) { return &simReferee{x - y, salt}, nil }
	return cfg, nil
}

func TestZZ(t *testing.T) {
	target := []float64{100, 300, 320, 500, 900, 10, 20, -15}
	elo := func(w *models.Weights) float64 {
		s := 0.0
		for i, c := range w.Columns {
			d := (c.Middlegame - target[i]) / (0.5 * math.Abs(target[i]))
			s -= d * d
		}
		return 200 * s / 8
	}
	w := &models.Weights{}
	for i, x := range []float64{60, 200, 200, 700, 900, 16, 10, -8} {
		w.Columns = append(w.Columns, models.Weight{Name: fmt.Sprint("w", i), Middlegame: x, Endgame: x})
	}
	for _, common := range []bool{false, true} {
		for seed := range 6 {
			f := &simField{elo, common}
			p := &Play{Race: Race{Field: f, Pairs: 50, Test: stats.SPRT{High: 20}, Confirm: 1000, Seed: uint64(seed), Dir: t.TempDir()}, Weights: w, Games: 10000, File: "w.csv", Name: "eval"}
			gens := ""; _ = gens
			p.Told = func(s string) { gens = s; if false { fmt.Println(s) } }
			o := vectors.Must(p.Run(t.Context()))
			fmt.Println(common, "start", elo(w), "first", filepath.Base(o.Candidates[0].Name), o.Candidates[2].Name, elo(vectors.Must(models.ReadWeights(o.Candidates[2].Weights))), o.Sentence)
		}
	}
}
