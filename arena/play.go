package arena

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/search"
)

// Streams of random numbers, derived from the seed of a match.
const (
	streamOpening = iota + 1
	streamLuck
	streamAgent
	streamReferee
)

type worker struct {
	m       *match
	agents  [3]search.Agent // agents of A, B and nature; nil until they are needed
	referee Referee         // plays the games in place of the agents; nil until it is needed
	moves   []game.Move

	// episode and record are reused for all games, so that episode's callback is allocated only
	// once.
	episode play.Episode
	record  GameRecord
	hash    uint64 // hash of the position after the opening, combined with all later moves
	spell   bool   // whether the record includes the moves
}

func newWorker(m *match) *worker {
	w := &worker{m: m, spell: m.cfg.Out != "" && !m.cfg.NoMoves}
	w.episode.Chance = func(move game.Move, _ bool) {
		w.note(move)
		w.record.Luck++
	}
	return w
}

// note records a move. It must be called before the move is played.
func (w *worker) note(m game.Move) {
	w.hash = game.Mix(w.hash ^ uint64(m))
	if w.spell {
		w.record.Moves = append(w.record.Moves, w.episode.State.MoveString(m))
	}
}

// agent returns an entrant's agent, creating it if necessary.
func (w *worker) agent(side int) (search.Agent, error) {
	if w.agents[side] == nil {
		a, err := w.m.entrant(side).New()
		if err != nil {
			return nil, err
		}
		w.agents[side] = a
	}
	return w.agents[side], nil
}

func (w *worker) dismiss(side int) {
	if a := w.agents[side]; a != nil {
		w.agents[side] = nil
		search.Close(a)
	}
}

func (w *worker) close() {
	for side := range w.agents {
		w.dismiss(side)
	}
	if w.referee != nil {
		w.referee.Close()
	}
}

// pair plays all games of a pair. It returns an error if ctx is done, or after a failure for which
// no entrant is to blame.
func (w *worker) pair(ctx context.Context, k int) (PairRecord, error) {
	if w.m.cfg.Referee != nil {
		return w.refereed(ctx, k)
	}
	o, err := w.m.drawOpening(k)
	if err != nil {
		return PairRecord{}, err
	}
	r := PairRecord{Pair: k, Start: o.start, Drawn: len(o.moves), From: Hash(o.hash)}
	luck := newLuck(game.Seed(w.m.cfg.Seed, uint64(k), streamLuck), w.m.layout.shape.Players)
	for i, seats := range w.m.layout.seats {
		clear(luck.drawn)
		g, err := w.game(ctx, k, i, seats, o, &luck)
		if err != nil {
			return PairRecord{}, err
		}
		r.Games = append(r.Games, g)
	}
	return r, nil
}

func (w *worker) game(ctx context.Context, pair, index int, seats []int, o opening, luck *luck) (GameRecord, error) {
	w.record = GameRecord{Seats: seats}
	s, _, err := w.m.start(pair)
	if err != nil {
		return w.record, err
	}
	e := &w.episode
	e.Luck = luck
	e.Begin(s, len(o.moves), w.m.cfg.Game.MaxPlies)
	for _, m := range o.moves {
		w.note(m)
		s.Play(m)
	}
	w.hash = s.Hash()
	var rule *adjudicator
	if a := w.m.cfg.Adjudicate; a != nil {
		rule = &adjudicator{rule: *a, layout: &w.m.layout}
	}
	if fault := w.begin(pair, index, seats); fault != nil {
		return w.forfeit(w.m.layout.soFar(s), fault)
	}
	for e.Next() {
		mover := s.Turn()
		soFar := w.m.layout.soFar(s) // computed before the search, because an agent that crashes may leave s in any state
		found, fault := w.ask(ctx, seats[mover], s)
		if ctx.Err() != nil {
			return w.record, ctx.Err()
		}
		if fault != nil && fault.Kind == resignation && fault.By != sideNature {
			w.record.Resigned = true
			return w.ended(w.m.layout.lost(seats, fault.By, soFar)), nil
		}
		if fault != nil {
			w.dismiss(fault.By)
			return w.forfeit(soFar, fault)
		}
		w.note(found.Move)
		e.Play(found.Move)
		if outcome := rule.note(mover, &found, e.Plies); outcome != playOn && s.Turn() != game.Nobody {
			w.record.Adjudicated = true
			return w.ended(w.m.layout.adjudicated(outcome)), nil
		}
	}
	w.record.Truncated = e.Truncated()
	utility := make([]float64, len(seats))
	for p := range seats {
		utility[p] = w.m.layout.utility(s, game.Player(p), w.record.Truncated)
	}
	return w.ended(utility), nil
}

