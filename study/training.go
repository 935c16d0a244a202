package study

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/report"
	"plyfit/learn"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

var training = Experiment{
	Name:     "training",
	Question: "As learning makes an evaluation better, whose play gains more: that of minimax or that of expectimax?",
	Hypothesis: "Written 2026-11-21, before the first run: in both worlds strength rises as the held-out error falls, under either planner; in the world of chance it rises more steeply under expectimax, " +
		"since what learning mends is mostly scale and calibration.",
	Design: "Models along one learning curve (in games of two temporal differences; in games of one least squares on the final scores of a greedy player who knows nothing), the hand-written one and the one that knows nothing; expectimax and minimax two decisions ahead (one in backgammon), in the game's own world and in its hostile twin; every model against the hand-written one under the same planner. " +
		"Held-out error: the share of the variance of what is still to come that is left unexplained after the best affine fit, over positions of games that nobody learned from, played by the hand-written evaluation one decision ahead. Slopes by least squares of strength on error over the models, their intervals by drawing the strengths anew from their own. " +
		"Strength is the share of the points in games of two, else the difference of scores in units of the hand-written evaluation's. Sample size: 2,000 pairs give a strength +-.012 in connect four, the quick setting's 300 +-.03.",
	Takes:   []string{"game", "depth", "pairs"},
	Minutes: [3]float64{0.3, 16, 60},
	Run:     runTraining,
}

// course is a learning curve: a cell's key.
type course struct {
	Game   string  `json:"game"`
	Marks  []int   `json:"marks"`           // games after which the weights are kept
	Alpha  float64 `json:"alpha,omitempty"` // of temporal differences; 0: least squares
	Lambda float64 `json:"lambda,omitempty"`
	Seed   uint64  `json:"seed"`
}

// mark is the weights at a mark.
type mark struct {
	Games   int       `json:"games"`
	Weights []float64 `json:"weights"`
	Bias    float64   `json:"bias"`
}

// lesson is a game of the experiment.
type lesson struct {
	spec  string
	depth int
	share int // of the pairs: one in so many
	most  int // games to learn from, at most
}

func runTraining(ctx context.Context, s *Session) (*Findings, error) {
	lessons := []lesson{{"connect4:dice=on", 2, 1, 50000}, {"2048:size=3", 2, 2, 10000}}
	if s.Setting != Quick {
		lessons = append(lessons, lesson{"pacman:layout=room", 2, 20, 2000}, lesson{"backgammon", 1, 2, 10000})
	}
	if s.Over.Games != nil {
		lessons = nil
		for _, g := range s.Over.Games {
			lessons = append(lessons, lesson{g, 2, 1, 10000})
		}
	}
	f := &Findings{Data: []Data{{Name: "cells", Head: []string{"game", "model", "error", "planner", "world", "pairs", "strength", "strength_low", "strength_high"}}}}
	for _, l := range lessons {
		if s.Over.Depths != nil {
			l.depth = s.Over.Depths[0]
		}
		if err := trainGame(ctx, s, f, l); err != nil {
			return nil, err
		}
	}
	trainHeadline(f)
	return f, nil
}

// pupil is a model on the learning curve.
type pupil struct {
	name  string
	judge *catalog.Judge
	error float64 // see unexplained
}

