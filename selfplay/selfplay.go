package selfplay

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/search"
	"plyfit/work"
)

// check returns an error if the agent's results are not repeatable and must therefore not be stored
// in a data set.
func check(f search.Factory) error {
	if f.Unrepeatable {
		return fmt.Errorf("agent %s: the agent's answers differ from run to run; use one thread and no time limit", f.ID())
	}
	return nil
}

// Config specifies a data set to be created by self-play.
type Config struct {
	Game   *game.Game
	Agents []search.Factory // one per player, or a single agent for all players

	Episodes int
	Seed     uint64

	// Openings is the maximum number of random decisions at the start of an episode. Each episode
	// draws their number between 0 and Openings. The decisions are not recorded. In worlds without
	// chance, an opening that leads to the same position as an earlier one is replaced, so that no
	// two episodes start from the same position as long as unused positions can be found.
	Openings int
	// Explore is the probability (0 to 1) that the agent's move after the opening is replaced with
	// a random one. These decisions are recorded as explored.
	Explore float64

	// Book, if not nil, contains the initial positions of the episodes. Random openings are played
	// from there.
	Book *Book

	// Adjudicate is either empty or datasets.AdjudicateProven. In the latter case, an episode ends
	// as soon as the mover's search has proven its outcome. The proven position is not recorded,
	// unless the episode would otherwise have no records. If Adjudicate is empty, play continues
	// and the records are marked as proven. Nothing can be proven in worlds with chance moves, with
	// an adversary, or without a fixed sum of utilities.
	Adjudicate string

	Workers          int // number of episodes played in parallel, at least 1; does not affect the records
	EpisodesPerShard int // 0 means 256

	Dir      string
	Progress func(finished int) // called with the number of finished episodes, including those of earlier runs; may be nil
}

// usualShard is the default number of episodes per shard.
const usualShard = 256

func (cfg *Config) check() error {
	switch {
	case cfg.Episodes < 1:
		return fmt.Errorf("games=%d: want at least 1", cfg.Episodes)
	case len(cfg.Agents) != 1 && len(cfg.Agents) != cfg.Game.Players:
		return fmt.Errorf("%d agents for the %d players of %s; want one agent for each player, or one agent for all", len(cfg.Agents), cfg.Game.Players, cfg.Game.Spec)
	case cfg.Openings < 0:
		return fmt.Errorf("openings=%d: want at least 0", cfg.Openings)
	case !(cfg.Explore >= 0 && cfg.Explore <= 1):
		return fmt.Errorf("explore=%v: want a probability", cfg.Explore)
	case cfg.Book != nil && len(cfg.Book.Positions) < cfg.Episodes:
		return fmt.Errorf("book has %d positions; want one for each of %d games", len(cfg.Book.Positions), cfg.Episodes)
	case cfg.Adjudicate != "" && cfg.Adjudicate != datasets.AdjudicateProven:
		return fmt.Errorf("adjudicate=%s: want %s or nothing", cfg.Adjudicate, datasets.AdjudicateProven)
	case cfg.Book != nil:
		return cfg.Book.check(cfg.Game)
	}
	return nil
}

// Run creates the data set, or the missing part of it, and returns its manifest. If ctx is
// cancelled, complete shards are kept for the next run. Run returns an error if another process is
// working in the directory.
func Run(ctx context.Context, cfg Config) (*datasets.Manifest, error) {
	if cfg.Game == nil || len(cfg.Agents) == 0 {
		panic("selfplay: no game or no agents")
	}
	cfg.EpisodesPerShard = cmp.Or(cfg.EpisodesPerShard, usualShard)
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if !provable(cfg.Game) {
		cfg.Adjudicate = ""
	}
	plan := datasets.Plan{
		Game: cfg.Game.Spec, Openings: cfg.Openings, Explore: cfg.Explore, Seed: cfg.Seed,
		Episodes: cfg.Episodes, EpisodesPerShard: cfg.EpisodesPerShard,
		NewOpenings: cfg.Openings > 0 && !cfg.Game.Chancy(), Adjudicate: cfg.Adjudicate,
	}
	if cfg.Book != nil {
		plan.Book = cfg.Book.Name
	}
	for _, a := range cfg.Agents {
		if err := check(a); err != nil {
			return nil, err
		}
		plan.Agents = append(plan.Agents, a.ID())
	}
	players, drawn, err := newPlayers(&cfg, plan)
	if err != nil {
		return nil, err
	}
	return datasets.Fill(ctx, cfg.Dir, plan, func(ctx context.Context, missing *datasets.Missing) error {
		if n := len(missing.Shards); n > 0 && drawn != nil {
			_, drawn.end = plan.Span(missing.Shards[n-1])
		}
		return fill(ctx, players, plan, missing, func(job *work.Job) (work.Files, error) {
			files := work.Memory{}
			if err := search.Pack(job, files, cfg.Agents...); err != nil {
				return nil, err
			}
			return files, cfg.Book.pack(job, files)
		}, cfg.Progress)
	})
}

