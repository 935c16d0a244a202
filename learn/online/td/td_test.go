package td

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"plyfit/features"
	"plyfit/game"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/learn/online/internal/onlinetest"
	"plyfit/models"
)

// learner returns a learner for a model whose weights are all zero. The function change may modify
// the learner's task.
func learner(t testing.TB, world, set string, change func(c *online.Task)) *Learner {
	t.Helper()
	c := onlinetest.Task(t, world, set)
	if change != nil {
		change(&c)
	}
	return vectors.Must(New(c))
}

// TestForwardIsBackward checks the sweep that uses the values at the time of play. It must change
// the weights in the same way as eligibility traces, which are updated step by step through the
// episode (the backward view in Sutton and Barto, 2nd ed., section 12.2). In the games with three
// players, each player has a separate value and separate traces.
func TestForwardIsBackward(t *testing.T) {
	for _, lambda := range []float64{0, 0.3, 0.7, 1} {
		for _, world := range [][2]string{{"tictactoe", "tictactoe/lines"}, {"connect4", "connect4/lines"}, {"connect4+slip=0.3", "connect4/lines"}, {"backgammon", "backgammon/pubeval"}, {"othello", "othello/2-tuples"}, {"doudizhu", "doudizhu/hand"}, {"pig:target=20,players=3", "pig/scores"}} {
			t.Run(fmt.Sprintf("%s, %v", world[0], lambda), func(t *testing.T) {
				alpha := 0.05
				l := learner(t, world[0], world[1], func(c *online.Task) {
					c.Lambda, c.Alpha, c.Epsilon, c.Openings = lambda, alpha, 0.2, 3
				})
				l.offline = true
				explored := 0
				// Steps are divided by a squared length, which is the mean over earlier episodes.
				// In the first episode it is the squared length of the last position.
				lengths, vectors := 0.0, 0.0
				square := func(x models.Vector) (sum float64) {
					counts := map[int32]float64{}
					for _, term := range x {
						counts[term.Index] += float64(term.Value)
					}
					for _, n := range counts {
						sum += n * n
					}
					return sum
				}
				length := func(n int, e *episode) float64 {
					if n == 0 {
						last := e.steps[len(e.steps)-1]
						return square(e.terms[last.from:last.to])
					}
					return lengths / vectors
				}
				for n := range 20 {
					l.weights.Episode(n)
					e := &l.games[0]
					l.actors[0].play(n, e)
					want := l.cfg.Model.Clone()
					var unknown []step
					for p, end := range e.ends { // each player with a separate value
						trace := map[int32]float64{}
						steps := slices.DeleteFunc(slices.Clone(e.steps), func(s step) bool { return int(s.who) != p })
						last := step{value: end}
						if int(e.end.who) == p {
							last.explored, last.best = e.end.explored, e.end.best
						}
						if !e.outcome.Truncated || last.explored {
							steps = append(steps, last)
						} else if len(steps) > 0 { // the value of the last step is unknown
							unknown = append(unknown, steps[len(steps)-1])
						}
						for k := 0; k+1 < len(steps); k++ {
							for i := range trace {
								trace[i] *= lambda
							}
							s := steps[k]
							x := e.terms[s.from:s.to]
							for _, term := range x {
								trace[term.Index] += (1 - s.value*s.value) * float64(term.Value) / length(n, e)
							}
							next := steps[k+1].value
							if steps[k+1].explored {
								next = steps[k+1].best
								explored++
							}
							for i, el := range trace {
								if change := alpha * (next - s.value) * el; i == models.Bias {
									want.Bias += change
								} else {
									want.Weights[i] += change
								}
							}
							if steps[k+1].explored {
								clear(trace) // later steps give no information about earlier ones
							}
						}
					}
					for _, s := range e.steps {
						if slices.Contains(unknown, s) {
							continue
						}
						lengths += square(e.terms[s.from:s.to])
						vectors++
					}
					l.learn(e)
					got := l.cfg.Model
					for i := range got.Weights {
						if math.Abs(got.Weights[i]-want.Weights[i]) > 1e-12 {
							t.Fatalf("episode %d, %s: %v by the sweep, %v by traces", n, got.Name(int32(i)), got.Weights[i], want.Weights[i])
						}
					}
					if math.Abs(got.Bias-want.Bias) > 1e-12 {
						t.Fatalf("episode %d, bias: %v by the sweep, %v by traces", n, got.Bias, want.Bias)
					}
				}
				if explored < 10 {
					t.Errorf("only %d random moves", explored)
				}
			})
		}
	}
}

