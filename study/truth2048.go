package study

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"plyfit/catalog"
	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/models"
)

// tilesCell is what there is to know of a board of 2048 before any planner is
// judged: a cell's key.
type tilesCell struct {
	Game   string   `json:"game"`
	Eval   string   `json:"eval"`
	Grain  float64  `json:"grain"`
	Tastes []gamble `json:"tastes"`
}

// tilesFound is its result; Errors and Variances stand by base, in the order of
// tilesBases and of the tastes, within trees of two decisions.
type tilesFound struct {
	Positions int         `json:"positions"`
	Expected  float64     `json:"expected"` // of perfect play, from the start
	Certain   float64     `json:"certain"`  // though nature does its worst
	Choices   float64     `json:"choices"`  // that a game of perfect play meets
	Errors    [][]float64 `json:"errors"`
	Variances []float64   `json:"variances"`
}

var tilesBases = []string{exactBase, linearBase}

// plannerCell is planners of all depths: a cell's key.
type plannerCell struct {
	Game    string       `json:"game"`
	Eval    string       `json:"eval"`
	Grain   float64      `json:"grain"`
	Planner string       `json:"planner"`
	Depth   int          `json:"depth"`
	Arms    []plannerArm `json:"arms"`
}

type plannerArm struct {
	Base  string `json:"base"`
	Taste gamble `json:"taste"`
}

type plannerFound struct {
	Of     [][]judged2048 `json:"of"` // by arm and depth
	Random float64        `json:"random"`
}

const (
	byChance = "expectimax"
	byWorst  = "minimax"
)

// tilesBoard is a board of 2048 at work.
type tilesBoard struct {
	name   string
	world  *catalog.World
	judge  *catalog.Judge
	grid   *grid
	tastes []gamble // the clean one first, then risk feared and loved
	main   []gamble // those of them that have noise of their size beside them
	all    func() (*tileGame, error)
}

// tilesBoard reads a board of 2048 on 2x2 or 3x3, and an evaluation of what is
// still to be gained after a move; goal is that of [newGrid].
func (s *Session) tilesBoard(ctx context.Context, spec string, goal int) (*tilesBoard, error) {
	w, j, err := s.scoreGame(spec)
	if err != nil {
		return nil, err
	}
	state, ok := w.New().(*g2048.State)
	if !ok {
		return nil, fmt.Errorf("game %s: want 2048", w.Spec)
	}
	g, err := newGrid(state.Size(), goal)
	if err != nil {
		return nil, err
	}
	if err := countsScore(j); err != nil {
		return nil, err
	}
	b := &tilesBoard{name: w.Spec, world: w, judge: j, grid: g, tastes: []gamble{{}}}
	if goal > 0 {
		b.name = fmt.Sprintf("%s to the first %d", w.Spec, 1<<goal)
	}
	// The first scale is caution's, or a like share of what perfect play gains; at
	// the second a taste is a mild one.
	scales := [][]float64{2: {10, 100}, 3: {100, 1000}}[g.size]
	for _, scale := range scales {
		b.tastes = append(b.tastes, gamble{Kind: fearing, Scale: scale})
	}
	for _, scale := range slices.Backward(scales) {
		b.tastes = append(b.tastes, gamble{Kind: seeking, Scale: scale})
	}
	b.main = []gamble{{Kind: fearing, Scale: scales[0]}, {Kind: seeking, Scale: scales[0]}}
	b.all = sync.OnceValues(func() (*tileGame, error) {
		runtime.GC() // the board before this one was as large
		return newTileGame(ctx, g, g.opening())
	})
	return b, nil
}

// countsScore tells whether the evaluation is the score and something that the
// board alone decides, after a move.
func countsScore(j *catalog.Judge) error {
	if j.Model == nil || j.Leaves != models.Afterstate || j.Model.Link.Kind != models.Identity {
		return fmt.Errorf("evaluation %s: want a model for afterstates without a link", j.Name)
	}
	for i, w := range j.Model.Weights {
		if j.Model.Name(int32(i)) == "score" && w == 1 {
			return nil
		}
	}
	return fmt.Errorf("evaluation %s: want one in which the score weighs 1", j.Name)
}

// grain2048 is a step of evaluations, in points: they are counted in whole steps,
// so that minimax finds two moves equally good exactly or not at all, whatever
// his taste. It is 1/2^20; values of rare events do differ by 1e-8 of a point, for
// which no two ways of adding up agree what is a tie.
const grain2048 = 1.0 / (1 << 20)

func grained(points float64) float64 { return math.Round(points/grain2048) * grain2048 }

