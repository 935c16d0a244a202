package equilibrium

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"plyfit/game"
	"plyfit/internal/text"
	"plyfit/search"
	"plyfit/search/policy"
	"plyfit/work"
)

// A Strategy contains the probability of each move in each information set of a [Tree]. It is a
// behaviour strategy (Kuhn 1953), and it can be used as a policy for all players.
type Strategy struct {
	tree  *Tree
	probs [][]float64 // probabilities of the moves in each information set
}

var _ game.Policy = (*Strategy)(nil)

func (s *Strategy) clone() *Strategy {
	return &Strategy{tree: s.tree, probs: slices.Clone(s.probs)}
}

// Probs implements [game.Policy]. It panics if the position belongs to another game.
func (s *Strategy) Probs(st game.State, moves []game.Move, dst []float64) []float64 {
	p := st.Turn()
	at, ok := s.tree.known[p][st.(game.HiddenState).Info(p)]
	if !ok || !slices.Equal(moves, s.tree.sets[at].moves) {
		panic(fmt.Sprintf("equilibrium: a strategy for %s cannot play at %s", s.tree.game.Spec, st))
	}
	return append(dst, s.probs[at]...)
}

// Uniform returns the strategy that draws moves uniformly.
func (t *Tree) Uniform() *Strategy { return &Strategy{tree: t, probs: t.uniform()} }

// Follow returns the strategy given by a policy. It calls the policy once for each information set,
// at one of the set's positions.
func (t *Tree) Follow(p game.Policy) *Strategy {
	s := &Strategy{tree: t}
	for i := range t.sets {
		set := &t.sets[i]
		s.probs = append(s.probs, p.Probs(set.state, set.moves, nil))
	}
	return s
}

// Sample estimates the strategy of an agent. In each information set, the agent searches one of the
// positions n times, with seeds derived from the parameter seed. The result does not depend on the
// number of workers. It is meaningless if the agent uses hidden information, because such an agent
// has no strategy.
//
// If the agent varies its moves, the error of each probability is about 1/sqrt(n). The
// exploitability of the estimate is too high on average, because a best response also exploits
// these errors.
func (t *Tree) Sample(ctx context.Context, f search.Factory, n int, seed uint64, workers int) (*Strategy, error) {
	s := &Strategy{tree: t, probs: t.zeros()}
	return s, work.Each(ctx, workers, len(t.sets), f.New, func(ctx context.Context, a search.Agent, i int) error {
		return s.sample(ctx, a, i, n, game.Mix(seed+uint64(i)))
	}, nil)
}

// sample estimates the agent's strategy in one information set.
func (s *Strategy) sample(ctx context.Context, a search.Agent, i, n int, seed uint64) error {
	set, counts := &s.tree.sets[i], make([]int, len(s.probs[i]))
	for k := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		a.Begin(game.Mix(seed + uint64(k)))
		r, err := a.Search(ctx, set.state)
		if err != nil {
			return err
		}
		at := slices.Index(set.moves, r.Move)
		if at < 0 {
			return fmt.Errorf("at %s the agent returned an illegal move", set.state)
		}
		counts[at]++
	}
	for k, c := range counts {
		s.probs[i][k] = float64(c) / float64(n)
	}
	return nil
}

// Of returns the strategy of an agent, and whether it is exact. It is exact if the agent draws its
// moves from a policy, as random, softmax and strategy agents do. Otherwise it is sampled.
func (t *Tree) Of(ctx context.Context, f search.Factory, n int, seed uint64, workers int) (s *Strategy, exact bool, err error) {
	a, err := f.New()
	if err != nil {
		return nil, false, err
	}
	defer search.Close(a)
	p, err := policy.Of(ctx, a, t.game)
	if err != nil {
		return nil, false, err
	}
	switch p := p.(type) {
	case policy.Uniform, *policy.Softmax, *Strategy:
		return t.Follow(p), true, nil
	}
	s, err = t.Sample(ctx, f, n, seed, workers)
	return s, false, err
}

const format = "plyfit-strategy/1"

type file struct {
	Format string    `json:"format"`
	Game   string    `json:"game"` // the game's spec
	Sets   []setLine `json:"sets"`
}

type setLine struct {
	Player game.Player        `json:"player"`
	Info   string             `json:"info"`
	Moves  map[string]float64 `json:"moves"`
}

// Write writes the strategy as JSON, with one line for each information set.
func (s *Strategy) Write(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\"format\": %q, \"game\": %q, \"sets\": [\n", format, s.tree.game.Spec)
	for i := range s.tree.sets {
		set := &s.tree.sets[i]
		line := setLine{set.player, set.info, map[string]float64{}}
		for k, name := range set.names {
			line.Moves[name] = s.probs[i][k]
		}
		text, err := json.Marshal(line)
		if err != nil {
			return err
		}
		b.Write(text)
		if i < len(s.tree.sets)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]}\n")
	_, err := w.Write(b.Bytes())
	return err
}

// Load reads a strategy that Write wrote for the game of t. Every information set must be present,
// and its probabilities must sum to 1.
func (t *Tree) Load(data []byte) (*Strategy, error) {
	var f file
	if err := text.JSON(data, &f); err != nil {
		return nil, fmt.Errorf("want a strategy as JSON: %w", err)
	}
	switch {
	case f.Format != format:
		return nil, fmt.Errorf("format %q: want %q", f.Format, format)
	case f.Game != t.game.Spec:
		return nil, fmt.Errorf("strategy is for %q; want a strategy for %q", f.Game, t.game.Spec)
	}
	s := &Strategy{tree: t, probs: make([][]float64, len(t.sets))}
	for _, line := range f.Sets {
		if line.Player < 0 || int(line.Player) >= len(t.known) {
			return nil, fmt.Errorf("player %d: want a number from 0 to %d", line.Player, len(t.known)-1)
		}
		at, ok := t.known[line.Player][line.Info]
		if !ok || s.probs[at] != nil {
			return nil, fmt.Errorf("player %d, %q: the information set occurs twice; want each information set once", line.Player, line.Info)
		}
		set, sum := &t.sets[at], 0.0
		for _, name := range set.names {
			p, ok := line.Moves[name]
			if !ok || !(p >= 0) {
				return nil, fmt.Errorf("player %d, %q: want a probability for %s", line.Player, line.Info, name)
			}
			s.probs[at] = append(s.probs[at], p)
			sum += p
		}
		if len(line.Moves) != len(set.names) || math.Abs(sum-1) > 1e-6 {
			return nil, fmt.Errorf("player %d, %q: %d moves with probabilities that sum to %v; want %d moves and a sum of 1", line.Player, line.Info, len(line.Moves), sum, len(set.names))
		}
		normalise(s.probs[at])
	}
	for i, probs := range s.probs {
		if probs == nil {
			return nil, fmt.Errorf("player %d, %q: the information set is missing; want every information set", t.sets[i].player, t.sets[i].info)
		}
	}
	return s, nil
}
