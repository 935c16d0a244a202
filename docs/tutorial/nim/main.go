// Command nim is a game of your own in 100 lines: take one to three stones, the
// last one wins. Every plyfit command works on it, too: go run . learn nim
package main

import (
	"fmt"
	"strconv"

	"plyfit/catalog"
	"plyfit/cli"
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// entry is all that the catalog has to know of the game.
var entry = catalog.Entry{
	Name: "nim", New: newGame,
	Profile: features.Profile{Sets: func(*game.Game) []features.Set { return []features.Set{remainders{}} }},
}

func main() { cli.Main(catalog.All().With(entry)) }

// The rules: a position is a number of stones and whose turn it is.
type state struct {
	stones int
	turn   game.Player
	taken  []game.Move // for Undo
}

func newGame(o *game.Options) (*game.Game, error) {
	stones := o.Int("stones", 21, 1, 1000)
	return &game.Game{
		Name: "nim", Spec: fmt.Sprintf("nim:stones=%d", stones), Doc: "take 1 to 3 of the stones; stones=21",
		Players: 2, Sum: game.Zero, Min: -1, Max: 1, MaxPlies: stones,
		New: func() game.State { return &state{stones: stones} }, Parse: parse, ParseMove: game.FindMove,
	}, o.Err()
}

func (s *state) Turn() game.Player {
	if s.stones == 0 {
		return game.Nobody
	}
	return s.turn
}

func (s *state) Moves(dst []game.Move) []game.Move {
	for n := 1; n <= min(3, s.stones); n++ {
		dst = append(dst, game.Move(n))
	}
	return dst
}

func (s *state) Play(m game.Move) {
	s.stones, s.turn, s.taken = s.stones-int(m), 1-s.turn, append(s.taken, m)
}

func (s *state) Undo() {
	last := len(s.taken) - 1
	s.stones, s.turn, s.taken = s.stones+int(s.taken[last]), 1-s.turn, s.taken[:last]
}

func (s *state) Utility(p game.Player) float64 {
	if p == s.turn {
		return -1 // the other one took the last stone
	}
	return 1
}

func (s *state) Hash() uint64                  { return game.Mix(uint64(s.stones)<<1 | uint64(s.turn)) }
func (s *state) Clone() game.State             { return &state{stones: s.stones, turn: s.turn} }
func (s *state) MoveString(m game.Move) string { return strconv.Itoa(int(m)) }
func (s *state) String() string                { return fmt.Sprintf("%d player %d", s.stones, s.turn) }

func parse(text string) (game.State, error) {
	s := &state{}
	fmt.Sscanf(text, "%d player %d", &s.stones, &s.turn)
	if s.stones < 0 || s.turn < 0 || s.turn > 1 || s.String() != text {
		return nil, &game.PositionError{Game: "nim", Text: text, At: 0, Want: "STONES player 0 or 1"}
	}
	return s, nil
}

// What is good in it: the stones modulo 4, as the mover sees them.
type remainders struct{}

func (remainders) Name() string                  { return "nim/remainders" }
func (remainders) View(s game.State) game.Player { return s.(*state).turn }
func (remainders) Blocks() []features.Block {
	return []features.Block{{Name: "stones modulo 4", Len: 4}, {Name: "stones", Len: 1}}
}

func (remainders) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	st, sign := s.(*state), float32(1)
	if p != st.turn {
		sign = -1
	}
	x = append(x, models.Term{Index: int32(st.stones % 4), Value: sign})
	return append(x, models.Term{Index: 4, Value: sign * float32(st.stones) / 21}) // one more feature is one line
}
