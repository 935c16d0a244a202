package online

import (
	"math/rand/v2"

	"plyfit/game"
	"plyfit/game/play"
)

// A Game is a board on which a learner plays episodes. It adds a task's openings and limit to the
// driver in [plyfit/game/play]. The learner chooses the moves and learns from them.
type Game struct {
	play.Episode
	// Random is the source of random numbers for an episode. It is the same in every process. Its
	// formula predates [game.Seed] and must not change, so that the commands of the shipped models
	// still produce the same bytes.
	Random *rand.Rand
	// Rewinds allows an episode to reuse the state of the previous one if the state is a rewinder.
	// It may be set only if no state is kept or resumed.
	Rewinds bool

	task    *Task
	source  rand.PCG
	opening play.Opening
}

// rewinder is implemented by a State whose history is long and takes up much memory. Callers that
// play one episode after another, such as temporal-difference learning, can then reuse the state.
//
// Example: 2048 stores every position of a game for Undo, often more than ten thousand. Rewind
// returns to "0000/0000/0000/0000 chance 0" in one step and keeps the allocated memory.
type rewinder interface {
	// Rewind undoes all moves.
	Rewind()
}

// openingTries is the number of attempts to draw an opening that does not end the game. If all
// attempts fail, the game starts without an opening.
const openingTries = 50

// NewGame returns a board for episodes of the task t.
func NewGame(t *Task) *Game {
	g := &Game{task: t, opening: play.Opening{Most: t.Openings, Tries: openingTries, MaxPlies: t.Game.MaxPlies}}
	g.Random = rand.New(&g.source)
	return g
}

// StartEpisode starts an episode of the task, using the same random numbers as [Task.Random].
func (g *Game) StartEpisode(number int) {
	g.source.Seed(seeds(g.task.episodeSeed(number)))
	g.Start(g.Random)
}

// Start starts an episode with a random opening drawn with r.
func (g *Game) Start(r play.Random) {
	s := g.fresh()
	if g.opening.Moves = g.opening.Moves[:0]; g.opening.Most > 0 {
		g.opening.Draw(s, r)
	}
	g.Resume(s, len(g.opening.Moves))
}

// fresh returns the initial position of the game.
func (g *Game) fresh() game.State {
	if r, ok := g.State.(rewinder); ok && g.Rewinds {
		r.Rewind()
		return g.State
	}
	return g.task.Game.New()
}

// Resume continues an episode at s. The parameter plies is the number of calls to Play that led to
// s.
func (g *Game) Resume(s game.State, plies int) { g.Begin(s, plies, g.task.Game.MaxPlies) }

// Outcome is the result of an episode.
type Outcome struct {
	Truncated bool    // the episode was cut off, and the other fields are not set
	Utility   float64 // utility of player 0, in the game's units
	Goal      bool    // the episode reached the task's Goal
}

// Outcome returns the result of an episode that has ended.
func (g *Game) Outcome() Outcome {
	if g.Truncated() {
		return Outcome{Truncated: true}
	}
	end := game.Base(g.State)
	return Outcome{Utility: end.Utility(0), Goal: g.task.Goal != nil && g.task.Goal(end)}
}

// Random returns the source of random numbers for an episode. It depends only on the task's seed
// and the episode. Its formula predates [game.Seed] and must not change, so that the commands of
// the shipped models still produce the same bytes.
func (t *Task) Random(episode int) *rand.Rand {
	return rand.New(rand.NewPCG(seeds(t.episodeSeed(episode))))
}

func (t *Task) episodeSeed(episode int) uint64 { return game.Mix(game.Mix(t.Seed) + uint64(episode)) }

// RandomAt returns a source of random numbers for one ply of an episode, so that the episode can be
// resumed at that ply.
func (t *Task) RandomAt(episode, ply int) *rand.Rand {
	return rand.New(rand.NewPCG(seeds(game.Mix(t.episodeSeed(episode) + uint64(ply) + 1))))
}

// seeds returns the two seeds of a PCG.
func seeds(seed uint64) (uint64, uint64) { return seed, game.Mix(seed) }
