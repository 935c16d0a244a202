package catalog

import (
	"fmt"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/search"
	"plyfit/work"
)

// attachment is a file that specs name by the beginning of a digest, as another process
// needs it: a model's bundle, a strategy.
type attachment struct {
	digest string // as it stands in specs
	data   func() ([]byte, error)
}

// contents are the files of all lists, by their digests in specs.
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

// attached are the files that came with a job, by their digests in specs.
type attached map[string]func() ([]byte, error)

// read is the file of that name; nil where none came.
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

// Files are the world's files beyond its Spec: models of nature's policy, by digest.
func (w *World) Files() (map[string][]byte, error) { return contents(w.attached) }

// WithFiles is c with the models and strategies of another process's job, by the names in its
// specs: the files of [search.Pack]. Jobs are untrusted: nothing else of this machine is read, and
// no program is started.
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

// jobLimits are what the agents of a job may cost: more than any search that ends, and less
// than what takes a worker or its memory for good.
var jobLimits = Limits{Length: 64 << 10, Agents: 64, Depth: 10_000, Megabytes: 16 << 10, Samples: 100_000_000, Threads: 64}

// Unpack makes the world and the agents of a job of another process again, by their
// specs and what [search.Pack] has put into its files.
func (c Catalog) Unpack(job *work.Job, files work.Files) (*game.Game, []search.Factory, error) {
	w, err := c.WithFiles(job, files).World(job.World)
	if err != nil {
		return nil, nil, err
	}
	if w.Spec != job.World {
		return nil, nil, fmt.Errorf("game %s is %s here", job.World, w.Spec)
	}
	agents := make([]search.Factory, len(job.Agents))
	for i, text := range job.Agents {
		a, err := w.Agent(text, AgentOptions{})
		if err != nil {
			return nil, nil, err
		}
		if a.Identity != text {
			return nil, nil, fmt.Errorf("agent %s is %s here", text, a.Identity)
		}
		agents[i] = a.Factory
	}
	return w.Game, agents, nil
}
