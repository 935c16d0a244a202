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

// Curve says how a run's learning curve is measured; the zero value measures
// what its own episodes tell alone.
type Curve struct {
	// Every is the episodes between points; 0: points at the beginning and the end alone.
	Every int `flag:"curve-every" in:"of at least 0" help:"games between points of the learning curve; 0: a tenth of all games"`
	// Pairs is how many pairs of games the model plays at each point, the same ones at all of them,
	// against Against: in games of two who is better, in games of one how much it gets (Against
	// then plays the same games beside it).
	Pairs    int           `flag:"curve-pairs" default:"100" in:"of at least 0" help:"pairs of games per point; 0: no curve"`
	Openings int           `flag:"curve-openings" in:"of at least 0" help:"random opening decisions per pair; default: 0 with chance, else 6 or --openings if larger"`
	Planner  string        `flag:"planner" help:"planner for the learning curve; default: depth 1"`
	Measure  arena.Measure `flag:"measure" among:"wins utility" help:"measure of the learning curve; default: as in plyfit match"`

	Against search.Factory
	Player  func(m *models.Linear) (search.Factory, error) // who plays by the model; m is its own
	Seed    uint64
	Workers int
}

// Point is one place of the learning curve.
type Point struct {
	Episodes int     `json:"episodes"` // learned from
	Seconds  float64 `json:"seconds"`  // of playing and learning
	Moves    int64   `json:"moves"`    // decisions of players, since the beginning

	// Of the episodes since the point before; absent where there were none.
	Window  int            `json:"window"`         // how many
	Outcome stats.Estimate `json:"outcome"`        // of player 0, in the game's units
	Goal    stats.Estimate `json:"goal"`           // share that came to the goal
	RMSE    float64        `json:"rmse,omitempty"` // of the predictions, in the game's units, before they learned

	// Of the games against the curve's opponent; absent without one.
	Strength stats.Estimate `json:"strength"`         // share of the points, or utility a game: see Of
	Of       string         `json:"of,omitempty"`     // what Strength is
	Rival    stats.Estimate `json:"rival"`            // of a game of one: what the opponent got
	Pairs    int            `json:"pairs,omitempty"`  // played
	Faults   int            `json:"faults,omitempty"` // games lost other than by playing
}

// ShareOfPoints is the Of of a point whose Strength is 1/2 where both are as good.
const ShareOfPoints = "share of the points"

// point tells what the episodes since the last point were like.
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
	// The player is known to no one else while it learns.
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

// Tally adds up over the episodes of a learner since the first. The tally of a
// stretch is the difference of two ([Tally.Since]).
type Tally struct {
	Episodes  int     `json:"episodes"`
	Moves     int64   `json:"moves"` // decisions of players
	Truncated int     `json:"truncated"`
	Sum       float64 `json:"sum"`     // of player 0's outcomes, in the game's units, truncated episodes left out
	Squares   float64 `json:"squares"` // of the same
	Goals     int     `json:"goals"`   // episodes whose end met the task's Goal
	Samples   int64   `json:"samples"` // positions learned from
	Errors    float64 `json:"errors"`  // sum of squared errors over them, in the game's units, before learning
}

// Since is the tally of the episodes after those of earlier.
func (t Tally) Since(earlier Tally) Tally {
	t.add(earlier, -1)
	return t
}

// Add adds the tally of other episodes.
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

// Ended counts an episode that is over; its moves are counted apart.
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
