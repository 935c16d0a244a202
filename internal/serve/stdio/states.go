package stdio

import (
	"context"
	"fmt"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/session"
)

// position is a state in the form that programs receive.
type position struct {
	State    int      `json:"state"`
	Position string   `json:"position"`
	Turn     any      `json:"turn"` // number of the player, "chance" or "over"
	Plies    int      `json:"plies"`
	Moves    []string `json:"moves"`
	// Probabilities contains the probability of each move in Moves, at chance nodes only.
	Probabilities []float64 `json:"probabilities,omitempty"`
	// Scores contains the players' points so far, in games with points.
	Scores []float64 `json:"scores,omitempty"`
	// Utility contains the players' utilities once the game is over.
	Utility []float64 `json:"utility,omitempty"`
	// Truncated reports whether the game has reached its limit of plies. In that case, play should
	// stop.
	Truncated bool `json:"truncated"`
}

func positionOf(k *session.Session, number int) position {
	s := k.State
	p := position{State: number, Position: s.String(), Turn: Turn(s), Plies: k.Plies, Moves: []string{}}
	over := s.Turn() == game.Nobody
	p.Truncated = !over && k.Over()
	chancer, _ := game.As[game.Chancer](s)
	for _, m := range s.Moves(nil) {
		p.Moves = append(p.Moves, s.MoveString(m))
		if s.Turn() == game.Chance {
			p.Probabilities = append(p.Probabilities, chancer.Prob(m))
		}
	}
	scorer, scores := game.As[game.Scorer](s)
	for player := range game.Player(k.Players()) {
		if scores {
			p.Scores = append(p.Scores, scorer.Score(player)+0)
		}
		if over {
			p.Utility = append(p.Utility, s.Utility(player)+0)
		}
	}
	return p
}

// Turn returns the number of the player to move, "chance" or "over".
func Turn(s game.State) any {
	switch t := s.Turn(); t {
	case game.Chance:
		return "chance"
	case game.Nobody:
		return "over"
	default:
		return int(t)
	}
}

type newParams struct {
	Game     string  `json:"game"`
	Position *string `json:"position"` // position in the game's notation; the start of the game if absent
}

func (sv *Server) newState(_ context.Context, p newParams) (any, error) {
	w, err := sv.world(p.Game)
	if err != nil {
		return nil, err
	}
	s := w.New()
	if p.Position != nil {
		if s, err = w.ParseLine(*p.Position); err != nil {
			return nil, err
		}
	}
	return sv.keep(kept{session.At(w.Game, s, 0), w})
}

// kept is a game in progress, which a program refers to by number. The program applies nature's
// moves itself.
type kept struct {
	*session.Session
	world *catalog.World
}

func (sv *Server) keep(k kept) (any, error) {
	if len(sv.states) >= mostStates {
		return nil, fmt.Errorf("%d states are in use; free a state before creating a new one", mostStates)
	}
	sv.next++
	sv.states[sv.next] = k
	return positionOf(k.Session, sv.next), nil
}

type stateParams struct {
	State int `json:"state"`
}

func (p stateParams) number() int { return p.State }

func (sv *Server) state(_ context.Context, k kept, p stateParams) (any, error) {
	return positionOf(k.Session, p.State), nil
}

type applyParams struct {
	stateParams
	Moves []string `json:"moves"`
}

// apply makes all of the moves, or none if one of them is illegal.
func (sv *Server) apply(_ context.Context, k kept, p applyParams) (any, error) {
	before := len(k.Moves)
	for _, text := range p.Moves {
		m, err := game.NoMove, fmt.Errorf("move %q: the game is over", text)
		if k.State.Turn() != game.Nobody {
			m, err = k.world.ParseMove(k.State, text)
		}
		if err != nil {
			k.Rewind(before)
			return nil, err
		}
		k.Play(m)
	}
	return positionOf(k.Session, p.State), nil
}

type undoParams struct {
	stateParams
	Plies *int `json:"plies"` // number of plies; 1 if absent
}

func (sv *Server) undo(_ context.Context, k kept, p undoParams) (any, error) {
	n := 1
	if p.Plies != nil {
		n = *p.Plies
	}
	if n < 0 || n > len(k.Moves) {
		return nil, fmt.Errorf("plies %d: want 0 to %d, the number of moves since the state was created", n, len(k.Moves))
	}
	k.Rewind(len(k.Moves) - n)
	return positionOf(k.Session, p.State), nil
}

// clone copies a game without its history.
func (sv *Server) clone(_ context.Context, k kept, p stateParams) (any, error) {
	return sv.keep(kept{k.Clone(), k.world})
}

type freeResult struct {
	States int `json:"states"` // number of states still kept
}

func (sv *Server) free(_ context.Context, _ kept, p stateParams) (any, error) {
	delete(sv.states, p.State)
	return freeResult{len(sv.states)}, nil
}

type drawResult struct {
	Text string `json:"text"` // may have several lines
	SVG  string `json:"svg,omitempty"`
}

func (sv *Server) draw(_ context.Context, k kept, p stateParams) (any, error) {
	r := drawResult{Text: game.Drawing(k.State, false)}
	if i, ok := game.As[game.Illustrator](k.State); ok {
		below := game.Player(0)
		if k.world.Hidden {
			below = game.Nobody // show all cards, as the text does
		}
		r.SVG = i.SVG(below)
	}
	return r, nil
}
