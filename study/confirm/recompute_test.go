package confirm

import (
	"bufio"
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
	"plyfit/study"
	"plyfit/study/bases"
	"plyfit/study/damage"
)

// What follows shares no search with the study: rules and features are the project's, all
// else is written as a definition says it, without tables of positions, cuts or numbers.

// naive is a planner by definition: expectimax of a game whose moves slip, or whose dice
// are averaged; with slip 0 and fear of dice it is minimax.
type naive struct {
	leaf   func(game.State) float64 // for player 0, in half ranges
	slip   float64
	fear   bool
	me     game.Player
	values map[uint64]float64 // of player me, by position and depth
}

func (n *naive) value(s game.State, depth int) float64 {
	if s.Turn() == game.Nobody || depth == 0 && s.Turn() >= 0 {
		v := n.leaf(s)
		if n.me == 1 {
			v = -v
		}
		return v
	}
	key := game.Mix(s.Hash() + uint64(depth)*0x9e3779b97f4a7c15)
	if v, ok := n.values[key]; ok {
		return v
	}
	below := depth
	if s.Turn() >= 0 {
		below--
	}
	var all []float64
	mean := 0.0
	moves := s.Moves(nil)
	for _, m := range moves {
		p := 1 / float64(len(moves))
		if c, ok := game.As[game.Chancer](s); ok && s.Turn() == game.Chance {
			p = c.Prob(m)
		}
		s.Play(m)
		all = append(all, n.value(s, below))
		s.Undo()
		mean += p * all[len(all)-1]
	}
	best := all[0]
	more := s.Turn() == n.me
	if s.Turn() == game.Chance {
		c, _ := game.As[game.Chancer](s)
		more = c.For() != n.me
	}
	for _, v := range all {
		if more {
			best = math.Max(best, v)
		} else {
			best = math.Min(best, v)
		}
	}
	v := (1-n.slip)*best + n.slip*mean
	if s.Turn() == game.Chance {
		v = mean
		if n.fear {
			v = best
		}
	}
	n.values[key] = v
	return v
}

// move is the first of the best, as far as rounding tells them apart.
func (n *naive) move(s game.State, depth int) int {
	if n.me != s.Turn() || n.values == nil {
		n.me, n.values = s.Turn(), map[uint64]float64{}
	}
	var all []float64
	best := math.Inf(-1)
	for _, m := range s.Moves(nil) {
		s.Play(m)
		all = append(all, n.value(s, depth-1))
		s.Undo()
		best = math.Max(best, all[len(all)-1])
	}
	for i, v := range all {
		if v >= best-1e-12 {
			return i
		}
	}
	panic("no move")
}

// policies are the moves of both players' planners at all positions, by hash.
func policies(of func() *naive, start game.State, depth int) func(s game.State) int {
	planners := [2]*naive{of(), of()}
	known := map[uint64]int{}
	return func(s game.State) int {
		h := s.Hash()
		i, ok := known[h]
		if !ok {
			i = planners[s.Turn()].move(s, depth)
			known[h] = i
		}
		return i
	}
}

// share is what the first policy makes of the points against the second, over both seats
// and all openings of four random decisions.
func share(start game.State, slip float64, a, b func(game.State) int) float64 {
	total := 0.0
	for seat := range 2 {
		seen := map[uint64]float64{}
		var value func(s game.State, made int) float64
		value = func(s game.State, made int) float64 {
			if s.Turn() == game.Nobody {
				return 0.5 + s.Utility(game.Player(seat))/2
			}
			h := game.Mix(s.Hash() + uint64(min(made, 4)))
			if v, ok := seen[h]; ok {
				return v
			}
			moves := s.Moves(nil)
			chosen := -1
			if s.Turn() >= 0 && made >= 4 {
				policy := a
				if int(s.Turn()) != seat {
					policy = b
				}
				chosen = policy(s)
			}
			v, after := 0.0, made
			if s.Turn() >= 0 {
				after++
			}
			for i, m := range moves {
				p := 1 / float64(len(moves))
				if s.Turn() == game.Chance {
					c, _ := game.As[game.Chancer](s)
					p = c.Prob(m)
				} else if chosen >= 0 {
					p *= slip
					if i == chosen {
						p += 1 - slip
					}
				}
				if p == 0 {
					continue
				}
				s.Play(m)
				v += p * value(s, after)
				s.Undo()
			}
			seen[h] = v
			return v
		}
		total += value(start.Clone(), 0) / 2
	}
	return total
}

// grades are whole, from -200 to 200, those of positions that go on between the ends.
func graded(v float64) float64 { return math.Max(-199, math.Min(199, math.Round(200*v))) / 200 }

// storedCell is a cell of a run.
type storedCell struct {
	Cell   string          `json:"cell"`
	Result json.RawMessage `json:"result"`
}

func (c storedCell) read(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal(c.Result, into); err != nil {
		t.Fatal(err)
	}
}

