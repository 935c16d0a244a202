package stdio

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/session"
	"plyfit/search"
)

var errOver = errors.New("the game is over: want a position that is not")

type observeParams struct {
	stateParams
	Set    string `json:"set"`    // a feature set; "": the game's usual one
	Player *int   `json:"player"` // in whose view; absent: the mover, at chance nodes the one who moved
}

// observation is a position as a player sees it. Features are sparse: Values at the rising Indices,
// 0 elsewhere.
type observation struct {
	Player      int       `json:"player"`
	Information string    `json:"information"` // the position, or what the player knows of it
	Set         string    `json:"set"`
	Size        int       `json:"size"`
	Indices     []int32   `json:"indices"`
	Values      []float32 `json:"values"`
}

func (sv *Server) observe(_ context.Context, k kept, p observeParams) (any, error) {
	set, err := k.world.Set(p.Set)
	if err != nil {
		return nil, err
	}
	base := game.Base(k.State)
	if base.Turn() == game.Nobody {
		return nil, errOver
	}
	view, err := k.player(p.Player, set.View(base))
	if err != nil {
		return nil, err
	}
	o := observation{Player: int(view), Information: k.State.String(), Set: set.Name(), Indices: []int32{}, Values: []float32{}}
	if h, ok := game.As[game.HiddenState](k.State); ok && k.world.Hidden {
		o.Information = h.Info(view)
	}
	for _, b := range set.Blocks() {
		o.Size += b.Len
	}
	for _, t := range set.Extract(base, view, nil).Merge() {
		if t.Value != 0 {
			o.Indices, o.Values = append(o.Indices, t.Index), append(o.Values, t.Value)
		}
	}
	return o, nil
}

// player is the requested player, or otherwise if none is.
func (k kept) player(asked *int, otherwise game.Player) (game.Player, error) {
	if asked == nil {
		return otherwise, nil
	}
	if players := k.Players(); *asked < 0 || *asked >= players {
		return 0, fmt.Errorf("player %d: want 0 to %d", *asked, players-1)
	}
	return game.Player(*asked), nil
}

type evaluateParams struct {
	stateParams
	Eval   string `json:"eval"`   // what eval= of an agent takes, but zero; "": handwritten
	Player *int   `json:"player"` // in whose view; absent: the mover, player 0 at chance nodes
}

type evaluateResult struct {
	Player int `json:"player"`
	features.Explanation
}

func (sv *Server) evaluate(_ context.Context, k kept, p evaluateParams) (any, error) {
	e, err := sv.evaluator(k.world, cmp.Or(p.Eval, "handwritten"))
	if err != nil {
		return nil, err
	}
	if game.Base(k.State).Turn() == game.Nobody {
		return nil, errOver
	}
	view, err := k.player(p.Player, catalog.Mover(k.State))
	if err != nil {
		return nil, err
	}
	return evaluateResult{int(view), e.Explain(k.State, view)}, nil
}

func (sv *Server) evaluator(w *catalog.World, name string) (*features.Evaluator, error) {
	return sv.evaluators.Or(w.Spec+" "+name, func() (*features.Evaluator, error) {
		set, m, err := w.Model(name)
		if err != nil {
			return nil, err
		}
		return features.NewEvaluator(w.Game, set, m), nil
	})
}

type searchParams struct {
	stateParams
	Agent string `json:"agent"` // as every command takes it; "": one that suits the game
	Seed  uint64 `json:"seed"`
}

// search answers as plyfit search --json does, without the time, so that equal requests have equal
// answers.
func (sv *Server) search(ctx context.Context, k kept, p searchParams) (any, error) {
	agent, err := sv.agent(k.world, cmp.Or(p.Agent, k.world.Planner()))
	if err != nil {
		return nil, err
	}
	agent.Begin(p.Seed)
	found, err := agent.Search(ctx, k.State)
	if err != nil {
		return nil, err
	}
	return session.AnswerOf(k.State, &found), nil
}

// agent makes an agent and caches it.
func (sv *Server) agent(w *catalog.World, spec string) (search.Agent, error) {
	return sv.agents.Or(w.Spec+" "+spec, func() (search.Agent, error) {
		p, err := w.Agent(spec, catalog.AgentOptions{Complete: true})
		if err != nil {
			return nil, err
		}
		return p.New()
	})
}
