package confirm

import (
	"context"
	"fmt"

	"plyfit/internal/proc"
	"plyfit/internal/report"
	"plyfit/study"
)

// Result is what a run of a protocol came to.
type Result struct {
	Protocol   string     `json:"protocol"` // digest
	Provenance Provenance `json:"provenance"`
	Code       string     `json:"code"`
	Decisions  []Decision `json:"verdicts"`
	Deviations []string   `json:"deviations"`

	batches []batch
}

// design is how the protocol measures.
const design = "A meets B in pairs of games from one opening, seats swapped, with the same luck. Batches of pairs are the observations: A's mean score in a batch is compared with that of equals, by Student's t over batches."

// Run plays what the protocol asks, in the session's folder, and writes the report there; what was
// played before stays. command is what makes the run again. The caller has asked [Guard].
func Run(ctx context.Context, s *study.Session, p *Protocol, from Provenance, command string) (*Result, error) {
	s.Seed = p.Seed
	var r *Result
	e := study.Experiment{
		Name: p.Name, Question: p.Title, Fixed: true, Design: design,
		Hypothesis: fmt.Sprintf("Protocol %s, written %s, SHA-256 %s, %s. Its %d hypotheses are one family: Holm's correction, alpha %v. No interim look. Confirmatory is the table of verdicts alone.", p.Name, p.Written, p.Digest, from, len(p.Matches), p.Alpha),
		Run: func(ctx context.Context, s *study.Session) (*study.Results, error) {
			batches, err := p.playMatches(ctx, s)
			if err != nil {
				return nil, err
			}
			r = p.Again(batches)
			r.Provenance, r.Code = from, proc.Version()
			return p.results(r), nil
		},
	}
	_, err := study.RunAll(ctx, s, []study.Experiment{e}, command)
	return r, err
}

// Again is what follows from the table that a run wrote.
func (p *Protocol) Again(batches []batch) *Result {
	return &Result{Protocol: p.Digest, Decisions: p.Decide(batches), Deviations: p.deviations(batches), batches: batches}
}

// Tables are those of the report.
func (p *Protocol) Tables(r *Result) []report.Table { return p.results(r).Tables }

// deviations are what the file asked for and hypotheses do without.
func (p *Protocol) deviations(batches []batch) (out []string) {
	for _, m := range p.Matches {
		if m.a.Unrepeatable || m.b.Unrepeatable {
			out = append(out, m.ID+": not every answer comes again, since limits by time, threads or programs of others are in it")
		}
	}
	for _, b := range batches {
		if b.Faults > 0 {
			out = append(out, fmt.Sprintf("%s, batch %d: %d games ended by a fault and count as lost", b.Match, b.Number, b.Faults))
		}
	}
	return out
}
