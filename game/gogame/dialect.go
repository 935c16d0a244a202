package gogame

import (
	"strings"

	"plyfit/game"
)

// gtp is the game in the Go Text Protocol.
func (r *rules) gtp() game.Dialect {
	return game.Dialect{
		Protocol: "gtp", Name: "Go", Size: r.size,
		Move:      func(s game.State, m game.Move) string { return s.MoveString(m) },
		ParseMove: func(s game.State, name string) (game.Move, error) { return parseMove(s, strings.TrimSpace(name)) },
		Past: func(s game.State) (game.State, []game.Move) {
			first, moves := Of(s).Past()
			return first, moves
		},
		Left:    func(s game.State) int { return Of(s).Empties()*3/4 + 4 },
		Komi:    func(s game.State) float64 { return Of(s).komi },
		SetKomi: func(s game.State, komi float64) { Of(s).komi = komi },
		Score:   func(s game.State) float64 { return Of(s).Score() },
	}
}

// Empties is the number of empty points.
func (s *State) Empties() (n int) {
	for _, p := range s.points {
		if s.colour[p] == empty {
			n++
		}
	}
	return n
}
