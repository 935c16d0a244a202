package selfplay

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/work"
)

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
