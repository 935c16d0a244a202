package protocol

import (
	"context"
	"fmt"
	"slices"

	"plyfit/game"
	"plyfit/search"
)

// Thinker has an agent think for a server: it tells it of each new game once, and
// keeps the server alive whatever the agent does. Its zero value is ready for the first
// game.
type Thinker struct {
	games uint64
	begun bool // the agent has been told of this game
}

// NewGame says that another game begins, or that another agent plays.
func (t *Thinker) NewGame() { t.begun = false }

// Begin tells the agent of the game, unless it knows.
func (t *Thinker) Begin(agent search.Agent) {
	if !t.begun {
		t.games++
		agent.Begin(t.games)
		t.begun = true
	}
}

// Search has the agent search a copy of s. A panic is an error, and after it the agent
// begins anew.
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

// Choose is Search for a legal move, of which there must be one: it is the first where
// none was found, with an error or because ctx ended.
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

// Begun reports whether the agent knows of the game, as it does after Begin until it
// panics.
func (t *Thinker) Begun() bool { return t.begun }

// Thought is a search in the background.
type Thought struct {
	cancel   context.CancelFunc
	finished chan struct{}
}

// Think begins do, whose context ends with ctx or by [Thought.Stop].
func Think(ctx context.Context, do func(context.Context)) *Thought {
	ctx, cancel := context.WithCancel(ctx)
	t := &Thought{cancel, make(chan struct{})}
	go func() {
		defer close(t.finished)
		defer cancel()
		do(ctx)
	}()
	return t
}

// Cancel asks what is thought to end.
func (t *Thought) Cancel() { t.cancel() }

// Stop ends what is thought and waits for it; a nil Thought has ended.
func (t *Thought) Stop() {
	if t != nil {
		t.cancel()
		<-t.finished
	}
}
