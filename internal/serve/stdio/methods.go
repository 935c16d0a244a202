package stdio

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/text"
)

// method answers one kind of request; params are a JSON object.
type method func(sv *Server, ctx context.Context, params json.RawMessage) (any, error)

var methods map[string]method

func init() { // not in the declaration: hello leads back to it
	methods = map[string]method{
		"hello":    decoded((*Server).hello),
		"games":    decoded((*Server).games),
		"game":     decoded((*Server).game),
		"features": decoded((*Server).features),
		"new":      decoded((*Server).newState),
		"state":    atState((*Server).state),
		"apply":    atState((*Server).apply),
		"undo":     atState((*Server).undo),
		"clone":    atState((*Server).clone),
		"free":     atState((*Server).free),
		"draw":     atState((*Server).draw),
		"observe":  atState((*Server).observe),
		"evaluate": atState((*Server).evaluate),
		"search":   atState((*Server).search),
		"stop":     decoded(func(*Server, context.Context, struct{}) (any, error) { return struct{}{}, nil }), // [Server.Serve] does it
	}
}

func methodNames() []string { return slices.Sorted(maps.Keys(methods)) }

// decoded adapts f, whose parameters are the fields of P.
func decoded[P any](f func(sv *Server, ctx context.Context, p P) (any, error)) method {
	return func(sv *Server, ctx context.Context, params json.RawMessage) (any, error) {
		var p P
		if err := text.JSON(params, &p); err != nil {
			return nil, fmt.Errorf("params: %w", err)
		}
		return f(sv, ctx, p)
	}
}

// atState adapts f, a method of the state that P names.
func atState[P interface{ number() int }](f func(sv *Server, ctx context.Context, k kept, p P) (any, error)) method {
	return decoded(func(sv *Server, ctx context.Context, p P) (any, error) {
		k, ok := sv.states[p.number()]
		if !ok {
			return nil, fmt.Errorf("no state %d: want one that new or clone gave", p.number())
		}
		return f(sv, ctx, k, p)
	})
}

type helloParams struct {
	Protocol int `json:"protocol"` // that the program speaks; 0: any
}

type helloResult struct {
	Protocol int      `json:"protocol"`
	Version  string   `json:"version"`
	Methods  []string `json:"methods"`
}

func (sv *Server) hello(_ context.Context, p helloParams) (any, error) {
	if p.Protocol != 0 && p.Protocol != spoken {
		return nil, fmt.Errorf("protocol %d: want %d", p.Protocol, spoken)
	}
	return helloResult{spoken, sv.Version, methodNames()}, nil
}

type gameLine struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

func (sv *Server) games(context.Context, struct{}) (any, error) {
	list := []gameLine{}
	for _, e := range sv.Catalog {
		line := gameLine{Name: e.Name}
		if w, err := sv.world(e.Name); err == nil { // a game that wants options has no line of its own
			line.Doc = w.Doc
		}
		list = append(list, line)
	}
	return list, nil
}

type gameParams struct {
	Game string `json:"game"`
}

type gameResult struct {
	Game     string     `json:"game"` // the spec, in its usual form
	Name     string     `json:"name"`
	Doc      string     `json:"doc"`
	Players  int        `json:"players"`
	Seats    []string   `json:"seats"`
	Sum      string     `json:"sum"` // of the players' utilities: zero, constant, general
	Min      *float64   `json:"min"` // of any player's utility; null: no bound
	Max      *float64   `json:"max"`
	Chance   bool       `json:"chance"` // nature moves
	Hidden   bool       `json:"hidden"` // players do not see the whole position
	Scores   bool       `json:"scores"` // points are collected on the way
	MaxPlies int        `json:"max_plies"`
	Planner  string     `json:"planner"` // an agent that suits the game
	Features []string   `json:"features"`
	Models   []gameLine `json:"models"` // that are shipped: what eval takes, and their strength where it was measured
}

var sums = map[game.Sum]string{game.Zero: "zero", game.Constant: "constant", game.General: "general"}

func (sv *Server) game(_ context.Context, p gameParams) (any, error) {
	w, err := sv.world(p.Game)
	if err != nil {
		return nil, err
	}
	s := w.New()
	_, scores := game.As[game.Scorer](s)
	shape := game.ShapeOf(w.Game, s)
	r := gameResult{
		Game: w.Spec, Name: w.Name, Doc: w.Doc, Players: shape.Players, Seats: []string{}, Sum: sums[shape.Sum],
		Min: bounded(shape.Min), Max: bounded(shape.Max), Chance: w.Chancy(), Hidden: w.Hidden, Scores: scores,
		MaxPlies: w.MaxPlies, Planner: w.Planner(), Features: []string{}, Models: []gameLine{},
	}
	for p := range shape.Players {
		r.Seats = append(r.Seats, w.Seat(game.Player(p)))
	}
	for _, set := range w.Sets() {
		r.Features = append(r.Features, set.Name())
	}
	for _, m := range w.Entry.Shipped() {
		r.Models = append(r.Models, gameLine{m.Name, m.Strength})
	}
	return r, nil
}

// bounded converts x for JSON, which has no infinities.
func bounded(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// world finds a game by its spec and caches it.
func (sv *Server) world(spec string) (*catalog.World, error) {
	return sv.worlds.Or(spec, func() (*catalog.World, error) { return sv.Catalog.World(spec) })
}

type featuresParams struct {
	Game string `json:"game"`
	Set  string `json:"set"` // "": the game's usual one
}

type featuresResult struct {
	Set  string `json:"set"`
	Size int    `json:"size"` // numbers of a vector
	// Names are those of the features outside tables, which come first; a table's are NAME[0],
	// NAME[1], ...
	Names  []string    `json:"names"`
	Tables []tableLine `json:"tables"`
}

type tableLine struct {
	Name  string `json:"name"`
	First int    `json:"first"` // index of its first feature
	Size  int    `json:"size"`
}

func (sv *Server) features(_ context.Context, p featuresParams) (any, error) {
	w, err := sv.world(p.Game)
	if err != nil {
		return nil, err
	}
	set, err := w.Set(p.Set)
	if err != nil {
		return nil, err
	}
	r := featuresResult{Set: set.Name(), Names: []string{}, Tables: []tableLine{}}
	for _, b := range set.Blocks() {
		if b.Table {
			r.Tables = append(r.Tables, tableLine{b.Name, r.Size, b.Len})
		} else {
			for i := range b.Len {
				r.Names = append(r.Names, b.FeatureName(i))
			}
		}
		r.Size += b.Len
	}
	return r, nil
}
