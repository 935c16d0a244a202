package features

import (
	"plyfit/game"
	"plyfit/models"
	"slices"
)

// A Profile contains what the catalog needs to know about a game in addition to its rules.
type Profile struct {
	// Sets returns the feature sets of the game, beginning with the default. There is at least one.
	Sets func(g *game.Game) []Set

	// Depth is the default search depth of an agent in decisions. 0 means 3.
	Depth int

	// Recipe is the default recipe for learning the evaluation. With the zero value, several
	// learners that suit most games compete.
	Recipe Recipe

	// Levels determines the strength of the computer on the page.
	Levels Levels

	// Nature allows an agent's policy to make nature's moves. If nil, the game does not support
	// this.
	Nature *Nature

	// Regret returns how much an agent loses compared with perfect play, in the unit RegretIn. The
	// function decide returns the agent's move at a position of g, which must not be wrapped.
	// Regret returns an error if perfect play is not known for the variant. It is nil if perfect
	// play is not known for the game.
	Regret   func(g *game.Game, decide func(s game.State) (game.Move, error)) (float64, error)
	RegretIn string

	// Goal reports whether a finished position of the base game has reached a goal other than a
	// high utility, such as the 2048 tile. It is nil if there is no such goal.
	Goal func(end game.State) bool
}

// Levels describes a game's levels medium and hard. The zero value suits most games.
type Levels struct {
	Depth   int     // search depth of medium in decisions; 0 means the default depth, but at most 3
	Errs    float64 // fraction of medium's moves that are random
	Options string  // additional options for both searches if they are alphabeta, such as "quiescence=on"

	// Nodes is the number of nodes per move for the level hard, which take up to about a second. 0
	// means 100,000. Browser is the number in a browser, where 0 means a fifth of Nodes.
	Nodes, Browser int
}

// Nature allows an agent's policy to make nature's moves in a game. The option Key contains the
// agent, as in pacman:ghost=(alphabeta:depth=2). The agent is created for the game with an
// adversary, in which nature is a player.
type Nature struct {
	// Key is the name of the option. The game's New also reads this option, but receives only the
	// values in Own. The first value of Own is the default.
	Key string
	Own []string

	// Follow returns a copy of g in which nature follows policies. Each state calls make, which
	// never fails, to create its policy. text is the value of the option as it appears in the
	// game's Spec, with digests in place of model files.
	Follow func(g *game.Game, text string, make func() game.Policy) (*game.Game, error)
}

