package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"plyfit/features"
	"plyfit/features/tuples"
	"plyfit/game"
	"plyfit/game/play"
)

// noFeatures is why tables are learned where the game says nothing of what is good.
const noFeatures = "the game has a board and no features of its own"

// Recipe is the game's recipe with gaps filled by what suits most games. If nature moves in this
// world but not in the recipe's game, the planners model nature or ignore it. Training that this
// world does not allow (a variant without the feature set, nature played by an adversary, more than
// two players) is left out, and Why says so.
func (w *World) Recipe() features.Recipe {
	r := w.Entry.Recipe
	if len(r.Training) == 0 && len(r.Trials) == 0 && r.Method == "" && r.Rounds == 0 {
		r.Trials = w.trials()
		r.Why = "nothing is settled for this game"
		if w.Entry.Sets == nil {
			r.Training, r.Trials, r.Why = w.Tables(), nil, noFeatures
		}
	}
	if why := w.untrainable(r.Training); why != "" {
		r.Training, r.Why = nil, why
		if t := w.tableTrials(); t != nil {
			r.Trials = append([][]features.Training{nil}, t...)
		}
	}
	if w.untrainable(r.Long) != "" {
		r.Long = nil
	}
	base := World{Game: w.Base(), Entry: w.Entry}
	chance, slips := base.Chancy(), !base.Chancy() && w.Chancy()
	if chance && !w.usuallyChancy() {
		// Without its dice, the planner treats them as an adversary.
		r.Planner, r.First, r.Early, r.EarlyRounds, r.Minimax, r.Expectimax, r.Planners, r.Twin, r.TwinPlanners = "", "", "", 0, "", "", nil, "", nil
	}
	r.Why = cmp.Or(r.Why, "rounds of regression suit most games")
	r.Tests = cmp.Or(r.Tests, 300)
	r.Rounds = cmp.Or(r.Rounds, 2)
	r.Episodes = cmp.Or(r.Episodes, 2000)
	r.Pairs = cmp.Or(r.Pairs, 200)
	r.TwinPairs = cmp.Or(r.TwinPairs, r.Pairs)
	if r.Method == "" && r.Penalty == 0 {
		r.Penalty = 1e-6
	}
	if chance {
		r.Planner = cmp.Or(r.Planner, "expectimax:depth=1")
		r.Minimax = cmp.Or(r.Minimax, "alphabeta:depth=2")
		r.Expectimax = cmp.Or(r.Expectimax, "expectimax:depth=2")
		r.Twin = cmp.Or(r.Twin, "+adversary")
		if r.Planners == nil {
			r.Planners = []string{"expectimax:depth=1", r.Expectimax, r.Minimax}
		}
	} else {
		r.Planner = cmp.Or(r.Planner, "alphabeta:depth=3")
		r.Minimax = cmp.Or(r.Minimax, "alphabeta:depth=3,assume=base")
		r.Expectimax = cmp.Or(r.Expectimax, "expectimax:depth=3")
		r.Twin = cmp.Or(r.Twin, "+slip=0.2")
		if r.Planners == nil {
			r.Planners = []string{"alphabeta:depth=1", "alphabeta:depth=3", "alphabeta:depth=5"}
		}
		r.Openings = cmp.Or(r.Openings, 8)
		r.Explore = cmp.Or(r.Explore, 0.1)
	}
	if r.TwinPlanners == nil {
		r.TwinPlanners = []string{r.Expectimax, r.Minimax}
	}
	if slips {
		r.Planners = append([]string{"expectimax:depth=1"}, r.TwinPlanners...)
		if r.Planners[0] == r.Planners[1] {
			r.Planners = r.Planners[1:]
		}
		r.Planner, r.First, r.Early = withoutSlips(r.Planner), withoutSlips(r.First), withoutSlips(r.Early)
	}
	first := WithEval(r.Planner, "zero")
	if !strings.Contains(first, "ties=") {
		first += ",ties=random"
	}
	r.First = cmp.Or(r.First, first)
	r.Nature = cmp.Or(r.Nature, "alphabeta:depth=1")
	return r
}

// usuallyChancy reports whether nature moves in the game with its default options, which
// its recipe is written for. One that has none is what it is.
func (w *World) usuallyChancy() bool {
	g, err := w.Entry.New(game.NewOptions(w.Entry.Name))
	return err != nil || (&World{Game: g, Entry: w.Entry}).Chancy()
}

// withoutSlips is an agent of a game without chance that ignores slips. To minimax planners a slip
// is an adversary who may make any move, so all their moves would be worth the same.
func withoutSlips(agent string) string {
	if !strings.Contains(agent, "alphabeta") && !strings.Contains(agent, "minimax") ||
		strings.Contains(agent, "expectimax") || strings.Contains(agent, "assume=") {
		return agent
	}
	return with(agent, "assume=base")
}