func trainGame(ctx context.Context, s *Session, f *Findings, l lesson) error {
	w, err := s.Catalog.World(l.spec)
	if err != nil {
		return err
	}
	if !w.Chancy() || w.Players > 2 || w.Inside != nil {
		return fmt.Errorf("game %s: want a game of chance for one or two, without +", w.Spec)
	}
	pupils, err := pupilsOf(ctx, s, w, l)
	if err != nil {
		return err
	}
	hostile, err := s.Catalog.World(w.Spec + "+adversary")
	if err != nil {
		return err
	}
	var keys []exam
	pairs := max(10, s.pairs(300, 2000, 5000)/l.share)
	for _, p := range pupils {
		for _, planner := range []string{"expectimax", "minimax"} {
			for _, twin := range []bool{false, true} {
				keys = append(keys, exam{Game: w.Spec, Model: p.name, Digest: p.judge.Digest, Planner: planner, Hostile: twin, Depth: l.depth, Pairs: pairs, Seed: s.Seed})
			}
		}
	}
	rival, err := w.Judge("handwritten")
	if err != nil {
		return err
	}
	found, err := Cells(ctx, s, "matches in "+w.Spec, keys, nil, func(ctx context.Context, k exam) (Interval, error) {
		i := slices.IndexFunc(pupils, func(p pupil) bool { return p.name == k.Model })
		world := w
		if k.Hostile {
			world = hostile
		}
		return k.sit(ctx, world, pupils[i].judge, rival)
	})
	if err != nil {
		return err
	}
	return trainFindings(f, w, l, pupils, keys, found, s.Seed)
}

