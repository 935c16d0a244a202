package arena

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/text"
	"plyfit/search"
	"plyfit/work"
)

// A Tournament consists of matches between several entrants, who are rated together.
type Tournament struct {
	// Match is the configuration of all matches. A, B and Out are ignored. The seed of each match
	// is derived from Match.Seed.
	Match    Config
	Entrants []search.Factory // at least two
	Gauntlet bool             // whether only the first entrant plays the others, instead of all against all
	// Dir is the directory of the record files, such as match-01-02.jsonl for entrants 1 and 2. If
	// it is empty, no files are written.
	Dir string
	// Progress, if not nil, is called after each pair of the match between entrants a and b.
	Progress func(a, b int, p Progress)
}

// TournamentResult is the result of a tournament.
type TournamentResult struct {
	Game      string     `json:"game"`
	Seed      uint64     `json:"seed"`
	Standings []Standing `json:"standings"` // sorted by rating, best first
	Matches   []MatchOf  `json:"matches"`
	Openings  int        `json:"openings"` // number of distinct openings over all matches
	Notes     []string   `json:"notes,omitempty"`
}

// MatchOf is a match of a tournament.
type MatchOf struct {
	EntrantA int `json:"entrant_a"` // index of A in Tournament.Entrants
	EntrantB int `json:"entrant_b"` // index of B in Tournament.Entrants
	Result
}

// Standing is the row of an entrant in the table.
type Standing struct {
	Entrant int            `json:"entrant"` // index in Tournament.Entrants
	Name    string         `json:"name"`
	Rating  stats.Estimate `json:"rating"` // Elo without an interval; the mean of all entrants is 0
	Points  float64        `json:"points"` // 1, 1/2 or 0 per game, or per pair in single-player games
	Of      int            `json:"of"`     // maximum number of points
	// Against contains, by index, the fraction of the points scored against each other entrant. It
	// is nil for entrants that this one does not play.
	Against []*float64 `json:"against"`
	// Faults counts the games that the entrant lost by faults.
	Faults FaultCounts `json:"faults"`
}

// Play plays the tournament, or resumes it from Dir. If ctx is cancelled, it returns the result of
// the finished pairs. It returns an error if another process is working in Dir.
func (t Tournament) Play(ctx context.Context) (r TournamentResult, err error) {
	if len(t.Entrants) < 2 {
		return r, fmt.Errorf("tournament entrants: %d; want at least 2", len(t.Entrants))
	}
	if work.ExecutorOf(ctx) != nil { // reports agents that cannot be sent to other processes
		if err := search.Pack(&work.Job{}, work.Memory{}, t.Entrants...); err != nil {
			return r, err
		}
	}
	if t.Dir == "" {
		return t.play(ctx)
	}
	err = work.Alone(t.Dir, func() error {
		r, err = t.play(ctx)
		return err
	})
	return r, err
}

func (t Tournament) play(ctx context.Context) (TournamentResult, error) {
	var played []pairing
	var failed error
	for _, p := range t.pairings() {
		cfg := t.Match
		cfg.A, cfg.B = t.Entrants[p.a], t.Entrants[p.b]
		cfg.Seed = game.Seed(t.Match.Seed, uint64(p.a), uint64(p.b))
		cfg.Out = t.File(p.a, p.b)
		if t.Progress != nil {
			cfg.Progress = func(q Progress) { t.Progress(p.a, p.b, q) }
		}
		p.result, failed = Run(ctx, cfg)
		if p.result.Pairs > 0 {
			played = append(played, p)
		}
		if failed != nil {
			break
		}
	}
	return t.result(played), failed
}

// File returns the path of the record file of the match between entrants a and b, or an empty
// string if Dir is empty.
func (t Tournament) File(a, b int) string {
	if t.Dir == "" {
		return ""
	}
	return filepath.Join(t.Dir, fmt.Sprintf("match-%02d-%02d.jsonl", a+1, b+1))
}

// Matches returns the number of matches.
func (t Tournament) Matches() int { return len(t.pairings()) }

type pairing struct {
	a, b   int
	result Result
}

func (t Tournament) pairings() (out []pairing) {
	for a := range t.Entrants {
		for b := a + 1; b < len(t.Entrants); b++ {
			out = append(out, pairing{a: a, b: b})
		}
		if t.Gauntlet {
			break
		}
	}
	return out
}

