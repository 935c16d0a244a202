package features

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// episodes returns a record for each decision in n random games of g.
func episodes(g *game.Game, n int) []datasets.Record {
	var all []datasets.Record
	seed := uint64(3)
	for e := range n {
		first := len(all)
		s := g.New()
		var ply int32
		for ; s.Turn() != game.Nobody; ply++ {
			moves := s.Moves(nil)
			seed = game.Mix(seed)
			m := moves[seed%uint64(len(moves))]
			if t := s.Turn(); t >= 0 {
				all = append(all, datasets.Record{
					Episode: uint64(e), Ply: ply, Position: s.String(), Mover: t, Move: s.MoveString(m),
					Explored: seed>>40%4 == 0, Value: float64(len(moves)) / 8, HasValue: true,
				})
			}
			s.Play(m)
		}
		for i := first; i < len(all); i++ {
			for p := range g.Players {
				all[i].Outcome = append(all[i].Outcome, s.Utility(game.Player(p)))
			}
		}
	}
	return all
}

// reading yields records like a reader that reuses its memory.
func reading(all []datasets.Record, end error) func() iter.Seq2[*datasets.Record, error] {
	return func() iter.Seq2[*datasets.Record, error] {
		return func(yield func(*datasets.Record, error) bool) {
			var r datasets.Record
			var outcome []float64
			for _, next := range all {
				outcome = append(outcome[:0], next.Outcome...)
				r = next
				r.Outcome = outcome
				if !yield(&r, nil) {
					return
				}
				r = datasets.Record{}
				for i := range outcome {
					outcome[i] = math.NaN()
				}
			}
			if end != nil {
				yield(nil, end)
			}
		}
	}
}

func collect(s *Sampler, most int) (samples []datasets.Sample, err error) {
	for x, err := range s.All() {
		if err != nil {
			return samples, err
		}
		c := *x
		c.X = append(models.Vector(nil), x.X...)
		if samples = append(samples, c); len(samples) == most {
			break
		}
	}
	return samples, nil
}

func TestSamplesAreTheSameWithAnyNumberOfWorkers(t *testing.T) {
	for players := 1; players <= 3; players++ {
		g := duelGame(players)
		all := episodes(g, 500)
		var want []datasets.Sample
		for _, workers := range []int{1, 2, 5} {
			s := &Sampler{Game: g, Set: duelSet{table: true}, Label: Outcome, Records: reading(all, nil), Workers: workers}
			got := vectors.Must(collect(s, -1))
			again, _ := collect(s, -1)
			if !reflect.DeepEqual(got, again) {
				t.Fatal("asked again, other samples")
			}
			if want == nil {
				want = got
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%d workers give other samples than 1", workers)
			}
			if some, _ := collect(s, 300); !reflect.DeepEqual(some, want[:300]) {
				t.Fatalf("%d workers, stopped early, give other samples", workers)
			}
		}
		rows := len(all)
		if players == 3 {
			rows *= 3
		}
		if len(want) != rows {
			t.Errorf("%d samples of %d records for %d players, want %d", len(want), len(all), players, rows)
		}
	}
}

// TestSamplesAgreeWithTheEvaluator checks that the weighted sum of each sample, including the bias
// column, equals the evaluation from the same player's point of view.
func TestSamplesAgreeWithTheEvaluator(t *testing.T) {
	for players := 1; players <= 3; players++ {
		for _, leaves := range []models.Leaves{models.Decision, models.Afterstate} {
			g := duelGame(players)
			all := episodes(g, 20)
			set := duelSet{}
			m := randomDuelModel(set, links[0], 11)
			e := NewEvaluator(g, set, m)
			samples := vectors.Must(collect(&Sampler{Game: g, Set: set, Label: Outcome, Leaves: leaves, Records: reading(all, nil)}, -1))
			i := 0
			for _, r := range all {
				s, _ := g.Parse(r.Position)
				if leaves == models.Afterstate {
					move, _ := g.ParseMove(s, r.Move)
					s.Play(move)
				}
				views := []game.Player{set.View(s)}
				if players == 3 {
					views = []game.Player{0, 1, 2}
				}
				for _, p := range views {
					x := samples[i]
					i++
					if x.Y != r.Outcome[p] || x.Weight != 1 || x.Episode != r.Episode {
						t.Fatalf("%s for player %d: sample %+v of %+v", s, p, x, r)
					}
					if z := m.Dot(x.X); !near(z, e.Evaluate(s, p)) {
						t.Fatalf("%s: sample sums to %v, evaluated %v", s, z, e.Evaluate(s, p))
					}
				}
			}
			if i != len(samples) {
				t.Errorf("%d samples, want %d", len(samples), i)
			}
		}
	}
}

func TestSamplerInWorlds(t *testing.T) {
	base := duelGame(1)
	hostile := vectors.Must(game.WithAdversary(base))
	slippery := vectors.Must(game.WithSlip(duelGame(2), .2))
	for _, g := range []*game.Game{hostile, slippery} {
		all := episodes(g, 30)
		deciding := 0
		for _, r := range all {
			if s, _ := g.Parse(r.Position); game.Base(s).Turn() >= 0 {
				deciding++
			}
		}
		samples, err := collect(&Sampler{Game: g, Set: duelSet{}, Label: Outcome, Records: reading(all, nil)}, -1)
		if err != nil || len(samples) != deciding || deciding == 0 {
			t.Errorf("%s: %d samples, %v, want %d", g.Spec, len(samples), err, deciding)
		}
	}
}

