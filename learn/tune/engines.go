package tune

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/game"
	"plyfit/internal/protocol"
	"plyfit/search"
	"plyfit/selfplay"
	"plyfit/work"
)

// engineField is the field for an engine that plays one of plyfit's games. Each stage has new
// openings that are balanced according to the starting weights.
type engineField struct {
	book  arena.Book // Plies and Within are settings; Match sets the other fields
	world *catalog.World
	dir   string
	seed  uint64
	books map[string][]string // openings by stage
	logf  func(format string, values ...any)
}

func (e *engineField) Match(ctx context.Context, stage string, pairs int, a, b *Candidate) (cfg arena.Config, err error) {
	cfg.Game = e.world.Game
	if cfg.A, err = e.agent(a); err != nil {
		return cfg, err
	}
	if cfg.B, err = e.agent(b); err != nil {
		return cfg, err
	}
	stream := uint64(streamRace)
	if stage == confirmStage {
		stream = streamConfirm
	}
	if e.books[stage] == nil {
		e.logf("drawing %d openings for stage %s", pairs, stage)
		b := e.book
		b.Game, b.Agent, b.Size, b.Seed, b.Skip = cfg.Game, cfg.B, pairs, game.Seed(e.seed, stream), e.books[raceStage]
		e.books[stage], err = b.Keep(ctx, filepath.Join(e.dir, stage+"-"+bookName))
	}
	cfg.Openings.Positions = e.books[stage]
	return cfg, err
}

// agent returns the candidate's engine.
func (e *engineField) agent(c *Candidate) (search.Factory, error) {
	a, err := e.world.Agent(c.made.Spec, catalog.AgentOptions{})
	if err != nil {
		return search.Factory{}, err
	}
	a.Identity, a.Name = a.ID(), c.Name
	return a.Factory, nil
}

// Referee returns the field for a program that plays games by itself; see [protocol.Referee]. The
// caller must call end to stop the program.
func Referee(command string, oneGame, difference bool, timeout time.Duration) (f Field, end func(), err error) {
	r := &protocol.Referee{Command: command, Single: oneGame, Difference: difference, Timeout: timeout}
	return refereeField{r}, r.Close, r.Check()
}

type refereeField struct{ *protocol.Referee }

func (f refereeField) Match(_ context.Context, _ string, _ int, a, b *Candidate) (cfg arena.Config, err error) {
	play, digests, err := f.Between(a.Weights, b.Weights)
	cfg.Game = &game.Game{Spec: "referee " + f.Command}
	cfg.A = search.Factory{Name: a.Name, Identity: a.Name + " " + digests[0]}
	cfg.B = search.Factory{Name: b.Name, Identity: b.Name + " " + digests[1]}
	cfg.Referee = func() (arena.Referee, error) { return play(), nil }
	return cfg, err
}

// Games lets an engine play games against itself.
type Games struct {
	Game    *game.Game
	Engine  search.Factory // must be limited by nodes or depth, so that games are reproducible
	Book    arena.Book     // Plies and Within apply to the openings; each game has its own opening
	Games   int
	Seed    uint64
	Workers int    // number of games played in parallel; 0 means 1; does not affect the result
	Dir     string // directory for the openings and the data set; running the same Games again resumes from it
	// Played, if not nil, is called with the number of finished games. Book.Progress is called with
	// the number of openings found.
	Played func(games int)
}

// bookName is the name of the opening file.
const bookName = "openings.txt"

// Play plays the games that are missing from g.Dir and returns the data set's manifest.
func (g Games) Play(ctx context.Context) (*datasets.Manifest, error) {
	engine, err := selfplay.Repeatable(ctx, g.Game, g.Engine)
	if err != nil {
		return nil, err
	}
	b := g.Book
	b.Game, b.Agent, b.Size, b.Seed = g.Game, g.Engine, g.Games, g.Seed // the agent is shared by all workers, because some engines are slow to start
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

// gamesPerShard is the number of games in a shard. If a run is interrupted, unfinished shards are
// played again.
const gamesPerShard = 32

// GamesName is the name of the data set's directory in Games.Dir.
const GamesName = "games"
