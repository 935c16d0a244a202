package selfplay

import (
	"iter"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/models"
)

// Steps are the records of episodes for temporal differences: each position with the next one that
// was recorded, all in player 0's view, the outcome paid on the last step. Episodes that were cut
// off have no last step. The game is one of one player, or a zero-sum game of two.
//
// An explored decision breaks the chain: what follows a random move says nothing of the positions
// before it, so its step is left out and the next one begins afresh. So does one that ends the
// game: the outcome that it led to is not paid to the position before it.
type Steps struct {
	features.Sampler // its Label is not used
}

var _ learn.Transitions = (*Steps)(nil)

// All implements [learn.Transitions]. It panics for games of more players or another sum.
func (s *Steps) All() iter.Seq2[*learn.Transition, error] {
	if g := s.Game.Base(); g.Players > 2 || g.Players == 2 && g.Sum != game.Zero {
		panic("selfplay: Steps of " + g.Spec + ", which is no game of one and no zero-sum game of two")
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
		var last row // the sample that waits for its successor
		waiting, fresh := false, true
		end := func() bool {
			if !waiting || last.truncated || last.explored && !afterstates {
				return true
			}
			// From an afterstate to the end led the last decision, if there was one after it.
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
			// From a decision to the next, the move between them is the one
			// played at the first; from an afterstate, the one at the second.
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

// randomEnds are the episodes whose last decision was drawn at random, with its
// ply. The sampler shows no such decision after which the game is over: there is
// no position to evaluate. Positions that decisions stand in need none of this.
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

// row is a sample in player 0's view.
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
