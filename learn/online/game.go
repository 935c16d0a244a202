package online

import (
	"math/rand/v2"

	"plyfit/game"
	"plyfit/game/play"
)

// Game is a board on which a learner plays episodes: the driver of [plyfit/game/play] with a task's
// openings and limit. The learner chooses the moves and learns from them.
type Game struct {
	play.Episode
	// Random is the source of an episode's random numbers, the same in every process. Its formula is
	// older than [game.Seed]'s: the commands of shipped models give their bytes again by it.
	Random *rand.Rand
	// Rewinds begins an episode with the state of the one before it, where that
	// can rewind: for those who keep no state and never resume one.
	Rewinds bool

	task    *Task
	source  rand.PCG
	opening play.Opening
}

// rewinder is implemented by a State whose history is long and costs memory, so that those who play
// one episode after the other keep it. Learning by temporal differences does.
//
// Example: 2048 keeps every position of a game for Undo, ten thousand and more. Rewind
// goes back to "0000/0000/0000/0000 chance 0" in one step and keeps the room for them.
type rewinder interface {
	// Rewind undoes all moves.
	Rewind()
}

// openingTries is how often an opening that ends the game is drawn again; then there is none.
const openingTries = 50

// NewGame makes a board for episodes of t.
func NewGame(t *Task) *Game {
	g := &Game{task: t, opening: play.Opening{Most: t.Openings, Tries: openingTries, MaxPlies: t.Game.MaxPlies}}
	g.Random = rand.New(&g.source)
	return g
}

// StartEpisode begins an episode of the task by its random numbers, [Task.Random]'s.
func (g *Game) StartEpisode(number int) {
	g.source.Seed(seeds(g.task.episodeSeed(number)))
	g.Start(g.Random)
}

// Start begins an episode after a random opening, for which r's numbers are drawn.
func (g *Game) Start(r play.Random) {
	s := g.fresh()
	if g.opening.Moves = g.opening.Moves[:0]; g.opening.Most > 0 {
		g.opening.Draw(s, r)
	}
	g.Resume(s, len(g.opening.Moves))
}

// fresh is the game's first position.
func (g *Game) fresh() game.State {
	if r, ok := g.State.(rewinder); ok && g.Rewinds {
		r.Rewind()
		return g.State
	}
	return g.task.Game.New()
}

// Resume goes on with an episode at s, which it has reached after so many calls of Play.
func (g *Game) Resume(s game.State, plies int) { g.Begin(s, plies, g.task.Game.MaxPlies) }

// Outcome is how an episode ended.
type Outcome struct {
	Truncated bool    // it was cut off, and the rest means nothing
	Utility   float64 // of player 0, in the game's units
	Goal      bool    // it met the task's Goal
}

// Outcome is that of an episode which is over.
func (g *Game) Outcome() Outcome {
	if g.Truncated() {
		return Outcome{Truncated: true}
	}
	end := game.Base(g.State)
	return Outcome{Utility: end.Utility(0), Goal: g.task.Goal != nil && g.task.Goal(end)}
}

// Random is the source of an episode's random numbers: the same in every
// process, whatever came before. Its formula is another than [game.Seed]'s, and
// older: the commands of shipped models give their bytes again by it.
func (t *Task) Random(episode int) *rand.Rand {
	return rand.New(rand.NewPCG(seeds(t.episodeSeed(episode))))
}

func (t *Task) episodeSeed(episode int) uint64 { return game.Mix(game.Mix(t.Seed) + uint64(episode)) }

// RandomAt is the source of random numbers at a ply of an episode, which may be resumed there.
func (t *Task) RandomAt(episode, ply int) *rand.Rand {
	return rand.New(rand.NewPCG(seeds(game.Mix(t.episodeSeed(episode) + uint64(ply) + 1))))
}

// seeds are the two that a PCG wants.
func seeds(seed uint64) (uint64, uint64) { return seed, game.Mix(seed) }
