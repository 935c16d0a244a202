package selfplay

import (
	"context"
	"fmt"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/game"
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
