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

// A Candidate is a set of weights that competes in a race. The starting weights, against which all
// candidates play, are also a Candidate.
type Candidate struct {
	Name    string  `json:"name"`               // for example, "width 12"
	Width   float64 `json:"width,omitempty"`    // standard deviation of the prior; 0 if not fitted
	Weights string  `json:"weights"`            // path of the weight file
	HeldOut float64 `json:"held_out,omitempty"` // loss on held-out rows; 0 if not fitted
	// Pairs, Score and Elo are the candidate's result against the starting weights after its last
	// round.
	Pairs int            `json:"pairs"`
	Score stats.Estimate `json:"score"`
	Elo   stats.Estimate `json:"elo"`
	Out   string         `json:"out,omitempty"` // reason why the candidate did not win; empty for the winner and the start

	made engine.Made
}

// A Field sets up the matches in a race. Pair k in a stage starts from the same opening for all
// candidates.
type Field interface {
	// Match returns the configuration of a match between a and b in a stage. The caller fills in
	// Pairs, Seed, Out, SPRT, Workers and Measure. The parameter pairs is the maximum number of
	// pairs in any match of the stage.
	Match(ctx context.Context, stage string, pairs int, a, b *Candidate) (arena.Config, error)
}

// A Race selects one of several candidates by successive halving. It then confirms that candidate
// in new games, because the score by which it was selected is biased upwards.
type Race struct {
	Field Field
	Start *Candidate // opponent of every candidate
	Pairs int        // number of pairs per candidate in the first round; each further round doubles the total, which includes earlier pairs
	// Test confirms the winner in at most Confirm pairs. If Test is nil, all pairs are played, and
	// the winner is confirmed if the whole interval of its score is above even.
	Test    *stats.SPRT
	Confirm int
	Seed    uint64
	Workers int // number of pairs played in parallel; does not affect the result

	Dir string // directory for match records; running the same race again resumes from it
	// Log, if not nil, is called with each line of progress output.
	Log func(line string)
}

// Outcome is the result of a race.
type Outcome struct {
	Start      float64      `json:"start,omitempty"` // held-out loss of the starting weights; set only if the candidates were fitted
	Candidates []*Candidate `json:"candidates"`
	Winner     *Candidate   `json:"winner,omitempty"` // nil if no candidate was confirmed
	// Confirmed is the result of the confirmation match. It is nil if no candidate was ahead after
	// the race.
	Confirmed *arena.Result `json:"confirmed,omitempty"`
	Sentence  string        `json:"sentence"`
}

// These are streams of random seeds. Each purpose draws from its own stream.
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

// Run races the candidates and confirms the one that remains. Pairs already recorded in r.Dir are
// not played again.
func (r *Race) Run(ctx context.Context, candidates []*Candidate) (*Outcome, error) {
	o := &Outcome{Candidates: candidates}
	finalist, err := r.race(ctx, candidates)
	if err != nil {
		return nil, err
	}
	if finalist == nil {
		o.Sentence = "no winner: no candidate is ahead of the starting values after the race"
		return o, nil
	}
	return o, r.confirm(ctx, o, finalist)
}

// settingsFile is the file in Dir that contains the settings of the race.
const settingsFile = "ladder.json"