// ended completes the record of the current game with the given utilities.
func (w *worker) ended(utility []float64) GameRecord {
	w.record.Utility, w.record.Plies, w.record.Hash = utility, w.episode.Plies, Hash(w.hash)
	return w.record
}

// begin starts a new game for each agent. All agents get different seeds, except that A and B get
// the same seed in single-player games, because they play the same game.
func (w *worker) begin(pair, index int, seats []int) *Fault {
	begun := [3]bool{}
	for _, side := range seats {
		if begun[side] {
			continue
		}
		begun[side] = true
		seed := game.Seed(w.m.cfg.Seed, uint64(pair), streamAgent, uint64(index), uint64(side))
		if w.m.layout.mode == Solo {
			seed = game.Seed(w.m.cfg.Seed, uint64(pair), streamAgent, uint64(side/sideNature))
		}
		a, err := w.agent(side)
		if err == nil {
			err = guard(func() error { a.Begin(seed); return nil })
		}
		if err != nil {
			w.dismiss(side)
			return &Fault{side, kindOf(err), err.Error()}
		}
	}
	return nil
}

func (w *worker) ask(ctx context.Context, side int, s game.State) (search.Result, *Fault) {
	limit := w.m.cfg.MoveTime
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	before, begun := s.Hash(), time.Now()
	var found search.Result
	err := guard(func() (err error) {
		if w.m.cfg.Adjudicate == nil { // values are needed only for adjudication
			found.Move, err = search.Move(ctx, w.agents[side], s)
			return err
		}
		found, err = w.agents[side].Search(ctx, s)
		return err
	})
	switch {
	case limit > 0 && time.Since(begun) > limit+w.m.cfg.Margin:
		return found, &Fault{side, timeLoss, fmt.Sprintf("no move within the limit of %v and the margin of %v", limit, w.m.cfg.Margin)}
	case err != nil:
		return found, &Fault{side, kindOf(err), err.Error()}
	case s.Hash() != before:
		return found, &Fault{side, crash, "the agent modified the position"}
	}
	w.moves = s.Moves(w.moves[:0])
	switch {
	case found.Move == game.NoMove:
		return found, &Fault{side, illegal, "no move"}
	case !slices.Contains(w.moves, found.Move):
		return found, &Fault{side, illegal, fmt.Sprintf("move %d is not legal at %s", found.Move, s)}
	}
	return found, nil
}

// ErrNature is returned if nature's agent fails. This ends the match, because no entrant is to
// blame.
var ErrNature = errors.New("nature's agent failed")

// forfeit completes the record of a game that ended with a fault.
func (w *worker) forfeit(soFar float64, f *Fault) (GameRecord, error) {
	if f.By == sideNature {
		return w.record, fmt.Errorf("%w: %s: %s", ErrNature, f.Kind, f.What)
	}
	w.record.Fault = f
	return w.ended(w.m.layout.lost(w.record.Seats, f.By, soFar)), nil
}

// lost returns the utilities of a game that the given entrant loses. The parameter soFar is the
// utility collected so far, which is used in single-player games.
func (l layout) lost(seats []int, by int, soFar float64) (utility []float64) {
	for p, side := range seats {
		u := l.win
		switch {
		case l.mode == Solo && p == 0:
			u = soFar
		case l.mode == Solo:
			u = -soFar
		case side == by:
			u = l.loss
		}
		utility = append(utility, u)
	}
	return utility
}

