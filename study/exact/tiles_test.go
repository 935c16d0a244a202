package exact

import (
	"bufio"
	"context"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/models"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/damage"
)

func newTestGrid(t *testing.T, size int) *grid {
	t.Helper()
	g, err := newGrid(size, 0)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Moves, gains and new tiles are right, images of a board are one board, and
// nothing is lost by that: values to a horizon, where an empty cell is worth a
// point, are the exact fractions of an independent program.
func TestGridVectors(t *testing.T) {
	f, err := os.Open("../../game/2048/testdata/expectimax_empty.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	boards := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// n, exponents, depth, value of empty cells, its decimals, best moves, the
		// same with gains added.
		fields := strings.Fields(lines.Text())
		n, _ := strconv.Atoi(fields[0])
		if n > 3 {
			continue
		}
		boards++
		g := newTestGrid(t, n)
		board := uint64(0)
		for i, text := range strings.Split(fields[1], ",") {
			e, _ := strconv.Atoi(text)
			board |= uint64(e) << (16*(i/n) + 4*(i%n))
		}
		depth, _ := strconv.Atoi(fields[2])
		for k, gains := range []float64{0, 1} {
			var value func(b uint64, depth int) float64
			value = func(b uint64, depth int) float64 {
				moves := g.moves(b, nil)
				if depth == 0 || len(moves) == 0 {
					return float64(len(g.spawns(b, nil)) / 2)
				}
				best := math.Inf(-1)
				for _, m := range moves {
					v := gains * (g.worth(m) - g.worth(b))
					for _, c := range g.spawns(m, nil) {
						v += c.p * value(c.board, depth-1)
					}
					best = math.Max(best, v)
				}
				return best
			}
			want, err := strconv.ParseFloat(fields[4+3*k], 64)
			if err != nil {
				t.Fatal(err)
			}
			if got := value(g.least(board), depth); math.Abs(got-want) > 1e-9*math.Max(1, want) {
				t.Errorf("%s, gains %v: %v, want %v", lines.Text(), gains, got, want)
			}
		}
	}
	if boards < 60 {
		t.Errorf("%d boards", boards)
	}
}

// The eight images of a board have one representative, which is one of them.
func TestLeast(t *testing.T) {
	for _, size := range []int{2, 3} {
		g := newTestGrid(t, size)
		random := study.NewRand(uint64(size))
		for range 200 {
			b := uint64(0)
			for _, c := range g.cells {
				b |= c * uint64(random.IntN(12))
			}
			want, image, found := g.least(b), b, false
			for range 4 {
				for _, x := range []uint64{image, g2048.Transpose(image)} {
					found = found || x == want
					if got := g.least(x); got != want {
						t.Fatalf("%x and its image %x: %x and %x", b, x, want, got)
					}
				}
				image = g.mirrored(g2048.Transpose(image), 0) // a quarter turn
			}
			if image != b || !found {
				t.Fatalf("%x: turned four times %x, least %x", b, image, want)
			}
		}
	}
}

// newTestTiles is a small board, and all that may follow from the game's own
// beginning or from a position.
func newTestTiles(t *testing.T, spec, from string) (*Tiles, *tileGame, game.State) {
	t.Helper()
	s := &study.Session{Catalog: catalog.All(), Seed: 1}
	b, err := LoadTiles(context.Background(), s, spec, 0)
	if err != nil {
		t.Fatal(err)
	}
	root := b.World.New()
	if from != "" {
		if root, err = b.World.Parse(from); err != nil {
			t.Fatal(err)
		}
		board := root.(*g2048.State).Board()
		b.all = func() (*tileGame, error) {
			return newTileGame(context.Background(), b.Grid, []spawn{{board: b.Grid.least(board), p: 1}})
		}
	}
	all, err := b.all()
	if err != nil {
		t.Fatal(err)
	}
	return b, all, root
}

// lateTiles are positions of 3x3 from which little may follow.
var lateTiles = []string{"9a8/765/012 player 9000", "9a8/571/022 player 9000"}

// Perfect play is what a recursion by the rules alone finds, in the game and
// against a hostile nature.
func TestTilesValues(t *testing.T) {
	cases := [][2]string{{"2048:size=2", ""}}
	for _, from := range lateTiles {
		cases = append(cases, [2]string{"2048:size=3", from})
	}
	for _, c := range cases {
		b, all, root := newTestTiles(t, c[0], c[1])
		row, err := all.sweep(context.Background(), &PerfectValue{b.Grid, map[uint64]float64{}})
		if err != nil {
			t.Fatal(err)
		}
		for n, worst := range map[int]bool{expected2048: false, certain2048: true} {
			if want := toGo(root, worst, map[string]float64{}); math.Abs(row[n]-want) > 1e-9*math.Max(1, want) {
				t.Errorf("%v, worst %v: %v, want %v", c, worst, row[n], want)
			}
		}
		t.Logf("%v: %d positions, to go %.3f, certain %v, choices %.2f", c, all.Len(), row[expected2048], row[certain2048], row[choices2048])
	}
}

// toGo is what perfect play is expected to gain, or sure to gain though nature
// does its worst, by the rules alone.
func toGo(s game.State, worst bool, known map[string]float64) float64 {
	key, _, _ := strings.Cut(s.String(), " ")
	key += strconv.Itoa(int(s.Turn()))
	if v, ok := known[key]; ok {
		return v
	}
	moves := s.Moves(nil)
	values := make([]float64, len(moves))
	mean := 0.0
	score := s.(*g2048.State).Score(0)
	for i, m := range moves {
		p := 0.0
		if s.Turn() == game.Chance {
			p = s.(*g2048.State).Prob(m)
		}
		s.Play(m)
		values[i] = s.(*g2048.State).Score(0) - score + toGo(s, worst, known)
		s.Undo()
		mean += p * values[i]
	}
	out := mean
	switch {
	case len(moves) == 0:
	case s.Turn() >= 0:
		out = slices.Max(values)
	case worst:
		out = slices.Min(values)
	}
	known[key] = out
	return out
}

// On perfect knowledge searches of any depth find the value of the position.
func TestTilesSearch(t *testing.T) {
	b, _, _ := newTestTiles(t, "2048:size=2", "")
	exact, err := b.Exactly(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]float64{}
	for depth := 1; depth <= 3; depth++ {
		agent, err := search.NewExpectimax(search.Options{Game: b.World.Game, Eval: exact, Leaf: models.Afterstate, Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"10/01 player 0", "12/01 player 4", "23/10 player 16", "34/21 player 50"} {
			s, err := b.World.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			r, err := agent.Search(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if want := s.(*g2048.State).Score(0) + toGo(s, false, known); math.Abs(r.Value-want) > grain2048 {
				t.Errorf("%s depth %d: %v, want %v", text, depth, r.Value, want)
			}
		}
	}
}

func testArms(risks []damage.Risk) (arms []riskArm) {
	for _, t := range recursiveRisks(risks) {
		arms = append(arms, riskArm{0, t})
	}
	return arms
}

// What a sweep says of planners is what asking them at every position says.
func TestTilesPlanners(t *testing.T) {
	const depth = 3
	b, all, _ := newTestTiles(t, "2048:size=2", "")
	exact, err := b.Exactly(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, base := range TilesBases {
		p := &planners2048{bases: []base2048{b.base(base)}, arms: testArms(b.Risks), depth: depth}
		row, err := all.sweep(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		of, random := p.found(row)
		for i, g := range b.Risks {
			for d := range depth {
				player := damage.NewRiskPlanner(b.World, b.Evaluation, d+1, g)
				if base == ExactBase {
					player.Eval = exact
				}
				want, wantRandom, expected := Enumerate(b.World, player.Best)
				got := of[i][d]
				if math.Abs(got.Regret-want[0].Regret) > 1e-9 || math.Abs(got.Worse-want[0].Worse) > 1e-9 || math.Abs(got.Score-want[0].Score) > 1e-9 || math.Abs(random-wantRandom) > 1e-9 || math.Abs(row[expected2048]-expected) > 1e-9 {
					t.Errorf("%s, %v, depth %d: %+v of %v, asked %+v of %v", base, g, d+1, got, random, want[0], wantRandom)
				}
				if base == ExactBase && (d == 0 || g.Kind == "") && got.Regret != 0 {
					t.Errorf("%v, depth %d: regret %v on the exact value", g, d+1, got.Regret)
				}
			}
		}
	}
}

// Minimax notices no risk preference, exactly, and scores what a recursion by the rules
// that takes nature for an adversary scores.
func TestTilesMinimax(t *testing.T) {
	const depth = 3
	b, all, _ := newTestTiles(t, "2048:size=2", "")
	for _, base := range TilesBases {
		p := &planners2048{bases: []base2048{b.base(base)}, arms: testArms(b.Risks), minimax: true, depth: depth}
		row, err := all.sweep(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		of, _ := p.found(row)
		for i, g := range b.Risks {
			if !slices.Equal(of[i], of[0]) {
				t.Errorf("%s, %v: %v, want %v", base, g, of[i], of[0])
			}
		}
		if base == ExactBase {
			continue
		}
		for d := range depth {
			want, _, _ := Enumerate(b.World, hostilePlayer(b.Evaluation.New(), d+1))
			if got := of[0][d].Score; math.Abs(got-want[0].Score) > 1e-9 {
				t.Errorf("depth %d: score %v, asked %v", d+1, got, want[0].Score)
			}
		}
	}
}

// On 3x3, where values of rare events differ by next to nothing, too: here to the
// first 32, in TestTilesWhole to the end.
func TestTilesMinimaxNearTies(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1}
	b, err := LoadTiles(context.Background(), s, "2048:size=3", 5)
	if err != nil {
		t.Fatal(err)
	}
	all, err := b.all()
	if err != nil {
		t.Fatal(err)
	}
	checkRisksAgree(t, b, all)
}

// checkRisksAgree checks that minimax on the exact value is the same for all
// risks.
func checkRisksAgree(t *testing.T, b *Tiles, all *tileGame) {
	t.Helper()
	p := &planners2048{bases: []base2048{b.base(ExactBase)}, arms: testArms(append([]damage.Risk{{}}, b.Main...)), minimax: true, depth: 2}
	row, err := all.sweep(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	of, _ := p.found(row)
	for i, g := range b.Main {
		if !slices.Equal(of[i+1], of[0]) {
			t.Errorf("%v: %v, want %v", g, of[i+1], of[0])
		}
	}
}

// hostilePlayer names the best moves so many decisions ahead if nature does its
// worst.
func hostilePlayer(eval search.Evaluator, depth int) func(game.State) []game.Move {
	var value func(s game.State, depth int) float64
	value = func(s game.State, depth int) float64 {
		switch {
		case s.Turn() == game.Nobody:
			return s.Utility(0)
		case depth == 0 && s.Turn() == game.Chance:
			lo, hi := s.(*g2048.State).Bounds(0)
			return math.Max(lo, math.Min(hi, eval.Evaluate(s, 0)))
		}
		var values []float64
		for _, m := range s.Moves(nil) {
			left := depth
			if s.Turn() == 0 {
				left--
			}
			s.Play(m)
			values = append(values, value(s, left))
			s.Undo()
		}
		if s.Turn() == 0 {
			return slices.Max(values)
		}
		return slices.Min(values)
	}
	return func(s game.State) (best []game.Move) {
		most := value(s, depth)
		for _, m := range s.Moves(nil) {
			s.Play(m)
			if value(s, depth-1) >= damage.TieBelow(most) {
				best = append(best, m)
			}
			s.Undo()
		}
		return best
	}
}

// The errors of risks are those of fits to all leaves of all trees, along all
// games that perfect play may come to.
func TestTilesErrors(t *testing.T) {
	b, all, root := newTestTiles(t, "2048:size=3", lateTiles[1])
	exact := &PerfectValue{b.Grid, map[uint64]float64{}}
	if _, err := all.sweep(context.Background(), exact); err != nil {
		t.Fatal(err)
	}
	k := &treeErrors{risks: recursiveRisks(b.Main)}
	for _, name := range TilesBases {
		k.bases = append(k.bases, b.base(name))
	}
	row, err := all.sweep(context.Background(), k)
	if err != nil {
		t.Fatal(err)
	}
	s := root.(*g2048.State)
	for i, name := range TilesBases {
		of := b.base(name)
		value := func() float64 { // of an afterstate
			board := b.Grid.least(s.Board())
			return s.Score(0) + of(board, exact.togo[board]) // in whole steps
		}
		var mass, variance float64
		remains := make([]float64, len(b.Main))
		var walk func(weight float64)
		walk = func(weight float64) {
			if s.Turn() == game.Nobody {
				return
			}
			if s.Turn() == game.Chance {
				for _, m := range s.Moves(nil) {
					p := s.Prob(m)
					s.Play(m)
					walk(weight * p)
					s.Undo()
				}
				return
			}
			leaves := leavesBelow(s, 2, 1, value)
			for j, g := range b.Main {
				m, all, left := fitLeaves(leaves, s.Score(0), g)
				remains[j] += weight * m * left
				if j == 0 {
					mass, variance = mass+weight*m, variance+weight*m*all
				}
			}
			var best []game.Move
			most := s.Score(0) + toGo(s, false, map[string]float64{})
			for _, m := range s.Moves(nil) {
				s.Play(m)
				if s.Score(0)+exact.togo[b.Grid.least(s.Board())] >= damage.TieBelow(most) {
					best = append(best, m)
				}
				s.Undo()
			}
			for _, m := range best {
				s.Play(m)
				walk(weight / float64(len(best)))
				s.Undo()
			}
		}
		walk(1)
		rms, got := k.found(row, i)
		if want := variance / mass; math.Abs(got-want) > 1e-6*want {
			t.Errorf("%s: variance %v, want %v", name, got, want)
		}
		for j, g := range b.Main {
			if want := math.Sqrt(remains[j] / mass); math.Abs(rms[j]-want) > 1e-5*math.Max(want, 10) {
				t.Errorf("%s, %v: error %v, want %v", name, g, rms[j], want)
			}
			t.Logf("%s, %v: error %v", name, g, rms[j])
		}
	}
}

// leavesBelow are the values of the afterstates so many decisions below s, with
// the weights that random moves and nature give them.
func leavesBelow(s *g2048.State, depth int, weight float64, value func() float64) (leaves [][2]float64) {
	moves := s.Moves(nil)
	for _, m := range moves {
		p := 1 / float64(len(moves))
		left := depth - 1
		if s.Turn() == game.Chance {
			p, left = s.Prob(m), depth
		}
		s.Play(m)
		if left == 0 {
			leaves = append(leaves, [2]float64{value(), weight * p})
		} else {
			leaves = append(leaves, leavesBelow(s, left, weight*p, value)...)
		}
		s.Undo()
	}
	return leaves
}

// fitLeaves is the weight of all leaves, the variance of their values, and what
// the best affine fit of the risk preference leaves of it.
func fitLeaves(leaves [][2]float64, root float64, g damage.Risk) (mass, variance, left float64) {
	var v, w float64
	for _, l := range leaves {
		mass, v, w = mass+l[1], v+l[1]*l[0], w+l[1]*g.Bend(l[0], root)
	}
	if mass == 0 {
		return 0, 0, 0
	}
	v, w = v/mass, w/mass
	var vv, ww, vw float64
	for _, l := range leaves {
		x, y := l[0]-v, g.Bend(l[0], root)-w
		vv, ww, vw = vv+l[1]*x*x/mass, ww+l[1]*y*y/mass, vw+l[1]*x*y/mass
	}
	if ww == 0 {
		return mass, vv, vv
	}
	return mass, vv, math.Max(0, vv-vw*vw/ww)
}

// A goal ends the game: nothing is gained after it.
func TestTilesGoal(t *testing.T) {
	g, err := newGrid(2, 3)
	if err != nil {
		t.Fatal(err)
	}
	all, err := newTileGame(context.Background(), g, g.opening())
	if err != nil {
		t.Fatal(err)
	}
	row, err := all.sweep(context.Background(), &PerfectValue{g, map[uint64]float64{}})
	if err != nil {
		t.Fatal(err)
	}
	// An 8 is made of two 4s; a game that comes to it has gained 8 points and 4 for
	// each of them that was not given, and sometimes merged 2s in vain besides.
	if v := row[expected2048]; !(v > 8 && v < 8+3*4) {
		t.Errorf("expected %v", v)
	}
	if _, err := newGrid(4, 0); err == nil {
		t.Error("no memory holds 4x4")
	}
}

// onlyPerfect is perfect play and nothing else.
type onlyPerfect struct{ afterstates, over int }

func (o *onlyPerfect) width() int { return perfect2048 }
func (o *onlyPerfect) player(steps []step, row []float64) {
	if len(steps) == 0 {
		o.over++
	}
	solvePlayer(steps, row, nil)
}
func (o *onlyPerfect) after(_ uint64, kids []child, row []float64) {
	o.afterstates++
	solveAfter(kids, row, perfect2048)
}

// All of 3x3: positions, afterstates, finished games and what perfect play is
// expected to score are those that Yamashita, Kaneko and Nakayashiki published
// when they solved it (2022; "about 5,470").
func TestTilesWhole(t *testing.T) {
	if os.Getenv("PLYFIT_LONG") == "" {
		t.Skip("set PLYFIT_LONG to solve 48,713,519 positions")
	}
	b, all, _ := newTestTiles(t, "2048:size=3", "")
	o := &onlyPerfect{}
	row, err := all.sweep(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	// The start counts as an afterstate here.
	if all.Len() != 48713519 || o.afterstates-1 != 31431374 || o.over != 7388502 || math.Abs(row[expected2048]-5470) > 5 {
		t.Errorf("%d positions, %d afterstates, %d over, expected score %v", all.Len(), o.afterstates-1, o.over, row[expected2048])
	}
	checkRisksAgree(t, b, all)
}
