package selfplay

import (
	"context"
	"fmt"
	"iter"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
)

// Preparation is what happens to recorded positions before they become samples.
type Preparation struct {
	// Leaf moves a position to where a static evaluation is more reliable, such as
	// the end of a principal variation, and leaves it there. nil: it stays.
	Leaf func(s game.State, r *datasets.Record) error
	// Quiet reports whether a position, after Leaf, is quiet; others are left out. nil: all are.
	Quiet func(s game.State) bool
}

// Step is the preparation as a [features.Sampler] wants it.
func (l Preparation) Step() features.Step {
	return func(s game.State, r *datasets.Record) (weight float64, err error) {
		if l.Leaf != nil {
			if err := l.Leaf(s, r); err != nil {
				return 0, err
			}
		}
		if l.Quiet != nil && !l.Quiet(s) {
			return 0, nil
		}
		return 1, nil
	}
}

// QuietLeaf plays the line of noisy moves that q finds.
func QuietLeaf(q *search.Quiescence) func(s game.State, r *datasets.Record) error {
	return func(s game.State, _ *datasets.Record) error {
		_, line := q.Search(s)
		for _, m := range line {
			s.Play(m)
		}
		return nil
	}
}

// SearchLeaf plays the principal variation of the agent's search, which plays
// the plain game of the records' world. Each position is searched with a seed of
// its own, so that neither order nor workers change the samples.
func SearchLeaf(ctx context.Context, agent search.Agent) func(s game.State, r *datasets.Record) error {
	return func(s game.State, r *datasets.Record) error {
		if s.Turn() < 0 {
			return nil
		}
		agent.Begin(game.Seed(0, game.StreamLeaf, r.Episode, uint64(r.Ply)))
		found, err := search.Whole(ctx, agent, s)
		if err != nil {
			return err
		}
		for k, m := range found.PV {
			if s.Turn() < 0 {
				return fmt.Errorf("the agent's line goes on for %d moves after the game's end", len(found.PV)-k)
			}
			s.Play(m)
		}
		return nil
	}
}

// Teaching are samples whose label is what another evaluation says, before its
// link: for fitting a small model to a large one.
type Teaching struct {
	Game    *game.Game // the world that the records are of
	Set     features.Set
	Teacher *features.Evaluator
	Records func() iter.Seq2[*datasets.Record, error]

	// Choices gives, in place of the recorded positions, those after each of their moves, all in
	// the mover's view, the moves of one position one after the other: for [learn.Centred], with
	// [Teaching.Choice]. The bias is left out.
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
