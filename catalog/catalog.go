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
	"plyfit/game/rules"
	"plyfit/internal/spec"
	"plyfit/internal/text"
	"plyfit/search"
)

// An Entry describes a game for the commands.
type Entry struct {
	Name  string
	Title string // title such as "Connect four"; if empty, the capitalised Name is used

	// New creates the game with the user's options. It must query every key that it supports and
	// return o.Err().
	New func(o *game.Options) (*game.Game, error)

	// Models contains handwritten/NAME.json and learned/NAME.json, if they exist. It may be nil.
	Models fs.FS

	// Profile contains the feature sets and the recipe, which are provided by the game's feature
	// package.
	features.Profile

	// Agents contains the kinds of agents that only this game has, by name. Each function reads its
	// options, returns o.Err() if it is not nil, and otherwise returns a function that creates
	// agents.
	Agents map[string]func(o *game.Options) (make func() (search.Agent, error), err error)

	// Rules is the program with the rules of the game, or nil if the game is in the catalog.
	Rules *rules.Rules

	kinds    []Kind    // kinds added by Catalog.WithKinds
	access   *Access   // nil if there are no restrictions
	attached attached  // files that came with a job from another process
	known    *sync.Map // maps "GAME DIGEST" to *models.File, for games whose nature can follow a policy, and commands and specs of rules to *Entry
	lost     func(err error)
}

// Heading returns the title of the game.
func (e *Entry) Heading() string {
	return cmp.Or(e.Title, strings.ToUpper(e.Name[:1])+e.Name[1:])
}

// A Catalog is a list of games.
type Catalog []Entry

// With returns a copy of c with additional games.
func (c Catalog) With(more ...Entry) Catalog {
	all := append(c[:len(c):len(c)], more...).clone()
	for i := len(c); i < len(all) && i > 0; i++ {
		all[i].kinds = c[0].kinds
	}
	return all
}

// clone returns a copy of c whose entries share a map of known models.
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

// Speaking returns the sorted names of the games that support a protocol with their default
// options.
func (c Catalog) Speaking(protocol string) (names []string) {
	for _, e := range c {
		if e.speaks(protocol) {
			names = append(names, e.Name)
		}
	}
	sort.Strings(names)
	return names
}

// speaks reports whether the game supports a protocol with its default options. All games support
// the empty protocol.
func (e *Entry) speaks(protocol string) bool {
	if protocol == "" {
		return true
	}
	g, err := e.New(game.NewOptions(e.Name))
	return err == nil && g.Dialect(protocol) != nil
}

// Entry returns the game with the given name.
func (c Catalog) Entry(name string) (*Entry, error) {
	var names []string
	for i := range c {
		if c[i].Name == name {
			return &c[i], nil
		}
		names = append(names, c[i].Name)
	}
	sort.Strings(names)
	if strings.HasPrefix(name, rulesName+"-") {
		return nil, fmt.Errorf("the rules of %s are in an external program; want rules:cmd=(PROGRAM) as the game, or as --game for a model", name)
	}
	if err := spec.Gone("game", name); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("unknown game %q: want one of %s%s", name, strings.Join(names, ", "), text.Hint(name, names))
}

// entry returns the game with the name in a spec, or the one whose rules are in a program.
func (c Catalog) entry(s game.Spec) (*Entry, error) {
	if s.Name == rulesName {
		return c.rules(s.Options)
	}
	return c.Entry(s.Name)
}

// A World is a game with the user's options and wrappers.
type World struct {
	*game.Game
	Entry *Entry

	attached []attachment // models of nature's policy
}

// World parses the spec of a game: NAME[:key=value,...][+slip=P][+adversary].
//
// The Spec of the result must be meaningful on other machines. It therefore contains the contents
// of files instead of their paths, such as the rows of a pacman layout or the digest of a model in
// nature's policy. World finds a model with a given digest among the models read with this catalog
// and the shipped ones.
func (c Catalog) World(text string) (*World, error) { return c.world(text, false) }

// Recorded is like [Catalog.World] but is intended for reading recorded games. If nature's policy
// refers to a model by a digest that is not available, positions, moves and utilities can still be
// used, but querying the probability of a chance move panics. Until November 2026, games that
// depend on a file were recorded with its path. If such a file is missing, the error says so.
func (c Catalog) Recorded(text string) (*World, error) {
	w, err := c.world(text, true)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the recorded path is that of a file that does not exist: %w; newer data sets include the contents of the file", err)
	}
	return w, err
}

func (c Catalog) world(text string, recorded bool) (*World, error) {
	s, err := game.ParseSpec(text)
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	if len(c) > 0 {
		if err := c[0].access.length(text); err != nil {
			return nil, fmt.Errorf("game: %w", err)
		}
	}
	e, err := c.entry(s)
	if err != nil {
		return nil, err
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

// Sets returns the game's feature sets, the default first. If the game has a board of cells, its
// own sets are followed by the automatic set of tables, both alone and combined with the terms of
// the default set.
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

// own returns the feature sets defined by the game's author.
func (w *World) own() []features.Set {
	if w.Entry.Sets == nil {
		return nil
	}
	return w.Entry.Sets(w.Base())
}

// Set returns the feature set with the given name, or the default set if name is empty.
func (w *World) Set(name string) (features.Set, error) {
	for _, s := range w.own() { // creating the automatic sets takes milliseconds
		if name == "" || s.Name() == name {
			return s, nil
		}
	}
	sets := w.Sets()
	switch {
	case len(sets) == 0:
		return nil, fmt.Errorf("%s has no feature set, and no board of cells from which a feature set could be derived", w.Name)
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
	return nil, fmt.Errorf("unknown feature set %q for %s; want one of %s", name, w.Name, strings.Join(names, ", "))
}

// Ships reports whether a model of the given kind, "handwritten" or "learned", is shipped with the
// game.
func (e *Entry) Ships(kind string) bool { return e.has(kind + "/" + e.Name + ".json") }

func (e *Entry) has(path string) bool {
	if e.Models == nil {
		return false
	}
	_, err := fs.Stat(e.Models, path)
	return err == nil
}