func (t Tournament) result(played []pairing) TournamentResult {
	n := len(t.Entrants)
	r := TournamentResult{Game: t.Match.Game.Spec, Seed: t.Match.Seed}
	lines := make([]Standing, n)
	for i, e := range t.Entrants {
		lines[i] = Standing{Entrant: i, Name: e.Name, Against: make([]*float64, n), Rating: stats.Estimate{Lacks: "not rated"}}
	}
	var encounters []stats.Encounter
	from, pairs := map[uint64]bool{}, 0
	for _, p := range played {
		m := p.result
		pairs += m.Pairs
		r.Matches = append(r.Matches, MatchOf{p.a, p.b, m})
		points := float64(m.Wins) + float64(float64(m.Draws)/2)
		of := m.Wins + m.Draws + m.Losses
		a, b := &lines[p.a], &lines[p.b]
		a.Points, b.Points = a.Points+points, b.Points+float64(of)-points
		a.Of, b.Of = a.Of+of, b.Of+of
		mine, theirs := m.Points.Value, 1-m.Points.Value
		a.Against[p.b], b.Against[p.a] = &mine, &theirs
		a.Faults, b.Faults = a.Faults.Plus(m.FaultsA), b.Faults.Plus(m.FaultsB)
		e := m.encounter
		e.A, e.B = p.a, p.b
		encounters = append(encounters, e)
		if m.Population == Sampled {
			for o := range m.openings.All() {
				from[o] = true
			}
		}
		for _, note := range m.Notes {
			r.Notes = append(r.Notes, fmt.Sprintf("%s against %s: %s", m.A, m.B, note))
		}
	}
	matches := make([]*Result, len(r.Matches))
	for i := range r.Matches {
		matches[i] = &r.Matches[i].Result
	}
	Correct(matches...)
	r.Openings = len(from)
	if t.Match.Openings.population() != Sampled {
		for _, m := range r.Matches {
			r.Openings = max(r.Openings, m.Openings)
		}
	}
	switch openings := text.Counted(r.Openings, "opening"); {
	case t.Match.Openings.Fixed:
		r.Notes = append(r.Notes, fmt.Sprintf("The ratings are based only on games from %s.", openings))
	case len(from) < pairs && len(from) > 0:
		r.Notes = append(r.Notes, fmt.Sprintf("The %s start from %s; the intervals of the matches are clustered by opening.", text.Counted(pairs, "pair"), openings))
	}
	ratings, note, err := stats.Rate(n, encounters)
	if err != nil {
		note = err.Error()
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	for i, x := range ratings {
		lines[i].Rating = stats.Estimate{Value: x, Known: true}
	}
	slices.SortStableFunc(lines, func(x, y Standing) int { return cmp.Compare(y.Rating.Value, x.Rating.Value) })
	r.Standings = lines
	return r
}

// Text formats the standings, best first, with a cross table of scores in percent.
func (r TournamentResult) Text() string {
	var b strings.Builder
	width := len("entrant")
	for _, s := range r.Standings {
		width = max(width, len(s.Name))
	}
	fmt.Fprintf(&b, "%3s %-*s %8s %14s", "", width, "entrant", "Elo", "points")
	for i := range r.Standings {
		fmt.Fprintf(&b, " %6s", fmt.Sprintf("%d:", i+1))
	}
	b.WriteString("\n")
	for i, s := range r.Standings {
		elo := "unknown"
		if s.Rating.Known {
			elo = fmt.Sprintf("%.1f", s.Rating.Value)
		}
		fmt.Fprintf(&b, "%2d. %-*s %8s %14s", i+1, width, s.Name, elo, fmt.Sprintf("%v/%d", s.Points, s.Of))
		for _, o := range r.Standings {
			switch x := s.Against[o.Entrant]; {
			case x != nil:
				fmt.Fprintf(&b, " %6.1f", 100**x)
			case o.Entrant == s.Entrant:
				fmt.Fprintf(&b, " %6s", "x")
			default:
				fmt.Fprintf(&b, " %6s", "")
			}
		}
		b.WriteString("\n")
	}
	for _, s := range r.Standings {
		if s.Faults.All() > 0 {
			fmt.Fprintf(&b, "%s lost by faults: %v\n", s.Name, s.Faults)
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return b.String()
}
