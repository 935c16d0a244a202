package g2048

import (
	"testing"

	"plyfit/features"
	"plyfit/features/featuretest"
	"plyfit/game"
)

// plain is expectimax over afterstates without a table, over the interface:
// what game and evaluation cost a search.
type plain struct {
	s       game.State
	chance  game.Chancer
	sum     features.Compiled
	buffers [8][]game.Move
	tried   int64
}

func (e *plain) best(depth int) float64 {
	moves := e.s.Moves(e.buffers[2*depth][:0])
	e.buffers[2*depth] = moves
	best := 0.0
	for i, m := range moves {
		e.s.Play(m)
		e.tried++
		var v float64
		if depth == 1 {
			v = e.sum.Sum(e.s, 0)
		} else {
			v = e.mean(depth)
		}
		e.s.Undo()
		if i == 0 || v > best {
			best = v
		}
	}
	return best
}

func (e *plain) mean(depth int) (mean float64) {
	moves := e.s.Moves(e.buffers[2*depth-1][:0])
	e.buffers[2*depth-1] = moves
	for _, m := range moves {
		p := e.chance.Prob(m)
		e.s.Play(m)
		if e.s.Turn() == game.Nobody {
			mean += p * e.s.Utility(0)
		} else {
			mean += p * e.best(depth-1)
		}
		e.s.Undo()
	}
	return mean
}

func BenchmarkExpectimax(b *testing.B) {
	g := newGame(b, "2048")
	set := Sets(g)[0]
	e := &plain{sum: set.(features.Compiler).Compile(g, featuretest.Shipped(b, g, set, "handwritten/2048.json"))}
	var err error
	if e.s, err = g.Parse("0012/0134/1256/2478 player 1000"); err != nil {
		b.Fatal(err)
	}
	e.chance = e.s.(game.Chancer)
	for b.Loop() {
		e.best(3)
	}
	b.ReportMetric(float64(e.tried)/b.Elapsed().Seconds()/1e6, "Mtried/s")
}
