//go:build !js

package catalog

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	frules "plyfit/features/rules"
	"plyfit/game"
	"plyfit/game/rules"
	"plyfit/internal/program"
	"plyfit/models"
)

// rules returns the game whose rules are in the program that the options name. The options are
// cmd=PROGRAM and timeout=DURATION. The option game identifies the rules; without cmd, it selects a
// program that has been named before.
func (c Catalog) rules(o *game.Options) (*Entry, error) {
	if len(c) == 0 {
		return nil, fmt.Errorf("unknown game %q", rulesName)
	}
	command, timeout := o.String("cmd", ""), o.Duration("timeout", 0)
	id := rules.Spec(o.String("game", ""))
	if err := o.Err(); err != nil {
		return nil, err
	}
	of := c[0]
	if a := of.access; a != nil && (command != "" && !a.Rules || a.Repeatable) {
		return nil, a.noPrograms("rules:cmd=(" + command + ")")
	} else if a != nil && a.Limits.Time > 0 && timeout > a.Limits.Time {
		return nil, refused(fmt.Sprintf("timeout=%v", timeout), fmt.Sprintf("at most %v here", a.Limits.Time))
	}
	key := fmt.Sprintf("rules %s %v", command, timeout)
	if command == "" {
		key = id
	}
	if e, ok := of.known.Load(key); ok {
		return of.same(e.(*Entry), o, id)
	}
	switch {
	case command == "" && o.Has("game"):
		return nil, fmt.Errorf("%s: the rules are in an external program, which must be named; want rules:cmd=(PROGRAM) as the game, or as --game for a data set or a model", id)
	case command == "":
		return nil, errors.New("rules: want cmd=PROGRAM, such as rules:cmd=(python3 game.py)")
	}
	found, err := program.ReadCommand(command)
	if err != nil {
		return nil, fmt.Errorf("rules: cmd=%s: %w", command, err)
	}
	r, err := rules.New(rules.Source{Program: append([]string{found.Path}, found.Args...), Timeout: timeout, Lost: of.lost})
	if err != nil {
		return nil, err
	}
	g := r.Game()
	e := &Entry{
		Name: g.Name, Title: strings.ToUpper(r.Name[:1]) + r.Name[1:], Profile: frules.Profile, Rules: r,
		New:   func(o *game.Options) (*game.Game, error) { return g, nil },
		known: of.known, lost: of.lost,
	}
	if e.Models, err = handwritten(r); err != nil {
		return nil, err
	}
	of.known.Store(key, e)
	of.known.Store(g.Spec, e)
	return of.same(e, o, id)
}

// same returns a copy of known with the agents and the access of e, a game of the same catalog. It
// returns an error if the options identify other rules.
func (e *Entry) same(known *Entry, o *game.Options, id string) (*Entry, error) {
	if own := rules.Spec(known.Rules.ID); o.Has("game") && own != id {
		return nil, fmt.Errorf("the program has the rules %s, not %s: want a program with the same rules", own, id)
	}
	own := *known
	own.kinds, own.access, own.attached = e.kinds, e.access, e.attached
	return &own, nil
}

// handwritten returns a file system that contains the program's own weights as the hand-written
// model. It is nil if the program has none.
func handwritten(r *rules.Rules) (fs.FS, error) {
	if len(r.Weights) == 0 {
		return nil, nil
	}
	f := models.File{Game: r.Game().Name, Features: frules.Name}
	if f.Link.Kind = models.Identity; r.Players > 1 {
		f.Link.Kind = models.Tanh
	}
	for i, name := range r.Terms() {
		f.Terms = append(f.Terms, models.NamedWeight{Name: name, Weight: r.Weights[i]})
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	text, err := f.Bytes()
	if err != nil {
		return nil, err
	}
	w, err := z.Create("handwritten/" + f.Game + ".json")
	if err == nil {
		_, err = w.Write(text)
	}
	if err = errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
}
