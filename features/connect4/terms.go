// Package connect4 provides the feature sets of connect four.
//
// The terms in terms.go count threats by the parity of their rows, lines that are still open, and
// the places of stones, with bit operations on the whole board. [Profile] lists the sets.
package connect4

import (
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/connect4"
)

// values contains the terms. A term is positive if it favours the player from whose point of view
// it is computed, and negative if it favours the other player. Good terms therefore have positive
// weights for both players.
type values struct {
	tempo             float64 `doc:"1 if the player is to move, otherwise -1"`
	winNow            float64 `doc:"1 for the mover if the mover can complete a line of four immediately, in a column that the die allows"`
	mustBlock         float64 `doc:"-1 if the mover cannot win immediately and the other player threatens to win on exactly one cell"`
	doubleThreat      float64 `doc:"-1 if the mover cannot win immediately and the other player threatens to win on two or more cells"`
	firstOddThreats   float64 `doc:"threats of the first player on odd rows, counted from 1, that are not yet playable"`
	firstEvenThreats  float64 `doc:"threats of the first player on even rows that are not yet playable"`
	secondOddThreats  float64 `doc:"threats of the second player on odd rows, counted from 1, that are not yet playable"`
	secondEvenThreats float64 `doc:"threats of the second player on even rows that are not yet playable"`
	lowestOdd         float64 `doc:"columns whose lowest threat is an odd-row threat of the first player, which decides the zugzwang in the column"`
	lowestEven        float64 `doc:"columns whose lowest threat is an even-row threat of the second player"`
	stackedThreats    float64 `doc:"pairs of threats one above the other; blocking the lower threat makes the upper one playable"`
	poisonedColumns   float64 `doc:"threats directly above a playable cell, where the opponent cannot safely play"`
	threes            float64 `group:"lines" doc:"lines of four with three of the player's stones and none of the opponent's"`
	twos              float64 `group:"lines" doc:"lines of four with two of the player's stones and none of the opponent's"`
	ones              float64 `group:"lines" doc:"lines of four with one of the player's stones and none of the opponent's"`
	linesThrough      float64 `doc:"lines of four through occupied cells"`
	centre            float64 `group:"columns" doc:"stones in the middle column, or in the two middle columns"`
	nearCentre        float64 `group:"columns" doc:"stones next to the middle column"`
	midway            float64 `group:"columns" doc:"stones two columns from the middle one"`
	lowRows           float64 `doc:"stones in the lower half"`
	safeMoves         float64 `doc:"the mover's moves that do not make one of the opponent's threats playable"`
}

// A position contains the values of a position, and what an evaluator need not compute.
type position struct {
	values
	noThrough, noColumns, noLines bool
}

func (v *position) use(used map[string]bool) {
	v.noThrough, v.noColumns, v.noLines = !used["lines-through"], !used["columns"], !used["lines"]
}

// A shape contains the properties of a board size that the terms require.
type shape struct {
	columns, height int
	cells           uint64
	odd             uint64    // cells of rows 1, 3, 5, ..., counted from the bottom
	low             uint64    // lower half
	rings           [3]uint64 // middle column or columns, adjacent columns, and the columns after them
	directions      [4]int    // steps between adjacent cells of a line
	starts          [4]uint64 // first cells of lines of four, for each direction
	through         [4]uint64 // bit k of the number of lines of four through each cell
	floor           uint64    // lowest cell of every column
	columnOf        [16]uint64
}

func newShape(b *board.State) *shape {
	s := &shape{columns: b.Columns(), height: b.Rows() + 1, cells: b.Board()}
	s.directions = [4]int{1, s.height - 1, s.height, s.height + 1}
	for c := range s.columns {
		s.columnOf[c] = b.Column(c)
		s.floor |= 1 << (c * s.height)
		for r := range b.Rows() {
			cell := uint64(1) << (c*s.height + r)
			if r%2 == 0 {
				s.odd |= cell
			}
			if r < b.Rows()/2 {
				s.low |= cell
			}
		}
		d := 2*c - (s.columns - 1)
		if ring := max(d, -d) / 2; ring < len(s.rings) {
			s.rings[ring] |= b.Column(c)
		}
	}
	for i, d := range s.directions {
		c := s.cells
		s.starts[i] = c & (c >> d) & (c >> (2 * d)) & (c >> (3 * d))
		for k := range 4 {
			line := s.starts[i] << (k * d) // one more line through each of these cells
			for n := range s.through {
				s.through[n], line = s.through[n]^line, s.through[n]&line
			}
		}
	}
	return s
}

// turned converts v from player 0's point of view to p's.
func (v *values) turned(p game.Player) {
	if p == 1 {
		values := features.Numbers[float64](v)
		for i := range values {
			values[i] = -values[i]
		}
	}
}