// pupilsOf trains, or has it from the store.
func pupilsOf(ctx context.Context, s *Session, w *catalog.World, l lesson) ([]pupil, error) {
	marks := [][]int{{100, 500, 2000}, {500, 2000, 10000, 50000}, {500, 2000, 10000, 50000}}[s.Setting]
	marks = slices.DeleteFunc(slices.Clone(marks), func(n int) bool { return n > l.most })
	k := course{Game: w.Spec, Marks: marks, Alpha: 0.02, Lambda: 0.7, Seed: s.Seed}
	if w.Players == 1 { // sums of points: dense features of all sizes, and no link to hold them
		k.Alpha, k.Lambda = 0, 0
	}
	set, err := w.Set("")
	if err != nil {
		return nil, err
	}
	found, err := Cells(ctx, s, "learning "+w.Spec, []course{k}, nil, func(ctx context.Context, k course) ([]mark, error) { return k.learn(ctx, w, set) })
	if err != nil {
		return nil, err
	}
	var pupils []pupil
	for _, name := range []string{"zero", "handwritten"} {
		j, err := w.Judge(name)
		if err != nil {
			return nil, err
		}
		pupils = append(pupils, pupil{name: name, judge: j})
	}
	for _, m := range found[0] {
		model := blank(w, set)
		copy(model.Weights, m.Weights)
		model.Bias = m.Bias
		j, err := w.JudgeOf(fmt.Sprintf("%d games", m.Games), set, model)
		if err != nil {
			return nil, err
		}
		pupils = append(pupils, pupil{name: j.Name, judge: j})
	}
	type held struct {
		Game  string `json:"game"`
		Model string `json:"model"`
		Of    string `json:"digest"`
		Games int    `json:"games"`
		Seed  uint64 `json:"seed"`
	}
	var keys []held
	for _, p := range pupils {
		keys = append(keys, held{w.Spec, p.name, p.judge.Digest, s.Pick(60, 300, 1000), s.Seed})
	}
	errs, err := Cells(ctx, s, "errors in "+w.Spec, keys, nil, func(ctx context.Context, k held) (float64, error) {
		i := slices.IndexFunc(pupils, func(p pupil) bool { return p.name == k.Model })
		return unexplained(ctx, w, pupils[i].judge, k.Games, k.Seed)
	})
	for i := range errs {
		pupils[i].error = errs[i]
	}
	return pupils, err
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

// learn plays and learns up to the last mark.
func (k course) learn(ctx context.Context, w *catalog.World, set features.Set) ([]mark, error) {
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
	l, err := online.NewTD(online.TDConfig{
		Task:   online.Task{Game: w.Game, Set: set, Model: m, Seed: k.Seed, Frozen: fixed},
		Steps:  online.Steps{Alpha: k.Alpha, AverageFrom: -1},
		Lambda: k.Lambda,
	})
	if err != nil {
		return nil, err
	}
	var out []mark
	done := 0
	for _, n := range k.Marks {
		if err := l.Advance(ctx, done, n); err != nil {
			return nil, err
		}
		done = n
		now := l.Model()
		out = append(out, mark{n, slices.Clone(now.Weights), now.Bias})
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
// who knows nothing played, as many as each mark says.
func (k course) regress(ctx context.Context, w *catalog.World, set features.Set, m *models.Linear, frozen []int32) ([]mark, error) {
	player, err := w.Agent("expectimax:depth=1,eval=zero,ties=random", catalog.AgentOptions{})
	if err != nil {
		return nil, err
	}
	agent, err := player.New()
	if err != nil {
		return nil, err
	}
	var data rows
	var out []mark
	var moves []game.Move
	next := 0
	for i := 0; next < len(k.Marks); i++ {
		random := newRand(k.Seed, 0x1ea2, uint64(i))
		s := w.New()
		agent.Begin(random.Uint64())
		from := len(data)
		for n := 0; s.Turn() != game.Nobody && n < w.MaxPlies; n++ {
			moves = s.Moves(moves[:0])
			if s.Turn() == game.Chance {
				s.Play(game.Drawn(s, moves, random.Float64()))
				continue
			}
			r, err := agent.Search(ctx, s)
			if err != nil {
				return nil, err
			}
			s.Play(r.Move)
			if s.Turn() != game.Nobody && random.IntN(thin) == 0 {
				x := append(set.Extract(game.Base(s), 0, nil), models.Term{Index: models.Bias, Value: 1})
				data = append(data, datasets.Sample{X: x, Weight: 1, Episode: uint64(i)})
			}
		}
		if s.Turn() != game.Nobody {
			data = data[:from] // cut off: no outcome
		}
		for j := range data[from:] {
			data[from+j].Y = s.Utility(0)
		}
		if i+1 == k.Marks[next] {
			if _, err := (learn.Ridge{Options: learn.Options{Penalty: 1e-4, Frozen: frozen, NoErrors: true}}).Learn(ctx, m, data); err != nil {
				return nil, err
			}
			out = append(out, mark{i + 1, slices.Clone(m.Weights), m.Bias})
			next++
		}
	}
	return out, nil
}

// unexplained is the share of the variance of what is still to come that the
// model leaves unexplained after the best affine fit, over the positions after a
// decision in games of the hand-written evaluation, one decision ahead: 1 is
// what a constant does. In games of score what is still to come is the final score less the
// score so far.
func unexplained(ctx context.Context, w *catalog.World, j *catalog.Judge, games int, seed uint64) (float64, error) {
	player, err := w.Agent("expectimax:depth=1,eval=handwritten", catalog.AgentOptions{})
	if err != nil {
		return 0, err
	}
	agent, err := player.New()
	if err != nil {
		return 0, err
	}
	eval := j.New()
	var values, sofar, all, truth []float64
	var moves []game.Move
	for i := range uint64(games) {
		random := newRand(seed, 0x4e1d, i)
		s := w.New()
		values, sofar = values[:0], sofar[:0]
		scorer, scores := game.As[game.Scorer](s)
		agent.Begin(i)
		for plies := 0; s.Turn() != game.Nobody && plies < w.MaxPlies; plies++ {
			moves = s.Moves(moves[:0])
			if s.Turn() == game.Chance {
				s.Play(game.Drawn(s, moves, random.Float64()))
				continue
			}
			m := moves[random.IntN(len(moves))]
			if random.Float64() > 0.1 {
				r, err := agent.Search(ctx, s)
				if err != nil {
					return 0, err
				}
				m = r.Move
			}
			s.Play(m)
			if s.Turn() != game.Nobody {
				now := 0.0
				if scores {
					now = scorer.Score(0)
				}
				if t, tracks := eval.(search.Tracker); tracks {
					t.Reset(s)
				}
				values, sofar = append(values, eval.Evaluate(s, 0)), append(sofar, now)
			}
		}
		if s.Turn() != game.Nobody {
			continue // cut off: no outcome
		}
		for k, v := range values {
			all, truth = append(all, v-sofar[k]), append(truth, s.Utility(0)-sofar[k])
		}
	}
	if len(all) < 2 {
		return 0, errors.New("too few positions held out")
	}
	mx, my, sxx, sxy, syy := mean(all), mean(truth), 0.0, 0.0, 0.0
	for i, y := range truth {
		dx, dy := all[i]-mx, y-my
		sxx, sxy, syy = sxx+dx*dx, sxy+dx*dy, syy+dy*dy
	}
	if sxx == 0 {
		return 1, nil
	}
	return 1 - sxy*sxy/(sxx*syy), nil
}

// exam is a model's match against the hand-written one: a cell's key.
type exam struct {
	Game    string `json:"game"`
	Model   string `json:"model"`
	Digest  string `json:"digest"`
	Planner string `json:"planner"`
	Hostile bool   `json:"hostile"`
	Depth   int    `json:"depth"`
	Pairs   int    `json:"pairs"`
	Seed    uint64 `json:"seed"`
}

// sit plays the match: the model's strength.
func (k exam) sit(ctx context.Context, w *catalog.World, model, rival *catalog.Judge) (Interval, error) {
	if model.Digest == rival.Digest {
		strength := 0.5
		if w.Base().Players == 1 {
			strength = 0
		}
		return exactly(strength), nil // it is the rival
	}
	plan := search.NewExpectimax
	if k.Planner == "minimax" {
		plan = search.NewAlphaBeta
	}
	entrant := func(name string, j *catalog.Judge) arena.Entrant {
		return arena.Entrant{Name: name, New: func() (search.Agent, error) {
			return plan(search.Config{Game: w.Game, Eval: j.New(), Leaf: j.Leaves, Depth: k.Depth})
		}}
	}
	cfg := arena.Config{Game: w.Game, A: entrant("model", model), B: entrant("handwritten", rival), Pairs: k.Pairs, Seed: k.Seed}
	if k.Hostile {
		cfg.Openings.Plies = openings
		if w.Base().Players == 1 {
			nature := arena.Entrant{Name: "nature", New: func() (search.Agent, error) {
				return search.NewAlphaBeta(search.Config{Game: w.Game, Eval: rival.New(), Leaf: rival.Leaves, Depth: 1})
			}}
			cfg.Nature = &nature
		}
	}
	if w.Base().Players == 2 {
		cfg.Measure = arena.Wins
	}
	r, err := arena.Run(ctx, cfg)
	if err != nil {
		return Interval{}, err
	}
	if w.Base().Players == 2 {
		return Interval{r.Points.Value, r.Points.Low, r.Points.High}, nil
	}
	unit := math.Max(1, math.Abs(r.UtilityB.Value))
	d := r.Difference
	return Interval{d.Value / unit, d.Low / unit, d.High / unit}, nil
}

func trainFindings(f *Findings, w *catalog.World, l lesson, pupils []pupil, keys []exam, found []Interval, seed uint64) error {
	worlds := []string{w.Spec, w.Spec + "+adversary"}
	t := report.Table{Head: []string{"model", "held-out error"}, Words: 1, Caption: fmt.Sprintf("Strength against the hand-written evaluation, %s, %d decisions ahead. Held-out error: the share of the variance of what is still to come that is left after the best affine fit.", w.Spec, l.depth)}
	columns := []exam{{Planner: "expectimax"}, {Planner: "minimax"}, {Planner: "expectimax", Hostile: true}, {Planner: "minimax", Hostile: true}}
	at := func(p pupil, c exam) Interval {
		for i, k := range keys {
			if k.Model == p.name && k.Planner == c.Planner && k.Hostile == c.Hostile {
				return found[i]
			}
		}
		panic("study: no such exam")
	}
	name := func(c exam) string {
		if c.Hostile {
			return c.Planner + ", adversary"
		}
		return c.Planner + ", chance"
	}
	sorted := slices.Clone(pupils)
	slices.SortFunc(sorted, func(a, b pupil) int {
		switch {
		case a.error < b.error:
			return -1
		case a.error > b.error:
			return 1
		}
		return 0
	})
	var lines []line
	slopes := map[string]Interval{}
	var drawn [][]float64
	for i, c := range columns {
		t.Head = append(t.Head, name(c))
		ln := line{name: name(c), dashed: c.Hostile}
		var x []float64
		var y []Interval
		for _, p := range sorted {
			e := at(p, c)
			x, y = append(x, p.error), append(y, e)
			ln.add(p.error, e)
			world := worlds[0]
			if c.Hostile {
				world = worlds[1]
			}
			f.Data[0].Row(w.Spec, p.name, p.error, c.Planner, world, keys[0].Pairs, e.Value, e.Low, e.High)
		}
		lines = append(lines, ln)
		slope, values := slopeOf(x, y, seedOf(seed, uint64(i)))
		slopes[name(c)] = slope
		drawn = append(drawn, values)
	}
	for _, p := range pupils {
		row := []string{p.name, number(p.error, 3)}
		for _, c := range columns {
			row = append(row, at(p, c).Format(3))
		}
		t.Rows = append(t.Rows, row)
	}
	slopeRow := []string{"slope: strength per unit of error", ""}
	for _, c := range columns {
		slopeRow = append(slopeRow, slopes[name(c)].Format(3))
	}
	t.Rows = append(t.Rows, slopeRow)
	f.Tables = append(f.Tables, t)
	ylabel := "share of the points against hand-written"
	if w.Players == 1 {
		ylabel = "score, share above hand-written's"
	}
	p := panel("", "held-out error, share of variance left", ylabel, nil, lines)
	for i := range p.Series {
		p.Series[i].Points = true // models, not all of one curve: nothing lies between them
	}
	fig, err := figure("curve-"+w.Base().Name, "Strength along the learning curve, "+w.Spec, "Each point is a model: along the learning curve, hand-written, or zero; to the right the worse. 95% intervals of the matches.", p)
	if err != nil {
		return err
	}
	f.Figures = append(f.Figures, fig)

	for _, c := range columns[:2] {
		f.Verdicts = append(f.Verdicts, Judge(fmt.Sprintf("in %s strength rises as the error falls, under %s", w.Spec, c.Planner), slopes[name(c)], Below, 0, "slope "+slopes[name(c)].Format(3)))
	}
	d := Interval{Value: slopes[name(columns[0])].Value - slopes[name(columns[1])].Value}
	diff := make([]float64, len(drawn[0]))
	for i := range diff {
		diff[i] = drawn[0][i] - drawn[1][i]
	}
	d.Low, d.High = percentiles(diff)
	f.Verdicts = append(f.Verdicts, Judge(fmt.Sprintf("in %s it rises more steeply under expectimax than under minimax", w.Spec), d, Below, 0, "difference of slopes "+d.Format(3)))
	return nil
}

// slopeOf is the slope of strength on error by least squares, and slopes of
// strengths drawn anew from their intervals, taken for normal.
func slopeOf(x []float64, y []Interval, seed uint64) (Interval, []float64) {
	fit := func(y []float64) float64 {
		mx, my, sxy, sxx := mean(x), mean(y), 0.0, 0.0
		for i := range x {
			sxy += (x[i] - mx) * (y[i] - my)
			sxx += (x[i] - mx) * (x[i] - mx)
		}
		return sxy / sxx
	}
	values := make([]float64, len(y))
	for i := range y {
		values[i] = y[i].Value
	}
	slope := Interval{Value: fit(values)}
	random := newRand(seed, 0x510e)
	drawn := make([]float64, resamples)
	for k := range drawn {
		for i := range y {
			values[i] = y[i].Value + random.NormFloat64()*(y[i].High-y[i].Low)/(2*1.96)
		}
		drawn[k] = fit(values)
	}
	slope.Low, slope.High = percentiles(slices.Clone(drawn))
	return slope, drawn
}

func trainHeadline(f *Findings) {
	steeper := map[Outcome]int{}
	games := 0
	for i := 2; i < len(f.Verdicts); i += 3 {
		steeper[f.Verdicts[i].Outcome]++
		games++
	}
	f.Headline = fmt.Sprintf("Along a learning curve strength rises more steeply under expectimax than under minimax in %d of %d games of chance, less steeply in %d, and %d are not decided.", steeper[Supported], games, steeper[Contradicted], steeper[NotDecided])
}
