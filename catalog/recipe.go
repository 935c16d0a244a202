package catalog

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"

	"plyfit/features"
	"plyfit/features/tuples"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/list"
)

// noFeatures is the reason for learning tables in games without features.
const noFeatures = "the game has a board but no features of its own"

// Recipe returns the game's recipe, with missing parts replaced by settings that suit most games.
// If this world has chance moves but the recipe was written for a game without them, the planners
// either model or ignore them. Training that is not possible in this world is removed, and Why
// contains the reason: the variant lacks the feature set, an adversary plays nature, or the game is
// neither a single-player game nor a two-player game with a fixed sum.
func (w *World) Recipe() features.Recipe {
	r := w.Entry.Recipe
	if w.Entry.Rules != nil {
		r = w.shallow()
	}
	if len(r.Training) == 0 && len(r.Trials) == 0 && r.Method == "" && r.Rounds == 0 {
		r.Trials = w.trials()
		r.Why = "no method has been selected for this game"
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
		// The recipe's planners would treat the dice as an adversary.
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

// usuallyChancy reports whether the game has chance moves with its default options, for which its
// recipe was written. It returns true for games with mandatory options.
func (w *World) usuallyChancy() bool {
	g, err := w.Entry.New(game.NewOptions(w.Entry.Name))
	return err != nil || (&World{Game: g, Entry: w.Entry}).Chancy()
}

// withoutSlips returns the agent of a game without chance, modified to ignore slips. For minimax
// planners, a slip is an adversary that may choose any move, so all moves would have the same
// value.
func withoutSlips(agent string) string {
	if !strings.Contains(agent, "alphabeta") && !strings.Contains(agent, "minimax") ||
		strings.Contains(agent, "expectimax") || strings.Contains(agent, "assume=") {
		return agent
	}
	return with(agent, "assume=base")
}

// Tournament returns the recipe with all suitable learners as trials, in place of the game's own
// training. The trials play matches, and the winner is used.
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
		return r, fmt.Errorf("%s has no learner except regression", w.Spec)
	}
	r.Why = "it was requested"
	return r, nil
}

// maxEvolved is the maximum number of weights for which evolution is tried. The number of games
// needed by evolution grows with the square of the number of weights.
const maxEvolved = 60

// trials returns the learners for a game without a selected method: regression, TD(0.7), evolution
// if there are few weights, and, for a board of cells, the automatic tables, both alone and
// combined with the game's own terms. It returns nil, which stands for regression, if learning
// while playing is not possible.
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
			n = maxEvolved + 1
		}
	}
	if n <= maxEvolved {
		trials = append(trials, []features.Training{{Method: "evolution", Episodes: 10000, Average: 0.25}})
	}
	return append(trials, w.tableTrials()...)
}

// tableTrials returns the trials with automatic tables. There are none if the game has no board of
// cells.
func (w *World) tableTrials() (trials [][]features.Training) {
	for _, stages := range [][]features.Training{w.Tables(), w.Joined()} {
		if stages != nil {
			trials = append(trials, stages)
		}
	}
	return trials
}

// Size is the scale of a run of plyfit learn.
type Size string

// The possible sizes.
const (
	quick   Size = "quick"   // a tenth of the games, for a preview
	Default Size = "default" // takes minutes
	long    Size = "long"    // ten times the games, for models to be kept
)

// At returns the recipe scaled to size s.
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
	r = r.EachTraining(func(stages []features.Training) []features.Training {
		return list.Map(stages, func(t features.Training) features.Training {
			scale(&t.Episodes, by, 200)
			return t
		})
	})
	if s == long && len(r.Long) > 0 && len(r.Training) > 0 {
		r.Training = r.Long
	}
	return r, nil
}

// Improving returns the recipe modified to start from an existing evaluation, such as
// "handwritten", and to regularise towards it. It consists of rounds of regression on games played
// with the evaluation. The features are the recipe's late feature set if that set contains all
// features of the evaluation, and otherwise the evaluation's own.
func (w *World) Improving(r features.Recipe, name string) (features.Recipe, error) {
	set, m, err := w.Model(name)
	if err != nil {
		return r, err
	}
	if wider, _, err := w.ModelOver(name, r.LateSet); err == nil {
		set = wider
	}
	r.Training, r.Trials = nil, nil
	r.Why = "an existing evaluation is being improved"
	r.Set, r.Leaves, r.Prior = set.Name(), m.Leaves, name
	r.First = WithEval(r.Planner, name)
	r.Rounds = min(cmp.Or(r.Improvements, 2), r.Rounds-r.EarlyRounds)
	r.Early, r.EarlyRounds, r.EarlyEpisodes, r.LateSet = "", 0, 0, ""
	if !r.Chain { // otherwise, the recipe's own rounds continue from the model
		r.Method, r.Steps, r.Returns, r.Penalty = "", 0, 0.5, 0.1
	}
	return r, nil
}

// untrainable returns the reason why training with these stages is not possible in this world, or
// an empty string if it is.
func (w *World) untrainable(stages []features.Training) string {
	if len(stages) == 0 {
		return ""
	}
	base := w.Base()
	if !base.Hidden && (base.Players > 2 || base.Players == 2 && base.Sum == game.General) {
		return "learning while playing requires a single-player game or a two-player constant-sum game"
	}
	if _, hostile := game.As[*game.Adversary](w.Game.New()); hostile {
		return "learning while playing requires a world without an adversary"
	}
	for _, t := range stages {
		if _, err := w.Set(t.Set); err != nil {
			return fmt.Sprintf("learning while playing requires the features %s, which this variant does not have", t.Set)
		}
	}
	return ""
}

// SelfPlayAgent returns the default agent for creating this world's data sets: the recipe's planner
// with the game's own evaluation.
func (w *World) SelfPlayAgent() string { return w.Recipe().Planner }

// FrozenIn returns the terms of the given feature set whose weights are fixed: its anchors and the
// frozen terms of the recipe.
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

// Planner returns the default player of this world. This is the recipe's planner if information is
// hidden, or if the world is not wrapped and has at most two players. Other worlds have a planner
// that suits them.
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

// The default length of training for automatic tables, in plies. Dividing it by the length of
// random games gives the number of games. In games with scores, trained players last several times
// as long as random ones.
const (
	tablePlies      = 10_000_000
	tablePliesAlone = 1_500_000
	leastTableGames = 5_000
	// wholeExplored is the fraction of random moves if a single table covers the whole board and
	// the dice make games differ. In pig, players trained without random moves never hold: they
	// scored 10.7% against the hand-written model after 60,000 games, but 34.8% after 20,000 games
	// with random moves. In backgammon, whose tables generalise between positions, random moves
	// make the result worse.
	wholeExplored  = 0.15
	mostTableGames = 400_000
)

// Tables returns the stages that train the automatic tables of the board (see package
// features/tuples). It returns nil if there is no suitable board or if learning while playing is
// not possible.
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

// joinedCost is the number of games from which tables alone learn in the time that terms and tables
// together need for one game. The combination is slower because it reads positions as vectors.
const joinedCost = 3

// Joined returns the stages that train the game's own terms together with tables, in about the same
// time as [World.Tables]. It returns nil if the game has no terms of its own. After the same number
// of games, terms and tables together beat tables alone (64.5% after 20,000 games of
// connect4:columns=5). After the same time, the two are equally strong.
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

// RandomPlies returns the mean number of plies in a few random games.
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
