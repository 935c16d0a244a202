package tune

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"plyfit/arena"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/search"
	"plyfit/selfplay"
)

// Openings are drawn at random and kept where the engine finds them balanced.
type Openings struct {
	Plies  int     // random decisions
	Within float64 // how far from even, as a part of the way from a draw to a win
}

func (o Openings) book(ctx context.Context, g *game.Game, engine search.Factory, n int, seed uint64, skip []string, progress func(found, drawn int)) ([]string, error) {
	known := map[string]bool{}
	for _, p := range skip {
		known[p] = true
	}
	b := arena.Book{Game: g, Agent: engine, Plies: o.Plies, Within: o.Within, Size: n + len(skip), Seed: seed, Progress: progress}
	drawn, err := b.Make(ctx)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, p := range drawn {
		if !known[p] && len(list) < n {
			list = append(list, p)
		}
	}
	return list, nil
}

// Games are those of an engine against itself.
type Games struct {
	Game   *game.Game
	Engine search.Factory // limited by nodes or depth, so that it plays alike twice
	// Openings are a book's, in which each game has its own.
	Openings Openings
	Games    int
	Seed     uint64
	Workers  int    // games at the same time; 0: one. Never changes the games
	Dir      string // of the data set, which the same Games go on with
	// Opened and Played are informed of openings found and of games finished; nil: none.
	Opened func(found, drawn int)
	Played func(games int)
}

// bookName is the file of openings, beside the data set.
const bookName = "openings.txt"

// Play plays the games that are missing.
func (g Games) Play(ctx context.Context) (*datasets.Manifest, error) {
	engine := anew(g.Engine)
	if err := steady(ctx, g.Game, engine); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%d random decisions, within %v by %s", g.Openings.Plies, g.Openings.Within, engine.ID())
	book, err := kept(filepath.Join(g.Dir, bookName), g.Game, g.Games, func() ([]string, error) {
		return g.Openings.book(ctx, g.Game, engine, g.Games, g.Seed, nil, g.Opened)
	})
	if err != nil {
		return nil, err
	}
	return selfplay.Run(ctx, selfplay.Config{
		Game: g.Game, Agents: []search.Factory{engine}, Episodes: g.Games, Seed: g.Seed, Workers: g.Workers, Progress: g.Played,
		Book: &selfplay.Book{Name: name, Positions: book}, EpisodesPerShard: gamesPerShard, Dir: filepath.Join(g.Dir, gamesName),
	})
}

// A killed run plays at most so many games again.
const (
	gamesPerShard = 32
	gamesName     = "games"
)

// anew is an engine started anew for each game, so that it remembers no other game.
func anew(f search.Factory) search.Factory {
	again := f
	again.New = func() (search.Agent, error) { return &starter{make: f.New}, nil }
	again.Unrepeatable = false // which steady has seen to
	return again
}

type starter struct {
	make  func() (search.Agent, error)
	agent search.Agent
	err   error
}

// Begin implements [search.Agent].
func (s *starter) Begin(seed uint64) {
	s.Close()
	if s.agent, s.err = s.make(); s.err == nil {
		s.agent.Begin(seed)
	}
}

// Search implements [search.Agent].
func (s *starter) Search(ctx context.Context, at game.State) (search.Result, error) {
	if s.agent == nil && s.err == nil {
		s.Begin(0)
	}
	if s.err != nil {
		return search.Result{Move: game.NoMove}, s.err
	}
	return s.agent.Search(ctx, at)
}

// Close implements io.Closer.
func (s *starter) Close() error {
	if s.agent != nil {
		search.Close(s.agent)
		s.agent = nil
	}
	return nil
}

// steadyPlies are as many as an engine has to answer alike.
const steadyPlies = 12

// steady has the engine play the first moves twice, and refuses one whose answers differ.
func steady(ctx context.Context, g *game.Game, engine search.Factory) error {
	var said [2][]string
	for i := range said {
		a, err := engine.New()
		if err != nil {
			return err
		}
		a.Begin(0)
		s := g.New()
		for ply := 0; ply < steadyPlies && s.Turn() >= 0; ply++ {
			r, err := a.Search(ctx, s)
			if err != nil {
				search.Close(a)
				return err
			}
			said[i] = append(said[i], fmt.Sprintf("%s (%v)", s.MoveString(r.Move), r.Value))
			s.Play(r.Move)
		}
		search.Close(a)
	}
	for ply := range min(len(said[0]), len(said[1])) {
		if said[0][ply] != said[1][ply] {
			return fmt.Errorf("%s: answers %s and then %s at ply %d of the same game: want nodes= or depth=, one thread and no book, so that it plays alike twice", engine.Name, said[0][ply], said[1][ply], ply)
		}
	}
	return nil
}

// errGeneral is that no share of the point tells how a game ended.
var errGeneral = errors.New("want a game of two whose utilities have a fixed sum")
