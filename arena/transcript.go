package arena

import (
	"fmt"

	"plyfit/game"
)

// Transcripts are the games of a pair of a match between a and b in the world g, read from the
// record's moves; a record without them, or contradicting them, is an error.
func (r *PairRecord) Transcripts(g *game.Game, a, b string) ([]*game.Transcript, error) {
	names := [3]string{a, b, "nature"}
	var out []*game.Transcript
	for i := range r.Games {
		rec := &r.Games[i]
		round := fmt.Sprintf("%d.%d", r.Pair+1, i+1)
		if len(rec.Moves) != rec.Plies {
			return nil, fmt.Errorf("game %s: %d moves recorded of %d", round, len(rec.Moves), rec.Plies)
		}
		t := &game.Transcript{Event: a + " against " + b, Round: round, Start: r.Start, Sides: rec.Seats, Utility: rec.Utility, End: rec.end()}
		for _, side := range rec.Seats {
			t.Names = append(t.Names, names[side])
		}
		s := g.New()
		if r.Start != "" {
			var err error
			if s, err = g.Parse(r.Start); err != nil {
				return nil, fmt.Errorf("game %s: %w", round, err)
			}
		}
		for _, text := range rec.Moves {
			m, err := g.ParseMove(s, text)
			if err != nil {
				return nil, fmt.Errorf("game %s: %w", round, err)
			}
			t.Moves = append(t.Moves, m)
			s.Play(m)
		}
		out = append(out, t)
	}
	return out, nil
}

func (r *GameRecord) end() game.End {
	switch {
	case r.Fault != nil && r.Fault.Kind == timeLoss:
		return game.OutOfTime
	case r.Fault != nil && r.Fault.Kind == illegal:
		return game.IllegalMove
	case r.Fault != nil:
		return game.Crashed
	case r.Resigned:
		return game.Resigned
	case r.Adjudicated:
		return game.Adjudicated
	case r.Truncated:
		return game.Truncated
	}
	return game.Played
}
