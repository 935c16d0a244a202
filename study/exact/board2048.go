package exact

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
	"plyfit/study"
	"plyfit/study/damage"
)

// tilesCell is what there is to know of a board of 2048 before any planner is
// evaluated: a cell's key.
type tilesCell struct {
	Game  string        `json:"game"`
	Eval  string        `json:"eval"`
	Grain float64       `json:"grain"`
	Risks []damage.Risk `json:"tastes"`
}

// TilesFound is its result; Errors and Variances stand by base, in the order of
// tilesBases and of the risk preferences, within trees of two decisions.
type TilesFound struct {
	Positions int         `json:"positions"`
	Expected  float64     `json:"expected"` // of perfect play, from the start
	Certain   float64     `json:"certain"`  // though nature does its worst
	Choices   float64     `json:"choices"`  // that a game of perfect play meets
	Errors    [][]float64 `json:"errors"`
	Variances []float64   `json:"variances"`
}

var TilesBases = []string{ExactBase, LinearBase}

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
	Base string      `json:"base"`
	Risk damage.Risk `json:"taste"`
}

type plannerFound struct {
	Of     [][]TilesValue `json:"of"` // by arm and depth
	Random float64        `json:"random"`
}

const (
	ByChance = "expectimax"
	ByWorst  = "minimax"
)

// Tiles is a board of 2048 at work.
type Tiles struct {
	Name       string
	World      *catalog.World
	Evaluation *catalog.Evaluation
	Grid       *grid
	Risks      []damage.Risk // the clean one first, then risk feared and loved
	Main       []damage.Risk // those of them that have noise of their size beside them
	all        func() (*tileGame, error)
}

// LoadTiles reads a board of 2048 on 2x2 or 3x3, and an evaluation of what is
// still to be gained after a move; goal is that of [newGrid].
func LoadTiles(ctx context.Context, s *study.Session, spec string, goal int) (*Tiles, error) {
	w, j, err := damage.LoadScoreGame(s, spec)
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
	b := &Tiles{Name: w.Spec, World: w, Evaluation: j, Grid: g, Risks: []damage.Risk{{}}}
	if goal > 0 {
		b.Name = fmt.Sprintf("%s to the first %d", w.Spec, 1<<goal)
	}
	// The first scale is caution's, or a like share of what perfect play gains; at
	// the second a risk preference is a mild one.
	scales := [][]float64{2: {10, 100}, 3: {100, 1000}}[g.Size]
	for _, scale := range scales {
		b.Risks = append(b.Risks, damage.Risk{Kind: damage.Averse, Scale: scale})
	}
	for _, scale := range slices.Backward(scales) {
		b.Risks = append(b.Risks, damage.Risk{Kind: damage.Seeking, Scale: scale})
	}
	b.Main = []damage.Risk{{Kind: damage.Averse, Scale: scales[0]}, {Kind: damage.Seeking, Scale: scales[0]}}
	b.all = sync.OnceValues(func() (*tileGame, error) {
		runtime.GC() // the board before this one was as large
		return newTileGame(ctx, g, g.opening())
	})
	return b, nil
}

