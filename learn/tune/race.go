package tune

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/search"
)

// Outcome is what a ladder found.
type Outcome struct {
	Start  float64 `json:"start"` // held-out loss of the starting weights
	Rungs  []*Rung `json:"rungs"`
	Winner *Rung   `json:"winner,omitempty"` // confirmed; nil: none wins
	// Confirmed is the match of the last rung, on openings of its own; nil: none was ahead.
	Confirmed *arena.Result `json:"confirmed,omitempty"`
	Sentence  string        `json:"sentence"`
}

// Streams of the seeds of a ladder.
const (
	streamRace = iota + 1
	streamConfirm
)

// Run fits, races and confirms what is missing.
func (l *Ladder) Run(ctx context.Context) (*Outcome, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	if err := l.begin(); err != nil {
		return nil, err
	}
	rungs, start, err := l.rungs(ctx)
	if err != nil {
		return nil, err
	}
	o := &Outcome{Start: start.HeldOut, Rungs: rungs}
	m, err := l.matches(ctx, start, len(rungs))
	if err != nil {
		return nil, err
	}
	last, err := m.race(ctx, rungs)
	if err != nil {
		return nil, err
	}
	if last == nil {
		o.Sentence = "none wins: no width is ahead of the start after the race"
		return o, nil
	}
	return o, m.confirm(ctx, o, last)
}

// matches are those of the rungs against the start.
type matches struct {
	*Ladder
	start  search.Factory
	rounds int
	book   []string // of the race
}

func (l *Ladder) matches(ctx context.Context, start *Rung, n int) (*matches, error) {
	m := &matches{Ladder: l}
	for ; n > 1; n /= 2 {
		m.rounds++
	}
	m.rounds = max(1, m.rounds)
	var err error
	if m.start, err = l.agent(start); err != nil {
		return nil, err
	}
	m.book, err = m.openings(ctx, "race", streamRace, l.Pairs<<(m.rounds-1), nil)
	return m, err
}

// agent is the engine of a rung.
func (l *Ladder) agent(r *Rung) (search.Factory, error) {
	a, err := l.World.Agent(r.engine.spec, catalog.AgentOptions{})
	if err != nil {
		return search.Factory{}, err
	}
	return a.Factory, nil
}

// openings are those of a stage, which the start finds balanced.
func (m *matches) openings(ctx context.Context, stage string, stream uint64, n int, skip []string) ([]string, error) {
	return kept(filepath.Join(m.Dir, stage+"-"+bookName), m.World.Game, n, func() ([]string, error) {
		m.tell("draws %d openings to %s from", n, stage)
		return m.Openings.book(ctx, m.World.Game, m.start, n, game.Seed(m.Seed, stream), skip, nil)
	})
}

// race plays rounds until one rung is left, and nil where none is ahead. A round drops those that
// are surely behind the start, and of the others the worse half; all play the same openings.
func (m *matches) race(ctx context.Context, rungs []*Rung) (*Rung, error) {
	left := slices.Clone(rungs)
	for round := range m.rounds {
		pairs := m.Pairs << round
		for _, r := range left {
			m.tell("round %d of %d: width %v against the start, %d pairs", round+1, m.rounds, r.Width, pairs)
			result, err := m.play(ctx, r, arena.Config{
				Pairs: pairs, Seed: game.Seed(m.Seed, streamRace), Openings: arena.Openings{Positions: m.book}, Out: filepath.Join(m.Dir, fmt.Sprintf("race-width-%v.jsonl", r.Width)),
			})
			if err != nil {
				return nil, err
			}
			r.Pairs, r.Score = result.Pairs, result.Score
			if result.Versus != nil {
				r.Elo = result.Versus.Elo
			}
		}
		// Of equals the narrower stays: it asks the engine to change less.
		slices.SortStableFunc(left, func(a, b *Rung) int {
			return cmp.Or(cmp.Compare(b.Score.Value, a.Score.Value), cmp.Compare(a.Width, b.Width))
		})
		keep := max(1, len(left)/2)
		var stay []*Rung
		for i, r := range left {
			switch {
			case r.Score.Bounded && r.Score.High < even:
				r.Out = fmt.Sprintf("round %d: behind the start", round+1)
			case i >= keep:
				r.Out = fmt.Sprintf("round %d: others did better", round+1)
			default:
				stay = append(stay, r)
			}
		}
		left = stay
	}
	if len(left) == 1 && left[0].Score.Value <= even {
		left[0].Out = fmt.Sprintf("round %d: not ahead of the start", m.rounds)
		left = nil
	}
	if len(left) == 0 {
		return nil, nil
	}
	return left[0], nil
}

// even is the share of the points of equals.
const even = 0.5

func (m *matches) play(ctx context.Context, r *Rung, cfg arena.Config) (*arena.Result, error) {
	cfg.Game, cfg.B, cfg.Workers, cfg.Measure = m.World.Game, m.start, m.Workers, arena.Wins
	var err error
	if cfg.A, err = m.agent(r); err != nil {
		return nil, err
	}
	result, err := arena.Run(ctx, cfg)
	if err == nil && result.Conclusion == arena.Nothing {
		err = proc.Failure(fmt.Errorf("width %v: %s", r.Width, result.Sentence))
	}
	return &result, err
}

func (m *matches) confirm(ctx context.Context, o *Outcome, last *Rung) error {
	book, err := m.openings(ctx, "confirm", streamConfirm, m.Confirm, m.book)
	if err != nil {
		return err
	}
	m.tell("confirms the width %v on fresh openings, %d pairs at most", last.Width, m.Confirm)
	test := m.Test
	o.Confirmed, err = m.play(ctx, last, arena.Config{
		Pairs: m.Confirm, Seed: game.Seed(m.Seed, streamConfirm), Openings: arena.Openings{Positions: book}, SPRT: &test, Out: filepath.Join(m.Dir, "confirm.jsonl"),
	})
	if err != nil {
		return err
	}
	switch o.Confirmed.SPRT.Decision {
	case stats.AcceptHigh:
		o.Winner = last
		o.Sentence = fmt.Sprintf("the width %v wins: %s", last.Width, last.Weights)
	case stats.AcceptLow:
		last.Out = "confirmation: not better than the start"
		o.Sentence = fmt.Sprintf("none wins: the best of the race, width %v, was not confirmed", last.Width)
	default:
		last.Out = "confirmation: not decided"
		o.Sentence = fmt.Sprintf("none wins yet: %d pairs have not decided about the width %v", o.Confirmed.Pairs, last.Width)
	}
	return nil
}
