package serve

import (
	"cmp"
	"encoding/json"
	"html/template"
	"slices"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/text"
)

// picture returns the game's drawing of a position, or its text if the game has no drawing.
func picture(s game.State, below game.Player) template.HTML {
	if d, ok := game.As[game.Illustrator](s); ok {
		return template.HTML(d.SVG(below))
	}
	return drawing(text.Plain(game.Drawing(s, false)))
}

func drawing(text string) template.HTML {
	return template.HTML(`<pre class="drawing">` + template.HTMLEscapeString(text) + "</pre>")
}

// observer returns the player whose view is shown if a game hides information: the person to move,
// otherwise the first person, otherwise player 0.
func (t *openGame) observer() game.Player {
	if p := t.session.State.Turn(); p >= 0 && t.person(p) {
		return p
	}
	return t.firstPerson()
}

// A clickable move contains the clicks that make it, in the form that the page's script reads.
type clickable struct {
	Move   string     `json:"m"`
	Name   string     `json:"n,omitempty"` // move as shown on the page; "" if the same as Move
	Clicks [][]string `json:"c,omitempty"`
}

// arrows maps click targets that are directions to symbols.
var arrows = map[string]string{"left": "← ", "right": "→ ", "up": "↑ ", "down": "↓ "}

// Shown returns the move as the page shows it.
func (c clickable) Shown() string {
	name := cmp.Or(c.Name, c.Move)
	if len(c.Clicks) == 1 && len(c.Clicks[0]) == 1 {
		name = arrows[c.Clicks[0][0]] + name
	}
	return name
}

func clickables(s game.State) []clickable {
	d, _ := game.As[game.Illustrator](s)
	var out []clickable
	for _, m := range s.Moves(nil) {
		c := clickable{Move: s.MoveString(m)}
		if name := game.Spelled(s, m); name != c.Move {
			c.Name = name
		}
		if d != nil {
			c.Clicks = d.Clicks(m)
		}
		out = append(out, c)
	}
	return out
}

// gameView is the data for the page of a game.
type gameView struct {
	Head     head
	ID       string
	Spec     string
	World    *catalog.World
	Picture  template.HTML
	Who      []phrase    // sentence about the players
	Moves    []clickable // legal moves, if a person is to move
	Script   string      // Moves as JSON
	Listed   bool        // whether to list the moves, because there are few of them or none can be made by clicks
	Status   []phrase
	Score    string // score so far, in a game for one player
	Over     bool
	Thinking string // agent that is to move
	Hidden   bool   // whether Position contains only one player's information
	Position string
	Link     string
	Seats    []seatView
	Planner  string
	shownGame

	Evaluations []string // evaluations offered in the form for a seat
	Levels      []catalog.Level
}

// seatView is a row of the form for the players.
type seatView struct {
	Index       int
	Name, Agent string
	Other       bool // whether the agent belongs to no level
}

// hide removes the information that p does not have, unless the game is over.
func (v *gameView) hide(s game.State, p game.Player) {
	if v.Over {
		v.Picture = picture(s, game.Nobody)
		return
	}
	v.Hidden, v.Position, v.Luck = true, s.(game.HiddenState).Info(p), nil
	if _, ok := game.As[game.Illustrator](s); ok {
		v.Picture = picture(s, p)
	} else {
		v.Picture = drawing(v.Position)
	}
}

func (s *Server) view(t *openGame) gameView {
	offered := s.offered(t.world)
	t.mu.Lock()
	defer t.mu.Unlock()
	state := t.session.State
	v := gameView{
		Head: s.head(t.world.Entry.Heading()+" | plyfit", "games"), ID: t.id, Spec: t.world.Spec, World: t.world, Picture: picture(state, t.Below),
		Position: state.String(), Over: t.session.Over(), Planner: t.world.Planner(), shownGame: t.shownGame,
		Who: who(t.world, t.Seats), Evaluations: offered, Levels: t.world.Levels(),
	}
	v.History = slices.Clone(t.History)
	if t.world.Hidden {
		v.hide(state, t.observer())
	}
	if points, ok := game.As[game.Scorer](state); ok && len(t.Seats) == 1 {
		v.Score = number(points.Score(0))
	}
	v.Link = linkTo(t.world.Spec, v.Position)
	for p, agent := range t.Seats {
		other := agent != "" && !slices.ContainsFunc(v.Levels, func(l catalog.Level) bool { return l.Agent == agent })
		v.Seats = append(v.Seats, seatView{p, t.world.Side(game.Player(p)), agent, other})
	}
	agent, ok := t.mover()
	switch {
	case state.Turn() == game.Nobody:
		v.Status = ended(t.world, state, t.Seats)
	case t.session.Over():
		v.Status = []phrase{plain("The game has reached its maximum number of plies.")}
	case ok:
		v.Thinking = agent
		v.Status = []phrase{first(side(t.world, state.Turn())), plain(" is thinking")}
	default:
		v.Status = turn(t.world, state, t.Seats)
		v.offer(state)
	}
	return v
}

// offer lists the moves at s for a person.
func (v *gameView) offer(s game.State) {
	v.Moves = clickables(s)
	v.Listed = len(v.Moves) <= mostInRow || !slices.ContainsFunc(v.Moves, func(m clickable) bool { return len(m.Clicks) > 0 })
	if script, err := json.Marshal(v.Moves); err == nil {
		v.Script = string(script)
	}
}

// mostInRow is the maximum number of moves that a page lists next to a clickable board.
const mostInRow = 8
