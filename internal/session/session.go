// Package session is a game at play for the terminal, the page and protocols. [New] begins a
// [Session] at a position; its episode's Play makes decisions, Next makes nature's moves by the
// session's own random numbers, and [Session.TakeBack] and [Session.Rewind] go back. A [Clock] is the
// time of a player. [Told], [Outcome] and [Line] describe what happened. The caller decides who plays
// and what is shown.
package session

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/list"
	"plyfit/search"
)

// Session is a game at play with its moves. It belongs to one goroutine.
type Session struct {
	play.Episode
	Game  *game.Game
	Seed  uint64 // of nature
	Begun string // the position that it began from; "": the game's start
}

// New begins a game at a position; "" is the game's start. Nature has not moved yet.
func New(g *game.Game, position string, seed uint64) (*Session, error) {
	state, err := Position(g, position)
	if err != nil {
		return nil, err
	}
	s := At(g, state, seed)
	s.Begun = position
	return s, nil
}

// At begins a game at a state.
func At(g *game.Game, state game.State, seed uint64) *Session {
	s := &Session{Game: g, Seed: seed}
	s.Keep, s.Luck = true, s
	s.Begin(state, 0, g.MaxPlies)
	return s
}

// Position reads a position of g; "" is the start.
func Position(g *game.Game, text string) (game.State, error) {
	if text == "" {
		return g.New(), nil
	}
	return g.Parse(text)
}

// Clone is a copy without history.
func (s *Session) Clone() *Session {
	c := At(s.Game, s.State.Clone(), s.Seed)
	c.Begun, c.Plies = s.Begun, s.Plies
	return c
}

// Draw implements [play.Luck] by [Drawn].
func (s *Session) Draw(state game.State) game.Move { return Drawn(state, s.Seed, s.Plies) }

// Drawn is nature's move at s after this many plies. It depends only on the seed and their number,
// so that a repeated move meets the same luck.
func Drawn(s game.State, seed uint64, plies int) game.Move {
	seed = game.Seed(seed, game.StreamNature, uint64(plies))
	rng := rand.New(rand.NewPCG(seed, game.Mix(seed)))
	return game.Drawn(s, s.Moves(nil), rng.Float64())
}

// Players is how many there are at the position.
func (s *Session) Players() int { return game.ShapeOf(s.Game, s.State).Players }

// TakeBack goes back to the last decision of a player for whom of holds, or reports false.
func (s *Session) TakeBack(of func(p game.Player) bool) bool {
	last := len(s.Moves) - 1
	for last >= 0 && (s.Moves[last].By < 0 || !of(s.Moves[last].By)) {
		last--
	}
	if last < 0 {
		return false
	}
	s.Rewind(last)
	return true
}

// Rewind goes back to the position after the first so many of the moves.
func (s *Session) Rewind(moves int) {
	for len(s.Moves) > moves {
		s.Undo()
	}
}

// Outcome says how the finished game at s ended: the winner, with the points if they vary. side
// names a player, number formats a utility.
func Outcome(g *game.Game, s game.State, side func(game.Player) string, number func(float64) string) string {
	shape := game.ShapeOf(g, s)
	var got []float64
	for p := range game.Player(shape.Players) {
		got = append(got, s.Utility(p))
	}
	most := slices.Max(got)
	switch {
	case shape.Players == 1 && shape.Min == 0 && shape.Max == 1 && (most == 0 || most == 1):
		return map[bool]string{true: "won", false: "lost"}[most == 1]
	case shape.Players == 1:
		return number(most) + " points"
	case shape.Sum != game.Zero:
		return strings.Join(Gains(got, side, number), ", ")
	case most == slices.Min(got):
		return "a draw"
	}
	var winners []string
	for p, u := range got {
		if u == most {
			winners = append(winners, side(game.Player(p)))
		}
	}
	text := strings.Join(winners, " and ") + " win"
	if len(winners) == 1 {
		text += "s"
	}
	switch {
	case most == 1 && shape.Max == 1:
		return text
	case shape.Players == 2 && most == 1:
		return text + " by 1 point"
	case shape.Players == 2:
		return text + " by " + number(most) + " points"
	}
	return text + ": " + strings.Join(Gains(got, side, number), ", ")
}

// Gains says what each player got.
func Gains(got []float64, side func(game.Player) string, number func(float64) string) (all []string) {
	for p, u := range got {
		all = append(all, fmt.Sprintf("%s gets %s", side(game.Player(p)), number(u)))
	}
	return all
}

// Told describes nature's move m at s; slip says that it decides whether a hand slips (see
// [game.Slip]).
func Told(s game.State, m game.Move, slip bool) string {
	text := game.Spelled(s, m)
	if told, ok := game.As[interface{ Tell(m game.Move) string }](s); ok {
		text = told.Tell(m)
	}
	world, _ := game.As[*game.Slip](s)
	if !slip || world == nil {
		return text
	}
	if intended, _ := world.Intended(); intended != m {
		return "the hand slips: " + text + " instead of " + game.Spelled(s, intended)
	}
	return "the hand is steady: " + text
}

// Line names the moves of a line of play from s, by [game.State.MoveString] or [game.Spelled]. It
// restores s.
func Line(s game.State, line []game.Move, name func(game.State, game.Move) string) []string {
	out := make([]string, 0, len(line))
	for _, m := range line {
		out = append(out, name(s, m))
		s.Play(m)
	}
	for range line {
		s.Undo()
	}
	return out
}

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

// Clock is a player's time.
type Clock struct {
	Left      time.Duration
	Increment time.Duration // that each move adds
	Moves     int           // that Left is for; 0: all of the rest
}

// LeastTime is the shortest time for a move.
const LeastTime = time.Millisecond

// Budget is the time for the next move if rest moves are expected. Each move also takes overhead:
// transmission and the machine's other work.
func (c Clock) Budget(rest int, overhead time.Duration) time.Duration {
	left := max(0, c.Left-overhead)
	if c.Moves > 0 {
		rest = min(rest, c.Moves)
	}
	share := left/time.Duration(max(1, rest)) + c.Increment*4/5
	// Leave time for the next moves, except for the last before the next period.
	most := left / 3
	if c.Moves == 1 {
		most = left * 9 / 10
	} else {
		share -= overhead
	}
	return max(LeastTime, min(share, most))
}
