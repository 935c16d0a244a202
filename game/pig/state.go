// Package pig implements the dice game pig. On each turn, a player rolls as often as they like and
// then holds. A 1 ends the turn without points.
//
// A [State] contains the scores, the turn total and the player to move. A roll is a chance node
// with six outcomes.
package pig

import (
	"fmt"
	"math"
	"strconv"

	"plyfit/game"
)

// Moves of a player. Nature's moves are the faces 1 to 6.
const (
	Roll game.Move = iota
	Hold
)

const (
	maxPlayers = 10
	maxTarget  = 10000
)

type rules struct{ target, players int }

// New returns the game with the options target (2 to 10,000, default 100) and players (2 to 10,
// default 2).
func New(o *game.Options) (*game.Game, error) {
	r := &rules{target: o.Int("target", 100, 2, maxTarget), players: o.Int("players", 2, 2, maxPlayers)}
	return &game.Game{
		Name:    "pig",
		Spec:    o.Spec("pig"),
		Doc:     "pig: roll or hold, but a 1 loses the turn total; target=100, players=2 (to 10); moves roll hold",
		Players: r.players,
		Sum:     game.Zero,
		Min:     -1 / float64(r.players-1),
		Max:     1,
		// The limit is more than ten times the number of plies needed by players who decide at
		// random. Such players gain about 2.4 points in a turn, which takes about 2.6 plies.
		MaxPlies:  20*r.target*r.players + 200,
		New:       func() game.State { return r.state(position{}) },
		Parse:     r.parse,
		ParseMove: game.FindMove,
	}, o.Err()
}

// A State is a position.
type State struct {
	*rules
	ply  int        // index of the current position in line
	line []position // positions since the first one, which has nothing to undo; entries after ply are unused
}

type position struct {
	scores [maxPlayers]uint16
	turn   uint16 // points rolled in this turn but not yet held
	player game.Player
	stage  stage
}

type stage int8

const (
	deciding stage = iota
	rolling
	over // player has won
)

var (
	_ game.Chancer        = (*State)(nil)
	_ game.MoveClassifier = (*State)(nil)
	_ game.Drawer         = (*State)(nil)
	_ game.Celled         = (*State)(nil)
	_ game.Illustrator    = (*State)(nil)
)

func (r *rules) state(p position) *State {
	s := &State{rules: r, line: make([]position, 64)}
	s.line[0] = p
	return s
}

func (s *State) at() *position { return &s.line[s.ply] }

// Target returns the score needed to win.
func (s *State) Target() int { return s.target }

// Players returns the number of players.
func (s *State) Players() int { return s.players }

// Score returns the points that p has held so far.
func (s *State) Score(p game.Player) int { return int(s.at().scores[p]) }

// TurnTotal returns the points of this turn that are not yet banked, limited to the points needed
// to win.
func (s *State) TurnTotal() int { return int(s.at().turn) }

// Player returns the player whose turn it is, including while the die is being rolled. If the game
// is over, it returns the winner.
func (s *State) Player() game.Player { return s.at().player }

func (s *State) Turn() game.Player {
	p := s.at()
	switch p.stage {
	case rolling:
		return game.Chance
	case over:
		return game.Nobody
	}
	return p.player
}

// Moves implements [game.State]: roll and hold, or the six faces.
func (s *State) Moves(dst []game.Move) []game.Move {
	switch s.at().stage {
	case rolling:
		return append(dst, 1, 2, 3, 4, 5, 6)
	case over:
		return dst
	}
	return append(dst, Roll, Hold)
}

func (s *State) ClassifyMoves(dst []game.Move) (moves []game.Move, over, chance uint64) {
	p := s.at()
	if p.stage != deciding {
		return s.Moves(dst), 0, 0
	}
	if int(p.scores[p.player])+int(p.turn) >= s.target {
		over = 1 << Hold
	}
	return append(dst, Roll, Hold), over, 1 << Roll
}

