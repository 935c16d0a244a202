package backgammon

import (
	"fmt"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
)

// perPhase is the number of inputs of pubeval.
const perPhase = 122

type inputs struct{ features.Outline }

// pubevalInputs returns the set backgammon/pubeval. It contains the 122 inputs of Tesauro's public
// evaluator, once for positions with contact and once for races, 244 in all. Each point has five
// inputs: whether the other player has a blot there, whether the player has one checker, two or
// more, or exactly three, and half the number of checkers beyond three. The last two inputs are
// half the number of the other player's checkers on the bar and the fraction of the player's
// checkers that have been borne off.
func pubevalInputs() features.Set {
	block := func(phase string) features.Block {
		return features.Block{Name: phase, Len: perPhase, Label: func(i int) string {
			switch i {
			case 120:
				return phase + "-other-bar"
			case 121:
				return phase + "-own-off"
			}
			return fmt.Sprintf("%s-%d-%s", phase, 24-i/5, [5]string{"other-blot", "one", "two", "three", "more"}[i%5])
		}}
	}
	return &inputs{features.Outline{Called: "backgammon/pubeval", Columns: []features.Block{block("contact"), block("race")}, Seen: view}}
}

func (*inputs) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	b := board.Of(s)
	first := int32(0)
	if b.Race() {
		first = perPhase
	}
	return appendInputs(b, p, first, x)
}

// appendInputs appends pubeval's inputs from p's point of view. first is the index of the first
// input.
func appendInputs(b *board.State, p game.Player, first int32, x models.Vector) models.Vector {
	var own, other [26]int8
	b.Places(p, &own)
	b.Places(1-p, &other)
	add := func(i int, value float32) {
		x = append(x, models.Term{Index: first + int32(i), Value: value})
	}
	for j := 1; j <= 24; j++ {
		at := 5 * (j - 1)
		n := own[25-j]
		switch {
		case other[j] == 1:
			add(at, 1)
		case n == 1:
			add(at+1, 1)
		case n >= 2:
			add(at+2, 1)
			if n == 3 {
				add(at+3, 1)
			} else if n >= 4 {
				add(at+4, float32(n-3)/2)
			}
		}
	}
	if n := other[board.Bar]; n > 0 {
		add(120, float32(n)/2)
	}
	if n := own[board.Off]; n > 0 {
		add(121, float32(n)/board.Checkers)
	}
	return x
}

// perSide is the number of inputs for one side's checkers, and perTurn is the number for both
// sides.
const (
	perSide = 4*24 + 2
	perTurn = 2 * perSide
)

// checkerBlocks returns a block of 98 inputs for each side, with names that begin with prefix. The
// inputs follow TD-Gammon (Tesauro, "Temporal difference learning and TD-Gammon", CACM 1995; Sutton
// and Barto, 2nd ed., section 16.1), without the two inputs that encode the side to move. Each
// point has four inputs: whether it holds at least one, two and three checkers, and half the number
// of checkers beyond three. The last two inputs are half the number of checkers on the bar and the
// fraction of checkers borne off.
func checkerBlocks(prefix string) []features.Block {
	block := func(side string) features.Block {
		side = prefix + side
		return features.Block{Name: side, Len: perSide, Label: func(i int) string {
			switch i {
			case 96:
				return side + "-bar"
			case 97:
				return side + "-off"
			}
			return fmt.Sprintf("%s-%d-%s", side, 1+i/4, [4]string{"one", "two", "three", "more"}[i%4])
		}}
	}
	return []features.Block{block("own"), block("other")}
}

// appendCheckers appends the inputs of [checkerBlocks] from p's point of view. first is the index
// of the first input.
func appendCheckers(b *board.State, p game.Player, first int32, x models.Vector) models.Vector {
	var places [26]int8
	for _, player := range [2]game.Player{p, 1 - p} {
		b.Places(player, &places)
		for point := 1; point <= 24; point++ {
			n := places[point]
			for i := range min(n, 3) {
				x = append(x, models.Term{Index: first + int32(4*(point-1)) + int32(i), Value: 1})
			}
			if n > 3 {
				x = append(x, models.Term{Index: first + int32(4*(point-1)) + 3, Value: float32(n-3) / 2})
			}
		}
		if n := places[board.Bar]; n > 0 {
			x = append(x, models.Term{Index: first + 96, Value: float32(n) / 2})
		}
		if n := places[board.Off]; n > 0 {
			x = append(x, models.Term{Index: first + 97, Value: float32(n) / board.Checkers})
		}
		first += perSide
	}
	return x
}

// phaseNames lists the phases of the game. A checker on a point has a different value in a race,
// behind an anchor, or in front of a checker that it has to pass. Each position belongs to one
// phase, and only that phase's inputs are nonzero.
var phaseNames = [...]string{"race", "clear", "chased", "behind", "mutual"}

// phase returns the index of p's phase in phaseNames. A position with contact belongs to one of
// four phases, depending on who still has checkers on the bar or in the other player's home board:
// neither player (clear), only the other player (chased by p), only p (behind), or both (mutual).
func phase(b *board.State, p game.Player) int {
	if b.Race() {
		return 0
	}
	return 1 + 2*back(b, p) + back(b, 1-p)
}

// back returns 1 if p has a checker on the bar or in the other player's home board, and 0
// otherwise.
func back(b *board.State, p game.Player) int {
	if one, _ := b.Occupied(p); one>>19 != 0 {
		return 1
	}
	return 0
}

// phasedBlocks returns the blocks of rich, followed by the inputs of [checkerBlocks] for each
// phase, 1,035 features in all.
func phasedBlocks() []features.Block {
	blocks := rich.Set().Blocks()
	for _, name := range phaseNames {
		blocks = append(blocks, checkerBlocks(name+"-")...)
	}
	return blocks
}

// appendPhased appends the features of [phasedBlocks] from p's point of view.
func appendPhased(st game.State, p game.Player, x models.Vector) models.Vector {
	b := board.Of(st)
	var v values
	v.measure(b, p)
	terms := features.Numbers[float64](&v)
	x = features.AppendValues(x, terms)
	return appendCheckers(b, p, int32(len(terms)+phase(b, p)*perTurn), x)
}
