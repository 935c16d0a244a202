// Package rules implements nim: take one to three stones; the player who takes the last stone wins.
package rules

import (
	"fmt"
	"strconv"

	"plyfit/game"
)

// A State is a position: the number of stones and the player to move.
type State struct {
	Stones int
	turn   game.Player
	played []game.Move // for Undo
}

// New returns the game. Its only option is the number of stones at the start.
func New(o *game.Options) (*game.Game, error) {
	stones := o.Int("stones", 21, 1, 1000)
	return &game.Game{
		Name: "nim", Spec: fmt.Sprintf("nim:stones=%d", stones), Doc: "take 1 to 3 stones; stones=21",
		Players: 2, Sum: game.Zero, Min: -1, Max: 1, MaxPlies: stones,
		New: func() game.State { return &State{Stones: stones} }, Parse: parse, ParseMove: game.FindMove,
	}, o.Err()
}

func (s *State) Turn() game.Player {
	if s.Stones == 0 {
		return game.Nobody
	}
	return s.turn
}

func (s *State) Moves(dst []game.Move) []game.Move {
	for n := 1; n <= min(3, s.Stones); n++ {
		dst = append(dst, game.Move(n))
	}
	return dst
}

func (s *State) Play(m game.Move) {
	s.Stones, s.turn, s.played = s.Stones-int(m), 1-s.turn, append(s.played, m)
}

func (s *State) Undo() {
	last := len(s.played) - 1
	s.Stones, s.turn, s.played = s.Stones+int(s.played[last]), 1-s.turn, s.played[:last]
}

func (s *State) Utility(p game.Player) float64 {
	if p == s.turn {
		return -1 // the opponent took the last stone
	}
	return 1
}

func (s *State) Hash() uint64                  { return game.Mix(uint64(s.Stones)<<1 | uint64(s.turn)) }
func (s *State) Clone() game.State             { return &State{Stones: s.Stones, turn: s.turn} }
func (s *State) MoveString(m game.Move) string { return strconv.Itoa(int(m)) }
func (s *State) String() string                { return fmt.Sprintf("%d player %d", s.Stones, s.turn) }

func parse(text string) (game.State, error) {
	s := &State{}
	fmt.Sscanf(text, "%d player %d", &s.Stones, &s.turn)
	if s.Stones < 0 || s.turn < 0 || s.turn > 1 || s.String() != text {
		return nil, &game.PositionError{Game: "nim", Text: text, At: 0, Want: "STONES player 0 or 1"}
	}
	return s, nil
}
