package confirm

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/internal/report"
	"plyfit/study"
)

// batchKey is the key of a cell that contains some batches of a match.
type batchKey struct {
	Match string `json:"match"`
	Game  string `json:"game"`
	A     string `json:"a"` // agents with the digests of their models
	B     string `json:"b"`
	Plies int    `json:"plies"`
	study.Span
	Pairs int    `json:"pairs"` // number of pairs per batch
	Seed  uint64 `json:"seed"`
}

type batch struct {
	Match  string  `json:"match"`
	Number int     `json:"batch"`
	Pairs  int     `json:"pairs"`
	Score  float64 `json:"score"` // A's mean fraction of the points, or the mean difference between A and B
	Even   float64 `json:"even"`  // score of equal players
	Faults int     `json:"faults"`
}

func (m *match) play(ctx context.Context, k batchKey) ([]batch, error) {
	r, err := arena.Run(ctx, arena.Config{Game: m.world.Game, A: m.a, B: m.b, Pairs: k.Pairs, Openings: arena.Openings{Plies: k.Plies}, Seed: game.Seed(k.Seed, uint64(k.From))})
	if err != nil {
		return nil, err
	}
	if r.Conclusion == arena.Nothing {
		return nil, fmt.Errorf("match %s: %s", m.ID, r.Sentence)
	}
	even := 0.0
	if r.Measure == arena.Wins {
		even = 0.5
	}
	return []batch{{m.ID, k.From, k.Pairs, r.Score.Value, even, r.FaultsA.All() + r.FaultsB.All()}}, nil
}

// playMatches plays all matches. The agents are stored as separate cells, so that a run cannot be
// resumed with agents that have changed.
func (p *Protocol) playMatches(ctx context.Context, s *study.Session) ([]batch, error) {
	title := "protocol " + p.Digest[:16] + " " // distinguishes cells of different protocols
	matches := map[string]*match{}
	var ids []string
	var keys []batchKey
	for _, m := range p.Matches {
		seed := p.Seed
		for _, c := range []byte(m.ID) {
			seed = game.Seed(seed, uint64(c))
		}
		matches[m.ID], ids = m, append(ids, m.ID)
		keys = append(keys, batchKey{m.ID, m.world.Spec, m.a.Identity, m.b.Identity, m.Plies, study.Span{Count: m.Pairs / batchPairs}, batchPairs, game.Seed(seed, 0x100)})
	}
	now := func(id string) [2]string { return [2]string{matches[id].a.Identity, matches[id].b.Identity} }
	recorded, err := study.Cells(ctx, s, title+"agents", ids, nil, func(_ context.Context, id string) ([2]string, error) { return now(id), nil })
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if is := now(id); recorded[i] != is {
			return nil, fmt.Errorf("match %s was started with %s against %s, but the agents are now %s and %s; use the same agents in all batches", id, recorded[i][0], recorded[i][1], is[0], is[1])
		}
	}
	found, err := study.Parts(ctx, s, title+"match", keys, 1, nil, func(ctx context.Context, k batchKey) ([]batch, error) { return matches[k.Match].play(ctx, k) })
	return slices.Concat(found...), err
}

// batchHead contains the column names of the batch table.
var batchHead = []string{"match", "batch", "pairs", "score", "even", "faults"}

func batchData(all []batch) study.Data {
	d := study.Data{Name: "rows", Head: batchHead}
	for _, b := range all {
		d.Row(b.Match, b.Number, b.Pairs, b.Score, b.Even, b.Faults)
	}
	return d
}

// ReadTable decides the hypotheses from the table NAME-rows.csv of an earlier run of the protocol.
func (p *Protocol) ReadTable(table []byte) (*Result, error) {
	var all []batch
	lines, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 || !slices.Equal(lines[0], batchHead) {
		return nil, fmt.Errorf("rows: want the columns %v", batchHead)
	}
	for n, line := range lines[1:] {
		x := make([]float64, len(batchHead))
		for i := 1; i < len(batchHead); i++ {
			if x[i], err = strconv.ParseFloat(line[i], 64); err != nil || x[i]-x[i] != 0 {
				return nil, fmt.Errorf("rows: line %d, column %s: want a number, found %q", n+2, batchHead[i], line[i])
			}
		}
		all = append(all, batch{line[0], int(x[1]), int(x[2]), x[3], x[4], int(x[5])})
	}
	return p.again(all), nil
}

// Run plays the matches of the protocol and writes the report to the session's directory. Pairs
// that have already been played are kept. The parameter command is the command line that repeats
// the run. The caller must call [Guard] first.
func Run(ctx context.Context, s *study.Session, p *Protocol, from, command string) (*Result, error) {
	s.Seed = p.Seed
	var r *Result
	e := study.Experiment{
		Name: p.Name, Question: p.Title, Fixed: true,
		Design:     "A plays B in pairs of games that start from the same opening, with seats swapped and the same luck. The observations are batches of pairs: A's mean score in a batch is compared with the expected score against an equal opponent, by Student's t over batches.",
		Hypothesis: fmt.Sprintf("Protocol %s, written %s, SHA-256 %s, %s. Its %d hypotheses form one family: Holm's correction, alpha %v. There is no interim analysis. Only the table of verdicts is confirmatory.", p.Name, p.Written, p.Digest, from, len(p.Matches), p.Alpha),
		Run: func(ctx context.Context, s *study.Session) (*study.Results, error) {
			batches, err := p.playMatches(ctx, s)
			if err != nil {
				return nil, err
			}
			r = p.again(batches)
			r.Provenance, r.Code = from, proc.Version()
			return p.results(r), nil
		},
	}
	_, err := study.RunAll(ctx, s, []study.Experiment{e}, command)
	return r, err
}

