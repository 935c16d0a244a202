package stdio

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/text"
)

// A method answers one kind of request. The argument params is a JSON object.
type method func(sv *Server, ctx context.Context, params json.RawMessage) (any, error)

var methods map[string]method

func init() { // set here, because an initialiser would be cyclic: hello lists the methods
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
		"stop":     decoded(func(*Server, context.Context, struct{}) (any, error) { return struct{}{}, nil }), // Serve handles the stop
	}
}

func methodNames() []string { return slices.Sorted(maps.Keys(methods)) }

// decoded adapts f to a method whose parameters are the fields of P.
func decoded[P any](f func(sv *Server, ctx context.Context, p P) (any, error)) method {
	return func(sv *Server, ctx context.Context, params json.RawMessage) (any, error) {
		var p P
		if err := text.JSON(params, &p); err != nil {
			return nil, fmt.Errorf("params: %w", err)
		}
		return f(sv, ctx, p)
	}
}

// atState adapts f to a method that works on the state specified by P.
func atState[P interface{ number() int }](f func(sv *Server, ctx context.Context, k kept, p P) (any, error)) method {
	return decoded(func(sv *Server, ctx context.Context, p P) (any, error) {
		k, ok := sv.states[p.number()]
		if !ok {
			return nil, fmt.Errorf("no state %d; want a state returned by new or clone", p.number())
		}
		return f(sv, ctx, k, p)
	})
}

type helloParams struct {
	Protocol int `json:"protocol"` // protocol version of the program; 0 accepts any
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
		if w, err := sv.world(e.Name); err == nil { // games with required options are not listed
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
	Game     string     `json:"game"` // spec in canonical form
	Name     string     `json:"name"`
	Doc      string     `json:"doc"`
	Players  int        `json:"players"`
	Seats    []string   `json:"seats"`
	Sum      string     `json:"sum"` // sum of the players' utilities: zero, constant or general
	Min      *float64   `json:"min"` // minimum utility of a player; null if unbounded
	Max      *float64   `json:"max"`
	Chance   bool       `json:"chance"` // whether the game has chance moves
	Hidden   bool       `json:"hidden"` // whether players have hidden information
	Scores   bool       `json:"scores"` // whether players collect points during the game
	MaxPlies int        `json:"max_plies"`
	Planner  string     `json:"planner"` // suitable agent for the game
	Features []string   `json:"features"`
	Models   []gameLine `json:"models"` // shipped models: the value for eval, and the measured strength if known
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
		MaxPlies: w.MaxPlies, Planner: w.Planner(),
		Features: append([]string{}, list.Map(w.Sets(), features.Set.Name)...),
		Models:   append([]gameLine{}, list.Map(w.Entry.Shipped(), func(m catalog.ShippedModel) gameLine { return gameLine{m.Name, m.Strength} })...),
	}
	for p := range shape.Players {
		r.Seats = append(r.Seats, w.Seat(game.Player(p)))
	}
	return r, nil
}

// bounded converts x for JSON, which cannot represent infinities.
func bounded(x float64) *float64 {
	if math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// world returns the game with the given spec. It caches games.
func (sv *Server) world(spec string) (*catalog.World, error) {
	return sv.worlds.Or(spec, func() (*catalog.World, error) { return sv.Catalog.World(spec) })
}

type featuresParams struct {
	Game string `json:"game"`
	Set  string `json:"set"` // "" for the game's default set
}

type featuresResult struct {
	Set  string `json:"set"`
	Size int    `json:"size"` // length of the feature vector
	// Names contains the names of the features outside tables, which come first. The features of a
	// table are called NAME[0], NAME[1], and so on.
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
