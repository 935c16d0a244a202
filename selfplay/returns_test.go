package selfplay

import (
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"plyfit/datasets"
	"plyfit/features"
	"plyfit/features/connect4"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/learn"
	"plyfit/models"
	"plyfit/search"
	"plyfit/search/policy"
)

func recordsOf(list []datasets.Record) func() iter.Seq2[*datasets.Record, error] {
	return func() iter.Seq2[*datasets.Record, error] {
		return func(yield func(*datasets.Record, error) bool) {
			for i := range list {
				r := list[i]
				if !yield(&r, nil) {
					return
				}
			}
		}
	}
}

// TestReturns compares the returns of short episodes with values calculated by hand.
func TestReturns(t *testing.T) {
	g := newGame(t, "connect4")
	won := []float64{1, -1}
	list := []datasets.Record{
		{Episode: 0, Ply: 0, Mover: 0, Value: 0.5, HasValue: true, Outcome: won},
		{Episode: 0, Ply: 1, Mover: 1, Value: -0.25, HasValue: true, Outcome: won}, // 0.25 to player 0
		{Episode: 0, Ply: 2, Mover: 0, Outcome: won},
		{Episode: 0, Ply: 3, Mover: 1, Value: -0.75, HasValue: true, Outcome: won},
		// a truncated episode with a random move
		{Episode: 1, Ply: 0, Mover: 0, Value: 0.1, HasValue: true, Outcome: []float64{0, 0}, Truncated: true},
		{Episode: 1, Ply: 1, Mover: 1, Value: 0.2, HasValue: true, Explored: true, Outcome: []float64{0, 0}, Truncated: true},
		{Episode: 1, Ply: 2, Mover: 0, Value: 0.4, HasValue: true, Outcome: []float64{0, 0}, Truncated: true},
		{Episode: 2, Ply: 0, Mover: 0, Outcome: []float64{0, 0}, Truncated: true},
		// This is a random move as recorded by self-play, without a search. The outcome after it
		// must not affect this position or the one before it.
		{Episode: 3, Ply: 0, Mover: 0, Value: 0.3, HasValue: true, Outcome: won},
		{Episode: 3, Ply: 1, Mover: 1, Value: -0.6, HasValue: true, Outcome: won},
		{Episode: 3, Ply: 2, Mover: 0, Explored: true, Outcome: won},
		{Episode: 3, Ply: 3, Mover: 1, Value: 0.5, HasValue: true, Outcome: won},
	}
	l := 0.5
	g3 := 1.0               // outcome
	g2 := (1-l)*0.75 + l*g3 // from the value and the return of the next position
	g1 := g2                // no value at ply 2
	g0 := (1-l)*0.25 + l*g1
	want := []float64{g0, -g1, g2, -g3, -0.2, 0.2, 0.4, math.NaN(),
		0.6, math.NaN(), math.NaN(), -1}
	records := vectors.Must(Returns(g, recordsOf(list), l))
	i := 0
	for r, err := range records() {
		if err != nil {
			t.Fatal(err)
		}
		if r.HasValue == math.IsNaN(want[i]) || r.HasValue && math.Abs(r.Value-want[i]) > 1e-12 {
			t.Errorf("record %d: %v (%v), want %v", i, r.Value, r.HasValue, want[i])
		}
		i++
	}
	if i != len(list) {
		t.Errorf("%d records, want %d", i, len(list))
	}
	if _, err := Returns(newGame(t, "pig:players=3"), recordsOf(nil), l); err == nil {
		t.Error("no error for a game of three")
	}
}

// TestTeaching checks that a linear model learned from another model's evaluations reproduces that
// model if it has the same features, both with positions and with choices.
func TestTeaching(t *testing.T) {
	g := newGame(t, "connect4")
	cfg := config(t, "connect4", 40)
	vectors.Must(Run(context.Background(), cfg))
	data := vectors.Must(datasets.Open(cfg.Dir))
	for _, set := range connect4.Profile.Sets(g) {
		if set.Blocks()[len(set.Blocks())-1].Table {
			continue
		}
		truth := models.New(g.Name, set.Name(), set.Blocks())
		for i := range truth.Weights {
			truth.Weights[i] = math.Sin(float64(i + 1))
		}
		truth.Bias = 0.7
		truth.Link = models.Link{Kind: models.Tanh, Scale: 0.2}
		for _, choices := range []bool{false, true} {
			rows := &Teaching{Game: g, Set: set, Teacher: features.NewEvaluator(g, set, truth), Records: data.Records, Choices: choices}
			var samples datasets.Samples = rows
			if choices {
				samples = learn.Centred{Data: rows, Choice: rows.Choice}
			}
			m := models.New(g.Name, set.Name(), set.Blocks())
			r := vectors.Must((learn.Ridge{}).Learn(context.Background(), m, samples))
			if r.Rows < 300 || r.Loss > 1e-9*r.Zero.Loss {
				t.Errorf("%s, choices %v: loss %v of %v over %d rows", set.Name(), choices, r.Loss, r.Zero.Loss, r.Rows)
			}
			if !choices && math.Abs(m.Bias-truth.Bias) > 1e-3 && set.Name() == "connect4/threats" {
				t.Errorf("%s: bias %v, want %v", set.Name(), m.Bias, truth.Bias)
			}
		}
	}
}

