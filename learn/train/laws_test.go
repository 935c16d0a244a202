package train

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/vectors"
	"plyfit/learn/online"
	"plyfit/models"
	"plyfit/search"
)

// The tests in this file check that learners learn, and how frozen and scaled columns affect them.
// Few other tests would notice a learner that learns too slowly.

// testGame is a game used in these tests, with the number of games after which each method must
// have learned something.
type testGame struct {
	spec  string
	games map[string]int // number of games by method; if missing, the number in usualGames
	alpha float64        // learning rate of the searching methods, whose Adam steps are in the game's units; 0 means their default
	pairs int            // number of pairs in the deciding match; 0 means 30
	plies int            // number of random decisions at the start of a game without chance moves
	slow  bool           // only td is tested in the short form
	sized []string       // methods whose values must also have the right size (see explained)
	init  string         // Init of the searching methods; "" means zero
	// unproven lists methods that showed neither improvement nor decline, even after many games.
	unproven []string
	exact    bool // whether the exact tests, which compare weights bit by bit, include this game
}

// leastExplained is the minimum fraction of the variance that values of the right size must
// explain.
const leastExplained = 0.05

// usualGames is the number of games that suffices for most of the test games, by method.
var usualGames = map[string]int{"td": 300, "tdleaf": 64, "rootstrap": 32, "treestrap": 32, "evolution": 400, "cfr": 200}

// testGames lists the test game and every game in the catalog in which learning helps. Some slow
// games are played on a small board.
var testGames = []testGame{
	{spec: "offers", alpha: 5, pairs: 100, sized: []string{"td"}, exact: true},
	{spec: "2048:size=3", alpha: 1},
	{spec: "connect4", plies: 4, exact: true},
	{spec: "othello", plies: 4, sized: []string{"tdleaf"}},
	{spec: "checkers", plies: 4, sized: []string{"td"}, slow: true},
	// Chess games between empty evaluations end in draws, which teach the searching methods
	// nothing.
	{spec: "chess", games: map[string]int{"td": 80}, plies: 4, sized: []string{"td"}, init: "random", slow: true},
	{spec: "pig:target=50", sized: []string{"td", "rootstrap", "treestrap"}, exact: true},
	{spec: "backgammon", games: map[string]int{"td": 100}, sized: []string{"td"}, slow: true},
	{spec: "pacman", games: map[string]int{"td": 600, "rootstrap": 600, "treestrap": 600, "evolution": 9000}, alpha: 5, pairs: 60, slow: true,
		unproven: []string{"treestrap"}}, // no progress after 2400 games with alpha .5 or 2 either, because it learns as much from bad moves as from good ones
	{spec: "tictactoe", games: map[string]int{"rootstrap": 64, "treestrap": 64}, plies: 2, sized: []string{"td", "rootstrap", "treestrap"}, exact: true},
	{spec: "kuhn", pairs: 400, exact: true},
	{spec: "leduc", pairs: 400},
	{spec: "doudizhu", slow: true},
}

func (c *testGame) world(t testing.TB) *catalog.World {
	t.Helper()
	return vectors.Must(withOffers().World(c.spec))
}

// suits reports whether a method can learn in the given world. [method.Learner] must reject exactly
// the other combinations.
func suits(method string, w *catalog.World) bool {
	switch {
	case method == "td":
		return true
	case method == "cfr":
		return w.Hidden && w.Players == 2
	case !features.OneValue(w.Base()) && w.Players > 1:
		return false
	case method == "tdleaf":
		return !w.Chancy()
	}
	return true
}

// options returns the options for using the method in the world.
func (c *testGame) options(t testing.TB, w *catalog.World, method string) Options {
	t.Helper()
	o := vectors.Must(Defaults(w, features.Training{Method: method}))
	o.Episodes, o.Seed = cmp.Or(c.games[method], usualGames[method]), 7
	if slices.Contains([]string{"tdleaf", "rootstrap", "treestrap"}, method) {
		o.Agent = PlannerOf(w, "")
		if method == "treestrap" && w.Chancy() { // at depth 1, the only afterstates that it searches are leaves
			o.Agent = "expectimax:depth=2"
		}
		if c.alpha > 0 {
			o.Alpha = c.alpha
		}
		if c.init != "" {
			o.Init = c.init
		}
	}
	return o
}

// newLearner returns a learner and its plan. The function change may modify the plan before the
// learner is created.
func newLearner(w *catalog.World, o Options, change func(p *plan)) (*plan, online.Learner, error) {
	p, err := newPlan(w, &o)
	if err != nil {
		return nil, nil, err
	}
	if change != nil {
		change(p)
	}
	l, err := p.learner()
	return p, l, err
}

