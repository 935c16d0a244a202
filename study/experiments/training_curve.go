package experiments

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/learn"
	"plyfit/learn/online"
	"plyfit/learn/online/optimiser"
	"plyfit/learn/online/td"
	"plyfit/models"
	"plyfit/study"
)

// curvePoint is a model on the learning curve.
type curvePoint struct {
	name       string
	evaluation *catalog.Evaluation
	error      float64 // see unexplained
	learned    bool
	games      int // learned from
	curve      int // the number of its learning curve, which has a training seed of its own
}

// learningCurve is a learning curve: a cell's key.
type learningCurve struct {
	Game        string  `json:"game"`
	Checkpoints []int   `json:"marks"`           // games after which the weights are kept
	Alpha       float64 `json:"alpha,omitempty"` // of temporal differences; 0: least squares
	Lambda      float64 `json:"lambda,omitempty"`
	Seed        uint64  `json:"seed"`
}

// checkpoint is the weights after so many games.
type checkpoint struct {
	Games   int       `json:"games"`
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
}

// curvePoints trains, or has it from the store.
func curvePoints(ctx context.Context, s *study.Session, w *catalog.World, l curveGame, rival *catalog.Evaluation) ([]curvePoint, error) {
	checkpoints := [][]int{{100, 500, 2000}, {100, 500, 2000, 10000}, {500, 2000, 10000, 50000}}[s.Effort]
	checkpoints = slices.DeleteFunc(slices.Clone(checkpoints), func(n int) bool { return n > l.most })
	k := learningCurve{Game: w.Spec, Checkpoints: checkpoints, Alpha: 0.02, Lambda: 0.7, Seed: s.Seed}
	if w.Players == 1 { // sums of points: dense features of all sizes, and no link to hold them
		k.Alpha, k.Lambda = 0, 0
	}
	set, err := w.Set("")
	if err != nil {
		return nil, err
	}
	var curves []learningCurve
	for seed := range uint64(s.Pick(1, 10, 10)) {
		k.Seed = s.Seed + seed
		curves = append(curves, k)
	}
	found, err := study.Cells(ctx, s, "learning "+w.Spec, curves, nil, func(ctx context.Context, k learningCurve) ([]checkpoint, error) { return k.learn(ctx, w, set) })
	if err != nil {
		return nil, err
	}
	var points []curvePoint
	zero, err := w.Evaluation("zero")
	if err != nil {
		return nil, err
	}
	points = append(points, curvePoint{name: zero.Name, evaluation: zero})
	if rival.Digest != zero.Digest {
		points = append(points, curvePoint{name: rival.Name, evaluation: rival})
	}
	for c, marks := range found {
		for _, m := range marks {
			model := blank(w, set)
			copy(model.Weights, m.Weights)
			model.Bias = m.Bias
			name := fmt.Sprintf("%d games", m.Games)
			if c > 0 {
				name = fmt.Sprintf("%d games, seed %d", m.Games, curves[c].Seed)
			}
			j, err := w.EvaluationOf(name, set, model)
			if err != nil {
				return nil, err
			}
			points = append(points, curvePoint{name: j.Name, evaluation: j, learned: true, games: m.Games, curve: c})
		}
	}
	type held struct {
		Game  string `json:"game"`
		Model string `json:"model"`
		Of    string `json:"digest"`
		By    string `json:"by,omitempty"` // the digest of --eval, which plays the games
		Games int    `json:"games"`
		Seed  uint64 `json:"seed"`
	}
	var keys []held
	for _, p := range points {
		keys = append(keys, held{w.Spec, p.name, p.evaluation.Digest, over(s, rival), s.Pick(60, 200, 1000), s.Seed})
	}
	errs, err := study.Cells(ctx, s, "errors in "+w.Spec, keys, nil, func(ctx context.Context, k held) (float64, error) {
		i := slices.IndexFunc(points, func(p curvePoint) bool { return p.name == k.Model })
		return unexplained(ctx, w, points[i].evaluation, rival.Name, k.Games, k.Seed)
	})
	for i := range errs {
		points[i].error = errs[i]
	}
	return points, err
}

