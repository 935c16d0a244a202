package session

import (
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/search"
)

// Answer is the JSON of a search's result.
type Answer struct {
	Move      *string   `json:"move"`   // null at a finished or chance root
	Value     *float64  `json:"value"`  // the mover's; player 0's at a chance node; null if the agent reports none
	Values    []float64 `json:"values"` // per player; empty if the agent reports none
	Depth     int       `json:"depth"`
	Nodes     int64     `json:"nodes"`
	Seconds   *float64  `json:"seconds,omitempty"` // absent where equal searches have equal answers
	PV        []string  `json:"pv"`
	Best      []string  `json:"best"` // all equally good moves
	BestNodes *int64    `json:"best_nodes,omitempty"`
	Exact     bool      `json:"exact"` // a proof, not an estimate
}

// AnswerOf is the answer of a search of s, without its time.
func AnswerOf(s game.State, r *search.Result) Answer {
	// Zeros lose the sign of a draw's value negated, which JSON would show.
	a := Answer{
		Depth: r.Depth, Nodes: r.Nodes, Exact: r.Exact, PV: Line(s, r.PV, game.State.MoveString),
		Values: append([]float64{}, list.Map(r.Values, func(v float64) float64 { return v + 0 })...),
		Best:   append([]string{}, list.Map(r.Best, s.MoveString)...),
	}
	if len(r.Values) > 0 {
		value := r.Value + 0
		a.Value = &value
	}
	if r.Move != game.NoMove {
		move := s.MoveString(r.Move)
		a.Move = &move
	}
	return a
}
