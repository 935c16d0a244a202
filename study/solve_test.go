package study

import (
	"context"
	"math"
	"testing"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/search"
)

// A solved board's values are those of a search to the end, with slip and
// without, and its policies those of the players in matches.
func TestSolve(t *testing.T) {
	u := newTestSubject(t, "connect4:columns=4,rows=4", "handwritten")
	g, err := Solve(context.Background(), u)
	if err != nil {
		t.Fatal(err)
	}
	number := map[uint64]int{}
	for i, h := range g.hash {
		number[h] = i
	}
	if len(number) != 161029 {
		t.Errorf("%d positions on 4x4, want 161029", len(number)) // J. Tromp's table of connect four
	}
	late := 0
	for _, slip := range []float64{0, 0.2} {
		world, err := World{Slip: slip}.of(u.Base.Game)
		if err != nil {
			t.Fatal(err)
		}
		agent, err := search.NewExpectimax(search.Config{Game: world, Eval: search.Zero(world), Depth: 16})
		if err != nil {
			t.Fatal(err)
		}
		values := g.Values(slip)
		d := Damage{Kind: Noise, By: 0.4, Seed: 5}
		policies := g.Policies(u.lens(d), g.x, slip, 3)
		for _, s := range u.Positions(0, 80) {
			i := number[s.Hash()]
			for depth := 1; depth <= 3; depth++ {
				r, err := u.player(World{Slip: slip}, depth, d).Search(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				if want := s.Moves(nil)[policies[depth-1][i]]; r.Move != want {
					t.Errorf("%v slip %v depth %d: the player moves %v, the policy %v", s, slip, depth, r.Move, want)
				}
			}
			if g.ply[i] < 9 {
				continue
			}
			late++
			root := game.State(s.Clone())
			if slip > 0 {
				root = game.NewSlip(root, slip)
			}
			r, err := agent.Search(context.Background(), root)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(r.Values[0]-values[i]) > 1e-9 {
				t.Errorf("%v slip %v: %v, want %v", s, slip, values[i], r.Values[0])
			}
		}
	}
	if late == 0 {
		t.Error("no late position among those drawn")
	}
}

// Without sampling error, on a board of 5 columns and 4 rows: warps of a
// calibrated evaluation cost exactly nothing under minimax and something under
// expectimax.
func TestWarpsExactly(t *testing.T) {
	if testing.Short() {
		t.Skip("solves 3,945,711 positions")
	}
	s := &Session{Catalog: catalog.All(), Seed: 1}
	s.Over.Eval = "handwritten"
	b, err := s.board(context.Background(), smallBoard)
	if err != nil {
		t.Fatal(err)
	}
	if b.Len() != 3945711 {
		t.Errorf("%d positions, want 3945711", b.Len())
	}
	e, err := b.subs[exactBase].Equalise(0, noFeature, 1)
	if err != nil {
		t.Fatal(err)
	}
	const depth, slip = 3, 0.3
	loss := func(d Damage, p float64) float64 {
		j, err := b.judge(context.Background(), truthCell{Base: exactBase, Damage: d, Slip: p, Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		return 0.5 - score(j[depth-1])
	}
	for _, d := range []Damage{e.Power, {Kind: Exp, By: 4}} {
		if got := loss(d, 0); got != 0 {
			t.Errorf("%v loses %v under minimax, want exactly 0", d, got)
		}
		if got := loss(d, slip); got <= 0.005 {
			t.Errorf("%v loses %v under expectimax, want more than .005", d, got)
		}
	}
}