// TestPreparation checks that samples are moved to the end of a search's principal variation and
// that noisy positions are omitted. The result must not depend on the number of workers.
func TestPreparation(t *testing.T) {
	g := newGame(t, "connect4")
	cfg := config(t, "connect4", 12)
	vectors.Must(Run(context.Background(), cfg))
	data := vectors.Must(datasets.Open(cfg.Dir))
	set := connect4.Profile.Sets(g)[0]
	rows := func(workers int, distinct bool, prepare func() Preparation) (out []datasets.Sample) {
		s := &features.Sampler{Game: g, Set: set, Label: features.Outcome, Records: data.Records, Workers: workers, Distinct: distinct,
			Prepare: func() features.Step { return prepare().Step() }}
		for r, err := range s.All() {
			if err != nil {
				t.Fatal(err)
			}
			c := *r
			c.X = append(models.Vector(nil), r.X...)
			out = append(out, c)
		}
		return out
	}
	leaf := func() Preparation {
		a := vectors.Must(expectimax(g, 2).New())
		return Preparation{Leaf: SearchLeaf(context.Background(), a)}
	}
	roots := rows(1, false, func() Preparation { return Preparation{} })
	one, two := rows(1, false, leaf), rows(2, false, leaf)
	if len(one) == 0 || len(one) != len(two) || len(one) > len(roots) {
		t.Fatalf("%d and %d samples of %d", len(one), len(two), len(roots))
	}
	moved := 0
	for i := range one {
		if len(one[i].X) != len(two[i].X) || one[i].Y != two[i].Y || one[i].Ply != two[i].Ply {
			t.Errorf("sample %d differs between one worker and two", i)
		}
		if len(one[i].X) != len(roots[i].X) {
			moved++
		}
	}
	if moved == 0 {
		t.Error("no position moved to a leaf")
	}
	// Two recorded positions can lead to the same leaf.
	end := func() Preparation {
		return Preparation{Leaf: func(s game.State, _ *datasets.Record) error {
			for s.Turn() != game.Nobody && len(s.Moves(nil)) > 1 && len(s.String()) < 9 {
				s.Play(s.Moves(nil)[0])
			}
			return nil
		}}
	}
	if all, n := len(rows(2, false, end)), len(rows(2, true, end)); n >= all {
		t.Errorf("%d distinct leaves of %d", n, all)
	}
	noisy := func(s game.State) bool { return s.Hash()%3 != 0 }
	kept := rows(1, false, func() Preparation { return Preparation{Quiet: noisy} })
	if len(kept) >= len(roots) {
		t.Errorf("%d quiet of %d", len(kept), len(roots))
	}
}

// TestViews checks the field View of records. In games with hidden cards, it contains the mover's
// information and does not depend on the cards that the mover cannot see. In other games, it is
// empty.
func TestViews(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"kuhn", "leduc", "doudizhu", "connect4"} {
		cfg := config(t, name, 20)
		cfg.Agents = []search.Factory{random(cfg.Game)}
		run(t, cfg)
		others := 0
		for _, r := range records(t, cfg.Dir) {
			s := vectors.Must(cfg.Game.Parse(r.Position))
			want := ""
			if cfg.Game.Hidden {
				drawn := s.(game.HiddenState).Sample(r.Mover, rng)
				if drawn.String() != r.Position {
					others++
				}
				want = drawn.(game.HiddenState).Info(r.Mover)
			}
			if r.View != want {
				t.Fatalf("%+v: want the view %q", r, want)
			}
		}
		if cfg.Game.Hidden && others == 0 {
			t.Errorf("%s: no position was another than the true one", name)
		}
	}
}

// seeded is an agent that records the seeds passed to Begin.
type seeded struct {
	search.Agent
	begun *[]uint64
}

func (s seeded) Begin(seed uint64) {
	*s.begun = append(*s.begun, seed)
	s.Agent.Begin(seed)
}

// TestSeeds checks that no two calls to Begin get the same seed. It covers self-play and
// relabelling with several seeds, episodes, seats and positions.
func TestSeeds(t *testing.T) {
	g := newGame(t, "connect4")
	var begun []uint64
	maker := func(name string) search.Factory {
		return search.Factory{Identity: name, New: func() (search.Agent, error) {
			return seeded{policy.NewRandom(), &begun}, nil
		}}
	}
	for seed := range uint64(6) {
		dir := filepath.Join(t.TempDir(), "data")
		cfg := Config{Game: g, Agents: []search.Factory{maker("a"), maker("b")}, Episodes: 12, Seed: seed, Workers: 1, Dir: dir}
		run(t, cfg)
		vectors.Must(Relabel(context.Background(), RelabelConfig{Game: g, Agent: maker("c"), From: dir, To: dir + "-again", Seed: seed, Workers: 1}))
	}
	if len(begun) < 6*12*20 {
		t.Fatalf("%d seeds", len(begun))
	}
	seen := map[uint64]bool{}
	for _, h := range begun {
		if seen[h] {
			t.Fatalf("an agent begins twice with seed %#x", h)
		}
		seen[h] = true
	}
}
