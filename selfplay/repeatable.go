package selfplay

import (
	"context"
	"fmt"

	"plyfit/game"
	"plyfit/search"
)

// Repeatable returns a factory of agents whose results can be stored in data sets. f starts an
// external program. The program is restarted at each [search.Agent.Begin], so that it cannot
// remember other games.
//
// Repeatable plays the first moves of g twice and returns an error if the answers differ. It also
// returns an error if the program has a time limit.
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

// steadyPlies is the number of plies for which the answers are compared.
const steadyPlies = 12

// steady lets the engine play the first moves twice and returns an error if its answers differ or
// if it has a time limit.
func steady(ctx context.Context, g *game.Game, engine search.Factory) error {
	var answers [2][]string
	for i := range answers {
		a, err := engine.New()
		if err != nil {
			return err
		}
		a.Begin(0)
		if s := a.(*starter); s.err != nil {
			return s.err
		} else if t, ok := s.agent.(interface{ Timed() bool }); ok && t.Timed() {
			search.Close(a)
			return fmt.Errorf("%s: the engine has a time limit, so its answers differ from run to run; use only nodes= or depth=", engine.Name)
		}
		s := g.New()
		for ply := 0; ply < steadyPlies && s.Turn() >= 0; ply++ {
			r, err := a.Search(ctx, s)
			if err != nil {
				search.Close(a)
				return err
			}
			answers[i] = append(answers[i], fmt.Sprintf("%s (%v)", s.MoveString(r.Move), r.Value))
			s.Play(r.Move)
		}
		search.Close(a)
	}
	for ply := range min(len(answers[0]), len(answers[1])) {
		if answers[0][ply] != answers[1][ply] {
			return fmt.Errorf("%s: the engine answered %s and then %s at ply %d of the same game; use nodes= or depth=, one thread and no opening book", engine.Name, answers[0][ply], answers[1][ply], ply)
		}
	}
	return nil
}
