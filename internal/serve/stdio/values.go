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

var errOver = errors.New("the game is over; want a position with a legal move")

type observeParams struct {
	stateParams
	Set    string `json:"set"`    // feature set; "" for the game's default set
	Player *int   `json:"player"` // player whose point of view is used; if absent, the set's own view of the position
}

// observation is a position from a player's point of view. Features are sparse: Values contains the
// values of the features in Indices, which are in ascending order, and all other values are 0.
type observation struct {
	Player      int       `json:"player"`
	Information string    `json:"information"` // position, or the player's information about it
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

// player returns the requested player, or the default if none is requested.
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
	Eval   string `json:"eval"`   // any value of an agent's option eval except zero; "" means handwritten
	Player *int   `json:"player"` // player whose point of view is used; if absent, the mover, or player 0 at chance nodes
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
	Agent string `json:"agent"` // agent spec; "" means a suitable agent for the game
	Seed  uint64 `json:"seed"`
}

// search returns the same answer as plyfit search --json, but without the time.
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

// agent returns an agent for the spec. It caches agents.
func (sv *Server) agent(w *catalog.World, spec string) (search.Agent, error) {
	return sv.agents.Or(w.Spec+" "+spec, func() (search.Agent, error) {
		p, err := w.Agent(spec, catalog.AgentOptions{Complete: true})
		if err != nil {
			return nil, err
		}
		return p.New()
	})
}
