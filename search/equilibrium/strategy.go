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

// Strategy is the probability of each move in each information set of a [Tree]: a
// behaviour strategy (Kuhn 1953). It is a policy, of all players.
type Strategy struct {
	tree  *Tree
	probs [][]float64 // of the moves, by information sets
}

var _ game.Policy = (*Strategy)(nil)

func (s *Strategy) clone() *Strategy {
	return &Strategy{tree: s.tree, probs: slices.Clone(s.probs)}
}

// Probs implements [game.Policy]. It panics at positions of another game.
func (s *Strategy) Probs(st game.State, moves []game.Move, dst []float64) []float64 {
	p := st.Turn()
	at, ok := s.tree.known[p][st.(game.HiddenState).Info(p)]
	if !ok || !slices.Equal(moves, s.tree.sets[at].moves) {
		panic(fmt.Sprintf("equilibrium: a strategy of %s is asked at %s", s.tree.game.Spec, st))
	}
	return append(dst, s.probs[at]...)
}

// Uniform is the strategy of random moves.
func (t *Tree) Uniform() *Strategy { return &Strategy{tree: t, probs: t.uniform()} }

// Follow is a policy's strategy: asked once in each information set, at one of its positions.
func (t *Tree) Follow(p game.Policy) *Strategy {
	s := &Strategy{tree: t}
	for i := range t.sets {
		set := &t.sets[i]
		s.probs = append(s.probs, p.Probs(set.state, set.moves, nil))
	}
	return s
}

// Sample estimates the strategy of an agent: in each information set it is asked n times, at one of
// the positions, with seeds derived from seed; any number of workers give the same result. An agent
// that uses hidden information has no strategy, and its result is meaningless.
//
// The estimate is off by about 1/sqrt(n) in each probability where the agent varies its moves. Its
// exploitability is too large on average: the responder profits from the errors, too.
func (t *Tree) Sample(ctx context.Context, f search.Factory, n int, seed uint64, workers int) (*Strategy, error) {
	s := &Strategy{tree: t, probs: t.zeros()}
	return s, work.Each(ctx, workers, len(t.sets), f.New, func(ctx context.Context, a search.Agent, i int) error {
		return s.sample(ctx, a, i, n, game.Mix(seed+uint64(i)))
	}, nil)
}

// sample estimates what a plays in one information set.
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
			return fmt.Errorf("at %s the agent has no move that is legal", set.state)
		}
		counts[at]++
	}
	for k, c := range counts {
		s.probs[i][k] = float64(c) / float64(n)
	}
	return nil
}

// Of is the strategy of an agent: exactly where it draws its moves from a policy, as
// random, softmax and a strategy's own agent do, else sampled. exact says which.
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
	Game   string    `json:"game"` // its spec
	Sets   []setLine `json:"sets"`
}

type setLine struct {
	Player game.Player        `json:"player"`
	Info   string             `json:"info"`
	Moves  map[string]float64 `json:"moves"`
}

// Write writes the strategy as JSON, an information set a line.
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

// Load reads what Write wrote, for the game that t writes out. Every information set
// must be there, with probabilities that sum to 1.
func (t *Tree) Load(data []byte) (*Strategy, error) {
	var f file
	if err := text.JSON(data, &f); err != nil {
		return nil, fmt.Errorf("want a strategy as JSON: %w", err)
	}
	switch {
	case f.Format != format:
		return nil, fmt.Errorf("format %q: want %q", f.Format, format)
	case f.Game != t.game.Spec:
		return nil, fmt.Errorf("a strategy of %q: want one of %q", f.Game, t.game.Spec)
	}
	s := &Strategy{tree: t, probs: make([][]float64, len(t.sets))}
	for _, line := range f.Sets {
		if line.Player < 0 || int(line.Player) >= len(t.known) {
			return nil, fmt.Errorf("player %d: want one from 0 to %d", line.Player, len(t.known)-1)
		}
		at, ok := t.known[line.Player][line.Info]
		if !ok || s.probs[at] != nil {
			return nil, fmt.Errorf("player %d, %q: want each information set once", line.Player, line.Info)
		}
		set, sum := &t.sets[at], 0.0
		for _, name := range set.names {
			p, ok := line.Moves[name]
			if !ok || !(p >= 0) {
				return nil, fmt.Errorf("player %d, %q: want a probability of %s", line.Player, line.Info, name)
			}
			s.probs[at] = append(s.probs[at], p)
			sum += p
		}
		if len(line.Moves) != len(set.names) || math.Abs(sum-1) > 1e-6 {
			return nil, fmt.Errorf("player %d, %q: %d moves whose probabilities sum to %v: want %d and 1", line.Player, line.Info, len(line.Moves), sum, len(set.names))
		}
		normalise(s.probs[at])
	}
	for i, probs := range s.probs {
		if probs == nil {
			return nil, fmt.Errorf("player %d, %q is missing: want every information set", t.sets[i].player, t.sets[i].info)
		}
	}
	return s, nil
}
