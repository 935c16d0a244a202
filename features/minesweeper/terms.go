package minesweeper

import (
	"math"

	board "plyfit/game/minesweeper"
	"plyfit/internal/elementary"
)

// The terms.
const (
	left       = iota // the share of the cells without a mine that are still hidden
	leftCells         // their number, in tens
	minesLeft         // mines by hidden cells
	opening           // a cell is being opened
	safe              // some cell is known to be safe
	safeCells         // the share of the cells left that are known to be safe
	sureMines         // the share of the mines that are known
	solved            // all cells left are known to be safe
	risk              // the least probability of a mine; of the cell being opened: its own
	survival          // the logarithm of 1 less that
	density           // mines not known by hidden cells not known
	frontier          // the share of the board that is hidden and next to a number
	outside           // the share of the board that is hidden and next to none
	groups            // sets of frontier cells that hang together
	guesses           // what a guess in each of them costs, as a logarithm
	layouts           // the bits that tell which layout it is, in tens
	bitsEach          // the same by cells not known
	indecision        // the mean over frontier cells of 4p(1-p)
	size
)

var names = [size]string{
	left: "left", leftCells: "left-cells", minesLeft: "mines-left", opening: "opening", safe: "safe", safeCells: "safe-cells",
	sureMines: "sure-mines", solved: "solved", risk: "risk", survival: "log-survival", density: "density", frontier: "frontier",
	outside: "outside", groups: "groups", guesses: "guesses", layouts: "layouts", bitsEach: "bits-per-cell", indecision: "indecision",
}

// certain is how near to 0 or 1 a probability is known: those of the game are
// exact to some 13 digits.
const certain = 1e-9

// measure works out the terms; those that need probabilities only where beliefs
// is set.
func measure(s *board.State, beliefs bool, v *[size]float64) {
	*v = [size]float64{}
	rows, columns, mines := s.Size()
	cells := float64(rows * columns)
	hidden := 0
	for _, shows := range s.Shown() {
		if shows == board.Hidden {
			hidden++
		}
	}
	todo := float64(s.Left())
	v[left] = todo / (cells - float64(mines))
	v[leftCells] = todo / 10
	v[minesLeft] = float64(mines) / float64(hidden)
	chosen, isOpening := s.Opening()
	if isOpening {
		v[opening] = 1
	}
	if !beliefs {
		return
	}
	b := s.Beliefs()
	least, sure, sound, edge, doubt := 1.0, 0, 0, 0, 0.0
	for cell, shows := range s.Shown() {
		if shows != board.Hidden {
			continue
		}
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
	if isOpening {
		least = b.Mine[chosen]
	}
	if s.SureFirst() {
		least = 0
	}
	if sound > 0 {
		v[safe] = 1
		v[safeCells] = float64(sound) / todo
	}
	if float64(sound) == todo {
		v[solved] = 1
	}
	v[sureMines] = float64(sure) / float64(mines)
	v[risk] = least
	v[survival] = elementary.Log(math.Max(1-least, 1e-3))
	bits := elementary.Log2(b.Layouts)
	if unknown := hidden - sure - sound; unknown > 0 {
		v[density] = float64(mines-sure) / float64(unknown)
		v[bitsEach] = bits / float64(unknown)
	}
	v[frontier] = float64(edge) / cells
	v[outside] = float64(hidden-edge) / cells
	v[groups] = float64(b.Groups)
	v[guesses] = b.Guesses
	v[layouts] = bits / 10
	if edge > 0 {
		v[indecision] = doubt / float64(edge)
	}
}
