package search

import (
	"fmt"

	"plyfit/game"
	"plyfit/work"
)

// Packed prefixes agents' files in a job, before the digest in their specs.
const Packed = "agents/"

// Pack puts agents into a job that goes to other processes, with the files that they
// are made of. It refuses those who would not be the same there.
func Pack(job *work.Job, files work.Memory, agents ...Factory) error {
	if job.Files == nil {
		job.Files = map[string]string{}
	}
	job.Agents = nil
	for _, f := range agents {
		switch {
		case f.Unrepeatable:
			return fmt.Errorf("agent %s: plays otherwise on each machine: want no limit by time (nodes= is one by work), one thread and no program of others", f.Name)
		case f.Files == nil:
			return fmt.Errorf("agent %s: is known to this process only: want it to work here", f.Name)
		}
		own, err := f.Files()
		if err != nil {
			return fmt.Errorf("agent %s: %w", f.Name, err)
		}
		for name, data := range own {
			job.Files[Packed+name] = files.Add(data)
		}
		job.Agents = append(job.Agents, f.ID())
	}
	return nil
}

// Unpack remakes a job's world and agents in another process: [plyfit/catalog.Catalog.Unpack].
type Unpack func(job *work.Job, files work.Files) (*game.Game, []Factory, error)
