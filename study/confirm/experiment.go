package confirm

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"plyfit/internal/program"
	"plyfit/report"
	"plyfit/study"
	"plyfit/study/damage"
	"plyfit/study/page"
)

// Result is what a run of a protocol came to.
type Result struct {
	Protocol   string        `json:"protocol"` // digest
	Provenance Provenance    `json:"provenance"`
	Code       string        `json:"code"`
	Checks     []study.Check `json:"checks"`
	Findings   []Tested      `json:"findings"`
	Deviations []string      `json:"deviations"`
	Permuted   *Permuted     `json:"permuted,omitempty"`
}

// Run plays what the protocol asks, in the session's folder, and writes the report
// there; what was played before stays. permutations is how many families of
// permuted labels are decided beside the real one; 0: none. command is what makes
// the run again. The caller has asked [Guard].
func Run(ctx context.Context, s *study.Session, p *Protocol, from Provenance, permutations int, command string) (*Result, error) {
	s.Seed, s.Ledger = p.Seed, p.Registration().LedgerName()
	r := &Result{Protocol: p.Digest, Provenance: from, Code: program.Version()}
	_, err := page.RunAll(ctx, s, []study.Experiment{p.experiment(r, permutations)}, command)
	return r, err
}

// experiment is the protocol as an experiment, which leaves in r what came of it.
func (p *Protocol) experiment(r *Result, permutations int) study.Experiment {
	return study.Experiment{
		Name:     p.Name,
		Question: p.Title,
		Fixed:    true,
		Hypothesis: fmt.Sprintf("Protocol %s, written %s, SHA-256 %s, %s. Its %d hypotheses are one family: Holm's correction, alpha %v. No interim look. "+
			"Confirmatory is the table of verdicts alone; whatever else is read from these data is exploratory.", p.Name, p.Written, p.Digest, r.Provenance, len(p.Hypotheses), p.Alpha),
		Design: "A planner whose evaluation has the error meets the same planner without it, in one world: pairs of games from one opening, seats swapped, the same luck. Its loss is what it lacks to half of the points. " +
			"Two planners are compared opening by opening; units are base evaluations, each with openings and draws of its own, and Student's t over units decides. The units of a world are refits of one recipe, on games of their own: what holds over them holds for that recipe. " +
			"What one ply is worth is the loss of the clean planner that looks one decision less far. Warps under minimax are played as a check on 20 pairs a unit and count as nothing lost, which is a theorem.",
		Run: func(ctx context.Context, s *study.Session) (*study.Results, error) {
			if err := study.RecordSeeds(s.Dir, s.Ledger, p.Seeds()...); err != nil {
				return nil, err
			}
			l, err := newPlan(ctx, s, p)
			if err != nil {
				return nil, err
			}
			if err := l.play(ctx, s); err != nil {
				return nil, err
			}
			l.decide(r, permutations)
			return l.results(r)
		},
	}
}

// decide fills the result in. Where a check fails no verdict is given.
func (l *plan) decide(r *Result, permutations int) {
	r.Checks, r.Deviations = l.checks(), l.deviations()
	r.Findings = l.protocol.findings(l.samples())
	if r.Refused() {
		for i := range r.Findings {
			r.Findings[i].Support = study.Refused
		}
	}
	if permutations > 0 {
		r.Permuted = l.permute(permutations, l.protocol.Seed)
	}
}

// results are the verdicts with all that they rest on.
func (l *plan) results(r *Result) (*study.Results, error) {
	p := l.protocol
	f := &study.Results{Checks: r.Checks}
	counts := map[study.Support]int{}
	for i, v := range r.Findings {
		h := &p.Hypotheses[i]
		f.Findings = append(f.Findings, study.Finding{Claim: h.ID + ": " + h.Claim, Support: v.Support, Figure: h.figure(v)})
		counts[v.Support]++
	}
	f.Headline = fmt.Sprintf("Of %d hypotheses %d are supported, %d contradicted, %d not decided.", len(r.Findings), counts[study.Supported], counts[study.Contradicted], counts[study.NotDecided])
	figure, err := p.figure(r.Findings)
	if err != nil {
		return nil, err
	}
	f.Figures = []report.Figure{figure}
	f.Tables = []report.Table{findingTable(r.Findings), l.armTable(), l.unitTable()}
	f.Data = append(l.data(), findingData(p, r.Findings))
	if line := p.diceLine(); line != "" {
		f.Notes = append(f.Notes, line)
	}
	f.Notes = append(f.Notes, r.DeviationsLine(), "Protocol "+r.Protocol+".", "Code "+r.Code+".")
	if r.Permuted != nil {
		f.Notes = append(f.Notes, r.Permuted.String())
	}
	return f, nil
}