// base is an evaluation for one goroutine, clamped as searches clamp it.
func (b *tilesBoard) base(name string) base2048 {
	if name == exactBase {
		return func(_ uint64, exact float64) float64 { return grained(exact) }
	}
	s := b.world.New().(*g2048.State)
	e := b.judge.New()
	return func(board uint64, _ float64) float64 {
		if board == 0 || b.grid.reached(board) {
			return 0 // before the first tile nobody asks; at the goal there is no more to gain
		}
		s.Stand(board)
		lo, hi := s.Bounds(0)
		return grained(math.Max(lo, math.Min(hi, e.Evaluate(s, 0))))
	}
}

func tastesOf(list []gamble) (out []*taste) {
	for _, g := range list {
		out = append(out, newTaste(g))
	}
	return out
}

// solve works out perfect play and the errors of the tastes.
func (b *tilesBoard) solve(ctx context.Context, k tilesCell) (tilesFound, error) {
	t, err := b.all()
	if err != nil {
		return tilesFound{}, err
	}
	most := 0.0 // that a base may say
	watched := func(of base2048) base2048 {
		return func(board uint64, exact float64) float64 {
			v := of(board, exact)
			most = math.Max(most, v)
			return v
		}
	}
	e := &errors2048{tastes: tastesOf(k.Tastes)}
	for _, name := range tilesBases {
		e.bases = append(e.bases, watched(b.base(name)))
	}
	row, err := t.sweep(ctx, e)
	if err != nil {
		return tilesFound{}, err
	}
	for i, list := range [][]gamble{b.tastes, k.Tastes} {
		for _, g := range tastesOf(list) {
			if err := g.fits(most, i == 1); err != nil {
				return tilesFound{}, err
			}
		}
	}
	found := tilesFound{Positions: t.Len(), Expected: row[expected2048], Certain: row[certain2048], Choices: row[choices2048]}
	for i := range tilesBases {
		rms, variance := e.found(row, i)
		found.Errors, found.Variances = append(found.Errors, rms), append(found.Variances, variance)
	}
	return found, nil
}

// judgeAll is the cell of planners.
func (b *tilesBoard) judgeAll(ctx context.Context, k plannerCell) (plannerFound, error) {
	t, err := b.all()
	if err != nil {
		return plannerFound{}, err
	}
	p := &planners2048{minimax: k.Planner == byWorst, depth: k.Depth}
	for _, name := range tilesBases {
		p.bases = append(p.bases, b.base(name))
	}
	for _, a := range k.Arms {
		p.arms = append(p.arms, arm2048{slices.Index(tilesBases, a.Base), newTaste(a.Taste)})
	}
	row, err := t.sweep(ctx, p)
	if err != nil {
		return plannerFound{}, err
	}
	of, random := p.found(row)
	return plannerFound{of, random}, nil
}

// tilesArm is a taste on a base under a planner, with what it is worth by depth;
// of noise all seeds.
type tilesArm struct {
	base, planner string
	taste         gamble
	like          gamble  // the taste whose error the noise has
	error         float64 // within trees of two decisions, points; 0: not asked
	seeds         [][]judged2048
	random        float64
}

// noiseLike is noise with the error of a taste after the best affine fit, where
// values vary so much within trees: of noise of variance v there remains
// var*v/(var+v).
func noiseLike(rms, variance float64, seed uint64) gamble {
	return gamble{noisy, round(math.Sqrt(rms*rms*variance/(variance-rms*rms)), 3), seed}
}

