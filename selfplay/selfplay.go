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

// check is an error for agents that make no data sets.
func check(f search.Factory) error {
	if f.Unrepeatable {
		return fmt.Errorf("agent %s: its answers differ from run to run: want no limit by time and one thread", f.ID())
	}
	return nil
}

// Config is a data set to be made.
type Config struct {
	Game   *game.Game
	Agents []search.Factory // by seat; one plays in all seats

	Episodes int
	Seed     uint64

	// Openings is the most decisions drawn uniformly at the beginning of an episode; each episode
	// draws how many, 0 to Openings. They are not recorded. In worlds without chance no two
	// episodes begin at the same position, as long as there are others: where an opening was had
	// before, another is drawn. Explore is the probability, from 0 to 1, of a random move in place
	// of the agent's afterwards; those decisions are recorded as explored.
	Openings int
	Explore  float64

	// Book, if it is not nil, is where episodes begin in place of the game's start;
	// Openings are drawn from there.
	Book *Book

	// Adjudicate is datasets.AdjudicateProven to end an episode, with the outcome
	// that is certain, where the mover's search has proven it; that position is
	// not recorded. "" plays on, and such records say that they are proven.
	// Nothing is proven where nature has a hand, nor with three players or more.
	Adjudicate string

	Workers          int // episodes played at the same time; 0: one. Never changes the records
	EpisodesPerShard int // 0: 256

	Dir      string
	Progress func(finished int) // told of each episode's end, the resumed ones at once; nil: none
}

// usualShard is how many episodes a shard has where no one says.
const usualShard = 256

func (cfg *Config) check() error {
	switch {
	case cfg.Episodes < 1:
		return fmt.Errorf("games=%d: want at least 1", cfg.Episodes)
	case len(cfg.Agents) != 1 && len(cfg.Agents) != cfg.Game.Players:
		return fmt.Errorf("%d agents for the %d players of %s: want one for each, or one for all", len(cfg.Agents), cfg.Game.Players, cfg.Game.Spec)
	case cfg.Openings < 0:
		return fmt.Errorf("openings=%d: want at least 0", cfg.Openings)
	case !(cfg.Explore >= 0 && cfg.Explore <= 1):
		return fmt.Errorf("explore=%v: want a probability", cfg.Explore)
	case cfg.Book != nil && len(cfg.Book.Positions) < cfg.Episodes:
		return fmt.Errorf("book of %d positions: want one for each of %d games", len(cfg.Book.Positions), cfg.Episodes)
	case cfg.Adjudicate != "" && cfg.Adjudicate != datasets.AdjudicateProven:
		return fmt.Errorf("adjudicate=%s: want %s or nothing", cfg.Adjudicate, datasets.AdjudicateProven)
	case cfg.Book != nil:
		return cfg.Book.check(cfg.Game)
	}
	return nil
}

// Run makes the data set, or what is missing of it, and returns its manifest. When ctx ends first,
// whole shards are kept for the next run. A folder in which another process is at work is refused.
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

// newPlayers makes the pool of a plan, and the openings that it shares; nil, where
// each episode begins as it likes.
func newPlayers(cfg *Config, plan datasets.Plan) (*pool, *openings, error) {
	var drawn *openings
	if plan.NewOpenings {
		drawn = newOpenings(cfg, plan.Episodes)
	}
	c, err := newPool(plan, cfg.Workers, func() (source, error) { return newPlayer(cfg, drawn) })
	return c, drawn, err
}

// source makes the records of one episode; it belongs to one worker.
type source interface {
	episode(ctx context.Context, e uint64) ([]datasets.Record, error)
}

type pool = work.Pool[source, []datasets.Record]

// newPool makes one source for each worker. It comes before the folder is
// touched, so that an agent that cannot be made leaves nothing behind. A unit of
// the pool's work is a shard, a part of it an episode.
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

// fill has the pool make the missing shards; finished is called with how many of the
// episodes there are, those that other processes make once their shard
// is whole. pack makes of the plan's job what other processes need to do it.
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

// provable reports whether a search's exact value is a certain outcome: nature has
// no hand in the world, and best play is the same thing for all, as in a game of
// one or of two whose utilities have a fixed sum.
func provable(g *game.Game) bool {
	_, chance := game.As[game.Chancer](g.New())
	_, hostile := game.As[*game.Adversary](g.New())
	_, fixed := g.FixedSum()
	return !chance && !hostile && fixed
}

// openingTries is how often an opening that ends the game is drawn again before
// the episode begins at the start.
const openingTries = 50

// openings are those of all episodes before end, which players share. They are drawn
// once, when get is first called.
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

// random is where the random choices of episode e come from.
func (c *Config) random(e uint64) *rand.Rand {
	seed := game.Seed(c.Seed, game.StreamEpisode, e)
	return rand.New(rand.NewPCG(seed, game.Mix(seed)))
}

// opening is how the episodes begin.
func (c *Config) opening() play.Opening {
	return play.Opening{Most: c.Openings, Tries: openingTries, MaxPlies: c.Game.MaxPlies}
}

// begin is the position that episode e begins at; again says that another
// beginning of it was found wanting. Its plies are those of p.opening.
func (p *player) begin(e uint64, again bool) game.State {
	if p.distinct == nil {
		return p.draw()
	}
	return p.distinct.Draw(e, again, p.draw)
}

// draw is the start of the episode after some random decisions.
func (p *player) draw() game.State {
	s := p.cfg.start(p.number)
	p.opening.Draw(s, p.dice.Random) // the start itself where every try ended the game
	return s
}

// Book is a list of positions that episodes begin at, the first at the first and so on.
type Book struct {
	// Name says in the data set which list it is: a longer one of the same name begins
	// with a shorter one.
	Name      string
	Positions []string // at which someone has to move
}

// bookFile is what a job calls the positions, as JSON.
const bookFile = "book"

// check is an error for a book that no episode of g can begin with.
func (b *Book) check(g *game.Game) error {
	if b.Name == "" {
		return fmt.Errorf("book without a name: want one that tells it from others")
	}
	for i, text := range b.Positions {
		s, err := g.Parse(text)
		if err != nil {
			return fmt.Errorf("book: position %d: %w", i+1, err)
		}
		if s.Turn() == game.Nobody {
			return fmt.Errorf("book: position %d: the game is over: want a position to play from", i+1)
		}
	}
	return nil
}

// start is where episode e begins before random decisions.
func (cfg *Config) start(e uint64) game.State {
	if cfg.Book == nil {
		return cfg.Game.New()
	}
	s, err := cfg.Game.Parse(cfg.Book.Positions[e])
	if err != nil {
		panic("selfplay: a book that was not checked: " + err.Error())
	}
	return s
}

// pack puts the positions of a book, nil for none, among the files of a job.
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

// unpackBook is the book of a job from another process; nil: it has none.
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