// Result is the result of a run of a protocol.
type Result struct {
	Protocol   string     `json:"protocol"`   // digest of the protocol
	Provenance string     `json:"provenance"` // evidence that the protocol was written down before the run
	Code       string     `json:"code"`
	Decisions  []Decision `json:"verdicts"`
	Deviations []string   `json:"deviations"` // deviations from the protocol

	batches []batch
}

// Decision is the decision about a hypothesis.
type Decision struct {
	ID       string         `json:"id"`
	Claim    string         `json:"claim"`
	Support  study.Support  `json:"verdict"`
	P        float64        `json:"p"`
	Holm     float64        `json:"p_holm"`
	Estimate stats.Estimate `json:"estimate"` // estimate over batches
	Batches  int            `json:"batches"`
	What     string         `json:"what"` // description of the estimated quantity

	pairs, faults int
}

func (p *Protocol) again(batches []batch) *Result {
	r := &Result{Protocol: p.Digest, Decisions: p.decide(batches), batches: batches}
	for _, m := range p.Matches {
		if m.a.Unrepeatable || m.b.Unrepeatable {
			r.Deviations = append(r.Deviations, m.ID+": not every answer is repeatable, because of time limits, threads or external programs")
		}
	}
	for _, b := range batches {
		if b.Faults > 0 {
			r.Deviations = append(r.Deviations, fmt.Sprintf("%s, batch %d: %d games ended with a fault and count as lost", b.Match, b.Number, b.Faults))
		}
	}
	return r
}

// decide tests the claim of each match: that the mean of the batches exceeds the score of equal
// players by more than the margin. The test applies Student's t to the batches, with Holm's
// correction over all claims.
func (p *Protocol) decide(all []batch) []Decision {
	out, ps := make([]Decision, len(p.Matches)), make([]float64, len(p.Matches))
	for i, m := range p.Matches {
		d := Decision{ID: m.ID, Claim: m.Claim, Support: study.NotDecided, What: "A's fraction of the points"}
		var scores []float64
		even := 0.5
		for _, b := range all {
			if b.Match == m.ID {
				scores, even, d.pairs, d.faults = append(scores, b.Score), b.Even, d.pairs+b.Pairs, d.faults+b.Faults
			}
		}
		if even == 0 {
			d.What = "A's gain over B per game"
		}
		sample := stats.SampleOf(scores)
		d.P, _ = sample.Test(even + m.Margin)
		d.Estimate, d.Batches = sample.Estimate(), len(scores)
		if d.Estimate.Below(even + m.Margin) {
			d.Support = study.Contradicted
		}
		out[i], ps[i] = d, d.P
	}
	for i, adjusted := range stats.Holm(ps) {
		if out[i].Holm = adjusted; adjusted < p.Alpha {
			out[i].Support = study.Supported
		}
	}
	return out
}

func (p *Protocol) results(r *Result) *study.Results {
	f := &study.Results{Tables: p.Tables(r), Data: []study.Data{batchData(r.batches)}}
	counts := map[study.Support]int{}
	for _, v := range r.Decisions {
		f.Findings = append(f.Findings, study.Finding{Claim: v.ID + ": " + v.Claim, Support: v.Support, Figure: v.String()})
		counts[v.Support]++
	}
	f.Headline = fmt.Sprintf("Result for %d hypotheses: %d supported, %d contradicted, %d not decided.", len(r.Decisions), counts[study.Supported], counts[study.Contradicted], counts[study.NotDecided])
	f.Notes = append(append(f.Notes, p.Reasons...), r.DeviationsLine(), "Protocol "+r.Protocol+".", "Code "+r.Code+".")
	return f
}

// Tables returns the tables of the report: the decisions, and the matches with the digests of the
// models.
func (p *Protocol) Tables(r *Result) []report.Table {
	decisions := report.Table{Head: []string{"", "claim", "verdict", "p by Holm", "p", "estimate", "batches"}, Words: 3, Caption: "Decisions under the protocol, and estimates with 95% intervals over batches."}
	met := report.Table{Head: []string{"match", "game", "A", "B", "pairs", "faults"}, Words: 4, Caption: fmt.Sprintf("The agents in each match. Models are named by their digests; a batch has %d pairs.", batchPairs)}
	for i, v := range r.Decisions {
		m := p.Matches[i]
		decisions.Rows = append(decisions.Rows, []string{v.ID, v.Claim, string(v.Support), fmt.Sprintf("%.2g", v.Holm), fmt.Sprintf("%.2g", v.P), v.String(), fmt.Sprint(v.Batches)})
		met.Rows = append(met.Rows, []string{m.ID, m.world.Spec, m.a.Identity, m.b.Identity, fmt.Sprint(v.pairs), fmt.Sprint(v.faults)})
	}
	return []report.Table{decisions, met}
}

// String formats the estimate together with its description.
func (v Decision) String() string { return v.What + " " + v.Estimate.Range("%.4f", 1) }

// DeviationsLine summarises the deviations in one line.
func (r *Result) DeviationsLine() string {
	if len(r.Deviations) == 0 {
		return "Deviations from the protocol: none."
	}
	return "Deviations and exclusions: " + strings.Join(r.Deviations, "; ") + "."
}