// learned plays the games in the plan, rounded up to whole generations, and returns the learned
// model.
func learned(t testing.TB, p *plan, l online.Learner) *models.Linear {
	t.Helper()
	n := p.Episodes
	n += (p.Chunk - n%p.Chunk) % p.Chunk
	vectors.Check(l.Advance(context.Background(), 0, n))
	return l.Model()
}

// strength plays a match of m against zero weights, with which all moves have the same value and
// any of them may be played. In games with hidden information, the opponent moves at random. A
// learner that does not learn scores even.
func (c *testGame) strength(t testing.TB, p *plan, m *models.Linear) arena.Result {
	t.Helper()
	w := p.World
	spec := "random"
	if !w.Base().Hidden {
		spec = catalog.WithEval(PlannerOf(w, ""), "zero") + ",ties=random"
	}
	rival := vectors.Must(w.Agent(spec, catalog.AgentOptions{}))
	curve := online.Curve{Pairs: 1, Against: search.Factory{Name: "zero", New: rival.New}}
	vectors.Check(p.curve(&curve))
	player := vectors.Must(curve.Player(m))
	r := vectors.Must(arena.Run(context.Background(), arena.Config{
		Game: w.Game, A: player, B: curve.Against, Pairs: cmp.Or(c.pairs, 30), Seed: 11, Workers: 1,
		Openings: arena.Openings{Plies: c.plies},
	}))
	return r
}

// explained returns the fraction of the variance of the remaining utility that the values of m
// explain, over positions from games that m plays with three random moves in ten. It is 0 or less
// if the values have the wrong size, even if their order is right.
func explained(t testing.TB, p *plan, m *models.Linear) float64 {
	t.Helper()
	eval := features.NewReference(p.World.Game, p.Set, m)
	var predicted, realised []float64
	dice := &play.Dice{Random: p.Task.Random(1 << 20)}
	e := play.Episode{Luck: dice}
	var moves []game.Move
	for range 100 {
		e.Begin(p.World.New(), 0, p.World.MaxPlies)
		first, known := len(predicted), []float64(nil)
		note := func(covered bool) {
			if !covered || e.State.Turn() == game.Nobody {
				return
			}
			score := 0.0
			if sc, ok := game.As[game.Scorer](e.State); ok {
				score = sc.Score(0)
			}
			predicted, known = append(predicted, eval.Evaluate(game.Base(e.State), 0)-score), append(known, score)
		}
		for e.Next() {
			note(m.Leaves != models.Afterstate)
			turn, best, value := e.State.Turn(), dice.Uniform(e.State), math.Inf(-1)
			moves = e.State.Moves(moves[:0])
			if dice.Float64() > 0.3 {
				for _, move := range moves {
					e.State.Play(move)
					v := 0.0
					if e.State.Turn() == game.Nobody {
						v = e.State.Utility(turn)
					} else {
						v = eval.Evaluate(game.Base(e.State), turn)
					}
					e.State.Undo()
					if v > value {
						best, value = move, v
					}
				}
			}
			e.Play(best)
			note(m.Leaves == models.Afterstate)
		}
		if e.Truncated() {
			predicted = predicted[:first]
			continue
		}
		for _, score := range known {
			realised = append(realised, e.State.Utility(0)-score)
		}
	}
	mean, errors, variance := 0.0, 0.0, 0.0
	for _, c := range realised {
		mean += c / float64(len(realised))
	}
	for i, c := range realised {
		errors += float64((c - predicted[i]) * (c - predicted[i]))
		variance += float64((c - mean) * (c - mean))
	}
	return 1 - errors/variance
}

// TestLearnersLearn checks that every method beats zero weights after the stated number of games,
// in every test game in which it can learn. The exceptions are listed in the field unproven. Slow
// games are tested with td alone, unless PLYFIT_LONG is set.
func TestLearnersLearn(t *testing.T) {
	long := os.Getenv("PLYFIT_LONG") != ""
	covered := map[string]bool{
		"tree":        true, // each tree is a different game
		"minesweeper": true, // an empty evaluation with one ply of search is equally good
	}
	for i := range testGames {
		c := &testGames[i]
		w := c.world(t)
		covered[w.Name] = true
		for _, m := range methods {
			if c.slow && !long && m.Name != "td" {
				continue
			}
			t.Run(c.spec+"/"+m.Name, func(t *testing.T) {
				p, l, err := newLearner(w, c.options(t, w, m.Name), nil)
				if (err == nil) != suits(m.Name, w) {
					t.Fatalf("suits: %v, and the learner says %v", suits(m.Name, w), err)
				}
				if err != nil {
					return
				}
				learned := learned(t, p, l)
				r := c.strength(t, p, learned)
				if r.Conclusion != arena.BetterA && (r.Conclusion == arena.BetterB || !slices.Contains(c.unproven, m.Name)) {
					t.Errorf("after %d games: %s", p.Episodes, r.Sentence)
				}
				if !slices.Contains(c.sized, m.Name) {
					return // so few games teach the order of values but not their size, or values have no size in this method
				}
				if share := explained(t, p, learned); share < leastExplained {
					t.Errorf("after %d games: values explain %.3f of what comes: want at least %v", p.Episodes, share, leastExplained)
				}
			})
		}
	}
	for _, e := range catalog.All() {
		if !covered[e.Name] {
			t.Errorf("no one learns %s here", e.Name)
		}
	}
}

