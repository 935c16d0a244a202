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

// The laws of learning. A learner that is slow fails nothing else: its weights are some
// weights, and its matches are some matches.

// ground is a game of the laws, and the games after which a method is to have learned
// something there.
type ground struct {
	spec  string
	games map[string]int // by method; none: those of usualGames
	alpha float64        // of the searching methods, whose steps by Adam are in units of the game; 0: their own
	pairs int            // of the match that tells; 0: 30
	plies int            // random decisions that its games begin with, where nature makes none different
	heavy bool           // for the long form alone, but by td
	sized []string       // methods whose values are then of the right size, see explained
	init  string         // what the searching methods begin with; "": zero
	// methods that after as many games as anyone had the patience for are neither told
	// to have learned something nor to have become worse
	unproven []string
	exact    bool // laws under which weights are the same to the bit are tried on it
}

// leastExplained is what values of the right size explain at least.
const leastExplained = 0.05

// usualGames are enough of most games.
var usualGames = map[string]int{"td": 300, "tdleaf": 64, "rootstrap": 32, "treestrap": 32, "evolution": 400, "cfr": 200}

// grounds are the toy and every game of the catalog that there is something to learn in,
// those that take long by a small board.
var grounds = []ground{
	{spec: "offers", alpha: 5, pairs: 100, sized: []string{"td"}, exact: true},
	{spec: "2048:size=3", alpha: 1},
	{spec: "connect4", plies: 4, exact: true},
	{spec: "othello", plies: 4, sized: []string{"tdleaf"}},
	{spec: "checkers", plies: 4, sized: []string{"td"}, heavy: true},
	// Chess that knows nothing ends in draws, of which searches learn nothing.
	{spec: "chess", games: map[string]int{"td": 80}, plies: 4, sized: []string{"td"}, init: "random", heavy: true},
	{spec: "pig:target=50", sized: []string{"td", "rootstrap", "treestrap"}, exact: true},
	{spec: "backgammon", games: map[string]int{"td": 100}, sized: []string{"td"}, heavy: true},
	{spec: "pacman", games: map[string]int{"td": 600, "rootstrap": 600, "treestrap": 600, "evolution": 9000}, alpha: 5, pairs: 60, heavy: true,
		unproven: []string{"treestrap"}}, // nor after 2400 games at alpha .5 and 2: it learns of moves that no one would make as much as of others
	{spec: "tictactoe", games: map[string]int{"rootstrap": 64, "treestrap": 64}, plies: 2, sized: []string{"td", "rootstrap", "treestrap"}, exact: true},
	{spec: "kuhn", pairs: 400, exact: true},
	{spec: "leduc", pairs: 400},
	{spec: "go:size=5", games: map[string]int{"td": 150, "evolution": 150}, plies: 2, sized: []string{"td"}},
	{spec: "doudizhu", heavy: true},
}

func (c *ground) world(t testing.TB) *catalog.World {
	t.Helper()
	return vectors.Must(withOffers().World(c.spec))
}

// suits says whether a method can learn in that world: what [method.Learner] refuses has
// to be one of these.
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