func (s *shape) measure(st game.State, v *position) {
	b := board.Of(st)
	first, second := b.Stones()
	mover := b.Plies() & 1
	allowed := b.Playable()
	if d, ok := st.(*board.Dice); ok {
		if c, forbids := d.Forbidden(); forbids {
			allowed &^= s.columnOf[c]
		}
	}
	fours := [2]uint64{b.Fours(first), b.Fours(second)}
	stones := [2]uint64{first, second}
	sign := [2]float64{1, -1}
	v.values = values{tempo: sign[mover]}

	mine, theirs := fours[mover]&allowed, fours[1-mover]&b.Playable()
	switch {
	case mine != 0:
		v.winNow = sign[mover]
	case theirs&(theirs-1) != 0:
		v.doubleThreat = sign[1-mover]
	case theirs != 0:
		v.mustBlock = sign[1-mover]
	}
	v.safeMoves = sign[mover] * float64(bits.OnesCount64(allowed&^(fours[1-mover]>>1)))

	playable := b.Playable()
	for p, f := range fours {
		later := f &^ playable
		o, e := count(later&s.odd), count(later&^s.odd)
		if p == 0 {
			v.firstOddThreats, v.firstEvenThreats = o, e
		} else {
			v.secondOddThreats, v.secondEvenThreats = -o, -e
		}
		v.stackedThreats += float64(sign[p] * count(f&(f>>1)))
		v.poisonedColumns += float64(sign[p] * count(f&(playable<<1)))
		v.lowRows += float64(sign[p] * count(stones[p]&s.low))
		if !v.noColumns {
			v.centre += float64(sign[p] * count(stones[p]&s.rings[0]))
			v.nearCentre += float64(sign[p] * count(stones[p]&s.rings[1]))
			v.midway += float64(sign[p] * count(stones[p]&s.rings[2]))
		}
		if b, t := stones[p], &s.through; !v.noThrough {
			through := bits.OnesCount64(b&t[0]) + 2*bits.OnesCount64(b&t[1]) + 4*bits.OnesCount64(b&t[2]) + 8*bits.OnesCount64(b&t[3])
			v.linesThrough += float64(sign[p] * float64(through))
		}
		if !v.noLines {
			one, two, three := s.lines(stones[p], stones[1-p])
			v.ones += float64(sign[p] * float64(one))
			v.twos += float64(sign[p] * float64(two))
			v.threes += float64(sign[p] * float64(three))
		}
	}
	// The owner of the lowest threat in a column decides its zugzwang. An odd threat counts for the
	// first player and an even threat for the second player (Allis 1988, chapter 3). Adding 1 at
	// the bottom of each column produces a carry up to the lowest threat. If there is no threat,
	// the carry ends at the bit above the board.
	threats := (fours[0] | fours[1]) &^ playable
	lowest := threats & (s.cells&^threats + s.floor)
	v.lowestOdd = count(lowest & fours[0] & s.odd)
	v.lowestEven = -count(lowest & fours[1] &^ s.odd)
}

func count(set uint64) float64 { return float64(bits.OnesCount64(set)) }

// lines returns the numbers of lines of four that contain one, two or three stones of b and are
// otherwise empty. It adds four cells bitwise, for all lines in a direction together.
func (s *shape) lines(b, other uint64) (one, two, three int) {
	for i := range s.directions {
		d := s.directions[i] & 63 // the masks make each shift a single instruction
		d2, d3 := 2*d&63, 3*d&63
		starts := s.starts[i] &^ (other | other>>d | other>>d2 | other>>d3)
		a0, a1, a2, a3 := b, b>>d, b>>d2, b>>d3
		low, high := a0^a1, a2^a3  // whether exactly one cell of each pair has a stone
		both, pair := a0&a1, a2&a3 // whether both cells of each pair have a stone
		one += bits.OnesCount64(starts & (low ^ high) &^ (both | pair))
		two += bits.OnesCount64(starts & (low&high | (both^pair)&^(low|high)))
		three += bits.OnesCount64(starts & (both&high | pair&low))
	}
	return one, two, three
}

// sets returns the feature sets of connect four, with the default first. The set connect4/threats
// contains all terms, and connect4/lines contains only open lines and tempo. The standard board
// without a die also has the sets connect4/tuples (see [newTuples]) and connect4/full, which
// combines the terms with the tables.
func sets(g *game.Game) []features.Set {
	s := newShape(board.Of(game.Base(g.New())))
	threats := features.Terms[position]{
		Name:          "connect4/threats",
		Antisymmetric: true,
		View:          view,
		Prepare:       func(v *position, st game.State, p game.Player) { s.measure(st, v); v.turned(p) },
		Use:           (*position).use,
		Values:        func(v *position) []float64 { return features.Numbers[float64](&v.values) },
		List:          features.Fields[position](values{}),
	}
	lines := threats.Only("connect4/lines", "tempo", "threes", "twos", "ones")
	sets := []features.Set{threats.Set(), lines.Set()}
	b := board.Of(game.Base(g.New()))
	if _, dice := game.Base(g.New()).(*board.Dice); !dice && b.Rows() == tupleRows && b.Columns() == tupleColumns {
		sets = append(sets, newTuples(b), newTables("connect4/full", b, s))
	}
	return sets
}

// view returns the player from whose point of view all sets describe a position: the mover, or the
// last mover while the die is being rolled.
func view(st game.State) game.Player {
	if t := st.Turn(); t >= 0 {
		return t
	}
	return game.Player(1 - board.Of(st).Plies()&1)
}

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets:   sets,
	Depth:  6,
	Levels: features.Levels{Depth: 4, Nodes: 1_000_000, Browser: 200_000}, // at this depth, the medium level notices that two more stones make an open three
	Recipe: features.Recipe{
		Why:      "eight-cell tables can represent more than the terms can, and regression cannot improve the weights of the terms further",
		Training: []features.Training{{Set: "connect4/full", Episodes: 150000, Alpha: 1, Lambda: 0.7, TC: true}},
		Rounds:   2, Episodes: 15000, First: "alphabeta:depth=3,eval=zero,ties=random", Planner: "alphabeta:depth=5",
		Openings: 10, Pairs: 400,
	},
}
