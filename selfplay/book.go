package selfplay

import (
	"encoding/json"
	"fmt"

	"plyfit/game"
	"plyfit/work"
)

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