func storedCells(t *testing.T) (out []storedCell) {
	t.Helper()
	f, err := os.Open("testdata/cells.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c storedCell
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// valueOf is the model's value of a position for player 0.
func valueOf(t *testing.T, w *catalog.World, m bases.Model, slope, shift float64) func(game.State) float64 {
	t.Helper()
	set, err := w.Set("")
	if err != nil {
		t.Fatal(err)
	}
	return func(s game.State) float64 {
		if s.Turn() == game.Nobody {
			return s.Utility(0)
		}
		sum := m.Bias
		for _, term := range features.ExtractFirst(set, s, nil) {
			if term.Index != models.Bias {
				sum += float64(m.Weights[term.Index]) * float64(term.Value)
			}
		}
		v := graded(math.Tanh(sum / 2))
		if b, ok := game.As[game.Bounder](s); ok {
			low, high := b.Bounds(0)
			v = math.Max(low, math.Min(high, v))
		}
		if slope != 1 && math.Abs(v) < 1 {
			v = (1-1e-5)*math.Tanh(slope*math.Atanh(v)+shift/2) + 1e-5*v
		}
		return v
	}
}

// TestRecomputed: cells of runs that are stored come out again of a program that shares no
// search with the study: two units on solved boards, one with slips and one with dice, two
// decisions ahead, and a match of twenty pairs.
func TestRecomputed(t *testing.T) {
	cells := storedCells(t)
	for i, board := range []struct {
		spec string
		slip float64
	}{{"connect4:columns=4,rows=4", 0.2}, {"connect4:columns=4,rows=4,dice=on", 0}} {
		w, err := catalog.All().World(board.spec)
		if err != nil {
			t.Fatal(err)
		}
		var m bases.Model
		var c damage.Calibration
		var stored Arms
		cells[3*i].read(t, &m)
		cells[3*i+1].read(t, &c)
		cells[3*i+2].read(t, &stored)
		start := w.New()
		end := func(s game.State) float64 { return s.Utility(0) }
		perfect := &naive{leaf: end, slip: board.slip, values: map[uint64]float64{}}
		truth := func(s game.State) float64 {
			if s.Turn() == game.Nobody {
				return s.Utility(0)
			}
			v := graded(perfect.value(s, 99))
			if b, ok := game.As[game.Bounder](s); ok {
				low, high := b.Bounds(0)
				v = math.Max(low, math.Min(high, v))
			}
			return v
		}
		const depth = 2
		of := func(leaf func(game.State) float64, slip float64, fear bool) func(game.State) int {
			return policies(func() *naive { return &naive{leaf: leaf, slip: slip, fear: fear} }, start, depth)
		}
		raw, platt := valueOf(t, w, m, 1, 0), valueOf(t, w, m, c.Platt.Slope, c.Platt.Shift)
		best, feared := of(truth, board.slip, false), of(truth, 0, true)
		for name, x := range map[string]struct{ want, got float64 }{
			"minimax":    {stored.Minimax[depth-1], 0.5 - share(start, board.slip, of(raw, 0, true), feared)},
			"expectimax": {stored.Expectimax[depth-1], 0.5 - share(start, board.slip, of(raw, board.slip, false), best)},
			"calibrated": {stored.Platt[depth-1], 0.5 - share(start, board.slip, of(platt, board.slip, false), best)},
		} {
			if math.Abs(x.want-x.got) > 1e-9 {
				t.Errorf("%s, %s: stored %.12f, again %.12f", board.spec, name, x.want, x.got)
			}
		}
	}
	recomputeMatch(t, cells[6:])
}

// Begin and Search make an agent of it.
type naiveAgent struct {
	naive
	depth int
}

func (a *naiveAgent) Begin(uint64) {}

func (a *naiveAgent) Search(_ context.Context, s game.State) (search.Result, error) {
	base := game.Base(s).Clone()
	a.values = nil
	return search.Result{Move: base.Moves(nil)[a.move(base, a.depth)]}, nil
}

// recomputeMatch plays the pairs of a cell again: those of a model, then the cell, then
// references, one of which is its.
func recomputeMatch(t *testing.T, cells []storedCell) {
	w, err := catalog.All().World("connect4")
	if err != nil {
		t.Fatal(err)
	}
	var m bases.Model
	var k damage.Match
	var stored study.Pairs
	cells[0].read(t, &m)
	cells[1].read(t, &stored)
	_, key, _ := strings.Cut(cells[1].Cell, "{")
	if err := json.Unmarshal([]byte("{"+key), &k); err != nil {
		t.Fatal(err)
	}
	var reference *bases.Model
	for _, c := range cells[2:] {
		var r bases.Model
		c.read(t, &r)
		u, err := r.Contestant(w, "reference", 1)
		if err != nil {
			t.Fatal(err)
		}
		if u.Digest == k.Eval {
			reference = &r
		}
	}
	if reference == nil {
		t.Fatal("the reference of the match is not among the cells")
	}
	g, err := k.World.Of(w.Game)
	if err != nil {
		t.Fatal(err)
	}
	agent := func(m bases.Model) search.Factory {
		return search.Factory{Name: "naive", New: func() (search.Agent, error) {
			return &naiveAgent{naive: naive{leaf: valueOf(t, w, m, 1, 0), slip: k.Assumes.Slip}, depth: k.Depth}, nil
		}}
	}
	for i, want := range stored {
		r, err := arena.Run(t.Context(), arena.Config{Game: g, A: agent(m), B: agent(*reference), Pairs: 1, Seed: k.OpeningSeed(i), Openings: arena.Openings{Plies: k.Plies}, Measure: arena.Wins})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Wins*2 + r.Draws; got != want {
			t.Errorf("pair %d: stored %d, again %d", i, want, got)
		}
	}
}
