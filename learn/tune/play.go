package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"plyfit/arena"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/learn/online/evolution"
	"plyfit/models"
)

// Play races sets of weights that are read from files or evolved by playing games.
type Play struct {
	Race
	Weights  *models.Weights // the program's current weights
	Files    []string        // weight files to race; if empty, weights are evolved
	Games    int             // minimum number of games in the evolution
	File     string          // name of the weight files; its extension selects the format
	Name     string          // prefix of the names that weight files declare
	Settings map[string]string
}

// Run creates the candidates, races them and confirms the winner. It resumes from the files in
// p.Dir.
func (p *Play) Run(ctx context.Context) (*Outcome, error) {
	return p.withLock(func() (*Outcome, error) { return p.run(ctx) })
}

func (p *Play) run(ctx context.Context) (*Outcome, error) {
	n, weights, games := len(p.Files), 0, 0
	if n == 0 {
		n, weights, games = evolution.Averages, len(p.Weights.Columns), p.Games
	}
	if err := p.checkSettings(p.Settings, n, weights, games); err != nil {
		return nil, err
	}
	p.Start = &Candidate{Name: startName, Weights: filepath.Join(p.Dir, startName, p.File)}
	if err := p.write(p.Start, p.Weights); err != nil {
		return nil, err
	}
	if len(p.Files) == 0 {
		candidates, err := p.evolve(ctx)
		if err != nil {
			return nil, err
		}
		return p.Race.Run(ctx, candidates)
	}
	var candidates []*Candidate
	for _, path := range p.Files {
		name := filepath.Base(path)
		if slices.ContainsFunc(p.Files, func(other string) bool { return other != path && filepath.Base(other) == name }) {
			name = path
		}
		candidates = append(candidates, &Candidate{Name: name, Weights: path})
	}
	return p.Race.Run(ctx, candidates)
}

func (p *Play) write(c *Candidate, w *models.Weights) error {
	if err := os.MkdirAll(filepath.Dir(c.Weights), 0o777); err != nil {
		return err
	}
	return write(c.Weights, w, p.Name)
}

func write(path string, w *models.Weights, name string) error {
	return disk.Write(path, func(out io.Writer) error { return w.Write(out, path, name) })
}

// evolve returns candidates evolved from the starting weights.
func (p *Play) evolve(ctx context.Context) (list []*Candidate, err error) {
	start, width, least, most := p.numbers()
	s := evolution.NewSearch(start, width, least, most, game.Seed(p.Seed, streamEvolution))
	averages, from, err := s.Run(p.Games, func(k, pairs int, mean []float64, candidates [][]float64) ([]float64, float64, error) {
		p.logf("generation %d: playing %d candidates, %d pairs each", k+1, len(candidates), pairs)
		g, err := p.generation(ctx, k, pairs, mean, candidates)
		return g.Points, g.Noise, err
	})
	for i, x := range averages {
		c := &Candidate{Name: fmt.Sprintf("mean from generation %d", from[i]+1)}
		c.Weights = filepath.Join(p.Dir, fileName(c.Name), p.File)
		if err := p.write(c, p.with(x)); err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, err
}

// numbers returns the weights in the form used by a search: each weight's start, width and limits.
func (p *Play) numbers() (start, width, least, most []float64) {
	size := 0.0
	for _, c := range p.Weights.Columns {
		size += math.Abs(c.Middlegame) / float64(len(p.Weights.Columns))
	}
	size = cmp.Or(size, 1)
	for _, c := range p.Weights.Columns {
		w, ok := p.Weights.Widths[c.Name]
		if !ok {
			w = max(math.Abs(c.Middlegame), size/2) * usualWidth
		}
		limits, ok := p.Weights.Limits[c.Name]
		if !ok {
			limits = [2]float64{math.Inf(-1), math.Inf(1)}
		}
		start, width, least, most = append(start, c.Middlegame), append(width, w), append(least, limits[0]), append(most, limits[1])
	}
	return start, width, least, most
}

// usualWidth is the default width of a weight in the first generation, as a fraction of the weight
// or, for small weights, of half the mean weight.
const usualWidth = 0.3

// with returns a copy of the weights with the values x.
func (p *Play) with(x []float64) *models.Weights {
	w := *p.Weights
	w.Columns = nil
	for i, c := range p.Weights.Columns {
		v := x[i]
		if w.Integers {
			v = math.RoundToEven(v)
		}
		w.Columns = append(w.Columns, models.Weight{Name: c.Name, Middlegame: v, Endgame: v})
	}
	return &w
}

// A generation contains the results of one generation's games.
type generation struct {
	Points []float64 `json:"points"`
	Noise  float64   `json:"noise"` // variance of Points due to the limited number of games
}

// generation plays the games of generation k. If they have already been played, it reads their
// results instead.
func (p *Play) generation(ctx context.Context, k, pairs int, mean []float64, candidates [][]float64) (g generation, err error) {
	dir := filepath.Join(p.Dir, "evolution")
	path := filepath.Join(dir, fmt.Sprintf("generation-%d.json", k+1))
	err = disk.ReadSealed(path, &g)
	if err == nil && len(g.Points) != len(candidates) {
		err = disk.Damaged(path, path)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return g, err
	}
	dir = filepath.Join(dir, fmt.Sprintf("generation-%d", k+1)) // each generation has a new path, because a program may cache a file that it has read
	centre := &Candidate{Name: "mean", Weights: filepath.Join(dir, "mean", p.File)}
	if err := p.write(centre, p.with(mean)); err != nil {
		return g, err
	}
	points := make([][]float64, len(candidates))
	for i, x := range candidates {
		c := &Candidate{Name: fmt.Sprintf("candidate %d of generation %d", i+1, k+1), Weights: filepath.Join(dir, fmt.Sprint(i+1), p.File)}
		if err := p.write(c, p.with(x)); err != nil {
			return g, err
		}
		out := filepath.Join(dir, fmt.Sprintf("%d.jsonl", i+1))
		r, err := p.play(ctx, c, centre, evolutionStage, pairs, arena.Config{Pairs: pairs, Seed: game.Seed(p.Seed, streamEvolution, uint64(k)), Out: out})
		if err != nil {
			return g, err
		}
		g.Points = append(g.Points, r.Points.Value)
		if _, err := arena.EachRecord(out, func(r *arena.PairRecord) error {
			points[i] = append(points[i], (2+r.Games[0].Utility[0]+r.Games[1].Utility[1])/4)
			return nil
		}); err != nil {
			return g, err
		}
	}
	g.Noise = evolution.Noise(points)
	if err := disk.WriteSealed(path, g); err != nil {
		return g, err
	}
	return g, os.RemoveAll(dir)
}
