package confirm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/internal/program"
	"plyfit/report"
	"plyfit/study"
	"plyfit/study/exact"
	"plyfit/study/page"
)

// Result is what a run of a protocol came to.
type Result struct {
	Protocol    string        `json:"protocol"` // digest
	Provenance  Provenance    `json:"provenance"`
	Code        string        `json:"code"`
	Checks      []study.Check `json:"checks"`
	Controls    []study.Check `json:"controls"` // of single boards: one that fails leaves its board out
	Decisions   []Decision    `json:"verdicts"`
	Predictions []Prediction  `json:"predictions"`
	Deviations  []string      `json:"deviations"`
	Permuted    *Permuted     `json:"permuted,omitempty"`

	table Table
	blind []Blind
}

// How the two kinds of protocols measure.
const (
	designOfMatches = "A meets B in pairs of games from one opening, seats swapped, with the same luck. Batches of pairs are the observations: A's mean score in a batch is compared with that of equals, by Student's t over batches."
	designOfSources = "A unit is a training seed of a source in a world. It loses what it lacks to half of the points against the same planner with the truth at its leaves, or with a fit to many games. Groups are the units of a source in a world; Student's t is over groups, and over the means of worlds, and the greater p counts."
)

// Run measures what the protocol asks, in the session's folder, and writes the report
// there; what was measured before stays. permutations is how many families of permuted
// labels are decided beside the real one; 0: none. command is what makes the run again. The
// caller has asked [Guard].
func Run(ctx context.Context, s *study.Session, p *Protocol, from Provenance, permutations int, command string) (*Result, error) {
	s.Seed, s.Ledger = p.Seed, p.LedgerName()
	r := &Result{Protocol: p.Digest, Provenance: from, Code: program.Version()}
	e := study.Experiment{
		Name: p.Name, Question: p.Title, Fixed: true, Design: designOfSources,
		Hypothesis: fmt.Sprintf("Protocol %s, written %s, SHA-256 %s, %s. Its %d hypotheses are one family: Holm's correction, alpha %v. No interim look. Confirmatory is the table of verdicts alone.", p.Name, p.Written, p.Digest, from, len(p.Hypotheses)+len(p.Matches), p.Alpha),
		Run: func(ctx context.Context, s *study.Session) (*study.Results, error) {
			if err := study.RecordSeeds(s.Dir, s.Ledger, p.Seeds()...); err != nil {
				return nil, err
			}
			if err := p.measure(ctx, s, r); err != nil {
				return nil, err
			}
			r.Checks = append(r.Checks, p.depthOne(r.table.Rows)...)
			p.decide(r, permutations)
			return p.results(r), nil
		},
	}
	if p.Matches != nil {
		e.Design = designOfMatches
	}
	_, err := page.RunAll(ctx, s, []study.Experiment{e}, command)
	return r, err
}

// decide fills in what follows from the table. Where a check fails no verdict is given.
func (p *Protocol) decide(r *Result, permutations int) {
	r.Decisions = p.Decide(r.table)
	if r.Refused() {
		for i := range r.Decisions {
			r.Decisions[i].Support = study.Refused
		}
	}
	r.Deviations = append(r.Deviations, p.deviations(r.table)...)
	if permutations > 0 {
		r.Permuted = p.Permute(permutations, r.table)
	}
}

// Again is what follows from the table that a run wrote: what it says beside it of checks
// and of anchors stands in its report.
func (p *Protocol) Again(t Table, permutations int) *Result {
	r := &Result{Protocol: p.Digest, table: t}
	if p.Matches == nil {
		r.Predictions = p.predictions(t.Rows, p.Law.Predictor, p.constants(t.Rows, p.Law.Predictor))
	}
	p.decide(r, permutations)
	return r
}

// Tables are those of the report.
func (p *Protocol) Tables(r *Result) []report.Table { return p.results(r).Tables }

// Refused reports whether a check failed.
func (r *Result) Refused() bool {
	return slices.ContainsFunc(r.Checks, func(c study.Check) bool { return !c.Passed })
}

// measure plays all matches, or measures all worlds: those that are held out last, once it
// is kept what the law says of them.
func (p *Protocol) measure(ctx context.Context, s *study.Session, r *Result) (err error) {
	if p.Matches != nil {
		r.table.Batches, err = p.playMatches(ctx, s)
		return err
	}
	solved := map[string]*exact.Solved{}
	for i := range p.Worlds {
		if w := &p.Worlds[i]; w.Role != held {
			if err := p.measureWorld(ctx, s, w, nil, solved, r); err != nil {
				return err
			}
		}
	}
	units := map[string][]*unit{}
	foreseen := slices.Clone(r.table.Rows)
	for i := range p.Worlds {
		w := &p.Worlds[i]
		if w.Role != held {
			continue
		}
		list, err := p.make(ctx, s, w)
		if err != nil {
			return err
		}
		units[w.ID] = list
		for _, u := range list {
			foreseen = append(foreseen, u.rowsOf(&Arms{})...)
		}
	}
	said, err := p.foresee(ctx, s, foreseen)
	if err != nil {
		return err
	}
	for i := range p.Worlds {
		if w := &p.Worlds[i]; w.Role == held {
			if err := p.measureWorld(ctx, s, w, units[w.ID], solved, r); err != nil {
				return err
			}
		}
	}
	r.Predictions = p.predictions(r.table.Rows, p.Law.Predictor, p.constants(r.table.Rows, p.Law.Predictor))
	differ := 0
	for i, q := range r.Predictions {
		if said[i] != q.Predicted && !math.IsNaN(q.Predicted) {
			differ++
		}
	}
	r.Checks = append(r.Checks, study.Check{Name: "predictions stood before the held-out worlds were measured", Passed: differ == 0, Figure: fmt.Sprintf("%d of %d differ", differ, len(said))})
	return nil
}

