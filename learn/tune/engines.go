package tune

import (
	"context"
	"path/filepath"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/search"
)

// engineField is the field of a game that plyfit knows: each stage has openings that the start finds
// balanced, and that no stage before it had.
type engineField struct {
	Openings
	world *catalog.World
	dir   string
	seed  uint64
	books map[string][]string // by stage
	tell  func(format string, values ...any)
}

// Match implements [Field].
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
		e.books[stage], err = kept(filepath.Join(e.dir, stage+"-"+bookName), e.world.Game, pairs, func() ([]string, error) {
			e.tell("draws %d openings to %s from", pairs, stage)
			return e.book(ctx, e.world.Game, cfg.B, pairs, game.Seed(e.seed, stream), e.books[raceStage], nil)
		})
	}
	cfg.Openings.Positions = e.books[stage]
	return cfg, err
}

// agent is the engine of a candidate.
func (e *engineField) agent(c *Candidate) (search.Factory, error) {
	a, err := e.world.Agent(c.engine.spec, catalog.AgentOptions{})
	if err != nil {
		return search.Factory{}, err
	}
	return a.Factory, nil
}
