package features

import "plyfit/game"

// Duel is the game of this package's tests, for those outside of it.
func Duel(players int) *game.Game { return duelGame(players) }

// DuelSet is its feature set, FastDuelSet the same with sums kept up to date.
func DuelSet(table bool) Set     { return duelSet{table} }
func FastDuelSet(table bool) Set { return fastDuel{duelSet{table}} }
