package evolution

import (
	"context"
	"math/rand/v2"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// A round contains the games of one generation.
type round struct {
	*Learner
	number    int
	opponents []*models.Linear // opponent in each pair of episodes; nil in single-player games
}

// opponents draws the candidates' opponents. In every other pair the opponent is the current mean,
// and in the remaining pairs it is the stored mean of an earlier generation.
func (l *Learner) opponents(rng *rand.Rand) (out []*models.Linear) {
	if l.cfg.Game.Base().Players == 1 {
		return nil
	}
	now := l.at(l.dist.mean)
	for pair := range l.cfg.Batch / 2 {
		m := now
		if pair%2 == 1 {
			m = l.at(l.past[rng.IntN(len(l.past))])
		}
		out = append(out, m)
	}
	return out
}

// An actor plays the episodes of a round. It must not be used by several goroutines at the same
// time.
type actor struct {
	*round
	game  *online.Game
	dice  play.Dice
	moves []game.Move
	zero  search.Evaluator
	known map[*models.Linear]search.Agent // agents of the opponents
}

func (w *actor) agent(m *models.Linear) (search.Agent, error) {
	agent, err := w.cfg.Planner(features.NewEvaluator(w.cfg.Game, w.cfg.Set, m), nil)
	if err != nil {
		return nil, err
	}
	return agent()
}

// play plays a candidate's episodes. In two-player games, two consecutive episodes form a pair in
// which the players exchange seats.
func (w *actor) play(ctx context.Context, c *candidate) error {
	self, err := w.agent(w.at(c.x))
	if err != nil {
		return err
	}
	sum := 0.0
	for k := range w.cfg.Batch {
		number, agents, seat := w.number*w.cfg.Batch+k, [2]search.Agent{self}, 0
		if w.opponents != nil {
			// Both episodes in a pair use the number of the first.
			seat = k % 2
			number -= seat
			m := w.opponents[k/2]
			if w.known[m] == nil {
				if w.known[m], err = w.agent(m); err != nil {
					return err
				}
			}
			agents[seat], agents[1-seat] = self, w.known[m]
		}
		if err := w.episode(ctx, number, agents, c); err != nil {
			return err
		}
		value := w.scale.Of(utility(w.game, w.zero))
		if seat == 1 {
			value = -value
		}
		sum += value
	}
	c.fitness = sum / float64(w.cfg.Batch)
	return nil
}

// episode plays one episode to its end. The random numbers for the opening and for nature's moves
// are separate from those of the players. Candidates that play the same moves therefore get the
// same opening, and nature makes the same moves.
func (w *actor) episode(ctx context.Context, number int, agents [2]search.Agent, c *candidate) error {
	luck, whim := w.cfg.Random(number), w.cfg.RandomAt(number, 0)
	for p := range w.cfg.Game.Base().Players {
		agents[p].Begin(whim.Uint64())
	}
	w.dice.Random = luck
	w.game.Start(luck)
	for w.game.Next() {
		if w.cfg.Epsilon > 0 && whim.Float64() < w.cfg.Epsilon {
			w.moves = w.game.State.Moves(w.moves[:0])
			w.game.Play(w.moves[whim.IntN(len(w.moves))])
			continue
		}
		m, err := search.Move(ctx, agents[w.game.State.Turn()], w.game.State)
		if err != nil {
			return err
		}
		w.game.Play(m)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.tally.Moves += int64(w.game.Decisions)
	c.tally.Ended(w.game.Outcome())
	return nil
}