// withColumns returns the world with the columns of all its feature sets changed.
func withColumns(w *catalog.World, change func(s features.Set) features.Set) *catalog.World {
	entry, other := *w.Entry, *w
	entry.Sets = func(g *game.Game) (all []features.Set) {
		for _, s := range w.Entry.Sets(g) {
			all = append(all, change(s))
		}
		return all
	}
	other.Entry = &entry
	return &other
}

// difference describes the first weight in which a differs from b multiplied by scale, or states
// that none of a's weights moved. Otherwise it returns "". Additional weights of b are ignored.
func difference(a, b *models.Linear, scale float64) string {
	moved := false
	for i, w := range a.Weights {
		if w != scale*b.Weights[i] {
			return fmt.Sprintf("%s is %v and %v", a.Name(int32(i)), w, scale*b.Weights[i])
		}
		moved = moved || w != 0
	}
	if a.Bias != b.Bias {
		return fmt.Sprintf("the bias is %v and %v", a.Bias, b.Bias)
	}
	if !moved {
		return "no weight moved"
	}
	return ""
}

// few returns options for a small number of games, for tests that compare weights bit by bit.
func (c *testGame) few(t testing.TB, w *catalog.World, method string) Options {
	o := c.options(t, w, method)
	o.Episodes = cmp.Or(map[string]int{"evolution": 1}[method], 20)
	return o
}

// TestFrozenColumn checks that a varying or constant column whose weight is frozen at 0 does not
// affect any other weight, even if the column's values are in the thousands, like a score.
func TestFrozenColumn(t *testing.T) {
	eachPair(t, frozenColumn)
}

// frozenColumn describes the effect of a frozen column, or returns "" if there is none.
func frozenColumn(t *testing.T, c *testGame, method string) (found string) {
	w := c.world(t)
	var before *models.Linear
	for _, extra := range []func(s game.State) float32{
		nil,
		func(s game.State) float32 { return float32(game.BoardHash(s) % 3000) },
		func(game.State) float32 { return 1000 },
	} {
		wide := withColumns(w, func(s features.Set) features.Set { return columns{Set: s, Scale: 1, Extra: extra} })
		o := c.few(t, wide, method)
		if extra != nil {
			frozen := map[string]float64{"extra": 0}
			for name, weight := range o.Freeze {
				frozen[name] = weight
			}
			o.Freeze = frozen
		}
		p, l, err := newLearner(wide, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := learned(t, p, l)
		if extra == nil {
			before = m
		} else if what := difference(before, m, 1); what != "" {
			found = what
		}
	}
	return found
}

// eachPair runs a test for each test game whose field exact is set, with each method that suits it.
// The function law performs the test and returns a description of the violation, or "".
func eachPair(t *testing.T, law func(t *testing.T, c *testGame, method string) (found string)) {
	for _, c := range testGames {
		if !c.exact {
			continue
		}
		w := c.world(t)
		for _, m := range methods {
			if suits(m.Name, w) {
				t.Run(c.spec+"/"+m.Name, func(t *testing.T) {
					if found := law(t, &c, m.Name); found != "" {
						t.Error(found)
					}
				})
			}
		}
	}
}

// TestScaledColumns checks that scaling the columns has no effect except to scale their weights
// inversely. This holds for evolution, which measures the spread of each column. It also holds for
// temporal differences if all columns are scaled and there is no bias, because steps are divided by
// squared lengths. The scale is 1024 rather than 1000 to avoid rounding errors.
func TestScaledColumns(t *testing.T) {
	const scale = 1024
	eachPair(t, func(t *testing.T, c *testGame, method string) string {
		never := c.spec == "pig:target=50" // some of its columns never vary in the sample, so they have no scale
		if method != "td" && (method != "evolution" || never) {
			return ""
		}
		var both [2]*models.Linear
		for i, by := range []float32{1, scale} {
			w := withColumns(c.world(t), func(s features.Set) features.Set { return columns{Set: s, Scale: by} })
			o := c.few(t, w, method)
			frozen := map[string]float64{}
			for name, weight := range o.Freeze {
				frozen[name] = weight / float64(by)
			}
			o.Freeze = frozen
			p, l, err := newLearner(w, o, func(p *plan) {
				if method == "td" {
					p.Frozen = append(p.Frozen, models.Bias)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			both[i] = learned(t, p, l)
		}
		return difference(both[0], both[1], scale)
	})
}
