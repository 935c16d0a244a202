package protocol

import (
	"context"
	"fmt"
	"slices"

	"plyfit/game"
	"plyfit/search"
)

// Thinker lets an agent think for a server: it announces each new game once, and survives whatever
// the agent does. Its zero value is ready for the first game.
type Thinker struct {
	games uint64
	begun bool // the agent has been told of this game
}

// NewGame announces another game or another agent.
func (t *Thinker) NewGame() { t.begun = false }

// Begin announces the game to the agent, once.
func (t *Thinker) Begin(agent search.Agent) {
	if !t.begun {
		t.games++
		agent.Begin(t.games)
		t.begun = true
	}
}

// Search has the agent search a copy of s. A panic becomes an error, and the agent then begins
// anew.
func (t *Thinker) Search(ctx context.Context, agent search.Agent, s game.State) (r search.Result, err error) {
	r.Move = game.NoMove
	defer func() {
		if p := recover(); p != nil {
			t.begun = false
			err = fmt.Errorf("%v", p)
		}
	}()
	return agent.Search(ctx, s.Clone())
}

// Choose is Search for a legal move, of which there must be one: the first if the search failed or
// ended early.
func (t *Thinker) Choose(ctx context.Context, agent search.Agent, s game.State) (search.Result, error) {
	r, err := t.Search(ctx, agent, s)
	if err != nil {
		err = fmt.Errorf("the search failed: %w", err)
	}
	if legal := s.Moves(nil); !slices.Contains(legal, r.Move) {
		r.Move = legal[0]
	}
	return r, err
}

// Begun reports whether the agent knows of the game: after Begin, until a panic.
func (t *Thinker) Begun() bool { return t.begun }