// foreseenKey is the cell that keeps what the law says before anything that is held out
// is measured.
type foreseenKey struct {
	Predictor string `json:"predictor"`
	Constants
}

// foresee keeps the predictions as a cell.
func (p *Protocol) foresee(ctx context.Context, s *study.Session, rows []Row) ([]float64, error) {
	k := foreseenKey{p.Law.Predictor, p.constants(rows, p.Law.Predictor)}
	if k.Constants == (Constants{}) {
		return nil, fmt.Errorf("law: no group of units to fit its constant to")
	}
	found, err := study.Cells(ctx, s, p.title("predictions"), []foreseenKey{k}, nil, func(context.Context, foreseenKey) ([]float64, error) {
		var out []float64
		for _, q := range p.predictions(rows, k.Predictor, k.Constants) {
			if math.IsNaN(q.Predicted) {
				q.Predicted = 0
			}
			out = append(out, q.Predicted)
		}
		return out, nil
	})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// measureWorld measures the units of a world; nil: they are made first.
func (p *Protocol) measureWorld(ctx context.Context, s *study.Session, w *World, units []*unit, solved map[string]*exact.Solved, r *Result) error {
	var err error
	if units == nil {
		if units, err = p.make(ctx, s, w); err != nil {
			return err
		}
	}
	var arms []Arms
	switch w.Measure {
	case exactly:
		var b *board
		if b, err = newBoard(ctx, w, solved); err != nil {
			return err
		}
		if arms, err = p.exactly(ctx, s, b, units); err != nil {
			return err
		}
		minimax, expectimax := b.blind()
		for _, d := range w.Depths {
			r.blind = append(r.blind, Blind{w.ID, d, minimax[d-1 : d], expectimax[d-1 : d]})
		}
		checks, err := b.controls(ctx)
		if err != nil {
			return err
		}
		r.Checks = append(r.Checks, checks[0])
		for _, c := range checks[1:] {
			r.Controls = append(r.Controls, c)
			if !c.Passed {
				r.Deviations = append(r.Deviations, fmt.Sprintf("%s is left out of all hypotheses: %s (%s)", w.ID, c.Name, c.Figure))
				units, arms = nil, nil
			}
		}
	case byGames:
		var blind []Blind
		arms, blind, err = p.byGames(ctx, s, w, units)
		r.blind = append(r.blind, blind...)
	default:
		arms, err = p.byRegret(ctx, s, w, units)
	}
	if err != nil {
		return err
	}
	for i, u := range units {
		r.table.Rows = append(r.table.Rows, u.rowsOf(&arms[i])...)
	}
	return nil
}

// depthOne is the negative control: one decision ahead slips change no order, so that
// planners lose alike on a solved board, calibrated or not.
func (p *Protocol) depthOne(rows []Row) []study.Check {
	cells, off := 0, 0.0
	for _, r := range rows {
		if w := p.world(r.World); r.Depth == 1 && w.Measure == exactly && w.Slip > 0 {
			cells++
			off = max(off, math.Abs(r.Expectimax-r.Minimax), math.Abs(r.Platt-r.Expectimax))
		}
	}
	if cells == 0 {
		return nil
	}
	return []study.Check{{Name: "one decision ahead planners lose alike, calibrated or not", Passed: off == 0, Figure: fmt.Sprintf("at most %.3g in %d units", off, cells)}}
}

// deviations are what the file asked for and hypotheses do without.
func (p *Protocol) deviations(t Table) (out []string) {
	for _, m := range p.Matches {
		if m.a.Unrepeatable || m.b.Unrepeatable {
			out = append(out, m.ID+": not every answer comes again, since limits by time, threads or programs of others are in it")
		}
	}
	for _, b := range t.Batches {
		if b.Faults > 0 {
			out = append(out, fmt.Sprintf("%s, batch %d: %d games ended by a fault and count as lost", b.Match, b.Number, b.Faults))
		}
	}
	counts := map[string]int{}
	for _, r := range t.Rows {
		if !math.IsNaN(r.Slope) {
			counts[r.World+" "+r.Source]++
		}
	}
	for i := range p.Worlds {
		w := &p.Worlds[i]
		for _, id := range w.Sources {
			if n, want := counts[w.ID+" "+id]/len(w.Depths), len(w.units()); n < want && p.source(id).Evaluation == "" {
				out = append(out, fmt.Sprintf("%s, %s: %d units of the %d asked for", w.ID, id, n, want))
			}
		}
	}
	for _, g := range p.groups(t.Rows) {
		if !g.world.NoRatio && !p.comparable(g) {
			out = append(out, fmt.Sprintf("%s, %s, %d decisions: minimax loses %s, so that there is no ratio", g.world.ID, g.source.ID, g.depth, study.Number(g.minimax(), 4)))
		}
	}
	return out
}
