package gametest

import "plyfit/game"

// Perft is [game.Perft] without buffers, for tests of published counts.
func Perft(s game.State, depth int) int64 { return game.Perft(s, depth, nil) }
