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

// Access restricts what the spec of a game or an agent may use on this machine. The zero value
// permits only what is shipped with plyfit: no programs and no files. A new catalog belongs to the
// user who runs the command and has no restrictions. Use [Catalog.For] to restrict it for other
// users.
type Access struct {
	Programs bool   // whether external programs are allowed as agents
	Rules    bool   // whether an external program may be the rules of a game
	Allow    string // how to allow programs, for error messages; may be empty
	Files    bool   // whether any regular file is allowed as a model, strategy or layout
	Folder   string // directory of model files that are allowed even if Files is false; may be empty
	// Repeatable requires agents that play identically on every machine: no time limits, a single
	// thread and no external programs.
	Repeatable bool
	Limits     Limits
}

// Limits contains upper limits for a spec, including nested agents. 0 means no limit.
type Limits struct {
	Length    int           // of a spec, in bytes
	Agents    int           // in a spec, including the outermost one
	Depth     int           // of a search, in decisions
	Megabytes int           // of a transposition table
	Samples   int           // playouts or sampled positions
	Threads   int           // of a search
	Time      time.Duration // of a search or of a program's answer
	Browser   bool          // whether the program runs in a browser, so that the computer's levels search less
}

// For returns a copy of c with restricted access. Specs that exceed it are rejected with a
// [RefusedError] before an agent is created.
func (c Catalog) For(a Access) Catalog {
	c = c.clone()
	for i := range c {
		c[i].access = &a
	}
	return c
}

// A RefusedError reports the part of a spec that exceeds its author's [Access].
type RefusedError struct {
	Spec string // rejected spec, or the rejected part of a spec
	Want string // description of what is allowed instead
}

func (e *RefusedError) Error() string { return e.Spec + ": want " + e.Want }

func refused(text, want string) error {
	const shown = 200
	if len(text) > shown {
		text = text[:shown] + "..."
	}
	return &RefusedError{text, want}
}

// length returns an error if the spec is too long.
func (a *Access) length(text string) error {
	if a == nil || a.Limits.Length == 0 || len(text) <= a.Limits.Length {
		return nil
	}
	return refused(text, fmt.Sprintf("a spec of at most %d bytes, not %d", a.Limits.Length, len(text)))
}

// permit returns an error if the kind of an agent or one of its keys exceeds the access. Specs
// nested in a key are checked separately. A key that is not in the table of kinds is also rejected,
// because its effect is unknown.
func (a *Access) permit(e *Entry, text string, k *Kind, o *game.Options) error {
	if a == nil {
		return nil
	}
	if k.startsPrograms() && !a.Programs {
		return a.noPrograms(text)
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

// noPrograms returns the error for a spec that names a program.
func (a *Access) noPrograms(text string) error {
	want := "no external program, which is not allowed here"
	if a.Allow != "" {
		want += " without " + a.Allow
	}
	return refused(text, want)
}

func (a *Access) permitKey(e *Entry, key *Key, value string) error {
	option := key.Name + "=" + value
	most := func(limit int, unit string) error {
		if n, err := strconv.Atoi(value); limit > 0 && err == nil && n > limit {
			return refused(option, fmt.Sprintf("at most %d%s here", limit, unit))
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
			return refused(option, fmt.Sprintf("at most %v here", a.Limits.Time))
		}
	case aFile:
		if !a.Files && e.attached[value] == nil {
			return refused(option, "no file name, because files are not allowed here")
		}
	}
	return nil // programs are checked by kind, models when their names are resolved, and agents separately
}

func (e *Entry) limits() Limits {
	if e.access == nil {
		return Limits{}
	}
	return e.access.Limits
}

// MayRead reports whether the catalog's access allows the model file at path to be used.
func (e *Entry) MayRead(path string) bool {
	a := e.access
	if a == nil || a.Files {
		return true
	}
	return a.Folder != "" && disk.Within(a.Folder, path)
}

// isFile reports whether name is the path of an existing file that may be used.
func (e *Entry) isFile(name string) bool {
	if !e.MayRead(name) {
		return false
	}
	_, err := os.Stat(name)
	return err == nil
}

// largest is the maximum size in bytes of a file named in a spec: a layout, or a strategy for a
// game small enough to be solved.
const largest = 64 << 20

// readFile reads a file named in the options of a game or an agent. It requires [Access].Files.
func (e *Entry) readFile(path string) ([]byte, error) {
	if e.access != nil && !e.access.Files {
		return nil, refused(path, "no file name, because files are not allowed here")
	}
	return disk.Read(path, largest)
}