// TestForward checks learning with Forward. When a position is chosen, the weights must have
// learned from all earlier positions except the last one. The value of each position must move by
// the difference from the value of the next one, or of the best move if the next move was random.
// The value of the last position must move by the difference from the outcome.
func TestForward(t *testing.T) {
	for world, set := range map[string]string{"tictactoe": "tictactoe/lines", "connect4+slip=0.2": "connect4/lines", "2048": "2048/4x5"} {
		change := func(c *online.Task) {
			if c.Epsilon, c.Forward = 0.2, true; world == "2048" {
				c.Frozen, c.Model.Weights[0] = []int32{0, models.Bias}, 1
			}
		}
		l, slow := learner(t, world, set, change), learner(t, world, set, change)
		explored, e, x := 0, &l.games[0], slow.actors[0].extractor
		for n := range 30 {
			onlinetest.Advance(t, l, n, n+1)
			slow.weights.Episode(n)
			for k := range e.steps {
				s := &e.steps[k]
				if got := slow.scale.Value(x.sum(slow.weights, e, k)); got != s.value {
					t.Fatalf("%s, game %d, step %d: chosen by %v, want %v", world, n, k, s.value, got)
				}
				if k == 0 {
					continue
				}
				target := s.value
				if s.explored {
					target = s.best
					explored++
				}
				last := e.steps[k-1].value
				x.update(slow.weights, e, k-1, (target-last)*slow.scale.Slope(last), false)
			}
			if k := len(e.steps) - 1; k >= 0 {
				target, last := e.ends[0], e.steps[k].value
				if e.end.explored {
					target = e.end.best
				}
				x.update(slow.weights, e, k, (target-last)*slow.scale.Slope(last), false)
			}
			if a, b := l.cfg.Model, slow.cfg.Model; a.Bias != b.Bias || !slices.Equal(a.Weights, b.Weights) || !slices.Equal(a.Table, b.Table) {
				t.Fatalf("%s, game %d: other weights than step by step", world, n)
			}
		}
		if explored < 10 {
			t.Errorf("%s: only %d random moves", world, explored)
		}
	}
}

// pigTable is a feature set with a weight for every position of pig.
type pigTable struct{ target int }

func (pigTable) Name() string { return "pig/table" }
func (p pigTable) Blocks() []features.Block {
	return []features.Block{{Name: "position", Len: 2 * p.target * p.target * (p.target + 8)}}
}
func (pigTable) View(s game.State) game.Player { return s.(*pig.State).Player() }
func (p pigTable) Extract(s game.State, who game.Player, x models.Vector) models.Vector {
	b := s.(*pig.State)
	at := (b.Score(who)*p.target+b.Score(1-who))*(p.target+8) + b.TurnTotal()
	at *= 2
	if s.Turn() == game.Chance {
		at++
	}
	return append(x, models.Term{Index: int32(at), Value: 1})
}

