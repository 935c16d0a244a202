package tune

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/learn/online/evolution"
	"plyfit/models"
)

// Play races sets of weights that come from files, or that it evolves by play.
type Play struct {
	Race
	Weights *models.Weights // that the program has now
	Files   []string        // of weights that race; none: they are evolved
	Games   int             // of the evolution, at least
	File    string          // what files of weights are called; the ending is the format
	Name    string          // prefix of what they declare
	Given   map[string]string
}

// Run makes the candidates, races and confirms what is missing.
func (p *Play) Run(ctx context.Context) (*Outcome, error) {
	if err := begin(p.Dir, p.Given); err != nil {
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
		candidates = append(candidates, &Candidate{Name: path, Weights: path})
	}
	return p.Race.Run(ctx, candidates)
}

func (p *Play) write(c *Candidate, w *models.Weights) error {
	if err := os.MkdirAll(filepath.Dir(c.Weights), 0o777); err != nil {
		return err
	}
	return disk.Write(c.Weights, func(out io.Writer) error { return w.Write(out, c.Weights, p.Name) })
}

// generation is what the games of a generation say of its candidates.
type generation struct {
	Pairs  int       `json:"pairs"` // of each candidate, against the mean
	Points []float64 `json:"points"`
	// Noise is the variance that the games leave in Points.
	Noise float64 `json:"noise"`
}

const (
	firstPairs = 4   // of each candidate of the first generation
	tail       = 0.5 // of the games, after which means are averaged
	finals     = 3   // averages, from parts of the tail to its end
)

// evolve has generations of weights play their mean, and returns averages of late means. Where the
// games hardly tell the candidates of a generation apart, the next ones play more.
func (p *Play) evolve(ctx context.Context) ([]*Candidate, error) {
	start, width, least, most := p.numbers()
	s := evolution.NewSearch(start, width, least, most, game.Seed(p.Seed, streamEvolution))
	var means [][]float64
	var at []int // games after which they were
	pairs, played := firstPairs, 0
	for k := 0; played < p.Games; k++ {
		p.tell("generation %d: %d candidates, %d pairs each; %d of %d games so far", k+1, s.Population(), pairs, played, p.Games)
		g, err := p.generation(ctx, k, pairs, s)
		if err != nil {
			return nil, err
		}
		if err := s.Update(g.Points); err != nil {
			return nil, err
		}
		var spread stats.Moments
		for _, x := range g.Points {
			spread.Add(x)
		}
		if v := spread.Deviation(); v*v < unclear*g.Noise {
			pairs += (pairs + 3) / 4
		}
		played += 2 * g.Pairs * len(g.Points)
		means, at = append(means, s.Mean()), append(at, played)
	}
	var finalists []*Candidate
	for f := range finals {
		from, _ := slices.BinarySearch(at, int(float64(p.Games)*(tail+(1-tail)*float64(f)/finals)))
		c := &Candidate{Name: fmt.Sprintf("mean from generation %d", from+1)}
		c.Weights = filepath.Join(p.Dir, fileName(c.Name), p.File)
		average := make([]float64, len(start))
		for _, mean := range means[from:] {
			for i, x := range mean {
				average[i] += x / float64(len(means)-from)
			}
		}
		if err := p.write(c, p.with(average)); err != nil {
			return nil, err
		}
		finalists = append(finalists, c)
	}
	return finalists, nil
}

// unclear is how often the variance of points must be that of the games' noise, to tell candidates
// apart.
const unclear = 1.5

// numbers are the weights as a search has them.
func (p *Play) numbers() (start, width, least, most []float64) {
	size := 0.0
	for _, c := range p.Weights.Columns {
		size += math.Abs(c.Middlegame) / float64(len(p.Weights.Columns))
	}
	if size == 0 {
		size = 1
	}
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

// usualWidth is a first step, as a part of a weight.
const usualWidth = 0.3

// with are the weights with other numbers.
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

// generation plays the games of a generation, or reads what they said.
func (p *Play) generation(ctx context.Context, k, pairs int, s *evolution.Search) (g generation, err error) {
	dir := filepath.Join(p.Dir, "evolution")
	mean := &Candidate{Name: "mean", Weights: filepath.Join(dir, "mean", p.File)}
	if err := p.write(mean, p.with(s.Mean())); err != nil {
		return g, err
	}
	candidates := s.Draw()
	path := filepath.Join(dir, fmt.Sprintf("generation-%d.json", k+1))
	data, err := os.ReadFile(path)
	if err == nil {
		if err := json.Unmarshal(data, &g); err != nil || len(g.Points) != len(candidates) {
			return g, fmt.Errorf("%s: want what %d candidates got", path, len(candidates))
		}
		return g, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return g, err
	}
	g.Pairs = pairs
	var records []string
	var all [][]float64 // utility by candidate and pair
	for i, x := range candidates {
		c := &Candidate{Name: fmt.Sprintf("candidate %d of generation %d", i+1, k+1), Weights: filepath.Join(dir, fmt.Sprint(i+1), p.File)}
		if err := p.write(c, p.with(x)); err != nil {
			return g, err
		}
		cfg, err := p.Field.Match(ctx, evolutionStage, pairs, c, mean)
		if err != nil {
			return g, err
		}
		out := filepath.Join(dir, fmt.Sprintf("generation-%d-%d.jsonl", k+1, i+1))
		records = append(records, out)
		cfg.Pairs, cfg.Seed, cfg.Out, cfg.Workers, cfg.Measure = pairs, game.Seed(p.Seed, streamEvolution, uint64(k)), out, p.Workers, arena.Wins
		r, err := arena.Run(ctx, cfg)
		if err != nil {
			return g, err
		}
		g.Points = append(g.Points, r.Points.Value)
		all = append(all, nil)
		if _, err := arena.EachRecord(out, func(r *arena.PairRecord) error {
			all[i] = append(all[i], (r.Games[0].Utility[0]+r.Games[1].Utility[1])/2)
			return nil
		}); err != nil {
			return g, err
		}
	}
	g.Noise = noise(all)
	if err := writeJSON(path, g); err != nil {
		return g, err
	}
	for _, out := range records {
		os.Remove(out)
	}
	return g, nil
}

// noise is the variance of the candidates' mean points that their games leave. All played the same
// pairs: what is good or bad for all of them says nothing about the better one.
func noise(utility [][]float64) float64 {
	n, pairs := float64(len(utility)), float64(len(utility[0]))
	squares, mean := 0.0, make([]float64, len(utility))
	for i := range utility {
		for _, x := range utility[i] {
			mean[i] += x / pairs
		}
	}
	for k := range utility[0] {
		common := 0.0
		for i := range utility {
			common += (utility[i][k] - mean[i]) / n
		}
		for i := range utility {
			e := utility[i][k] - mean[i] - common
			squares += e * e
		}
	}
	return squares / ((n - 1) * (pairs - 1)) / pairs / 4 // a point is two units of utility
}