func TestLabels(t *testing.T) {
	g := duelGame(2)
	r := &datasets.Record{Mover: 1, Value: .5, HasValue: true, Outcome: []float64{-3, 3}}
	for _, c := range []struct {
		name  string
		label Label
		want  [2]float64
	}{
		{"outcome", Outcome, [2]float64{-3, 3}},
		{"search", SearchValue(g), [2]float64{-.5, .5}},
		{"mixture", Mixture(Outcome, SearchValue(g), .25), [2]float64{-.75 - .375, .75 + .375}},
	} {
		for p, want := range c.want {
			if y, ok := c.label(r, game.Player(p)); !ok || y != want {
				t.Errorf("%s for player %d: %v %v, want %v", c.name, p, y, ok, want)
			}
		}
	}
	if _, ok := SearchValue(duelGame(3))(r, 0); ok {
		t.Error("a search value of one of three players was used for another")
	}
	cut := *r
	cut.Truncated = true
	if _, ok := Outcome(&cut, 0); ok {
		t.Error("the end of a truncated episode was used as its outcome")
	}
	cut.HasValue = false
	if _, ok := Mixture(Outcome, SearchValue(g), .5)(&cut, 0); ok {
		t.Error("a mixture of nothing")
	}
}

func TestSamplerErrors(t *testing.T) {
	g := duelGame(2)
	all := episodes(g, 200)
	broken := append([]datasets.Record(nil), all...)
	broken[700].Position = "nonsense"
	end := errors.New("shard 3: cut off")
	for _, workers := range []int{1, 3} {
		s := &Sampler{Game: g, Set: duelSet{}, Label: Outcome, Records: reading(broken, nil), Workers: workers}
		got, err := collect(s, -1)
		want := fmt.Sprintf("episode %d, ply %d: duel position", broken[700].Episode, broken[700].Ply)
		if err == nil || !strings.HasPrefix(err.Error(), want) || len(got) != 700 {
			t.Errorf("%d workers: %d samples, then %v", workers, len(got), err)
		}
		s.Records = reading(all, end)
		if got, err := collect(s, -1); err != end || len(got) != len(all) {
			t.Errorf("%d workers: %d samples, then %v", workers, len(got), err)
		}
		s.Prepare = func() Step { return func(game.State, *datasets.Record) (float64, error) { return 0, end } }
		if _, err := collect(s, -1); !errors.Is(err, end) {
			t.Errorf("%d workers: %v from a step, want %v", workers, err, end)
		}
	}
}

// TestSamplerSteps checks that a step may play moves, set the weight of a sample, and omit it.
func TestSamplerSteps(t *testing.T) {
	g := duelGame(2)
	all := episodes(g, 50)
	s := &Sampler{Game: g, Set: duelSet{}, Label: Outcome, Records: reading(all, nil)}
	s.Prepare = func() Step {
		return func(s game.State, r *datasets.Record) (float64, error) {
			if r.Ply%4 == 0 {
				return 0, nil
			}
			if r.Ply == 6 {
				s.Play(1) // after this move, the evaluated position is the one before the coin
			}
			return float64(r.Ply), nil
		}
	}
	samples := vectors.Must(collect(s, -1))
	i := 0
	for _, r := range all {
		if r.Ply%4 == 0 {
			continue
		}
		x := samples[i]
		i++
		tempo := false
		for _, term := range x.X {
			tempo = tempo || term.Index == 2
		}
		if x.Weight != float64(r.Ply) || tempo != (r.Ply != 6) {
			t.Fatalf("sample %+v of %+v", x, r)
		}
	}
	if i != len(samples) || i == 0 {
		t.Errorf("%d samples, want %d", len(samples), i)
	}
}

// TestDistinctSamples checks that each position is used only once for each view, at its first
// occurrence.
func TestDistinctSamples(t *testing.T) {
	for players := 2; players <= 3; players++ {
		g := duelGame(players)
		all := episodes(g, 300)
		views := 1
		if players == 3 {
			views = 3
		}
		every := vectors.Must(collect(&Sampler{Game: g, Set: duelSet{}, Label: Outcome, Records: reading(all, nil)}, -1))
		var want []datasets.Sample
		seen := map[string]bool{}
		for i, r := range all {
			if !seen[r.Position] {
				want = append(want, every[i*views:(i+1)*views]...)
			}
			seen[r.Position] = true
		}
		for _, workers := range []int{1, 3} {
			s := &Sampler{Game: g, Set: duelSet{}, Label: Outcome, Distinct: true, Records: reading(all, nil), Workers: workers}
			for range 2 { // the second pass starts from the beginning
				if got, err := collect(s, -1); err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("%d players, %d workers: %d samples, %v, want %d of %d", players, workers, len(got), err, len(want), len(every))
				}
			}
		}
		if len(want) == len(every) {
			t.Error("no position came twice: the test shows nothing")
		}
	}
}