// newPlayers creates the pool for a plan and the openings that its workers share. The openings are
// nil if episodes need not start from different positions.
func newPlayers(cfg *Config, plan datasets.Plan) (*pool, *openings, error) {
	var drawn *openings
	if plan.NewOpenings {
		drawn = newOpenings(cfg, plan.Episodes)
	}
	c, err := newPool(plan, cfg.Workers, func() (source, error) { return newPlayer(cfg, drawn) })
	return c, drawn, err
}

// A source produces the records of episodes, one episode per call. Each worker has its own source.
type source interface {
	episode(ctx context.Context, e uint64) ([]datasets.Record, error)
}

type pool = work.Pool[source, []datasets.Record]

// newPool creates a pool with one source per worker. The units of the pool are shards, and their
// parts are episodes. newPool is called before the directory is created, so that nothing is left
// behind if an agent cannot be created.
func newPool(plan datasets.Plan, workers int, newSource func() (source, error)) (*pool, error) {
	c := &pool{Task: work.Task[source, []datasets.Record]{
		Parts: func(shard int) int {
			from, to := plan.Span(shard)
			return int(to - from)
		},
		Do: func(ctx context.Context, s source, shard, part int) ([]datasets.Record, error) {
			from, _ := plan.Span(shard)
			e := from + uint64(part)
			records, err := s.episode(ctx, e)
			if err != nil {
				return nil, fmt.Errorf("episode %d: %w", e, err)
			}
			return records, nil
		},
		Join: func(shard int, episodes [][]datasets.Record) ([]byte, error) {
			file, err := datasets.EncodeShard(slices.Concat(episodes...))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", datasets.ShardName(shard), err)
			}
			return file, nil
		},
	}}
	for range max(1, workers) {
		src, err := newSource()
		if err != nil {
			return nil, err
		}
		c.Workers = append(c.Workers, src)
	}
	return c, nil
}

// fill computes the missing shards with the pool. finished, if not nil, is called with the number
// of episodes that exist. Episodes computed by other processes are counted when their shard is
// complete. The function pack adds the files that other processes need to the plan's job and
// returns these files.
func fill(ctx context.Context, c *pool, plan datasets.Plan, missing *datasets.Missing, pack func(job *work.Job) (work.Files, error), finished func(int)) error {
	r := work.Run{Put: missing.Put, Units: missing.Shards}
	if work.ExecutorOf(ctx) != nil {
		var err error
		r.Job = plan.Job()
		if r.Files, err = pack(r.Job); err != nil {
			return err
		}
		r.Audit = &work.Audit{MostBytes: plan.MostBytes(), Check: func(_ context.Context, shard int, file []byte) error { return plan.Check(shard, file) }}
	}
	there := plan.Episodes
	for _, k := range missing.Shards {
		there -= c.Parts(k)
	}
	add := func(n int) {
		there += n
		if finished != nil {
			finished(there)
		}
	}
	add(0)
	if r.Job == nil {
		r.Part = func(int) { add(1) }
	} else {
		r.There = func(shard int) { add(c.Parts(shard)) }
	}
	return c.Run(ctx, r)
}