// TestConverges checks that TD(0) converges in self-play. In pig to 10 points, with a weight for
// every position, its play must be nearly perfect. At positions that were visited often, it must
// come close to the win probabilities found by value iteration.
func TestConverges(t *testing.T) {
	const target = 10
	g, _ := onlinetest.Set(t, fmt.Sprintf("pig:target=%d", target), "pig/race")
	set := pigTable{target}
	m := models.New("pig", set.Name(), set.Blocks())
	m.Leaves = models.Afterstate
	l := vectors.Must(New(online.Task{
		Training: features.Training{Episodes: 60000, Alpha: 0.05, Average: 0.5, Epsilon: 0.2, Batch: 1},
		Game:     g, Set: set, Model: m, Seed: 1, Frozen: []int32{models.Bias},
	}))
	onlinetest.Advance(t, l, 0, 60000)
	visits := map[int32]float64{}
	for n := range 10000 {
		onlinetest.Advance(t, l, 60000+n, 60000+n+1)
		for _, x := range l.games[0].terms {
			visits[x.Index]++
		}
	}
	eval := features.NewReference(g, set, l.Model())
	regret := vectors.Must(pig.Regret(g, func(s game.State) (game.Move, error) {
		best, choice := math.Inf(-1), game.NoMove
		for _, m := range s.Moves(nil) {
			s.Play(m)
			v := s.Utility(0)
			if s.Turn() != game.Nobody {
				v = eval.Evaluate(s, 0)
			}
			s.Undo()
			if v > best {
				best, choice = v, m
			}
		}
		return choice, nil
	}))
	o, sum, all := pig.Solve(target), 0.0, 0.0
	for mine := range target {
		for his := range target {
			s := vectors.Must(g.Parse(fmt.Sprintf("%d %d turn 0 player 0", mine, his)))
			n := visits[set.Extract(s, 0, nil)[0].Index]
			if n < 200 {
				continue // too few visits for the average to be accurate
			}
			d := eval.Evaluate(s, 0) - g.Min - (g.Max-g.Min)*o.Win(mine, his)
			sum, all = sum+n*d*d, all+n
		}
	}
	rmse := math.Sqrt(sum/all) / (g.Max - g.Min)
	t.Logf("regret %.5f, root mean square error of win probabilities %.4f over %v visits", regret, rmse, all)
	if !(regret < 0.005 && rmse < 0.025) || all < 1000 {
		t.Errorf("regret %.5f, root mean square error %.4f: want at most .005 and .025", regret, rmse)
	}
}

// variants lists learners with different options and games.
var variants = []struct {
	name, world, set string
	change           func(c *online.Task)
}{
	{"td", "connect4", "connect4/lines", func(c *online.Task) { c.Lambda, c.Epsilon, c.Openings, c.Batch = 0.7, 0.1, 6, 4 }},
	{"tc, averaged", "connect4", "connect4/lines", func(c *online.Task) {
		c.Alpha, c.TC, c.Epsilon, c.Batch, c.Episodes, c.Average = 1, true, 0.1, 4, 100, 0.5
	}},
	{"chance", "backgammon", "backgammon/pubeval", func(c *online.Task) { c.Lambda, c.Batch, c.Episodes, c.Average = 0.5, 4, 40, 0.5 }},
	{"slip", "connect4+slip=0.2", "connect4/lines", func(c *online.Task) { c.Batch, c.Wins = 4, 0.7 }},
	{"fade, coherence", "connect4", "connect4/lines", func(c *online.Task) {
		c.Epsilon, c.EpsilonFade, c.TC, c.Coherence, c.Batch = 0.5, 80, true, 2.7, 4
	}},
	{"decay", "connect4:rows=5,columns=5", "connect4/lines", func(c *online.Task) {
		c.Lambda, c.Decay, c.Epsilon, c.Batch, c.Episodes, c.Average = 0.7, 20, 0.1, 4, 100, 0.5
	}},
	{"forward", "connect4", "connect4/lines", func(c *online.Task) {
		c.Forward, c.Epsilon, c.Decay, c.Episodes, c.Average, c.Openings = true, 0.1, 20, 100, 0.5, 6
	}},
	{"tables", "othello", "othello/patterns", func(c *online.Task) { c.TC, c.Batch, c.Episodes, c.Average, c.Openings = true, 4, 60, 0.5, 8 }},
}

