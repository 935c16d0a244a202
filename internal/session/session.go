// Package session represents a game in progress for the terminal, the page and protocols. [New]
// starts a [Session] at a position. Its method Play makes decisions, Next makes chance moves with
// the session's own random numbers, and [Session.TakeBack] and [Session.Rewind] undo moves. A
// [Clock] is a player's remaining time. [DescribeChance], [Outcome] and [Line] describe moves and
// results. The caller decides which players move and what to show.
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

// A Session is a game in progress with its moves. It must not be used by several goroutines at the
// same time.
type Session struct {
	play.Episode
	Game  *game.Game
	Seed  uint64 // seed of the chance moves
	Begun string // initial position; "" means the start of the game
}

// New starts a session at a position, or at the start of the game if position is "". It makes no
// chance moves yet.
func New(g *game.Game, position string, seed uint64) (*Session, error) {
	state, err := Position(g, position)
	if err != nil {
		return nil, err
	}
	s := At(g, state, seed)
	s.Begun = position
	return s, nil
}

// At starts a session at a state.
func At(g *game.Game, state game.State, seed uint64) *Session {
	s := &Session{Game: g, Seed: seed}
	s.Keep, s.Luck = true, s
	s.Begin(state, 0, g.MaxPlies)
	return s
}

// Position parses a position of g. The empty string is the start of the game.
func Position(g *game.Game, text string) (game.State, error) {
	if text == "" {
		return g.New(), nil
	}
	return g.Parse(text)
}

// Clone returns a copy of the session without its moves.
func (s *Session) Clone() *Session {
	c := At(s.Game, s.State.Clone(), s.Seed)
	c.Begun, c.Plies = s.Begun, s.Plies
	return c
}

// Draw implements [play.Luck] with [Drawn].
func (s *Session) Draw(state game.State) game.Move { return Drawn(state, s.Seed, s.Plies) }

// Drawn returns the chance move at s after the given number of plies. It depends only on the state,
// the seed and that number, so repeating a move after taking it back leads to the same chance move.
func Drawn(s game.State, seed uint64, plies int) game.Move {
	seed = game.Seed(seed, game.StreamNature, uint64(plies))
	rng := rand.New(rand.NewPCG(seed, game.Mix(seed)))
	return game.Drawn(s, s.Moves(nil), rng.Float64())
}

// Players returns the number of players at the position.
func (s *Session) Players() int { return game.ShapeOf(s.Game, s.State).Players }

// TakeBack undoes all moves back to the last decision of a player for whom the callback returns
// true. It returns false if there is none.
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

// Rewind undoes moves until at most the given number of moves is left.
func (s *Session) Rewind(moves int) {
	for len(s.Moves) > moves {
		s.Undo()
	}
}

// Outcome describes the result of the finished game at s: the winner, and the points if they can
// vary. The callback side returns a player's name, and number formats a utility.
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

// Gains describes the utility of each player.
func Gains(got []float64, side func(game.Player) string, number func(float64) string) (all []string) {
	for p, u := range got {
		all = append(all, fmt.Sprintf("%s gets %s", side(game.Player(p)), number(u)))
	}
	return all
}

// DescribeChance describes the chance move m at s. If slip is true, m decides whether a move slips
// (see [game.Slip]).
func DescribeChance(s game.State, m game.Move, slip bool) string {
	text := game.Spelled(s, m)
	if describer, ok := game.As[interface{ DescribeChance(m game.Move) string }](s); ok {
		text = describer.DescribeChance(m)
	}
	world, _ := game.As[*game.Slip](s)
	if !slip || world == nil {
		return text
	}
	if intended, _ := world.Intended(); intended != m {
		return "slip: " + text + " instead of " + game.Spelled(s, intended)
	}
	return "no slip: " + text
}

// Line returns the names of the moves in a line of play from s. The function name is
// [game.State.MoveString] or [game.Spelled]. Line restores s.
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

// Answer is the JSON form of a search result.
type Answer struct {
	Move      *string   `json:"move"`   // null if the root is finished or a chance node
	Value     *float64  `json:"value"`  // value from the mover's point of view, or player 0's at a chance node; null if the agent reports none
	Values    []float64 `json:"values"` // by player; empty if the agent reports none
	Depth     int       `json:"depth"`
	Nodes     int64     `json:"nodes"`
	Seconds   *float64  `json:"seconds,omitempty"` // absent if equal searches must give equal answers
	PV        []string  `json:"pv"`
	Best      []string  `json:"best"` // all equally good moves
	BestNodes *int64    `json:"best_nodes,omitempty"`
	Exact     bool      `json:"exact"` // whether the value is proved
}

// AnswerOf returns the answer for a search of s, without its time.
func AnswerOf(s game.State, r *search.Result) Answer {
	// Adding 0 turns the -0 of a negated draw, which JSON would show, into 0.
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

// A Clock is the remaining time of a player.
type Clock struct {
	Left      time.Duration
	Increment time.Duration // increment that is added after each move
	Moves     int           // number of moves that Left is for; 0 means the rest of the game
}

// LeastTime is the minimum time for a move.
const LeastTime = time.Millisecond

// Budget returns the time for the next move. It assumes that rest moves remain, and that each takes
// the additional time overhead for transmission and other work.
func (c Clock) Budget(rest int, overhead time.Duration) time.Duration {
	left := max(0, c.Left-overhead)
	if c.Moves > 0 {
		rest = min(rest, c.Moves)
	}
	share := left/time.Duration(max(1, rest)) + c.Increment*4/5
	// Some time is left for further moves, except before the last move of a period.
	most := left / 3
	if c.Moves == 1 {
		most = left * 9 / 10
	} else {
		share -= overhead
	}
	return max(LeastTime, min(share, most))
}
