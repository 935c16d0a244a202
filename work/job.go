package work

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"plyfit/internal/program"
)

// Job is what the results of all its units follow from.
type Job struct {
	Kind   string   `json:"kind"`             // selfplay, relabel, match, study, ...
	World  string   `json:"world,omitempty"`  // the spec of the game with its wrappers
	Agents []string `json:"agents,omitempty"` // identities, which name models by their digests
	Seed   uint64   `json:"seed"`
	// From and To are the range of what is made, [From, To), in episodes or pairs.
	From int `json:"from"`
	To   int `json:"to"`
	// UnitSize is how many of them a unit has; the last unit may have fewer.
	UnitSize int `json:"unit_size"`
	// Rest is whatever else the results follow from, by the kind's own names.
	Rest any `json:"rest,omitempty"`
}

// Arithmetic is the class of builds whose results are the same to the last bit:
// products are rounded before they are added, and elementary functions are this
// module's own, on every processor. It changes when a release rounds otherwise.
const Arithmetic = "rounded/1"

// Canonical is the job as JSON, with the program that does it and its
// [Arithmetic]: equal jobs of equal programs are the same bytes.
func (j *Job) Canonical() []byte {
	text, err := json.Marshal(struct {
		*Job
		Program    string `json:"program"`
		Arithmetic string `json:"arithmetic"`
	}{j, program.Version(), Arithmetic})
	if err != nil {
		panic("work: a job that is no JSON: " + err.Error())
	}
	return text
}

// Name is the SHA-256 of [Job.Canonical], in hexadecimal digits.
func (j *Job) Name() string {
	sum := sha256.Sum256(j.Canonical())
	return hex.EncodeToString(sum[:])
}