// Tournament is the recipe of a game that only defines how its evaluations are compared: every
// suitable learner tries, and the winner of the matches among them ships.
func (w *World) Tournament() (features.Recipe, error) {
	entry, blank, own := *w.Entry, *w, w.Entry.Recipe
	blank.Entry = &entry
	entry.Recipe = features.Recipe{
		Frozen: own.Frozen, Openings: own.Openings, Explore: own.Explore, Planner: own.Planner,
		Twin: own.Twin, Nature: own.Nature, Minimax: own.Minimax, Expectimax: own.Expectimax,
		Planners: own.Planners, TwinPlanners: own.TwinPlanners, Pairs: own.Pairs, TwinPairs: own.TwinPairs,
	}
	r := blank.Recipe()
	if len(r.Trials) == 0 {
		return r, fmt.Errorf("%s has no learner but regression", w.Spec)
	}
	r.Why = "it was asked for"
	return r, nil
}

// few is how many weights evolution learns in a trial: its games grow with their square.
const few = 60

// trials are the learners of a game with no settled method: regression, TD(0.7), evolution for few
// weights, and automatic tables of a board of cells, alone and after the game's own terms; only
// regression where learning while playing is impossible.
func (w *World) trials() [][]features.Training {
	td := []features.Training{{Method: "td", Episodes: 10000, Lambda: 0.7, Alpha: 1, TC: true}}
	if w.untrainable(td) != "" {
		return nil
	}
	trials := [][]features.Training{nil, td}
	s, err := w.Set("")
	if err != nil {
		return nil
	}
	n := 0
	for _, b := range s.Blocks() {
		if n += b.Len; b.Table {
			n = few + 1
		}
	}
	if n <= few {
		trials = append(trials, []features.Training{{Method: "evolution", Episodes: 10000, Average: 0.25}})
	}
	return append(trials, w.tableTrials()...)
}

// tableTrials are those over tables that make themselves; none where there is no board.
func (w *World) tableTrials() (trials [][]features.Training) {
	for _, stages := range [][]features.Training{w.Tables(), w.Joined()} {
		if stages != nil {
			trials = append(trials, stages)
		}
	}
	return trials
}

// Size is how much a run of plyfit learn may take.
type Size string

// Sizes.
const (
	quick   Size = "quick"   // a tenth of the games: a look at what comes
	Default Size = "default" // minutes
	long    Size = "long"    // ten times the games: for a model that is to stay
)

// At is the recipe of that size.
func (s Size) At(r features.Recipe) (features.Recipe, error) {
	scale := func(n *int, by float64, least int) { *n = max(min(*n, least), int(by*float64(*n))) }
	by := 1.0
	switch s {
	case Default:
		return r, nil
	case quick:
		by = 0.1
		scale(&r.Pairs, 0.25, 20)
		scale(&r.TwinPairs, 0.25, 10)
		r.Rounds = min(r.Rounds, 2)
	case long:
		by = 10
		scale(&r.Pairs, 2, 0)
	default:
		return r, fmt.Errorf("effort %q: want %s, %s or %s", s, quick, Default, long)
	}
	scale(&r.Episodes, by, 200)
	scale(&r.EarlyEpisodes, by, 200)
	r.Trials = slices.Clone(r.Trials)
	for k, stages := range r.Trials {
		r.Trials[k] = slices.Clone(stages)
		for i := range stages {
			scale(&r.Trials[k][i].Episodes, by, 200)
		}
	}
	if s == long && len(r.Long) > 0 && len(r.Training) > 0 {
		r.Training = r.Long
		return r, nil
	}
	r.Training = slices.Clone(r.Training)
	for i := range r.Training {
		scale(&r.Training[i].Episodes, by, 200)
	}
	return r, nil
}

// Improving is the recipe that begins with an evaluation of the game's, such as "handwritten", and
// regularizes towards it: rounds of regression on games that it plays, over the recipe's late
// feature set if that has all of its features, else over its own.
func (w *World) Improving(r features.Recipe, name string) (features.Recipe, error) {
	set, m, err := w.Model(name)
	if err != nil {
		return r, err
	}
	if wider, _, err := w.ModelOver(name, r.LateSet); err == nil {
		set = wider
	}
	r.Training, r.Trials = nil, nil
	r.Why = "it is to be improved upon"
	r.Set, r.Leaves, r.Prior = set.Name(), m.Leaves, name
	r.First = WithEval(r.Planner, name)
	r.Rounds = min(cmp.Or(r.Improvements, 2), r.Rounds-r.EarlyRounds)
	r.Early, r.EarlyRounds, r.EarlyEpisodes, r.LateSet = "", 0, 0, ""
	if !r.Chain { // else the recipe's own rounds go on from the model
		r.Method, r.Steps, r.Returns, r.Penalty = "", 0, 0.5, 0.1
	}
	return r, nil
}

