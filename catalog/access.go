package catalog

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/list"
)

// Access limits what a named game or agent may do with this machine. The zero value names what is
// shipped and nothing else: it starts no program and opens no file. A catalog as made belongs to
// the user who runs the command, and may do everything; [Catalog.For] restricts it for others.
type Access struct {
	Programs bool   // agents may be programs of others
	Allow    string // what would allow them, for the refusal; "": nothing
	Files    bool   // models, strategies and layouts may be any regular files
	Folder   string // model files in this folder may be named where Files is false; "": none
	// Repeatable requires agents that play alike everywhere: no time limits, one thread, no
	// programs.
	Repeatable bool
	Limits     Limits
}

// Limits are the most that a spec may ask for, nested agents included; 0: no limit.
type Limits struct {
	Length    int           // bytes of a spec
	Agents    int           // in one spec, the one around them counted
	Depth     int           // of a search, in decisions
	Megabytes int           // of one transposition table
	Samples   int           // playouts, or positions drawn
	Threads   int           // of one search
	Time      time.Duration // of one search or one answer of a program
	Browser   bool          // the program runs in a browser: the computer's levels search less
}

// For is c for those who have no more than that access: what goes beyond it is refused
// with a [RefusedError] before an agent is made.
func (c Catalog) For(a Access) Catalog {
	c = c.clone()
	for i := range c {
		c[i].access = &a
	}
	return c
}

// RefusedError says what in a spec goes beyond the [Access] of who wrote it.
type RefusedError struct {
	Spec string // what was asked for
	Want string // what is allowed in its place
}

func (e *RefusedError) Error() string { return e.Spec + ": want " + e.Want }

func refused(text, want string) error {
	const shown = 200
	if len(text) > shown {
		text = text[:shown] + "..."
	}
	return &RefusedError{text, want}
}

// length refuses a spec that is too long to be read.
func (a *Access) length(text string) error {
	if a == nil || a.Limits.Length == 0 || len(text) <= a.Limits.Length {
		return nil
	}
	return refused(text, fmt.Sprintf("a spec of at most %d bytes, not of %d", a.Limits.Length, len(text)))
}

// permit refuses an agent's kind or key beyond the access. Specs nested in a key are read, and so
// refused, by themselves. A key not in the table of kinds is refused, too, since its effect is
// unknown.
func (a *Access) permit(e *Entry, text string, k *Kind, o *game.Options) error {
	if a == nil {
		return nil
	}
	if k.startsPrograms() && !a.Programs {
		want := "no program of others, which are not allowed here"
		if a.Allow != "" {
			want += " without " + a.Allow
		}
		return refused(text, want)
	}
	for name, value := range o.All() {
		key := k.key(name)
		if key == nil {
			names := list.Map(k.Keys, func(key Key) string { return key.Name })
			return refused(fmt.Sprintf("%s: key %q", text, name), strings.Join(append(names, "no other"), ", "))
		}
		if err := a.permitKey(e, key, value); err != nil {
			return err
		}
	}
	return nil
}

func (a *Access) permitKey(e *Entry, key *Key, value string) error {
	said := key.Name + "=" + value
	most := func(limit int, unit string) error {
		if n, err := strconv.Atoi(value); limit > 0 && err == nil && n > limit {
			return refused(said, fmt.Sprintf("at most %d%s here", limit, unit))
		}
		return nil
	}
	switch key.Type {
	case aDepth:
		return most(a.Limits.Depth, "")
	case aMemory:
		return most(a.Limits.Megabytes, " megabytes")
	case aSample:
		return most(a.Limits.Samples, "")
	case aThread:
		return most(a.Limits.Threads, "")
	case aDuration:
		if d, err := time.ParseDuration(value); a.Limits.Time > 0 && err == nil && d > a.Limits.Time {
			return refused(said, fmt.Sprintf("at most %v here", a.Limits.Time))
		}
	case aFile:
		if !a.Files && e.attached[value] == nil {
			return refused(said, "no file, which may not be named here")
		}
	}
	return nil // programs, by their kind; models, where their names are resolved; agents, by themselves
}

func (e *Entry) limits() Limits {
	if e.access == nil {
		return Limits{}
	}
	return e.access.Limits
}

// MayRead reports whether who asks may name this file of a model.
func (e *Entry) MayRead(path string) bool {
	a := e.access
	if a == nil || a.Files {
		return true
	}
	return a.Folder != "" && disk.Within(a.Folder, path)
}

// isFile reports whether a name is that of a file that who asks may name.
func (e *Entry) isFile(name string) bool {
	if !e.MayRead(name) {
		return false
	}
	_, err := os.Stat(name)
	return err == nil
}

// largest is the most bytes of a file that a spec names: a layout, or the strategy of a
// game that is small enough to be solved.
const largest = 64 << 20

// readFile reads a file that the options of a game or an agent name, by [Access.Files].
func (e *Entry) readFile(path string) ([]byte, error) {
	if e.access != nil && !e.access.Files {
		return nil, refused(path, "no file, which may not be named here")
	}
	return disk.Read(path, largest)
}