// withLock calls do while holding the lock on r.Dir. It first removes temporary files that
// interrupted runs left behind.
func (r *Race) withLock(do func() (*Outcome, error)) (o *Outcome, err error) {
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

// checkSettings returns an error if r.Dir contains a race with different settings. If r.Dir
// contains no race, checkSettings logs the power of the new race and stores its settings.
func (r *Race) checkSettings(settings map[string]string, candidates, weights, games int) error {
	path := filepath.Join(r.Dir, settingsFile)
	var recorded struct {
		Settings map[string]string `json:"given"`
	}
	err := disk.ReadSealed(path, &recorded)
	if errors.Is(err, fs.ErrNotExist) {
		if r.Log != nil {
			r.Log(r.Power(candidates, weights, games).String())
		}
		recorded.Settings = settings
		return disk.WriteSealed(path, recorded)
	}
	if err != nil {
		return err
	}
	union := maps.Clone(settings)
	maps.Copy(union, recorded.Settings)
	for _, name := range slices.Sorted(maps.Keys(union)) {
		if recorded.Settings[name] != settings[name] {
			return fmt.Errorf("%s: the directory contains a race with %s %q, not %q; use another directory", r.Dir, name, recorded.Settings[name], settings[name])
		}
	}
	return nil
}

// rounds returns the number of rounds in a race of n candidates: log2(n) rounded down, but at least 1.
func rounds(n int) int {
	k := 0
	for ; n > 1; n /= 2 {
		k++
	}
	return max(1, k)
}

// race returns the candidate that remains after all rounds, or nil if none is ahead of the start.
// All candidates in a round play the same pairs. Each round keeps the better half of its
// candidates, except those whose whole confidence interval is below even.
func (r *Race) race(ctx context.Context, candidates []*Candidate) (*Candidate, error) {
	remaining := slices.Clone(candidates)
	n := rounds(len(candidates))
	for round := range n {
		pairs := r.Pairs << round
		for _, c := range remaining {
			r.logf("round %d of %d: playing %s against the starting values, %d pairs", round+1, n, c.Name, pairs)
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
		// If scores are equal, the earlier candidate stays. A ladder lists narrow widths first and
		// therefore prefers smaller changes to the engine.
		slices.SortStableFunc(remaining, func(a, b *Candidate) int { return cmp.Compare(b.Score.Value, a.Score.Value) })
		keep := max(1, len(remaining)/2)
		var next []*Candidate
		for i, c := range remaining {
			switch {
			case c.Score.Bounded && c.Score.High < even:
				c.Out = fmt.Sprintf("round %d: worse than the starting values", round+1)
			case i >= keep:
				c.Out = fmt.Sprintf("round %d: other candidates scored better", round+1)
			default:
				next = append(next, c)
			}
		}
		remaining = next
	}
	if len(remaining) == 1 && remaining[0].Score.Value <= even {
		remaining[0].Out = fmt.Sprintf("round %d: not ahead of the starting values", n)
		remaining = nil
	}
	if len(remaining) == 0 {
		return nil, nil
	}
	return remaining[0], nil
}

// even is the expected score between equal players, as a fraction of the points.
const even = 0.5

// play runs a match between a and b, or resumes it from the file settings.Out. The parameter
// maxPairs is the maximum number of pairs in any match of the stage. Only the fields Pairs, Seed,
// Out and SPRT of settings are used.
func (r *Race) play(ctx context.Context, a, b *Candidate, stage string, maxPairs int, settings arena.Config) (*arena.Result, error) {
	cfg, err := r.Field.Match(ctx, stage, maxPairs, a, b)
	if err != nil {
		return nil, err
	}
	cfg.Pairs, cfg.Seed, cfg.Out, cfg.SPRT = settings.Pairs, settings.Seed, settings.Out, settings.SPRT
	cfg.Workers, cfg.Measure = r.Workers, arena.Wins
	result, err := arena.Run(ctx, cfg)
	if err == nil && result.Conclusion == arena.Nothing {
		err = proc.Failure(fmt.Errorf("%s: %s", a.Name, result.Sentence))
	}
	return &result, err
}

func (r *Race) confirm(ctx context.Context, o *Outcome, finalist *Candidate) (err error) {
	r.logf("confirming %s in at most %d new pairs", finalist.Name, r.Confirm)
	o.Confirmed, err = r.play(ctx, finalist, r.Start, confirmStage, r.Confirm, arena.Config{
		Pairs: r.Confirm, Seed: game.Seed(r.Seed, streamConfirm), SPRT: r.Test, Out: filepath.Join(r.Dir, confirmStage+".jsonl"),
	})
	if err != nil {
		return err
	}
	margin := fmt.Sprintf("%s, %d pairs", gain(o.Confirmed), o.Confirmed.Pairs)
	switch decision(o.Confirmed) {
	case stats.AcceptHigh:
		o.Winner = finalist
		o.Sentence = fmt.Sprintf("%s wins, %s: %s", finalist.Name, margin, finalist.Weights)
	case stats.AcceptLow:
		finalist.Out = "confirmation: not better than the starting values"
		o.Sentence = fmt.Sprintf("no winner: %s won the race but was not confirmed (%s)", finalist.Name, margin)
	default:
		finalist.Out = "confirmation: undecided"
		o.Sentence = fmt.Sprintf("no winner yet: the confirmation of %s is undecided (%s)", finalist.Name, margin)
	}
	return nil
}

// decision returns the decision of the test. Without a test, H1 is accepted if the whole interval
// of the score is above even.
func decision(r *arena.Result) stats.Decision {
	switch {
	case r.SPRT != nil:
		return r.SPRT.Decision
	case r.Score.Bounded && r.Score.Low > even:
		return stats.AcceptHigh
	}
	return stats.AcceptLow
}

// gain formats the gain in Elo. If there is no interval in Elo, it formats the score instead.
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

func (r *Race) logf(format string, values ...any) {
	if r.Log != nil {
		r.Log(fmt.Sprintf(format, values...))
	}
}

// fileName replaces spaces and path separators in a candidate's name with hyphens.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == ' ' || c == '/' || c == filepath.Separator {
			return '-'
		}
		return c
	}, name)
}
