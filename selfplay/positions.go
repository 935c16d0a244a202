package selfplay

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/search"
)

// Written is what [WritePositions] made of the records of games.
type Written struct {
	Records  int `json:"records"`
	Rows     int `json:"rows"`
	Noisy    int `json:"noisy"`    // left out: no quiet end, as in check
	Repeated int `json:"repeated"` // left out: an end that another record of the game led to
}

// WritePositions writes a row of each record of games that were played to an end: game,
// ply, fen (position, in a game without) and result, the first player's share of the point.
// The position is where the noisy moves from the recorded one end, as e judges. fen writes it;
// nil: as the game does.
func WritePositions(ctx context.Context, out io.Writer, g *game.Game, e search.Evaluator, fen func(game.State) string, dir string) (n Written, err error) {
	total, fixed := g.FixedSum()
	if g.Base().Players != 2 || !fixed {
		return n, fmt.Errorf("%s: want a game of two whose utilities have a fixed sum", g.Spec)
	}
	q, err := search.NewQuiescence(g, e)
	if err != nil {
		return n, err
	}
	set, err := datasets.Open(dir)
	if err != nil {
		return n, err
	}
	to := bufio.NewWriter(out)
	column := "fen"
	if fen == nil {
		column, fen = "position", game.State.String
	}
	fmt.Fprintf(to, "game,ply,%s,result\n", column)
	leaf := QuietLeaf(q)
	had, of := map[uint64]bool{}, uint64(0)
	least := g.Base().Min
	for r, err := range set.Records() {
		if err != nil {
			return n, err
		}
		if ctx.Err() != nil {
			return n, context.Cause(ctx)
		}
		if r.Truncated {
			continue
		}
		n.Records++
		if r.Episode != of {
			clear(had)
			of = r.Episode
		}
		s, err := g.Parse(r.Position)
		if err != nil {
			return n, fmt.Errorf("game %d, ply %d: %w", r.Episode, r.Ply, err)
		}
		s = game.Base(s)
		if err := leaf(s, r); err != nil {
			return n, err
		}
		if !q.Quiet(s) {
			n.Noisy++
			continue
		}
		at := game.BoardHash(s)
		if had[at] {
			n.Repeated++
			continue
		}
		had[at] = true
		n.Rows++
		fmt.Fprintf(to, "%d,%d,%s,%v\n", r.Episode, r.Ply, fen(s), (r.Outcome[0]-least)/(total-least-least))
	}
	return n, to.Flush()
}
