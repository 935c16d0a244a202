package selfplay

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

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
	CutOff   int `json:"cut_off"`  // left out before: their games have no end
}

// WritePositions writes a row of each record of games that were played to an end: game,
// ply, fen (position, in a game without) and result, the first player's share of the point.
// The position is where the noisy moves from the recorded one end, as e judges. fen writes it;
// nil: as the game does. It ends after the row number most; 0: after all records.
func WritePositions(ctx context.Context, out io.Writer, g *game.Game, e search.Evaluator, fen func(game.State) string, records iter.Seq2[*datasets.Record, error], most int) (n Written, err error) {
	total, fixed := g.FixedSum()
	if g.Base().Players != 2 || !fixed {
		return n, fmt.Errorf("%s: want a game of two whose utilities have a fixed sum", g.Spec)
	}
	q, err := search.NewQuiescence(g, e)
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
	had := map[[2]uint64]bool{} // by game and position
	least := g.Base().Min
	for r, err := range records {
		if err != nil {
			return n, err
		}
		if ctx.Err() != nil {
			return n, context.Cause(ctx)
		}
		if r.Truncated {
			n.CutOff++
			continue
		}
		if most > 0 && n.Rows == most {
			break
		}
		n.Records++
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
		at := [2]uint64{r.Episode, game.BoardHash(s)}
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

// Drawn are records in an order drawn by the seed: one of each game, then a second of each, and so
// on. All of them are in memory.
func Drawn(records iter.Seq2[*datasets.Record, error], seed uint64) iter.Seq2[*datasets.Record, error] {
	type ticket struct {
		round int
		draw  uint64
		r     datasets.Record
	}
	return func(yield func(*datasets.Record, error) bool) {
		var all []ticket
		for r, err := range records {
			if err != nil {
				yield(nil, err)
				return
			}
			all = append(all, ticket{draw: game.Seed(seed, r.Episode, uint64(r.Ply)), r: *r})
		}
		slices.SortStableFunc(all, func(a, b ticket) int { return cmp.Compare(a.draw, b.draw) })
		had := map[uint64]int{} // of a game
		for i := range all {
			all[i].round = had[all[i].r.Episode]
			had[all[i].r.Episode]++
		}
		slices.SortStableFunc(all, func(a, b ticket) int { return cmp.Compare(a.round, b.round) })
		for i := range all {
			if !yield(&all[i].r, nil) {
				return
			}
		}
	}
}