func TestRepeats(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			c := onlinetest.Task(t, v.world, v.set)
			v.change(&c)
			onlinetest.Repeats(t, c, New, 5, func(*Learner) int { return 20 / (5 - c.Batch) })
		})
	}
}

// TestAverages checks that the averaged model is the mean of the models after averaged episodes.
func TestAverages(t *testing.T) {
	for _, v := range variants {
		if v.name != "tc, averaged" && v.name != "tables" {
			continue
		}
		t.Run(v.name, func(t *testing.T) {
			const games, from = 30, 11
			l := learner(t, v.world, v.set, func(c *online.Task) { v.change(c); c.Batch, c.Episodes = 1, 2*from })
			sum := make([]float64, l.cfg.Model.Len()+1)
			for n := range games {
				onlinetest.Advance(t, l, n, n+1)
				if n < from {
					if got := l.Model(); got != l.cfg.Model {
						t.Fatalf("averaged after %d episodes, want from %d on", n+1, from)
					}
					continue
				}
				for i := range sum[1:] {
					sum[i+1] += l.cfg.Model.Weight(int32(i))
				}
				sum[0] += l.cfg.Model.Bias
			}
			got := l.Model()
			for i := range sum[1:] {
				want := sum[i+1] / (games - from)
				if w := got.Weight(int32(i)); math.Abs(w-want) > 1e-6*math.Max(1, math.Abs(want)) {
					t.Fatalf("%s is %v, want %v", got.Name(int32(i)), w, want)
				}
			}
			if want := sum[0] / (games - from); math.Abs(got.Bias-want) > 1e-9 {
				t.Errorf("bias %v, want %v", got.Bias, want)
			}
		})
	}
}

// TestTableIndices checks that learning with table indices gives the same values and updates as
// learning with vectors, except for rounding errors.
func TestTableIndices(t *testing.T) {
	if testing.Short() {
		t.Skip("needs half a gigabyte")
	}
	make := func() *Learner {
		return learner(t, "2048", "2048/4x6", func(c *online.Task) {
			c.Model.Weights[0] = 1
			c.Frozen = []int32{0, models.Bias}
		})
	}
	fast, slow := make(), make()
	if fast.actors[0].ahead == nil {
		t.Fatal("2048/4x6 is not seen by its indices")
	}
	// The learner that uses vectors must leave the score out of updates, because table indices do
	// not contain it. Both learners then divide a change in the same way.
	slow.actors[0].extractor, slow.actors[0].ahead = &scoreless{vectorExtractor{set: slow.cfg.Set, model: slow.cfg.Model}}, nil
	var f, s episode
	for n := range 10 {
		fast.actors[0].play(n, &f)
		slow.actors[0].play(n, &s)
		fast.learn(&f)
		slow.learn(&s)
		same := len(f.steps) == len(s.steps)
		for k := 0; same && k < len(f.steps); k++ {
			terms := s.terms[s.steps[k].from:s.steps[k].to]
			for i, at := range f.indices[32*k : 32*k+32] {
				same = same && terms[1+i].Index == 1+at
			}
		}
		if !same { // different rounding may decide between two moves of equal value
			if n < 3 {
				t.Fatalf("game %d is another by vectors", n)
			}
			return
		}
		for _, i := range f.indices {
			a, b := fast.cfg.Model.Table[i], slow.cfg.Model.Table[i]
			if math.Abs(float64(a-b)) > 1e-4*math.Max(1, math.Abs(float64(b))) {
				t.Fatalf("game %d, weight %d: %v by indices, %v by vectors", n, i, a, b)
			}
		}
	}
}

// scoreless is a vectorExtractor that excludes the first term from updates.
type scoreless struct{ vectorExtractor }

func (x *scoreless) update(w *online.Weights, e *episode, k int, change float64, again bool) float64 {
	w.Update(e.terms[e.steps[k].from+1:e.steps[k].to], change)
	return x.sum(w, e, k)
}

