package arena

import (
	"fmt"

	"plyfit/arena/stats"
	"plyfit/internal/text"
)

// notes are what a reader must know beside the figures.
func (r *Result) notes() (notes []string) {
	say := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	switch {
	case r.Population != Sampled && r.Independent < r.Pairs:
		say("The %d games are %d: pairs from the same position repeat each other move for move, and only %d of %d count as evidence; vary the openings.",
			r.Games, r.Distinct, r.Independent, r.Pairs)
	case r.Population == Sampled && float64(r.Independent) < 0.9*float64(r.Pairs):
		say("The %s are from %s: what pairs from one opening have in common tells no more than once, and they tell as much as %s from openings of their own; more openings help, more pairs do not.",
			text.Counted(r.Pairs, "pair"), text.Counted(r.Openings, "opening"), text.Counted(r.Independent, "pair"))
	case r.Distinct < r.Games:
		say("%d of the %d games are distinct.", r.Distinct, r.Games)
	}
	if r.Truncated > 0 {
		if r.Mode == Solo {
			say("%s cut off at the limit of plies and counted with the score so far.", were(r.Truncated))
		} else if r.countable {
			say("%s cut off at the limit of plies and counted as the board stood.", were(r.Truncated))
		} else {
			say("%s cut off at the limit of plies and counted as drawn.", were(r.Truncated))
		}
	}
	if r.Adjudicated > 0 {
		say("%s ended by rule, both agents agreeing on the outcome.", were(r.Adjudicated))
	}
	if n := r.FaultsA.All(); n > 0 {
		say("%s lost %s by faults: %v; the first: %s.", r.A, text.Counted(n, "game"), r.FaultsA, r.FaultsA.First)
	}
	if n := r.FaultsB.All(); n > 0 {
		say("%s lost %s by faults: %v; the first: %s.", r.B, text.Counted(n, "game"), r.FaultsB, r.FaultsB.First)
	}
	switch t := r.SPRT; {
	case t == nil:
	case t.Corrected != nil:
		say("A test that may end a match early favours the winner in the usual figures; the corrected ones account for that.")
	case t.Decision != stats.Open:
		say("The test ended the match, which favours the winner in all figures; their intervals hold the truth less often than 95%%, and the match has too little to correct them.")
	}
	return notes
}

func were(n int) string {
	if n == 1 {
		return "1 game was"
	}
	return fmt.Sprintf("%d games were", n)
}

// String is the running score, such as "12 won, 3 drawn, 5 lost, 67.5% ± 12.1%, LLR 0.81".
func (p Progress) String() string {
	line := fmt.Sprintf("%d won, %d drawn, %d lost", p.Wins, p.Draws, p.Losses)
	if running := p.Running(); running.Bounded || running.Alike {
		if p.Measure == Wins {
			line += ", " + running.Percent()
		} else {
			line += ", A minus B " + running.Format(running.Decimals(), 1)
		}
	}
	if p.LLR != 0 {
		line += fmt.Sprintf(", LLR %.2f", p.LLR)
	}
	if n := p.Faults.All(); n > 0 {
		line += ", " + text.Counted(n, "fault")
	}
	return line
}
