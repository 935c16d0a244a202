package tune

import (
	"context"
	"fmt"
	"path/filepath"

	"plyfit/arena"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/search"
	"plyfit/selfplay"
	"plyfit/work"
)

// Games are those of an engine against itself.
type Games struct {
	Game    *game.Game
	Engine  search.Factory // limited by nodes or depth, so that it plays alike twice
	Book    arena.Book     // Plies and Within of openings; each game has its own
	Games   int
	Seed    uint64
	Workers int    // games at the same time; 0: one. Never changes the games
	Dir     string // of the data set, which the same Games go on with
	// Played is informed of games finished; nil: no one is. Book.Progress is of openings found.
	Played func(games int)
}

// bookName is the file of openings, beside the data set.
const bookName = "openings.txt"

// Play plays the games that are missing.
func (g Games) Play(ctx context.Context) (*datasets.Manifest, error) {
	engine, err := selfplay.Repeatable(ctx, g.Game, g.Engine)
	if err != nil {
		return nil, err
	}
	b := g.Book
	b.Game, b.Agent, b.Size, b.Seed = g.Game, g.Engine, g.Games, g.Seed // one for all, since some take long to start
	name := fmt.Sprintf("%d random decisions, within %v by %s", b.Plies, b.Within, engine.ID())
	var book []string
	if err := work.Alone(g.Dir, func() (err error) {
		book, err = b.Keep(ctx, filepath.Join(g.Dir, bookName))
		return err
	}); err != nil {
		return nil, err
	}
	return selfplay.Run(ctx, selfplay.Config{
		Game: g.Game, Agents: []search.Factory{engine}, Episodes: g.Games, Seed: g.Seed, Workers: g.Workers, Progress: g.Played,
		Book: &selfplay.Book{Name: name, Positions: book}, EpisodesPerShard: gamesPerShard, Dir: filepath.Join(g.Dir, GamesName),
	})
}

// gamesPerShard is how many games a killed run plays again, at most.
const gamesPerShard = 32

// GamesName is the data set's name in the folder of games.
const GamesName = "games"
