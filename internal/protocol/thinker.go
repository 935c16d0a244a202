package protocol

import (
	"context"
	"fmt"
	"slices"

	"plyfit/game"
	"plyfit/search"
)

// A Thinker runs an agent's searches for a server. It calls the agent's Begin once per game and
// recovers from the agent's panics. The zero value is ready for the first game.
type Thinker struct {
	games uint64
	begun bool // whether Begin was called for this game
}

// NewGame must be called at the start of a new game or for a new agent.
func (t *Thinker) NewGame() { t.begun = false }

// Begin calls the agent's Begin, once per game.
func (t *Thinker) Begin(agent search.Agent) {
	if !t.begun {
		t.games++
		agent.Begin(t.games)
		t.begun = true
	}
}

// Search lets the agent search a copy of s. A panic becomes an error, and the next Begin calls the
// agent's Begin again.
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

// Choose is like Search, but always returns a legal move. s must have a legal move. If the search
// failed or ended early, Choose may return the first legal move.
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

// Begun reports whether the agent's Begin has been called for the current game and the agent has
// not panicked since.
func (t *Thinker) Begun() bool { return t.begun }