// arms works out all there is to know of the board.
func (b *tilesBoard) arms(ctx context.Context, s *Session, depth int) (tilesFound, []*tilesArm, error) {
	title := "of " + b.name
	solved, err := Cells(ctx, s, "perfect play "+title, []tilesCell{{b.name, b.judge.Digest, grain2048, b.main}}, nil, b.solve)
	if err != nil {
		return tilesFound{}, nil, err
	}
	found := solved[0]
	var arms []*tilesArm
	var keys []plannerCell
	type place struct{ cell, arm int }
	places := map[*tilesArm][]place{}
	put := func(a *tilesArm, g gamble) {
		k := &keys[len(keys)-1]
		places[a] = append(places[a], place{len(keys) - 1, len(k.Arms)})
		k.Arms = append(k.Arms, plannerArm{a.base, g})
	}
	cell := func(planner string) {
		keys = append(keys, plannerCell{Game: b.name, Eval: b.judge.Digest, Grain: grain2048, Planner: planner, Depth: depth})
	}
	all := func(base int, planner string, tastes []gamble) error {
		for _, g := range tastes {
			a := &tilesArm{base: tilesBases[base], planner: planner, taste: g}
			if n := slices.Index(b.main, g); n >= 0 {
				a.error = found.Errors[base][n]
			}
			arms = append(arms, a)
			put(a, g)
		}
		for n, g := range b.main {
			rms, variance := found.Errors[base][n], found.Variances[base]
			if rms*rms >= variance {
				return fmt.Errorf("evaluation %s: hardly varies within trees: no noise can be as bad as %v", b.judge.Name, g)
			}
			a := &tilesArm{base: tilesBases[base], planner: planner, taste: gamble{Kind: noisy}, like: g, error: rms}
			arms = append(arms, a)
			for seed := range uint64(s.Pick(2, 2, 3)) {
				a.taste = noiseLike(rms, variance, game.Seed(s.Seed, 0x7113, seed))
				put(a, a.taste)
			}
		}
		return nil
	}
	for base := range tilesBases {
		cell(byChance)
		if err := all(base, byChance, b.tastes); err != nil {
			return found, nil, err
		}
	}
	// Of tastes two are enough to see that minimax notices none, and of the
	// imperfect evaluation what it is worth undamaged.
	cell(byWorst)
	if err := all(0, byWorst, append([]gamble{{}}, b.main...)); err != nil {
		return found, nil, err
	}
	arms = append(arms, &tilesArm{base: linearBase, planner: byWorst})
	put(arms[len(arms)-1], gamble{})
	judged, err := Cells(ctx, s, "planners "+title, keys, func(k plannerCell) float64 { return float64(5 + len(k.Arms)) }, b.judgeAll)
	for _, a := range arms {
		for _, at := range places[a] {
			if err == nil {
				a.seeds, a.random = append(a.seeds, judged[at.cell].Of[at.arm]), judged[at.cell].Random
			}
		}
	}
	return found, arms, err
}

// interval is a figure at a depth: exact, but for noise, whose interval is the
// range of its seeds.
func (a *tilesArm) interval(depth int, of func(judged2048) float64) Interval {
	i := Interval{Low: math.Inf(1), High: math.Inf(-1)}
	for _, by := range a.seeds {
		v := of(by[depth-1])
		i.Value += v / float64(len(a.seeds))
		i.Low, i.High = math.Min(i.Low, v), math.Max(i.High, v)
	}
	if len(a.seeds) == 1 {
		i.Value = i.Low
	}
	return i
}

// share is the true regret in percent of a random move's.
func (a *tilesArm) share(depth int) Interval {
	return a.interval(depth, func(j judged2048) float64 { return 100 * j.Regret / a.random })
}

func (a *tilesArm) score(depth int) Interval {
	return a.interval(depth, func(j judged2048) float64 { return j.Score })
}

// String is its name in tables.
func (a *tilesArm) String() string {
	switch a.taste.Kind {
	case noisy:
		return "noise like " + a.like.String()
	}
	return a.taste.String()
}

// armOf finds an arm; noise is that of the taste's size where noise is true.
func armOf(arms []*tilesArm, base, planner string, g gamble, noise bool) *tilesArm {
	for _, a := range arms {
		if a.base == base && a.planner == planner && (noise && a.like == g && a.taste.Kind == noisy || !noise && a.taste == g) {
			return a
		}
	}
	panic("study: no such arm of 2048")
}

// smallTiles is a board to solve; goal is that of [newGrid].
type smallTiles struct {
	spec string
	goal int
}

// truth2048 adds boards of 2048 to the findings, with claims on the last of them.
func (s *Session) truth2048(ctx context.Context, f *Findings, boards []smallTiles) error {
	depth := slices.Max(or(s.Over.Depths, []int{3}))
	data := Data{Name: "2048", Head: []string{"game", "base", "planner", "taste", "like", "noise_seed", "error", "depth", "regret", "random_regret", "worse_choices", "score"}}
	for i, x := range boards {
		b, err := s.tilesBoard(ctx, x.spec, x.goal)
		if err != nil {
			return err
		}
		found, arms, err := b.arms(ctx, s, depth)
		if err != nil {
			return err
		}
		for _, a := range arms {
			like := ""
			if a.taste.Kind == noisy {
				like = a.like.String()
			}
			for seed, by := range a.seeds {
				for d, j := range by {
					data.Row(b.name, a.base, a.planner, a.taste, like, seed, round(a.error, 4), d+1, j.Regret, a.random, j.Worse, j.Score)
				}
			}
		}
		if err := b.report(f, found, arms, depth, i == len(boards)-1); err != nil {
			return err
		}
		if b.grid.size == 2 {
			exact, err := b.exactly(ctx)
			if err != nil {
				return err
			}
			f.Tables = append(f.Tables, b.askedTable(exact, depth))
		}
	}
	f.Data = append(f.Data, data)
	return nil
}
