package selfplay

import (
	"context"
	"fmt"

	"plyfit/game"
	"plyfit/search"
)

// Repeatable is a program of others as an agent whose answers may be kept: it is started anew at each
// [search.Agent.Begin], so that it remembers no other game. One that answers differently when it
// plays the first moves of g twice is refused.
func Repeatable(ctx context.Context, g *game.Game, f search.Factory) (search.Factory, error) {
	again := f
	again.New = func() (search.Agent, error) { return &starter{make: f.New}, nil }
	again.Unrepeatable = false
	return again, steady(ctx, g, again)
}

type starter struct {
	make  func() (search.Agent, error)
	agent search.Agent
	err   error
}

func (s *starter) Begin(seed uint64) {
	s.Close()
	if s.agent, s.err = s.make(); s.err == nil {
		s.agent.Begin(seed)
	}
}

func (s *starter) Search(ctx context.Context, at game.State) (search.Result, error) {
	if s.agent == nil && s.err == nil {
		s.Begin(0)
	}
	if s.err != nil {
		return search.Result{Move: game.NoMove}, s.err
	}
	return s.agent.Search(ctx, at)
}

func (s *starter) Close() error {
	if s.agent != nil {
		search.Close(s.agent)
		s.agent = nil
	}
	return nil
}

// steadyPlies are as many as an engine has to answer alike.
const steadyPlies = 12

// steady has the engine play the first moves twice, and refuses one whose answers differ.
func steady(ctx context.Context, g *game.Game, engine search.Factory) error {
	var said [2][]string
	for i := range said {
		a, err := engine.New()
		if err != nil {
			return err
		}
		a.Begin(0)
		if s := a.(*starter); s.err != nil {
			return s.err
		} else if t, ok := s.agent.(interface{ Timed() bool }); ok && t.Timed() {
			search.Close(a)
			return fmt.Errorf("%s: is limited by time, so that its answers differ: want nodes= or depth= alone", engine.Name)
		}
		s := g.New()
		for ply := 0; ply < steadyPlies && s.Turn() >= 0; ply++ {
			r, err := a.Search(ctx, s)
			if err != nil {
				search.Close(a)
				return err
			}
			said[i] = append(said[i], fmt.Sprintf("%s (%v)", s.MoveString(r.Move), r.Value))
			s.Play(r.Move)
		}
		search.Close(a)
	}
	for ply := range min(len(said[0]), len(said[1])) {
		if said[0][ply] != said[1][ply] {
			return fmt.Errorf("%s: answers %s and then %s at ply %d of the same game: want nodes= or depth=, one thread and no book, so that it plays alike twice", engine.Name, said[0][ply], said[1][ply], ply)
		}
	}
	return nil
}
