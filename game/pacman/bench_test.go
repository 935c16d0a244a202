package pacman

import (
	"testing"

	"plyfit/game"
)

// midgame is a position some moves into a game by chance, Pacman alive.
func midgame(b *testing.B, g *game.Game) *State {
	for seed := uint64(1); ; seed++ {
		s := g.New().(*State)
		x := seed
		for plies := 0; s.Turn() != game.Nobody && plies < 60*(s.Ghosts()+1); plies++ {
			moves := s.Moves(nil)
			x = game.Mix(x)
			s.Play(moves[x%uint64(len(moves))])
		}
		if s.Turn() == 0 {
			return s.Clone().(*State)
		}
	}
}

// Nodes of a full walk over a tree, every move made and taken back.
func BenchmarkPerft(b *testing.B) {
	for _, text := range []string{"pacman", "pacman:ghost=directional", "pacman:layout=large", "pacman:layout=gauntlet"} {
		b.Run(text, func(b *testing.B) {
			s := midgame(b, newGame(b, text))
			buffers := make([][]game.Move, 12)
			var nodes int64
			b.ReportAllocs()
			for b.Loop() {
				nodes += walk(s, 8, buffers)
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
		})
	}
}

// walk counts nodes, and looks at what an expectimax looks at.
func walk(s *State, depth int, buffers [][]game.Move) int64 {
	if depth == 0 || s.Turn() == game.Nobody {
		return 1
	}
	moves := s.Moves(buffers[depth][:0])
	buffers[depth] = moves
	if s.Turn() == game.Chance {
		sum := 0.0
		for _, m := range moves {
			sum += s.Prob(m)
		}
		if sum < 0.99 {
			panic("probabilities")
		}
	}
	nodes := int64(1)
	for _, m := range moves {
		s.Play(m)
		nodes += walk(s, depth-1, buffers)
		s.Undo()
	}
	return nodes
}

func BenchmarkHash(b *testing.B) {
	s := midgame(b, newGame(b, "pacman"))
	x := uint64(0)
	for b.Loop() {
		x ^= s.Hash()
	}
}