// TestRefused checks that invalid tasks and diverging runs are rejected with an explanation.
func TestRefused(t *testing.T) {
	in := func(world, set string) func() online.Task {
		return func() online.Task { return onlinetest.Task(t, world, set) }
	}
	onlinetest.Refuses(t, in("tictactoe", "tictactoe/lines"), New, map[string]func(c *online.Task){
		"alpha=0":          func(c *online.Task) { c.Alpha = 0 },
		"decay=-1":         func(c *online.Task) { c.Decay = -1 },
		"lambda=2":         func(c *online.Task) { c.Lambda = 2 },
		"coherence=2.7":    func(c *online.Task) { c.Coherence = 2.7 },
		"epsilon-fade=100": func(c *online.Task) { c.EpsilonFade = 100 },
		"epsilon=-1":       func(c *online.Task) { c.Epsilon = -1 },
		"openings=-1":      func(c *online.Task) { c.Openings = -1 },
		"population: applies only to method evolution": func(c *online.Task) { c.Population = 9 },
		"leaves=decision":          func(c *online.Task) { c.Leaves = models.Decision },
		"frozen feature 1000":      func(c *online.Task) { c.Frozen = []int32{1000} },
		"forward: want lambda=0":   func(c *online.Task) { c.Forward, c.Lambda = true, 0.5 },
		"has lambda=0 and batch=2": func(c *online.Task) { c.Forward, c.Batch = true, 2 },
		"want a model with link":   func(c *online.Task) { c.Wins, c.Model.Link = 1, models.Link{Kind: models.Identity} },
		"want pattern tables":      func(c *online.Task) { c.Threads = 2 },
	})
	onlinetest.Refuses(t, in("2048", "2048/4x5"), New, map[string]func(c *online.Task){
		"use only one of the two options": func(c *online.Task) { c.Frozen, c.Batch, c.Threads = []int32{0, models.Bias}, 4, 2 },
	})
	l := learner(t, "backgammon", "backgammon/pubeval", func(c *online.Task) { c.Alpha, c.Model.Link = 50, models.Link{Kind: models.Identity} })
	var diverged *online.DivergedError
	if err := l.Advance(context.Background(), 0, 1000); !errors.As(err, &diverged) || diverged.Alpha != 50 || diverged.Games == 0 {
		t.Errorf("a step size of 50: %v, want that learning diverges", err)
	}
}

// seats is a feature set whose only feature is the player from whose point of view a position is
// extracted.
type seats struct{}

func (seats) Name() string                  { return "doudizhu/seats" }
func (seats) Blocks() []features.Block      { return []features.Block{{Name: "seat", Len: 3}} }
func (seats) View(s game.State) game.Player { return max(s.Turn(), 0) }
func (seats) Extract(_ game.State, p game.Player, x models.Vector) models.Vector {
	return append(x, models.Term{Index: int32(p), Value: 1})
}

// TestSeparateValues checks players who have separate values. A position must be extracted from the
// point of view of the player who moved to it. The value learned for a seat must have the same sign
// as the seat's mean utility.
func TestSeparateValues(t *testing.T) {
	g, _ := onlinetest.Set(t, "doudizhu", "doudizhu/hand")
	m := models.New(g.Name, "doudizhu/seats", seats{}.Blocks())
	m.Link = models.Link{Kind: models.Tanh, Scale: 1}
	l := vectors.Must(New(online.Task{Training: features.Training{Alpha: 0.1, Lambda: 1, Batch: 1}, Game: g, Set: seats{}, Model: m, Seed: 3}))
	e := &l.games[0]
	l.actors[0].play(0, e)
	for k, s := range e.steps {
		seen := []int32{models.Bias, int32(s.who)}
		var got []int32
		for _, term := range e.terms[s.from:s.to] {
			got = append(got, term.Index)
		}
		if want := game.Player(k % 3); s.who != want || !slices.Equal(got, seen) {
			t.Fatalf("step %d: of player %d with terms %v, want player %d and %v", k, s.who, got, want, seen)
		}
	}
	var mean [3]float64
	const games = 300
	for n := range games {
		onlinetest.Advance(t, l, n, n+1)
		for p, end := range l.games[0].ends {
			mean[p] += end / games
		}
	}
	for p, want := range mean {
		if got := l.scale.Value(m.Bias + m.Weights[p]); (got > 0) != (want > 0) || want == 0 {
			t.Errorf("seat %d is taken to be worth %v, and gets %v", p, got, want)
		}
	}
}