// guard calls f and converts a panic to an error, so that an agent that panics loses its game
// without ending the match.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return f()
}

// utility returns p's utility at the end of a game. For a truncated single-player game, this is the
// score so far. Other truncated games are scored as even.
func (l layout) utility(s game.State, p game.Player, truncated bool) float64 {
	switch {
	case !truncated:
		return s.Utility(p)
	case l.mode != Solo:
		return l.even
	case p == 0:
		return l.soFar(s)
	}
	return -l.soFar(s)
}

// soFar returns the utility of an unfinished single-player game: the score if the game has one, and
// the lowest utility otherwise.
func (l layout) soFar(s game.State) float64 {
	if sc, ok := game.As[game.Scorer](s); ok {
		return sc.Score(0)
	}
	return l.loss
}

// A Referee plays pairs of games, for example with a program that implements its own rules. It is
// used by one goroutine at a time.
type Referee interface {
	// Pair plays two games between A and B with swapped seats and returns A's points in each game:
	// 1, 1/2 or 0. Equal seeds must produce the same games. The seed is between 0 and 2^31-1.
	Pair(ctx context.Context, seed uint64) (points [2]float64, err error)
	io.Closer
}

// refereed is the layout of pairs that a referee plays.
var refereed = layout{
	mode: Duel, shape: game.Shape{Players: 2, Min: -1, Max: 1, Sum: game.Zero}, seats: [][]int{{sideA, sideB}, {sideB, sideA}},
	loss: -1, win: 1, least: -1, most: 1,
}

// refereed plays a pair with the referee. Its games count as distinct, because they have different
// seeds.
func (w *worker) refereed(ctx context.Context, k int) (PairRecord, error) {
	if w.referee == nil {
		var err error
		if w.referee, err = w.m.cfg.Referee(); err != nil {
			return PairRecord{}, err
		}
	}
	seed := game.Seed(w.m.cfg.Seed, uint64(k), streamReferee)
	r := PairRecord{Pair: k, From: Hash(seed)}
	points, err := w.referee.Pair(ctx, seed>>33)
	if err != nil {
		return r, err
	}
	for i, seats := range w.m.layout.seats {
		utility := make([]float64, len(seats))
		for p, side := range seats {
			utility[p] = (float64(2*points[i]) - 1) * float64(1-2*side)
		}
		r.Games = append(r.Games, GameRecord{Seats: seats, Utility: utility, Luck: 1, Hash: Hash(game.Seed(seed, uint64(i)))})
	}
	return r, nil
}

// luck draws the chance moves of a pair with common random numbers: the k-th roll and the k-th slip
// of a seat depend only on the seed, the pair, the seat and k. They are therefore the same in all
// games of the pair, regardless of which entrant has the seat and of what happened before.
type luck struct {
	key   uint64
	drawn [][2]uint64 // number of rolls and slips so far, by seat
	moves []game.Move
}

var _ play.Luck = (*luck)(nil)

const (
	roll = iota
	slip
)

func newLuck(key uint64, players int) luck {
	return luck{key: key, drawn: make([][2]uint64, players)}
}

// Draw implements [play.Luck] by inversion, taking the moves in the game's order. If a move may
// slip, the intended move comes first, so that the same random number determines whether the move
// slips in both games.
func (l *luck) Draw(s game.State) game.Move {
	l.moves = s.Moves(l.moves[:0])
	c, ok := game.As[game.Chancer](s)
	if !ok {
		panic("arena: the chance node has no probabilities")
	}
	stream := roll
	if sl, ok := game.As[*game.Slip](s); ok {
		if intended, pending := sl.Intended(); pending {
			i := slices.Index(l.moves, intended)
			copy(l.moves[1:i+1], l.moves[:i])
			l.moves[0], stream = intended, slip
		}
	}
	seat := c.For()
	n := &l.drawn[seat][stream]
	*n++
	return game.Drawn(s, l.moves, unit(game.Seed(l.key, uint64(seat)<<1|uint64(stream), *n)))
}

// unit converts 64 random bits to a number in [0, 1).
func unit(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
