package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/arena"
	"plyfit/arena/engine"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/work"
)

// Candidate is a set of weights that may play better than the start.
type Candidate struct {
	Name    string  `json:"name"`               // width 12
	Width   float64 `json:"width,omitempty"`    // of the prior, where a fit made it
	Weights string  `json:"weights"`            // the file
	HeldOut float64 `json:"held_out,omitempty"` // loss, where a fit made it
	// Race is its match against the start, at its last round.
	Pairs int            `json:"pairs"`
	Score stats.Estimate `json:"score"`
	Elo   stats.Estimate `json:"elo"`
	Out   string         `json:"out,omitempty"` // why it is out of the race; "": it is the last

	made engine.Made
}

// Field is where candidates meet. Pair k of a stage begins alike for all of them.
type Field interface {
	// Match is the match of a against b in a stage, without pairs, test and file.
	Match(ctx context.Context, stage string, pairs int, a, b *Candidate) (arena.Config, error)
}

// Race has matches choose among candidates, and confirms the last one on new openings and seeds.
type Race struct {
	Field Field
	Start *Candidate // whom all others play
	Pairs int        // of each candidate in the first round; twice as many in the next
	// Test confirms the winner in at most Confirm pairs. If it is nil, all of them are played, and
	// the winner is confirmed by the interval of its score.
	Test    *stats.SPRT
	Confirm int
	Seed    uint64
	Workers int // never changes the result

	Dir string // holds the matches, so that the same race goes on with them
	// Log receives a line about each step; nil: no log.
	Log func(line string)
}

// Outcome is what a race found.
type Outcome struct {
	Start      float64      `json:"start,omitempty"` // held-out loss of the starting weights, where fits made the candidates
	Candidates []*Candidate `json:"candidates"`
	Winner     *Candidate   `json:"winner,omitempty"` // confirmed; nil: none wins
	// Confirmed is the match of the last candidate, on openings of its own; nil: none was ahead.
	Confirmed *arena.Result `json:"confirmed,omitempty"`
	Sentence  string        `json:"sentence"`
}

// Streams of the seeds of a race.
const (
	streamRace = iota + 1
	streamConfirm
	streamEvolution
	streamRows
)

// Stages of a race.
const (
	raceStage      = "race"
	confirmStage   = "confirm"
	evolutionStage = "evolution"
)

// Run races and confirms what is missing.
func (r *Race) Run(ctx context.Context, candidates []*Candidate) (*Outcome, error) {
	o := &Outcome{Candidates: candidates}
	last, err := r.race(ctx, candidates)
	if err != nil {
		return nil, err
	}
	if last == nil {
		o.Sentence = "none wins: no candidate is ahead of the start after the race"
		return o, nil
	}
	return o, r.confirm(ctx, o, last)
}

// givenFile is what a race was given.
const givenFile = "ladder.json"

// alone does what is missing while no other process is at work in the folder.
func (r *Race) alone(do func() (*Outcome, error)) (o *Outcome, err error) {
	err = work.Alone(r.Dir, func() error {
		if err := filepath.WalkDir(r.Dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = disk.RemoveLeftovers(path)
			}
			return err
		}); err != nil {
			return err
		}
		o, err = do()
		return err
	})
	return o, err
}

// begin refuses the folder of another race, and logs the power of a new one.
func (r *Race) begin(given map[string]string, candidates, weights, games int) error {
	path := filepath.Join(r.Dir, givenFile)
	var had struct {
		Given map[string]string `json:"given"`
	}
	err := disk.ReadSealed(path, &had)
	if errors.Is(err, fs.ErrNotExist) {
		if r.Log != nil {
			r.Log(r.Power(candidates, weights, games).String())
		}
		had.Given = given
		return disk.WriteSealed(path, had)
	}
	if err != nil {
		return err
	}
	all := maps.Clone(given)
	maps.Copy(all, had.Given)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if had.Given[name] != given[name] {
			return fmt.Errorf("%s: another race, whose %s is %q, not %q: want another folder", r.Dir, name, had.Given[name], given[name])
		}
	}
	return nil
}

// rounds of a race of n.
func rounds(n int) int {
	k := 0
	for ; n > 1; n /= 2 {
		k++
	}
	return max(1, k)
}

