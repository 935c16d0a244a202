package selfplay

import (
	"iter"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/models"
)

// Steps yields transitions from recorded episodes for temporal-difference learning. A transition
// leads from one recorded position to the next. All positions are from player 0's point of view,
// and the outcome is the reward of the last transition. Truncated episodes have no last transition.
// The game must have a single player, or two players and zero-sum utilities.
//
// An explored decision interrupts the chain of transitions. A random move says nothing about the
// positions before it, so its transition is omitted, and a new chain starts after it. Likewise, if
// an explored decision ends the game, the outcome is not credited to the position before it.
type Steps struct {
	features.Sampler // the field Label is ignored
}

var _ learn.Transitions = (*Steps)(nil)

// All implements [learn.Transitions]. It panics if the game has more than two players or if a
// two-player game is not zero-sum.
func (s *Steps) All() iter.Seq2[*learn.Transition, error] {
	if g := s.Game.Base(); g.Players > 2 || g.Players == 2 && g.Sum != game.Zero {
		panic("selfplay: Steps called for " + g.Spec + "; want a single-player game or a two-player zero-sum game")
	}
	rows := s.Sampler
	rows.Label = func(r *datasets.Record, p game.Player) (float64, bool) {
		if r.Truncated {
			return 0, true
		}
		return r.Outcome[p], true
	}
	afterstates := s.Leaves == models.Afterstate
	return func(yield func(*learn.Transition, error) bool) {
		ends, err := s.randomEnds(afterstates)
		if err != nil {
			yield(nil, err)
			return
		}
		var step learn.Transition
		var last row // sample whose successor has not been read yet
		waiting, fresh := false, true
		end := func() bool {
			if !waiting || last.truncated || last.explored && !afterstates {
				return true
			}
			// The last decision leads from an afterstate to the end of the game. If that decision
			// was random, omit the transition.
			if ply, ok := ends[last.episode]; ok && ply > last.ply {
				return true
			}
			step.X, step.Next, step.Terminal, step.Reward = append(step.X[:0], last.x...), nil, true, last.outcome
			step.Episode, step.Position, step.Weight, step.Fresh = last.episode, last.position, last.weight, fresh
			return yield(&step, nil)
		}
		for sample, err := range rows.All() {
			if err != nil {
				yield(nil, err)
				return
			}
			if !waiting || sample.Episode != last.episode {
				if !end() {
					return
				}
				last.take(sample)
				waiting, fresh = true, true
				continue
			}
			// Between two decisions, the move made is the first decision's. Between two
			// afterstates, it is the second's.
			random := last.explored
			if afterstates {
				random = sample.Explored
			}
			step.X, step.Terminal, step.Reward = append(step.X[:0], last.x...), false, 0
			step.Episode, step.Position, step.Weight, step.Fresh = last.episode, last.position, last.weight, fresh
			last.take(sample)
			fresh = random
			if random {
				continue
			}
			step.Next = last.x
			if !yield(&step, nil) {
				return
			}
		}
		end()
	}
}

// randomEnds returns the ply of the last decision of each episode in which that decision was
// random. With afterstates, the sampler does not yield a decision that ends the game, because there
// is no position to evaluate. Without afterstates, it does, and randomEnds returns nil.
func (s *Steps) randomEnds(afterstates bool) (map[uint64]int32, error) {
	if !afterstates {
		return nil, nil
	}
	ends := map[uint64]int32{}
	var last datasets.Record
	any := false
	end := func() {
		if any && last.Explored {
			ends[last.Episode] = last.Ply
		}
	}
	for r, err := range s.Records() {
		if err != nil {
			return nil, err
		}
		if !any || r.Episode != last.Episode {
			end()
		}
		last, any = *r, true
	}
	end()
	return ends, nil
}

// A row is a sample converted to player 0's point of view.
type row struct {
	x                   models.Vector
	outcome, weight     float64
	episode, position   uint64
	ply                 int32
	explored, truncated bool
}

func (r *row) take(s *datasets.Sample) {
	sign := float32(1)
	for _, t := range s.X {
		if t.Index == models.Bias {
			sign = t.Value
		}
	}
	r.x = append(r.x[:0], s.X...)
	for i := range r.x {
		r.x[i].Value *= sign
	}
	r.outcome = s.Y * float64(sign)
	r.weight, r.episode, r.position, r.ply = s.Weight, s.Episode, s.Position, s.Ply
	r.explored, r.truncated = s.Explored, s.Truncated
}