// provable reports whether the exact value of a search is a certain outcome. This is the case if
// the world has no chance moves and no adversary, and the utilities have a fixed sum, so that best
// play is well defined.
func provable(g *game.Game) bool {
	_, chance := game.As[game.Chancer](g.New())
	_, hostile := game.As[*game.Adversary](g.New())
	_, fixed := g.FixedSum()
	return !chance && !hostile && fixed
}

// openingTries is the number of attempts to draw an opening that does not end the game. If all of
// them fail, the episode begins at the start position.
const openingTries = 50

// openings provides the openings of all episodes before end. Players share them. They are drawn
// when get is called for the first time.
type openings struct {
	end uint64
	get func(context.Context) (*play.Distinct, error)
}

func newOpenings(cfg *Config, end int) *openings {
	o := &openings{end: uint64(end)}
	o.get = work.Once(func(ctx context.Context) (*play.Distinct, error) {
		p := &player{cfg: cfg, opening: cfg.opening()}
		return play.NewDistinct(ctx, o.end, func(e uint64) func() game.State {
			p.dice.Random, p.number = cfg.random(e), e
			return p.draw
		})
	})
	return o
}

// random returns the source of random numbers for episode e. The agents have seeds of their own.
func (c *Config) random(e uint64) *rand.Rand {
	seed := game.Seed(c.Seed, game.StreamEpisode, e)
	return rand.New(rand.NewPCG(seed, game.Mix(seed)))
}

// opening returns the configuration of random openings.
func (c *Config) opening() play.Opening {
	return play.Opening{Most: c.Openings, Tries: openingTries, MaxPlies: c.Game.MaxPlies}
}

// begin returns the initial position of episode e. again is true if an earlier attempt at the
// episode produced no records. p.opening contains the moves of the opening.
func (p *player) begin(e uint64, again bool) game.State {
	if p.distinct == nil {
		return p.draw()
	}
	return p.distinct.Draw(e, again, p.draw)
}

// draw returns the start position after some random decisions.
func (p *player) draw() game.State {
	s := p.cfg.start(p.number)
	p.opening.Draw(s, p.dice.Random) // leaves s unchanged if every attempt ended the game
	return s
}

// A Book is a list of initial positions: episode e starts from Positions[e].
type Book struct {
	// Name identifies the list in data sets. A longer list with the same name must begin with the
	// shorter one.
	Name      string
	Positions []string // in the game's notation; the game must not be over
}

// bookFile is the name by which a job refers to the positions of the book, encoded as JSON.
const bookFile = "book"

// check returns an error if episodes of g cannot start from the positions in the book.
func (b *Book) check(g *game.Game) error {
	if b.Name == "" {
		return fmt.Errorf("the book has no name; want a unique name")
	}
	for i, text := range b.Positions {
		s, err := g.Parse(text)
		if err != nil {
			return fmt.Errorf("book: position %d: %w", i+1, err)
		}
		if s.Turn() == game.Nobody {
			return fmt.Errorf("book: position %d: the game is over; want a position with legal moves", i+1)
		}
	}
	return nil
}

// start returns the initial position of episode e before any random decisions.
func (cfg *Config) start(e uint64) game.State {
	if cfg.Book == nil {
		return cfg.Game.New()
	}
	s, err := cfg.Game.Parse(cfg.Book.Positions[e])
	if err != nil {
		panic("selfplay: the book was not checked: " + err.Error())
	}
	return s
}

// pack adds the positions of the book to the files of a job. It does nothing if b is nil.
func (b *Book) pack(job *work.Job, files work.Memory) error {
	if b == nil {
		return nil
	}
	text, err := json.Marshal(b.Positions)
	if err == nil {
		job.Files[bookFile] = files.Add(text)
	}
	return err
}

// unpackBook returns the book of a job from another process, or nil if name is empty.
func unpackBook(name string, job *work.Job, files work.Files) (*Book, error) {
	if name == "" {
		return nil, nil
	}
	text, err := files.Read(job.Files[bookFile])
	if err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	b := &Book{Name: name}
	if err := json.Unmarshal(text, &b.Positions); err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	return b, nil
}
