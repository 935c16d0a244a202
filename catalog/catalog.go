package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"
	"sync"

	"plyfit/features"
	"plyfit/features/tuples"
	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/internal/text"
	"plyfit/search"
)

// Entry is a game as the commands need it.
type Entry struct {
	Name  string
	Title string // as people write it: "Connect four"; "" is Name, with a capital letter

	// New makes the game with the user's options; it asks for each known key and returns o.Err().
	New func(o *game.Options) (*game.Game, error)

	// Models holds handwritten/NAME.json and learned/NAME.json if present; nil: neither.
	Models fs.FS

	// Profile is what its feature package knows of it: feature sets, recipe.
	features.Profile

	// Agents are kinds of agents that play this game alone, by name. Each reads
	// its options, returns o.Err() where that is not nil, and makes agents.
	Agents map[string]func(o *game.Options) (make func() (search.Agent, error), err error)

	kinds    []Kind    // of agents that the catalog was given
	access   *Access   // of who names it; nil: the user who runs the command, who may everything
	attached attached  // with a job of another process
	known    *sync.Map // string to *models.File: of games whose nature may follow a policy, by game and digest
}

// Heading is the game's title.
func (e *Entry) Heading() string {
	return cmp.Or(e.Title, strings.ToUpper(e.Name[:1])+e.Name[1:])
}

// Catalog is a list of games.
type Catalog []Entry

// With is c and more games.
func (c Catalog) With(more ...Entry) Catalog {
	all := append(c[:len(c):len(c)], more...).clone()
	for i := len(c); i < len(all) && i > 0; i++ {
		all[i].kinds = c[0].kinds
	}
	return all
}

// clone is c in a list of its own, whose entries know of each other's models.
func (c Catalog) clone() Catalog {
	c = slices.Clone(c)
	known := new(sync.Map)
	for i := range c {
		if c[i].known == nil {
			c[i].known = known
		}
	}
	return c
}

// Speaking are the names of the games that have a dialect of a protocol, sorted, as
// they are played unless options say otherwise.
func (c Catalog) Speaking(protocol string) (names []string) {
	for _, e := range c {
		if e.speaks(protocol) {
			names = append(names, e.Name)
		}
	}
	sort.Strings(names)
	return names
}

// speaks reports whether the game has a dialect of a protocol, as it is played
// unless options say otherwise; "" is none, which all games have.
func (e *Entry) speaks(protocol string) bool {
	if protocol == "" {
		return true
	}
	g, err := e.New(game.NewOptions(e.Name))
	return err == nil && g.Dialect(protocol) != nil
}

// Entry finds a game by name.
func (c Catalog) Entry(name string) (*Entry, error) {
	var names []string
	for i := range c {
		if c[i].Name == name {
			return &c[i], nil
		}
		names = append(names, c[i].Name)
	}
	sort.Strings(names)
	return nil, fmt.Errorf("unknown game %q: want one of %s%s", name, strings.Join(names, ", "), text.Hint(name, names))
}

// World is a game as a user asked for it, wrappers included.
type World struct {
	*game.Game
	Entry *Entry

	attached []attachment // what nature's policy is made of
}

// World reads a game's spec: NAME[:key=value,...][+slip=P][+adversary].
//
// Its Spec, which another machine must understand, holds files' contents instead of their paths:
// the rows of a layout of pacman, the digest of a model of nature's policy. World finds that model
// among those read with this catalog and those shipped.
func (c Catalog) World(text string) (*World, error) { return c.world(text, false) }

// Recorded is [Catalog.World] for reading records of a game: if nature's policy names a model by a
// digest that is not at hand, positions, moves and utilities still work, but asking for a
// probability of nature's moves panics. Until November 2026 games made of a file were recorded by
// its path; if that file is gone, the error says so.
func (c Catalog) Recorded(text string) (*World, error) {
	w, err := c.world(text, true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("recorded by the path of a file that is not there: %w; data sets that are made now keep what is in it", err)
	}
	return w, err
}

func (c Catalog) world(text string, recorded bool) (*World, error) {
	s, err := game.ParseSpec(text)
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	e, err := c.Entry(s.Name)
	if err != nil {
		return nil, err
	}
	if err := e.access.length(text); err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	s.Options.ReadFiles(e.readFile)
	follow := e.nature(s.Options, recorded)
	w := &World{Entry: e}
	w.Game, err = e.New(s.Options)
	if err == nil && follow != nil {
		err = follow(w)
	}
	if err != nil {
		return nil, fmt.Errorf("game %w", err)
	}
	if w.Game, err = s.Wrap(w.Game); err != nil {
		return nil, fmt.Errorf("game %w", err)
	}
	return w, nil
}

// Sets are the game's feature sets, the default first: its own and, for a board of cells, the
// automatic set of tables, alone and after the default's terms.
func (w *World) Sets() []features.Set {
	sets := w.own()
	if tuples.Suits(w.Base()) {
		own := sets
		sets = append(sets, tuples.Set(w.Base()))
		if len(own) > 0 {
			if joined := tuples.Joined(w.Base(), own[0]); joined != nil {
				sets = append(sets, joined)
			}
		}
	}
	return sets
}

// own are the sets that the game's author gave it.
func (w *World) own() []features.Set {
	if w.Entry.Sets == nil {
		return nil
	}
	return w.Entry.Sets(w.Base())
}

// Set finds one of the game's feature sets by name; "" is the default.
func (w *World) Set(name string) (features.Set, error) {
	for _, s := range w.own() { // the automatic ones take milliseconds to make
		if name == "" || s.Name() == name {
			return s, nil
		}
	}
	sets := w.Sets()
	switch {
	case len(sets) == 0:
		return nil, fmt.Errorf("%s has neither a feature set nor a board of cells of which one makes itself", w.Name)
	case name == "":
		return sets[0], nil
	}
	names := make([]string, len(sets))
	for i, s := range sets {
		if s.Name() == name {
			return s, nil
		}
		names[i] = s.Name()
	}
	if err := spec.Gone("features", name); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("unknown feature set %q of %s: want one of %s", name, w.Name, strings.Join(names, ", "))
}

// Ships reports whether a "handwritten" or "learned" model comes with the game.
func (e *Entry) Ships(kind string) bool { return e.has(kind + "/" + e.Name + ".json") }

func (e *Entry) has(path string) bool {
	if e.Models == nil {
		return false
	}
	_, err := fs.Stat(e.Models, path)
	return err == nil
}
