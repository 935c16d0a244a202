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

// Preparation specifies how recorded positions are processed before they become samples.
type Preparation struct {
	// Leaf plays moves from a recorded position to one where a static evaluation is more reliable,
	// such as the end of a principal variation. If Leaf is nil, the recorded position is used.
	Leaf func(s game.State, r *datasets.Record) error
	// Quiet reports whether a position is quiet. Other positions are omitted. It is called after
	// Leaf. If Quiet is nil, no positions are omitted.
	Quiet func(s game.State) bool
}

// Step returns the preparation as a step of a [features.Sampler].
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

// QuietLeaf returns a function that plays the line of noisy moves found by the quiescence search q.
func QuietLeaf(q *search.Quiescence) func(s game.State, r *datasets.Record) error {
	return func(s game.State, _ *datasets.Record) error {
		_, line := q.Search(s)
		for _, m := range line {
			s.Play(m)
		}
		return nil
	}
}

// SearchLeaf returns a function that plays the principal variation of the agent's search. The agent
// must play the world's game without its wrappers. The function begins a new game of the agent for
// every position, with a seed that depends only on the episode and the ply. Therefore, neither the
// order of the positions nor the number of workers affects the samples.
func SearchLeaf(ctx context.Context, agent search.Agent) func(s game.State, r *datasets.Record) error {
	return func(s game.State, r *datasets.Record) error {
		if s.Turn() < 0 {
			return nil
		}
		agent.Begin(game.Seed(0, game.StreamLeaf, r.Episode, uint64(r.Ply)))
		found, err := search.SearchUninterrupted(ctx, agent, s)
		if err != nil {
			return err
		}
		for k, m := range found.PV {
			if s.Turn() < 0 {
				return fmt.Errorf("the principal variation continues for %d moves after the end of the game", len(found.PV)-k)
			}
			s.Play(m)
		}
		return nil
	}
}

// Teaching yields samples labelled by another evaluator. The labels are values before the link
// function. Use it to fit a small model to a large one.
type Teaching struct {
	Game    *game.Game // world of the records
	Set     features.Set
	Teacher *features.Evaluator
	Records func() iter.Seq2[*datasets.Record, error]

	// Choices replaces each recorded position with the positions after each of its moves, except
	// those in which the game is over. Their samples are consecutive, are from the point of view of
	// the player to move in the recorded position, and contain no bias term. Use them with
	// [learn.Centred] and [Teaching.Choice].
	Choices bool
}

var _ datasets.Samples = (*Teaching)(nil)

// Choice returns a number that identifies the recorded position from which the sample was derived.
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
			} else if view != p { // The view is the opponent's, so negate the features.
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