// TestWorthOfSlips checks that the worth of a move is its expected value, since it may slip to
// another move, rather than its own value.
func TestWorthOfSlips(t *testing.T) {
	s := vectors.Must(game.ParseSpec("tictactoe"))
	g := vectors.Must(tictactoe.New(s.Options))
	state := g.New()
	rng := rand.New(rand.NewPCG(1, 2))
	w := &actor{state: game.NewSlip(state, 0.4), base: state, moves: state.Moves(nil)}
	mean := 0.0
	for range w.moves {
		w.values = append(w.values, rng.Float64())
	}
	for _, v := range w.values {
		mean += v / float64(len(w.values))
	}
	if got, want := w.worth(3), 0.6*w.values[3]+0.4*mean; math.Abs(got-want) > 1e-12 {
		t.Errorf("worth %v, want %v", got, want)
	}
	if w.state = state; w.worth(3) != w.values[3] {
		t.Errorf("where nothing slips worth %v, want %v", w.worth(3), w.values[3])
	}
}

// plain hides the AfterIndexer methods of a feature set.
type plain struct{ features.TupleIndexer }

// TestAhead checks that extracting positions ahead gives the same games and bit-identical weights
// as playing and undoing moves, also with temporal coherence, random moves and slips.
func TestAhead(t *testing.T) {
	for world, change := range map[string]func(c *online.Task){
		"2048":         func(c *online.Task) { c.Alpha = 0.1 },
		"2048:size=4":  func(c *online.Task) { c.Alpha, c.Forward, c.Epsilon = 0.1, true, 0.1 },
		"2048+slip=.2": func(c *online.Task) { c.Alpha, c.TC, c.Lambda, c.Epsilon = 1, true, 0.5, 0.1 },
	} {
		learned := func(hide bool) *Learner {
			return learner(t, world, "2048/4x5", func(c *online.Task) {
				c.Model.Weights[0] = 1
				c.Frozen = []int32{0, models.Bias}
				change(c)
				if hide {
					c.Set = plain{c.Set.(features.TupleIndexer)}
				}
			})
		}
		fast, slow := learned(false), learned(true)
		if fast.actors[0].ahead == nil || slow.actors[0].ahead != nil {
			t.Fatal("both look ahead in the same way")
		}
		onlinetest.Advance(t, fast, 0, 60)
		onlinetest.Advance(t, slow, 0, 60)
		if fast.Tally() != slow.Tally() || !slices.Equal(fast.cfg.Model.Table, slow.cfg.Model.Table) {
			t.Errorf("%s: %+v, want %+v and the same weights", world, fast.Tally(), slow.Tally())
		}
	}
}

// TestEpsilonFade checks that the probability of random moves falls linearly to 0.
func TestEpsilonFade(t *testing.T) {
	l := learner(t, "connect4", "connect4/lines", func(c *online.Task) { c.Epsilon, c.EpsilonFade = 0.8, 100 })
	for n, want := range map[int]float64{0: 0.8, 25: 0.6, 100: 0, 150: 0} {
		l.actors[0].play(n, &l.games[0])
		if got := l.actors[0].epsilon; math.Abs(got-want) > 1e-15 {
			t.Errorf("epsilon of episode %d is %v, want %v", n, got, want)
		}
		if explored := slices.ContainsFunc(l.games[0].steps, func(s step) bool { return s.explored }); explored && want == 0 {
			t.Errorf("episode %d has a random move", n)
		}
	}
}
