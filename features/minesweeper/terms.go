// Package minesweeper provides the feature sets of minesweeper.
//
// The game computes the probability of a mine in each cell. From these probabilities, terms.go
// derives the progress of the game, the risk of the next step and the number of guesses still
// needed. [Profile] lists the sets.
package minesweeper

import (
	"math"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/minesweeper"
	"plyfit/internal/elementary"
	"plyfit/models"
)

// values contains the terms. The terms of minesweeper/progress come first.
type values struct {
	left        float64 `doc:"fraction of the cells without a mine that are still hidden"`
	leftCells   float64 `doc:"number of these cells, in tens"`
	minesLeft   float64 `doc:"mines divided by hidden cells"`
	opening     float64 `doc:"1 if a cell is about to be opened"`
	safe        float64 `doc:"1 if some hidden cell is known to be safe"`
	safeCells   float64 `doc:"fraction of the hidden cells without a mine that are known to be safe"`
	sureMines   float64 `doc:"fraction of the mines whose cells are known"`
	solved      float64 `doc:"1 if all hidden cells without a mine are known to be safe"`
	risk        float64 `doc:"smallest probability that a hidden cell contains a mine, or the probability for the chosen cell; 0 before a safe first cell"`
	logSurvival float64 "doc:\"logarithm of 1 - `risk`\""
	density     float64 `doc:"unknown mines divided by unknown cells"`
	frontier    float64 `doc:"hidden cells next to a number, as a fraction of the board"`
	outside     float64 `doc:"hidden cells that are not next to a number, as a fraction of the board"`
	groups      float64 `doc:"groups of frontier cells that are connected by numbers"`
	guesses     float64 `doc:"sum over the groups of -log(1-p), where p is the smallest probability of a mine in the group: the cost of one guess in each"`
	layouts     float64 `doc:"logarithm (base 2) of the number of possible layouts, in tens"`
	bitsPerCell float64 `doc:"the same logarithm divided by the number of unknown cells"`
	indecision  float64 `doc:"mean of 4p(1-p) over the frontier"`
}

// certain is the tolerance within which a probability counts as 0 or 1. The game's probabilities
// are accurate to about 13 digits.
const certain = 1e-9

// progress sets the terms that do not depend on probabilities.
func (v *values) progress(s *board.State) {
	*v = values{}
	rows, columns, mines := s.Size()
	cells := float64(rows * columns)
	hidden := 0
	for _, shows := range s.Shown() {
		if shows == board.Hidden {
			hidden++
		}
	}
	v.left = float64(s.Left()) / (cells - float64(mines))
	v.leftCells = float64(s.Left()) / 10
	v.minesLeft = float64(mines) / float64(hidden)
	if _, isOpening := s.Opening(); isOpening {
		v.opening = 1
	}
}

func (v *values) beliefs(s *board.State) {
	rows, columns, mines := s.Size()
	cells := float64(rows * columns)
	remaining := float64(s.Left())
	b := s.Beliefs()
	hidden, least, sure, sound, edge, doubt := 0, 1.0, 0, 0, 0, 0.0
	for cell, shows := range s.Shown() {
		if shows != board.Hidden {
			continue
		}
		hidden++
		p := b.Mine[cell]
		least = math.Min(least, p)
		switch {
		case p < certain:
			sound++
		case p > 1-certain:
			sure++
		}
		if b.Frontier[cell] {
			edge++
			doubt += float64(4 * p * (1 - p))
		}
	}
	if chosen, isOpening := s.Opening(); isOpening {
		least = b.Mine[chosen]
	}
	if s.SureFirst() {
		least = 0
	}
	if sound > 0 {
		v.safe = 1
		v.safeCells = float64(sound) / remaining
	}
	if float64(sound) == remaining {
		v.solved = 1
	}
	v.sureMines = float64(sure) / float64(mines)
	v.risk = least
	v.logSurvival = elementary.Log(math.Max(1-least, 1e-3))
	bits := elementary.Log2(b.Layouts)
	if unknown := hidden - sure - sound; unknown > 0 {
		v.density = float64(mines-sure) / float64(unknown)
		v.bitsPerCell = bits / float64(unknown)
	}
	v.frontier = float64(edge) / cells
	v.outside = float64(hidden-edge) / cells
	v.groups = float64(b.Groups)
	v.guesses = b.Guesses
	v.layouts = bits / 10
	if edge > 0 {
		v.indecision = doubt / float64(edge)
	}
}

var beliefs = features.Terms[values]{
	Name: "minesweeper/beliefs",
	Prepare: func(v *values, s game.State, _ game.Player) {
		v.progress(board.Of(s))
		v.beliefs(board.Of(s))
	},
	Append: func(v *values, x models.Vector) models.Vector {
		return features.AppendValues(x, features.Numbers[float64](v))
	},
	List: features.Fields[values](values{}),
}

// progressTerms is the number of terms in minesweeper/progress. These are the first terms of
// values.
const progressTerms = 4

var progress = features.Terms[values]{
	Name:    "minesweeper/progress",
	Prepare: func(v *values, s game.State, _ game.Player) { v.progress(board.Of(s)) },
	Append: func(v *values, x models.Vector) models.Vector {
		return features.AppendValues(x, features.Numbers[float64](v)[:progressTerms])
	},
	List: beliefs.List[:progressTerms],
}

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets:  func(*game.Game) []features.Set { return []features.Set{beliefs.Set(), progress.Set()} },
	Depth: 1,
	Recipe: features.Recipe{
		Rounds:   2,
		Episodes: 400, Planners: []string{"expectimax:depth=1"}, Expectimax: "expectimax:depth=1", Minimax: "alphabeta:depth=1",
		Pairs: 100, TwinPairs: 10,
	},
}