// blank is a model of zeros of the set, over afterstates.
func blank(w *catalog.World, set features.Set) *models.Linear {
	base := w.Base()
	m := models.New(base.Name, set.Name(), set.Blocks())
	m.Leaves = models.Afterstate
	if base.Players == 2 {
		m.Link = models.Link{Kind: models.Tanh, Scale: 1}
	}
	return m
}

// learn plays and learns up to the last checkpoint.
func (k learningCurve) learn(ctx context.Context, w *catalog.World, set features.Set) ([]checkpoint, error) {
	m := blank(w, set)
	if len(m.Table) > 0 {
		return nil, fmt.Errorf("%s: want a feature set without tables", set.Name())
	}
	frozen, err := w.FrozenIn(set.Name())
	if err != nil {
		return nil, err
	}
	var fixed []int32
	for i := range m.Weights {
		if weight, ok := frozen[m.Name(int32(i))]; ok {
			m.Weights[i] = weight
			fixed = append(fixed, int32(i))
		}
	}
	if k.Alpha == 0 {
		return k.regress(ctx, w, set, m, fixed)
	}
	l, err := td.New(td.Options{
		Task:   online.Task{Game: w.Game, Set: set, Model: m, Seed: k.Seed, Frozen: fixed},
		Steps:  optimiser.Steps{Alpha: k.Alpha, AverageFrom: -1},
		Lambda: k.Lambda,
	})
	if err != nil {
		return nil, err
	}
	var out []checkpoint
	done := 0
	for _, n := range k.Checkpoints {
		if err := l.Advance(ctx, done, n); err != nil {
			return nil, err
		}
		done = n
		now := l.Model()
		out = append(out, checkpoint{n, slices.Clone(now.Weights), now.Bias})
	}
	return out, nil
}

// rows are samples in memory.
type rows []datasets.Sample

// All implements [datasets.Samples].
func (r rows) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for i := range r {
			if !yield(&r[i], nil) {
				return
			}
		}
	}
}

// thin is one position of so many that least squares learns from: neighbours
// say the same.
const thin = 3

// regress fits least squares to the final scores of games that a greedy player
// who knows nothing played, as many as each checkpoint says.
func (k learningCurve) regress(ctx context.Context, w *catalog.World, set features.Set, m *models.Linear, frozen []int32) ([]checkpoint, error) {
	player, err := w.Agent("expectimax:depth=1,eval=zero,ties=random", catalog.AgentOptions{})
	if err != nil {
		return nil, err
	}
	agent, err := player.New()
	if err != nil {
		return nil, err
	}
	var data rows
	var out []checkpoint
	next := 0
	for i := 0; next < len(k.Checkpoints); i++ {
		random := study.NewRand(k.Seed, 0x1ea2, uint64(i))
		s := w.New()
		agent.Begin(random.Uint64())
		from := len(data)
		e := play.Episode{Luck: &play.Dice{Random: random}}
		e.Begin(s, 0, w.MaxPlies)
		for e.Next() {
			r, err := agent.Search(ctx, s)
			if err != nil {
				return nil, err
			}
			e.Play(r.Move)
			if s.Turn() != game.Nobody && random.IntN(thin) == 0 {
				x := append(set.Extract(game.Base(s), 0, nil), models.Term{Index: models.Bias, Value: 1})
				data = append(data, datasets.Sample{X: x, Weight: 1, Episode: uint64(i)})
			}
		}
		if e.Truncated() {
			data = data[:from] // cut off: no outcome
		}
		for j := range data[from:] {
			data[from+j].Y = s.Utility(0)
		}
		if i+1 == k.Checkpoints[next] {
			if _, err := (learn.Ridge{Options: learn.Options{Penalty: 1e-4, Frozen: frozen, NoErrors: true}}).Learn(ctx, m, data); err != nil {
				return nil, err
			}
			out = append(out, checkpoint{i + 1, slices.Clone(m.Weights), m.Bias})
			next++
		}
	}
	return out, nil
}