// countsScore reports whether the evaluation is the score and something that the
// board alone decides, after a move.
func countsScore(j *catalog.Evaluation) error {
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
// his risk preference. It is 1/2^20; values of rare events do differ by 1e-8 of a point, for
// which no two ways of adding up agree what is a tie.
const grain2048 = 1.0 / (1 << 20)

func grained(points float64) float64 { return math.Round(points/grain2048) * grain2048 }

// base is an evaluation for one goroutine, clamped as searches clamp it.
func (b *Tiles) base(name string) base2048 {
	if name == ExactBase {
		return func(_ uint64, exact float64) float64 { return grained(exact) }
	}
	s := b.World.New().(*g2048.State)
	e := b.Evaluation.New()
	return func(board uint64, _ float64) float64 {
		if board == 0 || b.Grid.reached(board) {
			return 0 // before the first tile nobody asks; at the goal there is no more to gain
		}
		s.Stand(board)
		lo, hi := s.Bounds(0)
		return grained(math.Max(lo, math.Min(hi, e.Evaluate(s, 0))))
	}
}

func recursiveRisks(list []damage.Risk) (out []*recursiveRisk) {
	for _, g := range list {
		out = append(out, newRecursiveRisk(g))
	}
	return out
}

// solve works out perfect play and the errors of the risk preferences.
func (b *Tiles) solve(ctx context.Context, k tilesCell) (TilesFound, error) {
	t, err := b.all()
	if err != nil {
		return TilesFound{}, err
	}
	most := 0.0 // that a base may say
	watched := func(of base2048) base2048 {
		return func(board uint64, exact float64) float64 {
			v := of(board, exact)
			most = math.Max(most, v)
			return v
		}
	}
	e := &treeErrors{risks: recursiveRisks(k.Risks)}
	for _, name := range TilesBases {
		e.bases = append(e.bases, watched(b.base(name)))
	}
	row, err := t.sweep(ctx, e)
	if err != nil {
		return TilesFound{}, err
	}
	for i, list := range [][]damage.Risk{b.Risks, k.Risks} {
		for _, g := range recursiveRisks(list) {
			if err := g.fits(most, i == 1); err != nil {
				return TilesFound{}, err
			}
		}
	}
	found := TilesFound{Positions: t.Len(), Expected: row[expected2048], Certain: row[certain2048], Choices: row[choices2048]}
	for i := range TilesBases {
		rms, variance := e.found(row, i)
		found.Errors, found.Variances = append(found.Errors, rms), append(found.Variances, variance)
	}
	return found, nil
}

// evaluateAll is the cell of planners.
func (b *Tiles) evaluateAll(ctx context.Context, k plannerCell) (plannerFound, error) {
	t, err := b.all()
	if err != nil {
		return plannerFound{}, err
	}
	p := &planners2048{minimax: k.Planner == ByWorst, depth: k.Depth}
	for _, name := range TilesBases {
		p.bases = append(p.bases, b.base(name))
	}
	for _, a := range k.Arms {
		p.arms = append(p.arms, riskArm{slices.Index(TilesBases, a.Base), newRecursiveRisk(a.Risk)})
	}
	row, err := t.sweep(ctx, p)
	if err != nil {
		return plannerFound{}, err
	}
	of, random := p.found(row)
	return plannerFound{of, random}, nil
}

// TilesArm is a risk preference on a base under a planner, with what it is worth by depth;
// of noise all seeds.
type TilesArm struct {
	Base, Planner string
	Risk          damage.Risk
	Like          damage.Risk // the risk preference whose error the noise has
	Error         float64     // within trees of two decisions, points; 0: not asked
	Seeds         [][]TilesValue
	Random        float64
}

// noiseLike is noise with the error of a risk preference after the best affine fit, where
// values vary so much within trees: of noise of variance v there remains
// var*v/(var+v).
func noiseLike(rms, variance float64, seed uint64) damage.Risk {
	return damage.Risk{Kind: damage.NoisyScore, Scale: study.Round(math.Sqrt(rms*rms*variance/(variance-float64(rms*rms))), 3), Seed: seed}
}

// Arms works out all there is to know of the board.
func (b *Tiles) Arms(ctx context.Context, s *study.Session, depth int) (TilesFound, []*TilesArm, error) {
	title := "of " + b.Name
	solved, err := study.Cells(ctx, s, "perfect play "+title, []tilesCell{{b.Name, b.Evaluation.Digest, grain2048, b.Main}}, nil, b.solve)
	if err != nil {
		return TilesFound{}, nil, err
	}
	found := solved[0]
	var arms []*TilesArm
	var keys []plannerCell
	type place struct{ cell, arm int }
	places := map[*TilesArm][]place{}
	put := func(a *TilesArm, g damage.Risk) {
		k := &keys[len(keys)-1]
		places[a] = append(places[a], place{len(keys) - 1, len(k.Arms)})
		k.Arms = append(k.Arms, plannerArm{a.Base, g})
	}
	cell := func(planner string) {
		keys = append(keys, plannerCell{Game: b.Name, Eval: b.Evaluation.Digest, Grain: grain2048, Planner: planner, Depth: depth})
	}
	all := func(base int, planner string, risks []damage.Risk) error {
		for _, g := range risks {
			a := &TilesArm{Base: TilesBases[base], Planner: planner, Risk: g}
			if n := slices.Index(b.Main, g); n >= 0 {
				a.Error = found.Errors[base][n]
			}
			arms = append(arms, a)
			put(a, g)
		}
		for n, g := range b.Main {
			rms, variance := found.Errors[base][n], found.Variances[base]
			if rms*rms >= variance {
				return fmt.Errorf("evaluation %s: hardly varies within trees: no noise can be as bad as %v", b.Evaluation.Name, g)
			}
			a := &TilesArm{Base: TilesBases[base], Planner: planner, Risk: damage.Risk{Kind: damage.NoisyScore}, Like: g, Error: rms}
			arms = append(arms, a)
			for seed := range uint64(s.Pick(2, 2, 3)) {
				a.Risk = noiseLike(rms, variance, game.Seed(s.Seed, 0x7113, seed))
				put(a, a.Risk)
			}
		}
		return nil
	}
	for base := range TilesBases {
		cell(ByChance)
		if err := all(base, ByChance, b.Risks); err != nil {
			return found, nil, err
		}
	}
	// Of risk preferences two are enough to see that minimax notices none, and of the
	// imperfect evaluation what it is worth undamaged.
	cell(ByWorst)
	if err := all(0, ByWorst, append([]damage.Risk{{}}, b.Main...)); err != nil {
		return found, nil, err
	}
	arms = append(arms, &TilesArm{Base: LinearBase, Planner: ByWorst})
	put(arms[len(arms)-1], damage.Risk{})
	evaluated, err := study.Cells(ctx, s, "planners "+title, keys, func(k plannerCell) float64 { return float64(5 + len(k.Arms)) }, b.evaluateAll)
	for _, a := range arms {
		for _, at := range places[a] {
			if err == nil {
				a.Seeds, a.Random = append(a.Seeds, evaluated[at.cell].Of[at.arm]), evaluated[at.cell].Random
			}
		}
	}
	return found, arms, err
}

// interval is a figure at a depth: exact, but for noise, whose interval is the
// range of its seeds.
func (a *TilesArm) interval(depth int, of func(TilesValue) float64) study.Interval {
	i := study.Interval{Low: math.Inf(1), High: math.Inf(-1)}
	for _, by := range a.Seeds {
		v := of(by[depth-1])
		i.Value += v / float64(len(a.Seeds))
		i.Low, i.High = math.Min(i.Low, v), math.Max(i.High, v)
	}
	if len(a.Seeds) == 1 {
		i.Value = i.Low
	}
	return i
}

// Share is the true regret in percent of a random move's.
func (a *TilesArm) Share(depth int) study.Interval {
	return a.interval(depth, func(j TilesValue) float64 { return 100 * j.Regret / a.Random })
}

func (a *TilesArm) Score(depth int) study.Interval {
	return a.interval(depth, func(j TilesValue) float64 { return j.Score })
}

// String is its name in tables.
func (a *TilesArm) String() string {
	switch a.Risk.Kind {
	case damage.NoisyScore:
		return "noise like " + a.Like.String()
	}
	return a.Risk.String()
}

// ArmOf finds an arm; noise is that of the risk preference's size where noise is true.
func ArmOf(arms []*TilesArm, base, planner string, g damage.Risk, noise bool) *TilesArm {
	for _, a := range arms {
		if a.Base == base && a.Planner == planner && (noise && a.Like == g && a.Risk.Kind == damage.NoisyScore || !noise && a.Risk == g) {
			return a
		}
	}
	panic("study: no such arm of 2048")
}
