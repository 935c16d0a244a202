package online

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
