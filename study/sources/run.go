package sources

import (
	"context"
	"fmt"
	"math"
	"slices"

	"plyfit/internal/program"
	"plyfit/study"
	"plyfit/study/confirm"
	"plyfit/study/exact"
	"plyfit/study/page"
)

// Result is what a run of a protocol came to.
type Result struct {
	Protocol    string        `json:"protocol"` // digest
	Provenance  string        `json:"provenance"`
	Code        string        `json:"code"`
	Checks      []study.Check `json:"checks"`
	Controls    []study.Check `json:"controls"` // of single boards: one that fails leaves its board out
	Decisions   []Decision    `json:"verdicts"`
	Predictions []Prediction  `json:"predictions"`
	Deviations  []string      `json:"deviations"`

	rows  []Row
	blind []Blind
}

// Registration is that of the protocol's file.
func (p *Protocol) Registration() confirm.Registration {
	return confirm.Registration{Path: p.Path, Digest: p.Digest, Seeds: p.Seeds()}
}

// title begins the keys of cells: those of another protocol are others.
func (p *Protocol) title(what string) string { return p.Registration().CellPrefix() + what }

// Run measures what the protocol asks, in the session's folder, and writes the report
// there; what was measured before stays. The caller has asked [confirm.Guard], or calls
// it a pilot.
func Run(ctx context.Context, s *study.Session, p *Protocol, provenance, command string) (*Result, error) {
	s.Seed, s.Ledger = p.Seed, p.Registration().LedgerName()
	r := &Result{Protocol: p.Digest, Provenance: provenance, Code: program.Version()}
	e := study.Experiment{
		Name: p.Name, Question: p.Title, Fixed: true,
		Hypothesis: fmt.Sprintf("Protocol %s, written %s, SHA-256 %s, %s. Its %d hypotheses are one family: Holm's correction, alpha %v. No interim look. Confirmatory is the table of verdicts alone.", p.Name, p.Written, p.Digest, provenance, len(p.Hypotheses), p.Alpha),
		Design:     "A unit is a training seed of a source in a world. It loses what it lacks to half of the points against the same planner with the truth at its leaves, or with a fit to many games. Groups are the units of a source in a world; Student's t is over groups, and over the means of worlds, and the greater p counts.",
		Run: func(ctx context.Context, s *study.Session) (*study.Results, error) {
			if err := study.RecordSeeds(s.Dir, s.Ledger, p.Seeds()...); err != nil {
				return nil, err
			}
			if err := p.measure(ctx, s, r); err != nil {
				return nil, err
			}
			r.Decisions = p.Decide(r.rows)
			r.Checks = append(r.Checks, p.depthOne(r.rows)...)
			if r.Refused() {
				for i := range r.Decisions {
					r.Decisions[i].Support = study.Refused
				}
			}
			r.Deviations = append(r.Deviations, p.deviations(r.rows)...)
			return p.results(r), nil
		},
	}
	_, err := page.RunAll(ctx, s, []study.Experiment{e}, command)
	return r, err
}

// Refused reports whether a check failed.
func (r *Result) Refused() bool {
	return slices.ContainsFunc(r.Checks, func(c study.Check) bool { return !c.Passed })
}

// measure measures all worlds: those that are held out last, once it is kept what the law
// says of them.
func (p *Protocol) measure(ctx context.Context, s *study.Session, r *Result) error {
	solved := map[string]*exact.Solved{}
	for i := range p.Worlds {
		if w := &p.Worlds[i]; w.Role != held {
			if err := p.measureWorld(ctx, s, w, nil, solved, r); err != nil {
				return err
			}
		}
	}
	units := map[string][]*unit{}
	foreseen := slices.Clone(r.rows)
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
	r.Predictions = p.predictions(r.rows, p.Law.Predictor, p.constants(r.rows, p.Law.Predictor))
	for i, q := range r.Predictions {
		before := said[i]
		r.Checks = append(r.Checks, study.Check{Name: fmt.Sprintf("the prediction of %s in %s stood before", q.Source, q.World), Passed: before == q.Predicted || math.IsNaN(q.Predicted), Figure: fmt.Sprint(before)})
	}
	r.Checks = merged(r.Checks)
	return nil
}

// merged are checks with those of predictions in one line.
func merged(all []study.Check) (out []study.Check) {
	n, failed := 0, 0
	for _, c := range all {
		if len(c.Name) > 14 && c.Name[:14] == "the prediction" {
			n++
			if !c.Passed {
				failed++
			}
			continue
		}
		out = append(out, c)
	}
	return append(out, study.Check{Name: "predictions stood before the held-out worlds were measured", Passed: failed == 0, Figure: fmt.Sprintf("%d of %d differ", failed, n)})
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
		r.rows = append(r.rows, u.rowsOf(&arms[i])...)
	}
	return nil
}

// depthOne is the negative control: one decision ahead slips change no order, so that
// planners lose alike on a solved board, calibrated or not.
func (p *Protocol) depthOne(rows []Row) []study.Check {
	cells, off := 0, 0.0
	for _, r := range rows {
		i := slices.IndexFunc(p.Worlds, func(w World) bool { return w.ID == r.World })
		if w := &p.Worlds[i]; r.Depth == 1 && w.Measure == exactly && w.Slip > 0 {
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
func (p *Protocol) deviations(rows []Row) (out []string) {
	counts := map[string]int{}
	for _, r := range rows {
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
	for _, g := range p.groups(rows) {
		if !g.world.NoRatio && !p.comparable(g) {
			out = append(out, fmt.Sprintf("%s, %s, %d decisions: minimax loses %s, so that there is no ratio", g.world.ID, g.source.ID, g.depth, study.Number(g.minimax(), 4)))
		}
	}
	return out
}
