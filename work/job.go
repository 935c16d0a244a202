package work

import (
	"encoding/json"
	"fmt"

	"plyfit/internal/proc"
	"plyfit/internal/text"
)

// A Job describes everything that the results of its units depend on.
type Job struct {
	Kind   string   `json:"kind"`             // kind of job, such as selfplay, relabel, match or study
	World  string   `json:"world,omitempty"`  // spec of the game, including wrappers
	Agents []string `json:"agents,omitempty"` // identities of the agents, including the digests of their models
	Seed   uint64   `json:"seed"`
	To     int      `json:"to"` // total number of episodes or pairs
	// UnitSize is the number of episodes or pairs per unit. The last unit may have fewer.
	UnitSize int `json:"unit_size"`
	// Files contains the SHA-256 of each input file, in hexadecimal digits. The keys are the names
	// that the kind of job uses for the files. It is empty if the job is not sent to other
	// processes.
	Files map[string]string `json:"files,omitempty"`
	// Rest contains all other settings that affect the results. Its type depends on Kind. In a job
	// returned by [ParseJob], Rest is a json.RawMessage.
	Rest any `json:"rest,omitempty"`
}

// Build identifies the program that created a job. Only the same build can compute the job.
type Build struct {
	Program    string `json:"program"`
	Arithmetic string `json:"arithmetic"`
}

// ThisBuild returns the build of the running program.
func ThisBuild() Build { return Build{proc.Version(), arithmetic} }

// arithmetic identifies the class of builds whose results agree to the last bit. On every
// processor, these builds round products before adding them and use the elementary functions in
// this module. The value must be changed in any release that rounds differently.
const arithmetic = "rounded/1"

// versioned combines a job with the build that created it.
type versioned struct {
	*Job
	Build
}

// Canonical returns the job and [ThisBuild] encoded as JSON. Equal jobs have identical encodings if
// their builds are equal.
func (j *Job) Canonical() []byte {
	text, err := json.Marshal(versioned{j, ThisBuild()})
	if err != nil {
		panic("work: cannot encode the job as JSON: " + err.Error())
	}
	return text
}

// ParseJob decodes the output of [Job.Canonical], which may come from another program.
func ParseJob(data []byte) (*Job, Build, error) {
	var rest json.RawMessage
	s := versioned{Job: &Job{Rest: &rest}}
	if err := text.JSON(data, &s); err != nil {
		return nil, Build{}, fmt.Errorf("job: %w", err)
	}
	s.Job.Rest = nil
	if rest != nil {
		s.Job.Rest = rest
	}
	return s.Job, s.Build, nil
}

// Decode decodes the Rest of a job returned by [ParseJob] into rest, which must be a pointer.
func (j *Job) Decode(rest any) error {
	data, ok := j.Rest.(json.RawMessage)
	if !ok {
		return fmt.Errorf("job of kind %q: the field rest is missing", j.Kind)
	}
	if err := text.JSON(data, rest); err != nil {
		return fmt.Errorf("job of kind %q: rest: %w", j.Kind, err)
	}
	return nil
}

// CheckUnit returns an error if the job has no unit with the given number.
func (j *Job) CheckUnit(unit int) error {
	if j.UnitSize < 1 || j.To < 1 {
		return fmt.Errorf("to %d, unit_size %d: both numbers must be at least 1", j.To, j.UnitSize)
	}
	if last := (j.To - 1) / j.UnitSize; unit < 0 || unit > last {
		return fmt.Errorf("unit %d does not exist; the job has units 0 to %d", unit, last)
	}
	return nil
}

// Name returns the SHA-256 of [Job.Canonical] in hexadecimal digits.
func (j *Job) Name() string { return Digest(j.Canonical()) }
