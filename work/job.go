package work

import (
	"encoding/json"
	"fmt"

	"plyfit/internal/proc"
	"plyfit/internal/text"
)

// Job is what the results of all its units follow from.
type Job struct {
	Kind   string   `json:"kind"`             // selfplay, relabel, match, study, ...
	World  string   `json:"world,omitempty"`  // the spec of the game with its wrappers
	Agents []string `json:"agents,omitempty"` // identities, which name models by their digests
	Seed   uint64   `json:"seed"`
	To     int      `json:"to"` // how many episodes or pairs are made
	// UnitSize is how many of them a unit has; the last unit may have fewer.
	UnitSize int `json:"unit_size"`
	// Files are the files that the units are made of, by what the kind calls them:
	// their SHA-256, in hexadecimal digits. A job that stays in its process has none.
	Files map[string]string `json:"files,omitempty"`
	// Rest is whatever else the results follow from, by the kind's own names. As
	// [ParseJob] returns it, it is a json.RawMessage.
	Rest any `json:"rest,omitempty"`
}

// Build says which program made a job, and so may do it.
type Build struct {
	Program    string `json:"program"`
	Arithmetic string `json:"arithmetic"`
}

// ThisBuild is the program at work.
func ThisBuild() Build { return Build{proc.Version(), arithmetic} }

// arithmetic is the class of builds whose results are the same to the last bit:
// products are rounded before they are added, and elementary functions are this
// module's own, on every processor. It changes when a release rounds otherwise.
const arithmetic = "rounded/1"

// signed is a job with the program that makes it.
type signed struct {
	*Job
	Build
}

// Canonical is the job as JSON, with the program that does it and its
// arithmetic: equal jobs of equal programs are the same bytes.
func (j *Job) Canonical() []byte {
	text, err := json.Marshal(signed{j, ThisBuild()})
	if err != nil {
		panic("work: a job that is no JSON: " + err.Error())
	}
	return text
}

// ParseJob reads what [Job.Canonical] wrote, in this or another program.
func ParseJob(data []byte) (*Job, Build, error) {
	var rest json.RawMessage
	s := signed{Job: &Job{Rest: &rest}}
	if err := text.JSON(data, &s); err != nil {
		return nil, Build{}, fmt.Errorf("job: %w", err)
	}
	s.Job.Rest = nil
	if rest != nil {
		s.Job.Rest = rest
	}
	return s.Job, s.Build, nil
}

// Decode reads the Rest of a job that [ParseJob] returned.
func (j *Job) Decode(rest any) error {
	data, ok := j.Rest.(json.RawMessage)
	if !ok {
		return fmt.Errorf("job of kind %q: want more than what all jobs have, its rest", j.Kind)
	}
	if err := text.JSON(data, rest); err != nil {
		return fmt.Errorf("job of kind %q: rest: %w", j.Kind, err)
	}
	return nil
}

// Lacks is an error where the job has no unit of that number.
func (j *Job) Lacks(unit int) error {
	if j.UnitSize < 1 || j.To < 1 {
		return fmt.Errorf("%d in units of %d: want at least one unit", j.To, j.UnitSize)
	}
	if last := (j.To - 1) / j.UnitSize; unit < 0 || unit > last {
		return fmt.Errorf("unit %d: the job has units 0 to %d", unit, last)
	}
	return nil
}

// Name is the SHA-256 of [Job.Canonical], in hexadecimal digits.
func (j *Job) Name() string { return Digest(j.Canonical()) }