// options are the method's in the world, for so many games.
func (c *ground) options(t testing.TB, w *catalog.World, method string) Options {
	t.Helper()
	o := vectors.Must(Defaults(w, features.Training{Method: method}))
	o.Episodes, o.Seed = cmp.Or(c.games[method], usualGames[method]), 7
	if slices.Contains([]string{"tdleaf", "rootstrap", "treestrap"}, method) {
		o.Agent = PlannerOf(w, "")
		if method == "treestrap" && w.Chancy() { // one decision ahead it searches no afterstate but its leaves
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

// apprentice is a learner and its plan, which change has a look at before it is made.
func apprentice(w *catalog.World, o Options, change func(p *plan)) (*plan, online.Learner, error) {
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

// learned plays and learns the plan's games, or whole generations of them.
func learned(t testing.TB, p *plan, l online.Learner) *models.Linear {
	t.Helper()
	n := p.Episodes
	n += (p.Chunk - n%p.Chunk) % p.Chunk
	vectors.Check(l.Advance(context.Background(), 0, n))
	return l.Model()
}

// strength is the match of m against what its learner began with: the evaluation that
// knows nothing, of equal moves any. A learner that stands still has even.
func (c *ground) strength(t testing.TB, p *plan, m *models.Linear) arena.Result {
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

// explained is the share of the variance of what comes in games of m, from here to their end, that
// its values explain: 0 or less for those that are no size at all, whatever their order.
func explained(t testing.TB, p *plan, m *models.Linear) float64 {
	t.Helper()
	eval := features.NewReference(p.World.Game, p.Set, m)
	var predicted, came []float64
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
			came = append(came, e.State.Utility(0)-score)
		}
	}
	mean, errors, variance := 0.0, 0.0, 0.0
	for _, c := range came {
		mean += c / float64(len(came))
	}
	for i, c := range came {
		errors += float64((c - predicted[i]) * (c - predicted[i]))
		variance += float64((c - mean) * (c - mean))
	}
	return 1 - errors/variance
}

// TestLearnersLearn: every method is above what it began with after a stated number of
// games of every game that it suits.
func TestLearnersLearn(t *testing.T) {
	long := os.Getenv("PLYFIT_LONG") != ""
	covered := map[string]bool{
		"tree":        true, // each tree is another game
		"minesweeper": true, // one decision ahead sees nearly all that counts: knowing nothing is as good
	}
	for i := range grounds {
		c := &grounds[i]
		w := c.world(t)
		covered[w.Name] = true
		for _, m := range methods {
			if c.heavy && !long && m.Name != "td" {
				continue
			}
			t.Run(c.spec+"/"+m.Name, func(t *testing.T) {
				p, l, err := apprentice(w, c.options(t, w, m.Name), nil)
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
					return // so few games teach an order and no sizes, or the method has none
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

// over is the world with other columns in all of its sets.
func over(w *catalog.World, change func(s features.Set) features.Set) *catalog.World {
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

// differ finds the first weight in which b is not a times scale; "" where all are. What b
// has more is not looked at.
func differ(a, b *models.Linear, scale float64) string {
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

// few is a ground of few games, for laws under which weights are the same to the bit.
func (c *ground) few(t testing.TB, w *catalog.World, method string) Options {
	o := c.options(t, w, method)
	o.Episodes = cmp.Or(map[string]int{"evolution": 1}[method], 20)
	return o
}

// TestFrozenColumn: a column whose weight is frozen at 0 changes no other weight, were it
// as large as a score of thousands: neither one that varies nor a constant.
func TestFrozenColumn(t *testing.T) {
	eachPair(t, frozenColumn)
}

// frozenColumn says what a frozen column changed.
func frozenColumn(t *testing.T, c *ground, method string) (found string) {
	w := c.world(t)
	var before *models.Linear
	for _, extra := range []func(s game.State) float32{
		nil,
		func(s game.State) float32 { return float32(game.BoardHash(s) % 3000) },
		func(game.State) float32 { return 1000 },
	} {
		wide := over(w, func(s features.Set) features.Set { return columns{Set: s, Scale: 1, Extra: extra} })
		o := c.few(t, wide, method)
		if extra != nil {
			frozen := map[string]float64{"extra": 0}
			for name, weight := range o.Freeze {
				frozen[name] = weight
			}
			o.Freeze = frozen
		}
		p, l, err := apprentice(wide, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := learned(t, p, l)
		if extra == nil {
			before = m
		} else if what := differ(before, m, 1); what != "" {
			found = what
		}
	}
	return found
}

// eachPair tries a law on the methods and small games: found says what is against it.
func eachPair(t *testing.T, law func(t *testing.T, c *ground, method string) (found string)) {
	for _, c := range grounds {
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

// TestScaledColumns: what the units of columns are changes nothing but the units of their
// weights, in theory: by evolution, which measures how far each column spreads, and by
// temporal differences where all columns have the unit (and no bias, whose column is 1),
// since steps are divided by squared lengths. 1,024 and not 1,000, which would round.
func TestScaledColumns(t *testing.T) {
	const scale = 1024
	eachPair(t, func(t *testing.T, c *ground, method string) string {
		never := c.spec == "pig:target=50" // has columns that never vary in a sample, and so no unit
		if method != "td" && (method != "evolution" || never) {
			return ""
		}
		var both [2]*models.Linear
		for i, by := range []float32{1, scale} {
			w := over(c.world(t), func(s features.Set) features.Set { return columns{Set: s, Scale: by} })
			o := c.few(t, w, method)
			frozen := map[string]float64{}
			for name, weight := range o.Freeze {
				frozen[name] = weight / float64(by)
			}
			o.Freeze = frozen
			p, l, err := apprentice(w, o, func(p *plan) {
				if method == "td" {
					p.Frozen = append(p.Frozen, models.Bias)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			both[i] = learned(t, p, l)
		}
		return differ(both[0], both[1], scale)
	})
}
