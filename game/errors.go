package game

import (
	"fmt"
	"strings"
)

// PositionError is what Game.Parse returns for text that is no position.
type PositionError struct {
	Game string // the game's name
	Text string // what was read
	At   int    // byte offset of the fault in Text, -1 where the whole is at fault
	Want string // what was expected there
}

func (e *PositionError) Error() string {
	text := e.Text
	if len(text) > 80 {
		text = text[:77] + "..."
	}
	if e.At < 0 {
		return fmt.Sprintf("%s position %q: want %s", e.Game, text, e.Want)
	}
	return fmt.Sprintf("%s position %q, column %d: want %s", e.Game, text, e.At+1, e.Want)
}

// MoveError is what Game.ParseMove returns for text that is no legal move.
type MoveError struct {
	Text  string
	Legal []string // the legal moves, as they are written
}

func (e *MoveError) Error() string {
	legal := e.Legal
	more := ""
	if len(legal) > 12 {
		legal, more = legal[:12], fmt.Sprintf(" and %d more", len(e.Legal)-12)
	}
	if len(legal) == 0 {
		return fmt.Sprintf("move %q: the game is over", e.Text)
	}
	return fmt.Sprintf("move %q: want one of %s%s", e.Text, strings.Join(legal, " "), more)
}