// A Recipe describes how the evaluation of a game is learned by default. It contains the defaults
// of plyfit learn.
//
// With Training, the weights change while the evaluation plays against itself. Without Training,
// and for variants that the training does not support, a run consists of rounds of regression. In
// each round, a planner plays episodes against itself with the best evaluation so far, and the
// weights are fitted to these episodes. In the first round, First plays instead. The model of a
// round is adopted unless it loses a match against the best earlier model. When an existing
// evaluation is improved, the model must win the match.
//
// A game without an established method has Trials: several learners whose models play matches
// against each other. The winner's model is adopted.
type Recipe struct {
	Why string `json:"-"` // reason for choosing this learner, as a phrase that can end a sentence

	Minutes int `json:"-"` // approximate duration of a run on two cores; 0 if not measured

	Training []Training   `json:",omitempty"` // successive stages; if there are none, regression is used
	Long     []Training   `json:"-"`          // stages to use if time does not matter; if there are none, Training with ten times the games
	Trials   [][]Training `json:",omitempty"` // learners of a tournament: the stages of each, or none for rounds of regression

	Tests int `json:",omitempty"` // number of episodes, played after learning, used to test the evaluation's predictions

	Set      string // feature set for regression; "" means the game's default
	Rounds   int
	Episodes int    // number of episodes per round
	First    string // agent in the first round
	Planner  string // agent in later rounds, without its eval option

	// Early replaces Planner in the first EarlyRounds rounds of a run from scratch. In the first of
	// these rounds, it uses the constant evaluation. Inexpensive games determine the weights
	// roughly, and later games refine them.
	Early       string `json:",omitempty"`
	EarlyRounds int    `json:",omitempty"`

	// EarlyEpisodes is the number of episodes in an early round. 0 means Episodes.
	EarlyEpisodes int `json:",omitempty"`

	// LateSet is the feature set used in rounds that are not early, and for improvements. It
	// contains all features of Set, so the main weights are learned before many small terms. ""
	// means Set. If LateSet is given, Method and Steps apply to its rounds, and early rounds use
	// the game's default method.
	LateSet string `json:",omitempty"`

	// Improvements is the number of rounds in a run that improves an existing evaluation, which
	// needs less learning than a run from scratch. It is limited to the number of rounds that are
	// not early. 0 means 2.
	Improvements int `json:"-"`

	Openings int     // maximum number of random decisions at the beginning of an episode
	Explore  float64 // probability of a random move after the opening

	Method  string             // ridge, logistic, lbfgs or lstd; "" means the game's default
	Steps   int                `json:",omitempty"` // maximum number of steps for iterative methods; 0 means the method's default
	Returns float64            `json:",omitempty"` // if above 0, iterative methods use TD returns with this lambda, based on the searches of an episode; a first round without a prior uses the outcome instead
	Lambda  float64            // lambda of lstd
	Penalty float64            // strength with which weights are pulled towards the prior; see learn.Options.Penalty
	Prior   string             `json:",omitempty"` // evaluation towards which the weights are pulled, in its own scale; "" means zeros
	Chain   bool               `json:",omitempty"` // whether the best earlier model, in its own scale, is the prior from the second round on, so that the weights accumulate all rounds
	Quiet   bool               `json:",omitempty"` // whether to omit positions in which a capture or similar move gains more than the prior's evaluation
	Leaves  models.Leaves      // kind of positions that are evaluated; "" means decisions
	Frozen  map[string]float64 // terms with a fixed weight, such as a score that is part of the value

	// Twin is the wrapper of the world with which the game is compared: an adversary for a game
	// with chance, and slips for other games.
	Twin string
	// Planners and TwinPlanners are the agents, without their eval option, with which evaluations
	// are compared in the world and in its twin.
	Planners, TwinPlanners []string
	// Minimax treats nature as an adversary and ignores slips. Expectimax uses nature's
	// probabilities, at the same depth. The two agents play each other in both worlds with the
	// learned evaluation.
	Minimax, Expectimax string
	Nature              string // agent that plays nature in the adversarial world of a single-player game

	Pairs     int // number of game pairs per comparison
	TwinPairs int // number of game pairs in the twin; 0 means Pairs
}

// WithGames returns a copy of r with the given number of games for training, or per round of
// regression. Several stages share the games in proportion to their own numbers.
func (r Recipe) WithGames(games int) Recipe {
	r.Episodes, r.EarlyEpisodes = games, min(r.EarlyEpisodes, games)
	r.Tests = min(r.Tests, games)
	return r.EachTraining(func(stages []Training) []Training { return shared(stages, games) })
}

// EachTraining returns a copy of r in which the function change has been applied to the training
// and to each trial.
func (r Recipe) EachTraining(change func(stages []Training) []Training) Recipe {
	r.Training, r.Trials = change(r.Training), slices.Clone(r.Trials)
	for k, stages := range r.Trials {
		r.Trials[k] = change(stages)
	}
	return r
}

// shared returns the stages with the given total number of games, divided in proportion to the
// stages' own numbers.
func shared(stages []Training, games int) []Training {
	stages = slices.Clone(stages)
	all, before, assigned := 0, 0, 0
	for _, t := range stages {
		all += t.Episodes
	}
	for i := range stages {
		before += stages[i].Episodes
		to := int(float64(games) * float64(before) / float64(all))
		stages[i].Episodes = max(1, to-assigned)
		assigned = to
	}
	return stages
}
