package catalog

import (
	"fmt"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/search"
	"plyfit/work"
)

// An attachment is a file, such as a model bundle or a strategy, that specs refer to by the
// beginning of its digest. Other processes need its contents.
type attachment struct {
	digest string // as written in specs
	data   func() ([]byte, error)
}

// contents returns the data of all attachments, indexed by their digests as written in specs.
func contents(lists ...[]attachment) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, l := range slices.Concat(lists...) {
		if files[l.digest] != nil {
			continue
		}
		data, err := l.data()
		if err != nil {
			return nil, err
		}
		files[l.digest] = data
	}
	return files, nil
}

// attached contains the files that came with a job, indexed by their digests as written in specs.
type attached map[string]func() ([]byte, error)

// read returns the file with the given name, or nil if there is none.
func (a attached) read(name string) ([]byte, error) {
	read := a[name]
	if read == nil {
		return nil, nil
	}
	data, err := read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// Files returns the files that the world needs in addition to its Spec: the models of nature's
// policy, by digest.
func (w *World) Files() (map[string][]byte, error) { return contents(w.attached) }

// WithFiles returns a copy of c that contains the models and strategies of a job from another
// process. Specs refer to them by the names that [search.Pack] assigned. Since jobs are not
// trusted, no other files can be read and no programs can be started.
func (c Catalog) WithFiles(job *work.Job, files work.Files) Catalog {
	has := attached{}
	for name, digest := range job.Files {
		if short, ok := strings.CutPrefix(name, search.Packed); ok {
			has[short] = func() ([]byte, error) { return files.Read(digest) }
		}
	}
	c = c.clone()
	for i := range c {
		c[i].attached = has
	}
	return c.For(Access{Repeatable: true, Limits: jobLimits})
}

// jobLimits limits the agents of jobs. The limits allow any realistic search.
var jobLimits = Limits{Length: 64 << 10, Agents: 64, Depth: 10_000, Megabytes: 16 << 10, Samples: 100_000_000, Threads: 64}

// Unpack creates the world and the agents of a job from another process, using their specs and the
// files added by [search.Pack].
func (c Catalog) Unpack(job *work.Job, files work.Files) (*game.Game, []search.Factory, error) {
	w, err := c.WithFiles(job, files).World(job.World)
	if err != nil {
		return nil, nil, err
	}
	if w.Spec != job.World {
		return nil, nil, fmt.Errorf("game %s has the spec %s on this machine", job.World, w.Spec)
	}
	agents := make([]search.Factory, len(job.Agents))
	for i, text := range job.Agents {
		a, err := w.Agent(text, AgentOptions{})
		if err != nil {
			return nil, nil, err
		}
		if a.Identity != text {
			return nil, nil, fmt.Errorf("agent %s has the identity %s on this machine", text, a.Identity)
		}
		agents[i] = a.Factory
	}
	return w.Game, agents, nil
}
