package features

import (
	"plyfit/game"
	"plyfit/models"
	"slices"
)

// Profile describes a game besides its rules, for the catalog.
type Profile struct {
	// Sets are the game's feature sets, the default first; at least one.
	Sets func(g *game.Game) []Set

	// Depth is an agent's default search depth in decisions; 0 is 3.
	Depth int

	// Recipe is how its evaluation is learned unless a user says otherwise; the
	// zero value is a plain way that suits most games.
	Recipe Recipe

	// Levels sets the strength of the computer on the page.
	Levels Levels

	// Nature lets agents' policies make nature's moves; nil: they cannot.
	Nature *Nature

	// Regret, where perfect play is known, is an agent's loss against it in the unit RegretIn;
	// decide is the agent's move at a position of g, the plain game. It is an error for unsolved
	// variants. nil: not known.
	Regret   func(g *game.Game, decide func(s game.State) (game.Move, error)) (float64, error)
	RegretIn string

	// Goal reports whether a finished position of the base game is what the game
	// is about, beyond its utility: a tile of 2048. nil: there is no such thing.
	Goal func(end game.State) bool
}

// Levels describes the levels medium and hard of a game. The zero value suits most games.
type Levels struct {
	Depth   int     // decisions that medium looks ahead; 0: the default search depth, but at most 3
	Errs    float64 // share of medium's moves that are random
	Options string  // of both searches, if they are alphabeta: "quiescence=on"

	// Nodes is the number of nodes that hard searches for a move, which take up to about a
	// second; 0: 100,000. Browser is the number in a browser; 0: a fifth of Nodes.
	Nodes, Browser int
}

// Nature lets an agent's policy make nature's moves in a game: the game's option Key names the
// agent, as in pacman:ghost=(alphabeta:depth=2). The agent is built for the game's hostile world,
// in which nature is a player.
type Nature struct {
	// Key is the option. The game's New reads it, too, but is shown it only with
	// values of Own, of which the first is the default.
	Key string
	Own []string

	// Follow is g in which nature follows policies, one for each state, from make, which never
	// fails; text is the option's value, for g's Spec: as written, or with the digests of models in
	// place of files.
	Follow func(g *game.Game, text string, make func() game.Policy) (*game.Game, error)
}

// Recipe is how a game's evaluation is learned by default: the defaults of plyfit learn.
//
// With Training, the weights move while the evaluation plays against itself. Otherwise, and for
// variants that the training does not suit, a run is rounds of regression: in each a planner plays
// episodes against itself with the best evaluation so far (in the first with First), and the
// weights are fitted to them. A round's model ships unless it loses a match against the best before
// it; improving an evaluation requires a win.
//
// A game with no settled method gets Trials: several learners, of which the winner of the matches
// among them ships.
type Recipe struct {
	Why string `json:"-"` // half a sentence: what speaks for this learner

	Minutes int `json:"-"` // about how long a run takes on two cores; 0: not measured

	Training []Training   `json:",omitempty"` // stages, one after the other; none: regression
	Long     []Training   `json:"-"`          // the same where time does not matter; none: ten times the games
	Trials   [][]Training `json:",omitempty"` // learners of which a tournament takes the best: stages, or none for the rounds of regression

	Tests int `json:",omitempty"` // episodes of the trained evaluation, after learning, that its predictions are tested on

	Set      string // feature set of the regression; "" is the game's default
	Rounds   int
	Episodes int    // a round
	First    string // the agent of the first round
	Planner  string // the agent of later rounds, without eval

	// Early plays the first EarlyRounds rounds of a run from scratch in Planner's place, the first
	// with the constant evaluation: cheap games teach the coarse weights, the others the fine ones.
	Early       string `json:",omitempty"`
	EarlyRounds int    `json:",omitempty"`

	// EarlyEpisodes are the episodes of an early round; 0: Episodes.
	EarlyEpisodes int `json:",omitempty"`

	// LateSet has all features of Set, and is the set of rounds that are not early and of
	// improvements: main weights are learned before many small terms; "": Set. Method and Steps
	// are then those of its rounds; the early ones use the method that suits the game.
	LateSet string `json:",omitempty"`

	// Improvements are the rounds of a run that improves an evaluation, which has less to
	// learn than one that begins with nothing; at most as many as are not early; 0: 2.
	Improvements int `json:"-"`

	Openings int     // at most so many random decisions at an episode's beginning
	Explore  float64 // probability of a random move afterwards

	Method  string             // ridge, logistic, lbfgs or lstd; "" by the game
	Steps   int                `json:",omitempty"` // of methods that go step by step: at most so many; 0: the method's own choice
	Returns float64            `json:",omitempty"` // of the same, above 0: the label is the TD return of that lambda over an episode's searches; without a prior that of the first round, whose searches know nothing, is the outcome
	Lambda  float64            // of lstd
	Penalty float64            // draws weights to the prior, as learn.Options.Penalty does
	Prior   string             `json:",omitempty"` // the evaluation that weights are drawn to, in its own scale; "": zeros
	Chain   bool               `json:",omitempty"` // from the second round on weights are drawn to the best model before, in its own scale, in place of Prior, so that they add up what all rounds saw
	Quiet   bool               `json:",omitempty"` // positions in which a capture or the like promises more than the evaluation that weights are drawn to are left out
	Leaves  models.Leaves      // which positions are learned; "": decisions
	Frozen  map[string]float64 // terms that keep this weight: a score that is part of the value

	// Twin is the wrapper of the world that the game is compared with: the
	// adversary's for a game of chance, slip for one without.
	Twin string
	// Planners and TwinPlanners are the agents, without eval, under which
	// evaluations are compared in the world and in its twin.
	Planners, TwinPlanners []string
	// Minimax models nature as an adversary (ignoring slips) and Expectimax by its probabilities,
	// at the same depth; with the learned evaluation they play each other in both worlds.
	Minimax, Expectimax string
	Nature              string // who moves for nature in an adversarial world of a game of one

	Pairs     int // pairs of games a comparison
	TwinPairs int // in the twin; 0: Pairs
}

// WithGames is r with this many games of training, or of a round of regression. Several stages
// share them in proportion.
func (r Recipe) WithGames(games int) Recipe {
	r.Episodes, r.EarlyEpisodes = games, min(r.EarlyEpisodes, games)
	r.Tests = min(r.Tests, games)
	return r.EachTraining(func(stages []Training) []Training { return shared(stages, games) })
}

// EachTraining is r with its training, and that of each trial, changed.
func (r Recipe) EachTraining(change func(stages []Training) []Training) Recipe {
	r.Training, r.Trials = change(r.Training), slices.Clone(r.Trials)
	for k, stages := range r.Trials {
		r.Trials[k] = change(stages)
	}
	return r
}

// shared are the stages with this total of games, divided in proportion.
func shared(stages []Training, games int) []Training {
	stages = slices.Clone(stages)
	all, before, given := 0, 0, 0
	for _, t := range stages {
		all += t.Episodes
	}
	for i := range stages {
		before += stages[i].Episodes
		to := int(float64(games) * float64(before) / float64(all))
		stages[i].Episodes = max(1, to-given)
		given = to
	}
	return stages
}
