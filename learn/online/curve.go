package online

import (
	"context"
	"math"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/models"
	"plyfit/search"
	"plyfit/work"
)

// A Curve configures the learning curve of a run. With the zero value, the curve contains only the
// results of the run's own episodes.
type Curve struct {
	// Every is the number of episodes between points. If it is 0, there are points only at the
	// beginning and at the end.
	Every int `flag:"curve-every" in:"of at least 0" help:"games between points on the learning curve; 0: a tenth of all games"`
	// Pairs is the number of pairs of games played at each point. All points use the same pairs. In
	// two-player games the model plays against the opponent in Against. In single-player games both
	// play the same games separately, and their utilities are compared.
	Pairs    int           `flag:"curve-pairs" default:"100" in:"of at least 0" help:"pairs of games per point; 0: no curve"`
	Openings int           `flag:"curve-openings" in:"of at least 0" help:"random opening decisions per pair; default: 0 with chance, otherwise 6, or --openings if larger"`
	Planner  string        `flag:"planner" help:"planner for the learning curve; default: depth 1"`
	Measure  arena.Measure `flag:"measure" among:"wins utility" help:"measure of the learning curve; default: as in plyfit match"`

	Against search.Factory
	Player  func(m *models.Linear) (search.Factory, error) // returns a player that uses the given model, which it must not modify
	Seed    uint64
	Workers int
}

// A Point is one point of the learning curve.
type Point struct {
	Episodes int     `json:"episodes"` // number of episodes so far
	Seconds  float64 `json:"seconds"`  // time spent on playing and learning
	Moves    int64   `json:"moves"`    // number of players' decisions so far

	// The following fields describe the episodes since the previous point. They are zero if there
	// are none.
	Window  int            `json:"window"`         // number of episodes
	Outcome stats.Estimate `json:"outcome"`        // mean outcome for player 0, in the game's units
	Goal    stats.Estimate `json:"goal"`           // fraction of episodes that reached the goal
	RMSE    float64        `json:"rmse,omitempty"` // error of the predictions before learning, in the game's units

	// The following fields describe the games against the curve's opponent. They are zero if there
	// is none.
	Strength stats.Estimate `json:"strength"`         // score or utility per game; see Of
	Of       string         `json:"of,omitempty"`     // the quantity in Strength
	Rival    stats.Estimate `json:"rival"`            // result of the opponent in single-player games
	Pairs    int            `json:"pairs,omitempty"`  // number of pairs played
	Faults   int            `json:"faults,omitempty"` // games lost for reasons other than play
}

// ShareOfPoints is the value of Of if Strength is the fraction of the points won, which is 1/2
// between equal players.
const ShareOfPoints = "share of the points"

// point returns a Point with the results of the episodes since the last point.
func point(seconds float64, now, last Tally, goal bool) Point {
	w := now.Since(last)
	p := Point{Episodes: now.Episodes, Seconds: seconds, Moves: now.Moves, Window: w.Episodes}
	if n := w.Episodes - w.Truncated; n > 0 {
		mean := w.Sum / float64(n)
		variance := math.Max(0, w.Squares/float64(n)-float64(mean*mean)) * float64(n) / math.Max(1, float64(n-1))
		p.Outcome = stats.MeanFrom(n, mean, math.Sqrt(variance))
		if goal {
			share := float64(w.Goals) / float64(n)
			p.Goal = stats.MeanFrom(n, share, math.Sqrt(share*(1-share)*float64(n)/math.Max(1, float64(n-1))))
		}
	}
	if w.Samples > 0 {
		p.RMSE = math.Sqrt(w.Errors / float64(w.Samples))
	}
	return p
}

func (c *Curve) strength(ctx context.Context, g *game.Game, m *models.Linear, p *Point) error {
	if c.Pairs == 0 {
		return nil
	}
	player, err := c.Player(m)
	if err != nil {
		return err
	}
	// The player exists only in this process, so the match cannot be distributed.
	r, err := arena.Run(work.WithExecutor(ctx, nil), arena.Config{
		Game: g, A: player, B: c.Against, Pairs: c.Pairs, Seed: c.Seed, Workers: c.Workers,
		Openings: arena.Openings{Plies: c.Openings}, Measure: c.Measure,
	})
	if err != nil {
		return err
	}
	p.Pairs, p.Faults = r.Pairs, r.FaultsA.All()
	switch {
	case r.Mode == arena.Solo:
		p.Strength, p.Rival, p.Of = r.UtilityA, r.UtilityB, "utility a game"
	case r.Measure == arena.Wins:
		p.Strength, p.Of = r.Points, ShareOfPoints
	default:
		p.Strength, p.Of = r.UtilityA, "utility a game"
	}
	return nil
}

// A Tally contains sums over all of a learner's episodes. The tally for an interval is the
// difference between two tallies ([Tally.Since]).
type Tally struct {
	Episodes  int     `json:"episodes"`
	Moves     int64   `json:"moves"` // decisions of players
	Truncated int     `json:"truncated"`
	Sum       float64 `json:"sum"`     // sum of player 0's outcomes, in the game's units; does not include truncated episodes
	Squares   float64 `json:"squares"` // sum of the squares of these outcomes
	Goals     int     `json:"goals"`   // episodes that reached the task's Goal
	Samples   int64   `json:"samples"` // number of positions learned from
	Errors    float64 `json:"errors"`  // sum of squared errors over Samples before learning, in the game's units
}

// Since returns the tally of the episodes that were added after the given earlier tally.
func (t Tally) Since(earlier Tally) Tally {
	t.add(earlier, -1)
	return t
}

// Add adds the tally u of other episodes.
func (t *Tally) Add(u Tally) { t.add(u, 1) }

func (t *Tally) add(u Tally, sign int) {
	t.Episodes += sign * u.Episodes
	t.Moves += int64(sign) * u.Moves
	t.Truncated += sign * u.Truncated
	t.Sum += float64(float64(sign) * u.Sum)
	t.Squares += float64(float64(sign) * u.Squares)
	t.Goals += sign * u.Goals
	t.Samples += int64(sign) * u.Samples
	t.Errors += float64(float64(sign) * u.Errors)
}

// Ended counts an episode that has ended. Its moves are counted separately.
func (t *Tally) Ended(o Outcome) {
	t.Episodes++
	if o.Truncated {
		t.Truncated++
		return
	}
	t.Sum += o.Utility
	t.Squares += float64(o.Utility * o.Utility)
	if o.Goal {
		t.Goals++
	}
}
