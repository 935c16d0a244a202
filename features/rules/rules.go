// Package rules provides the feature set of games whose rules are in an external program: the terms
// that the program computes.
package rules

import (
	"plyfit/features"
	"plyfit/game"
)

// Name is the name of the set.
const Name = "rules/terms"

// Profile contains the set rules/terms, unless the program describes no terms, and levels for
// programs that answer some thousand positions per second.
var Profile = features.Profile{Sets: sets, Depth: 2, Levels: features.Levels{Depth: 2, Nodes: 2000}}

// A termed is a base state of [plyfit/game/rules].
type termed interface {
	Terms() []string
	TermValues(p game.Player) []float64
}

func sets(g *game.Game) []features.Set {
	s, ok := game.Base(g.New()).(termed)
	if !ok || len(s.Terms()) == 0 {
		return nil
	}
	list := features.Terms[[]float64]{
		Name:          Name,
		Antisymmetric: g.Players == 2 && g.Sum == game.Zero,
		Prepare:       func(x *[]float64, s game.State, p game.Player) { *x = game.Base(s).(termed).TermValues(p) },
		Values:        func(x *[]float64) []float64 { return *x },
	}
	for _, name := range s.Terms() {
		list.List = append(list.List, features.Term[[]float64]{Name: name, Doc: "term of the program"})
	}
	return []features.Set{list.Set()}
}
