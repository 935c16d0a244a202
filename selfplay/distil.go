package selfplay

import (
	"fmt"
	"iter"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// Teaching are samples whose label is what another evaluation says, before its
// link: for fitting a small model to a large one.
type Teaching struct {
	Game    *game.Game // the world that the records are of
	Set     features.Set
	Teacher *features.Evaluator
	Records func() iter.Seq2[*datasets.Record, error]

	// Choices gives, in place of the recorded positions, those after each of
	// their moves, all in the mover's view, the moves of one position one
	// after the other: for [learn.Centred], with [Teaching.Choice]. The bias is
	// left out.
	Choices bool
}

var _ datasets.Samples = (*Teaching)(nil)

// Choice numbers the position whose moves a sample is one of.
func (t *Teaching) Choice(s *datasets.Sample) uint64 { return game.Mix(s.Episode) + uint64(s.Ply) }

func (t *Teaching) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		_, fixed := t.Game.Base().FixedSum()
		teacher := features.Unlinked{Evaluator: t.Teacher.Clone()}
		set, keys := features.Own(t.Set), features.NewKeys(t.Game, t.Set)
		var moves []game.Move
		sample := datasets.Sample{Weight: 1, Kind: game.Exact}
		give := func(s game.State, p game.Player, r *datasets.Record) bool {
			view, sign := p, float32(1)
			if fixed {
				view = set.View(s)
				sample.X, sign = features.ExtractView(set, s, sample.X[:0])
			} else {
				sample.X = set.Extract(s, view, sample.X[:0])
			}
			if !t.Choices {
				sample.X = append(sample.X, models.Term{Index: models.Bias, Value: sign})
				p = view
			} else if view != p { // the mover has the opposite
				features.Negate(sample.X)
			}
			sample.Y, sample.Position = teacher.Evaluate(s, p), keys.Of(s)
			sample.Episode, sample.Ply, sample.Explored, sample.Truncated = r.Episode, r.Ply, r.Explored, r.Truncated
			return yield(&sample, nil)
		}
		for r, err := range t.Records() {
			if err != nil {
				yield(nil, err)
				return
			}
			world, err := t.Game.Parse(r.Position)
			if err != nil {
				yield(nil, fmt.Errorf("episode %d, ply %d: %w", r.Episode, r.Ply, err))
				return
			}
			s := game.Base(world)
			p := s.Turn()
			if p < 0 {
				continue
			}
			if !t.Choices {
				if !give(s, p, r) {
					return
				}
				continue
			}
			moves = s.Moves(moves[:0])
			for _, m := range moves {
				s.Play(m)
				more := s.Turn() == game.Nobody || give(s, p, r)
				s.Undo()
				if !more {
					return
				}
			}
		}
	}
}
