package connect4

import (
	"fmt"
	"math/bits"
	"strings"

	"plyfit/game"
)

// String implements [game.State]: the columns played so far, from 1, `start`
// where there are none; columns beyond the ninth are a, b and c.
func (s *State) String() string {
	if s.ply == 0 {
		return "start"
	}
	out := make([]byte, s.ply)
	for i := range out {
		cell := s.line[i].all ^ s.line[i+1].all
		out[i] = columnNames[uint(bits.TrailingZeros64(cell))/s.height]
	}
	return string(out)
}

func (r *rules) parse(text string) (game.State, error) {
	w := &game.Words{Game: "connect4", Text: text}
	played, die, hasDie := strings.Cut(text, " ")
	s := r.start()
	b := Of(s)
	if played != "start" {
		if played == "" {
			return nil, w.Fail(0, "the columns played so far, or start")
		}
		for i := 0; i < len(played); i++ {
			c := strings.IndexByte(columnNames[:r.columns], played[i])
			switch {
			case c < 0:
				return nil, w.Fail(i, fmt.Sprintf("a column from 1 to %c", columnNames[r.columns-1]))
			case b.at().end != open:
				return nil, w.Fail(i, "nothing more: the game is over")
			case b.at().all&r.top[c] != 0:
				return nil, w.Fail(i, "a column that is not full")
			}
			b.Play(game.Move(c))
		}
	}
	b.root = b.ply
	d, dice := s.(*Dice)
	switch {
	case !dice && hasDie:
		return nil, w.Fail(len(played), "nothing more: this game has no dice")
	case !dice:
		return s, nil
	case b.at().end != open:
		if hasDie {
			return nil, w.Fail(len(played), "nothing more: the game is over")
		}
		d.plays = 0
		return s, nil
	}
	face := 0
	if die != "roll" {
		f, ok := strings.CutPrefix(die, "die ")
		if face = strings.Index(columnNames, f) + 1; !ok || len(f) != 1 || face == 0 {
			return nil, w.Fail(len(played), `" roll" or " die " and the face`)
		}
	}
	if err := d.set(face); err != nil {
		return nil, w.Fail(len(played)+5, err.Error())
	}
	return s, nil
}