func findingTable(findings []Tested) report.Table {
	t := report.Table{Head: []string{"hypothesis", "claim", "verdict", "p by Holm", "p", "estimate", "in plies", "units"}, Words: 3,
		Caption: "Verdicts of the protocol, with 95% intervals. Estimate: the difference of losses, in shares of the points; of fading, what is left of the first error's loss beyond what would be, had it faded as the second's."}
	for _, v := range findings {
		claim := v.Claim
		if v.Error != "" {
			claim += " (most clearly: " + v.Error + ")"
		}
		t.Rows = append(t.Rows, []string{v.ID, claim, string(v.Support), fmt.Sprintf("%.2g", v.Holm), fmt.Sprintf("%.2g", v.P), v.EstimateText(4), v.PliesText(), fmt.Sprint(v.Units)})
	}
	return t
}

// armTable is what each planner loses, and its anchors.
func (l *plan) armTable() report.Table {
	t := report.Table{Head: []string{"world", "planner", "depth", "error or anchor", "loss", "E/M", "in plies", "nElo"}, Words: 4,
		Caption: "Losses against the clean evaluation under the same planner, in the same world; exploratory. E/M, beside expectimax: its loss over minimax's, where minimax's is clearly above 0. In plies: over a single ply, in which odd and even depths differ, and only where that is worth something. nElo: normalised Elo of a pair."}
	for _, c := range l.cells {
		what := c.key.Error
		switch c.key.role {
		case measured:
		case onePly, zero, random:
			what = string(c.key.role)
		default:
			continue
		}
		plies, elo := "-", study.Number(c.tally().NormalisedElo(), 0)
		loss := c.losses()
		if c.key.Depth > 1 && c.key.role != onePly {
			ply := l.at(onePly, Arm{World: c.key.World, Planner: c.key.Planner, Depth: c.key.Depth}).losses()
			if r := study.Ratio(loss, ply); !math.IsInf(r.Low, 0) {
				plies = r.Format(2)
			}
		}
		t.Rows = append(t.Rows, []string{c.key.World, c.key.Planner, fmt.Sprint(c.key.Depth), what, loss.Interval().Format(4), l.ratio(c), plies, elo})
	}
	return t
}

// ratio is the loss of an arm of expectimax over that of the same arm of minimax; "-"
// where there is none.
func (l *plan) ratio(c *cell) string {
	other := c.key
	other.Planner = minimax
	if c.key.Planner == minimax || !slices.ContainsFunc(l.cells, func(x *cell) bool { return x.key == other }) {
		return "-"
	}
	of := l.at(c.key.role, other.Arm)
	return study.Contrast{Expectimax: study.Losses{Nested: c.losses(), Exact: c.theorem}, Minimax: study.Losses{Nested: of.losses(), Exact: of.theorem}}.RatioText()
}

// unitTable lists the base evaluations.
func (l *plan) unitTable() report.Table {
	t := report.Table{Head: []string{"world", "units", "evaluation", "slopes"}, Words: 4, Caption: "Base evaluations, in each world refits of one recipe. Slopes: of fitted ones the reliability on held-out games, of others Platt's, where they are calibrated; below 1 is too sure of itself."}
	for _, g := range l.protocol.games {
		var seeds, slopes []string
		for _, u := range l.units[g.ID] {
			seeds = append(seeds, fmt.Sprint(u.seed))
			if u.slope != 0 {
				slopes = append(slopes, study.Number(u.slope, 2))
			}
		}
		t.Rows = append(t.Rows, []string{g.ID, strings.Join(seeds, " "), strings.TrimSpace(g.Evaluation + " " + g.Method), strings.Join(slopes, " ")})
	}
	return t
}

// data are all pairs, and which cell belongs to which arm.
func (l *plan) data() []study.Data {
	arms := study.Data{Name: "arms", Head: []string{"cell", "protocol", "world", "planner", "depth", "error", "role", "unit"}}
	var all []damage.Played
	for _, c := range l.cells {
		for i, list := range c.played {
			for _, p := range list {
				arms.Row(len(all), l.protocol.Digest, c.key.World, c.key.Planner, c.key.Depth, c.key.Error, c.key.role, l.units[c.key.World][i].seed)
				all = append(all, p)
			}
		}
	}
	return append([]study.Data{arms}, damage.PairData("cells", all)...)
}

func findingData(p *Protocol, findings []Tested) study.Data {
	d := study.Data{Name: "findings", Head: []string{"protocol", "code", "hypothesis", "units", "estimate", "low", "high", "plies", "plies_low", "plies_high", "p", "p_holm", "verdict"}}
	for _, v := range findings {
		d.Row(p.Digest, program.Version(), v.ID, v.Units, v.Estimate.Value, v.Estimate.Low, v.Estimate.High, v.Plies.Value, v.Plies.Low, v.Plies.High, v.P, v.Holm, v.Support)
	}
	return d
}