// race plays rounds until one candidate is left, and nil where none is ahead. A round drops those
// whose interval ends below the start's half, and the worse half of the others; all play the same pairs.
func (r *Race) race(ctx context.Context, candidates []*Candidate) (*Candidate, error) {
	left := slices.Clone(candidates)
	n := rounds(len(candidates))
	for round := range n {
		pairs := r.Pairs << round
		for _, c := range left {
			r.tell("round %d of %d: %s against the start, %d pairs", round+1, n, c.Name, pairs)
			result, err := r.play(ctx, c, r.Start, raceStage, r.Pairs<<(n-1), arena.Config{
				Pairs: pairs, Seed: game.Seed(r.Seed, streamRace), Out: filepath.Join(r.Dir, raceStage+"-"+fileName(c.Name)+".jsonl"),
			})
			if err != nil {
				return nil, err
			}
			c.Pairs, c.Score = result.Pairs, result.Score
			if result.Versus != nil {
				c.Elo = result.Versus.Elo
			}
		}
		// Of equals the earlier stays: of widths the narrower, which asks the engine to change less.
		slices.SortStableFunc(left, func(a, b *Candidate) int { return cmp.Compare(b.Score.Value, a.Score.Value) })
		keep := max(1, len(left)/2)
		var stay []*Candidate
		for i, c := range left {
			switch {
			case c.Score.Bounded && c.Score.High < even:
				c.Out = fmt.Sprintf("round %d: behind the start", round+1)
			case i >= keep:
				c.Out = fmt.Sprintf("round %d: others did better", round+1)
			default:
				stay = append(stay, c)
			}
		}
		left = stay
	}
	if len(left) == 1 && left[0].Score.Value <= even {
		left[0].Out = fmt.Sprintf("round %d: not ahead of the start", n)
		left = nil
	}
	if len(left) == 0 {
		return nil, nil
	}
	return left[0], nil
}

// even is the share of the points of equals.
const even = 0.5

// play plays a match of a stage whose longest one has so many pairs.
func (r *Race) play(ctx context.Context, a, b *Candidate, stage string, longest int, rest arena.Config) (*arena.Result, error) {
	cfg, err := r.Field.Match(ctx, stage, longest, a, b)
	if err != nil {
		return nil, err
	}
	cfg.Pairs, cfg.Seed, cfg.Out, cfg.SPRT = rest.Pairs, rest.Seed, rest.Out, rest.SPRT
	cfg.Workers, cfg.Measure = r.Workers, arena.Wins
	result, err := arena.Run(ctx, cfg)
	if err == nil && result.Conclusion == arena.Nothing {
		err = proc.Failure(fmt.Errorf("%s: %s", a.Name, result.Sentence))
	}
	return &result, err
}

func (r *Race) confirm(ctx context.Context, o *Outcome, last *Candidate) (err error) {
	r.tell("confirms %s on at most %d new pairs", last.Name, r.Confirm)
	o.Confirmed, err = r.play(ctx, last, r.Start, confirmStage, r.Confirm, arena.Config{
		Pairs: r.Confirm, Seed: game.Seed(r.Seed, streamConfirm), SPRT: r.Test, Out: filepath.Join(r.Dir, confirmStage+".jsonl"),
	})
	if err != nil {
		return err
	}
	by := fmt.Sprintf("%s, %d pairs", gain(o.Confirmed), o.Confirmed.Pairs)
	switch decision(o.Confirmed) {
	case stats.AcceptHigh:
		o.Winner = last
		o.Sentence = fmt.Sprintf("%s wins, %s: %s", last.Name, by, last.Weights)
	case stats.AcceptLow:
		last.Out = "confirmation: not better than the start"
		o.Sentence = fmt.Sprintf("none wins: the best of the race, %s, was not confirmed (%s)", last.Name, by)
	default:
		last.Out = "confirmation: not decided"
		o.Sentence = fmt.Sprintf("none wins yet: %s is not decided (%s)", last.Name, by)
	}
	return nil
}

// decision returns the test's decision, or without a test H1 if the interval of the score lies above
// even.
func decision(r *arena.Result) stats.Decision {
	switch {
	case r.SPRT != nil:
		return r.SPRT.Decision
	case r.Score.Bounded && r.Score.Low > even:
		return stats.AcceptHigh
	}
	return stats.AcceptLow
}

// gain formats the gain in Elo, or the share of the points if Elo has no interval.
func gain(r *arena.Result) string {
	share, elo := r.Best()
	text := share.Percent() + " of the points"
	if elo.Bounded && r.Versus.Elo.Bounded {
		text = elo.Format("%+.0f", 1) + " Elo"
	}
	if r.SPRT != nil && r.SPRT.Decision != stats.Open && r.SPRT.Corrected == nil {
		text += ", not corrected for the early stop"
	}
	return text
}

func (r *Race) tell(format string, values ...any) {
	if r.Log != nil {
		r.Log(fmt.Sprintf(format, values...))
	}
}

// fileName is a candidate's name in the names of files.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == ' ' || c == '/' || c == filepath.Separator {
			return '-'
		}
		return c
	}, name)
}