// untrainable says why training by the stages cannot be in this world; "" where it can.
func (w *World) untrainable(stages []features.Training) string {
	if len(stages) == 0 {
		return ""
	}
	base := w.Base()
	if !base.Hidden && (base.Players > 2 || base.Players == 2 && base.Sum == game.General) {
		return "learning while playing wants a game of one player, or of two who play for the same points"
	}
	if _, hostile := game.As[*game.Adversary](w.Game.New()); hostile {
		return "learning while playing wants a world without an adversary in nature's place"
	}
	for _, t := range stages {
		if _, err := w.Set(t.Set); err != nil {
			return fmt.Sprintf("learning while playing takes %s, which this variant does not have", t.Set)
		}
	}
	return ""
}

// SelfPlayAgent is who plays when a data set of this world is made and no one
// says by whom: the recipe's planner with the game's own evaluation.
func (w *World) SelfPlayAgent() string { return w.Recipe().Planner }

// FrozenIn are the recipe's frozen terms that the feature set has.
func (w *World) FrozenIn(set string) (map[string]float64, error) {
	s, err := w.Set(set)
	if err != nil {
		return nil, err
	}
	frozen := map[string]float64{}
	if a, ok := s.(features.Anchored); ok {
		maps.Copy(frozen, a.Anchors())
	}
	for _, b := range s.Blocks() {
		if b.Table {
			continue
		}
		for i := range b.Len {
			if weight, ok := w.Entry.Recipe.Frozen[b.FeatureName(i)]; ok {
				frozen[b.FeatureName(i)] = weight
			}
		}
	}
	return frozen, nil
}

// Planner is the default player of this world: the planner that it is learned with or, in a wrapped
// world, one that suits the wrapper.
func (w *World) Planner() string {
	switch {
	case w.Players > 2 && !w.Hidden:
		return "maxn:depth=2"
	case w.Inside == nil, w.Hidden:
		return w.Recipe().Planner
	case w.Chancy():
		return "expectimax:depth=2"
	}
	return "alphabeta:depth=3"
}

// How long automatic tables are trained by default: in plies, by the length of random games. Games
// of points last several times as long.
const (
	tablePlies      = 10_000_000
	tablePliesAlone = 1_500_000
	leastTableGames = 5_000
	// wholeExplored is the share of random moves where one table holds the whole board and dice
	// vary games: without them pig's players, who never hold, had 10.7% against hand-written after
	// 60,000 games, with them 34.8% after 20,000. Backgammon, whose tables share what they learn,
	// gets worse.
	wholeExplored  = 0.15
	mostTableGames = 400_000
)

// Tables are the stages that train the board's automatic tables (package features/tuples); nil
// without such a board, or where learning while playing is impossible.
func (w *World) Tables() []features.Training {
	if !tuples.Suits(w.Base()) {
		return nil
	}
	t := []features.Training{{Set: tuples.Name, Alpha: 1, Lambda: 0.7, TC: true}}
	if w.untrainable(t) != "" {
		return nil
	}
	plies := tablePlies
	if w.Base().Players == 1 {
		plies, t[0].Lambda = tablePliesAlone, 0.5
	}
	if _, chance := game.As[game.Chancer](w.Base().New()); chance && w.Base().Players > 1 && tuples.Whole(w.Base()) {
		t[0].Epsilon = wholeExplored
	}
	t[0].Episodes = max(leastTableGames, min(mostTableGames, round(plies/w.RandomPlies())))
	return t
}

// joinedCost is how many games tables alone learn from in the time in which terms and
// tables learn from one: positions are read as vectors, terms and all.
const joinedCost = 3

// Joined are the stages that train the game's own terms and tables together, in about the time of
// [World.Tables]; nil without such terms. After as many games they are ahead of tables alone (64.5%
// after 20,000 of connect4:columns=5), after as long level.
func (w *World) Joined() []features.Training {
	t := w.Tables()
	if _, err := w.Set(tuples.JoinedName); t == nil || err != nil {
		return nil
	}
	t[0].Set = tuples.JoinedName
	t[0].Episodes = max(leastTableGames, round(t[0].Episodes/joinedCost))
	return t
}

func round(n int) int {
	digit := 1
	for n/digit >= 100 {
		digit *= 10
	}
	return n / digit * digit
}

// RandomPlies is how many plies a random game has, in the mean of a few.
func (w *World) RandomPlies() int {
	const games = 16
	dice := &play.Dice{Random: rand.New(rand.NewPCG(1, 2))}
	e := play.Episode{Luck: dice}
	plies := 0
	for range games {
		for e.Begin(w.New(), 0, w.MaxPlies); e.Next(); plies++ {
			e.Play(dice.Uniform(e.State))
		}
	}
	return max(1, plies/games)
}