// Play implements [game.State]. Points beyond the target are not counted, which limits the number
// of positions.
func (s *State) Play(m game.Move) {
	if s.ply+1 >= len(s.line) {
		s.line = append(s.line, make([]position, len(s.line))...)
	}
	q := &s.line[s.ply+1]
	*q = s.line[s.ply]
	s.ply++
	mine := &q.scores[q.player]
	switch {
	case q.stage == rolling:
		q.stage = deciding
		if m == 1 {
			s.pass(q)
			return
		}
		q.turn = min(q.turn+uint16(m), uint16(s.target)-*mine)
	case m == Roll:
		q.stage = rolling
	default:
		*mine += q.turn
		if int(*mine) >= s.target {
			q.turn, q.stage = 0, over
			return
		}
		s.pass(q)
	}
}

func (s *State) pass(p *position) {
	p.turn = 0
	if p.player++; int(p.player) == s.players {
		p.player = 0
	}
}

func (s *State) Undo() { game.StepBack(&s.ply, 0, "pig") }

// Utility implements [game.State]: 1 for the winner. The other players share the loss equally.
func (s *State) Utility(p game.Player) float64 {
	if p == s.at().player {
		return 1
	}
	return -1 / float64(s.players-1)
}

func (s *State) Prob(game.Move) float64 { return 1. / 6 }

// For implements [game.Chancer]. It returns the player who rolls.
func (s *State) For() game.Player { return s.at().player }

func (s *State) Hash() uint64 {
	p := s.at()
	h := uint64(p.scores[0]) | uint64(p.scores[1])<<16 | uint64(p.turn)<<32 | uint64(p.player)<<48 | uint64(p.stage)<<56
	h = game.Mix(h)
	for i := 2; i < s.players; i += 4 {
		q := p.scores[i:min(i+4, maxPlayers)]
		packed := uint64(0)
		for _, v := range q {
			packed = packed<<16 | uint64(v)
		}
		h = game.Mix(h ^ packed)
	}
	return h
}

func (s *State) Clone() game.State { return s.state(*s.at()) }

// String implements [game.State]. It returns all scores, the turn total, and the player who decides
// or rolls: `34 57 turn 12 player 0`, `34 57 turn 12 roll 0`, `100 57 over`.
func (s *State) String() string {
	p := s.at()
	var out []byte
	for _, v := range p.scores[:s.players] {
		out = append(strconv.AppendInt(out, int64(v), 10), ' ')
	}
	if p.stage == over {
		return string(append(out, "over"...))
	}
	out = strconv.AppendInt(append(out, "turn "...), int64(p.turn), 10)
	if p.stage == rolling {
		out = append(out, " roll "...)
	} else {
		out = append(out, " player "...)
	}
	return string(strconv.AppendInt(out, int64(p.player), 10))
}

// MoveString implements [game.State]: roll, hold, or the face.
func (s *State) MoveString(m game.Move) string {
	switch {
	case s.at().stage == rolling:
		return "0123456"[m : m+1]
	case m == Roll:
		return "roll"
	}
	return "hold"
}

func (r *rules) parse(text string) (game.State, error) {
	w := &game.Words{Game: "pig", Text: text}
	var p position
	winner := -1
	for i := range r.players {
		n := w.Number(0, r.target, fmt.Sprintf("%d scores", r.players))
		if n == r.target {
			if winner >= 0 {
				w.Refuse("at most one winner")
			}
			winner = i
		}
		p.scores[i] = uint16(n)
	}
	if winner >= 0 {
		if w.Next() != "over" {
			w.Refuse(fmt.Sprintf("over, because player %d has %d", winner, r.target))
		}
		p.player, p.stage = game.Player(winner), over
	} else {
		r.readTurn(w, &p)
	}
	if err := w.End(); err != nil {
		return nil, err
	}
	return r.state(p), nil
}

// readTurn reads the part after the scores if the game is not over: the word turn, the turn total,
// the word player or roll, and the player's number.
func (r *rules) readTurn(w *game.Words, p *position) {
	if w.Next() != "turn" {
		w.Refuse("turn, the turn total, player or roll, and the player's number")
	}
	p.turn = uint16(w.Number(0, min(r.target, math.MaxUint16), "a turn total"))
	at := w.At
	switch w.Next() {
	case "player":
	case "roll":
		p.stage = rolling
	default:
		w.Refuse("player or roll")
	}
	p.player = game.Player(w.Number(0, r.players-1, "a player"))
	if need := r.target - int(p.scores[p.player]); int(p.turn) > need || p.turn == 1 && need > 1 {
		w.Fail(at, fmt.Sprintf("a turn total from 0 to %d that is a sum of rolls from 2 to 6", need))
	}
}
