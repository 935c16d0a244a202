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

// Written counts the records processed by [WritePositions].
type Written struct {
	Records  int `json:"records"` // of complete games
	Rows     int `json:"rows"`
	Noisy    int `json:"noisy"`    // omitted because the noisy moves do not lead to a quiet position, as in check
	Repeated int `json:"repeated"` // omitted because another record of the same game led to the same position
	CutOff   int `json:"cut_off"`  // omitted because the game was truncated; not included in Records
}

// WritePositions writes records to out as CSV. Each row contains the number of the game, the ply,
// the position and the result, which is player 0's utility scaled to the range from 0 to 1. The
// position is found by a quiescence search with the evaluator e from the recorded position. It is
// the quiet position at the end of the search's line of noisy moves.
//
// fen formats a position for the column "fen". If fen is nil, the column is called "position" and
// contains the game's own notation. If the parameter most is not 0, WritePositions stops after that
// number of rows. It skips truncated games.
//
// The game must have two players and utilities with a fixed sum.
func WritePositions(ctx context.Context, out io.Writer, g *game.Game, e search.Evaluator, fen func(game.State) string, records iter.Seq2[*datasets.Record, error], most int) (n Written, err error) {
	total, fixed := g.FixedSum()
	if g.Base().Players != 2 || !fixed {
		return n, fmt.Errorf("%s: want a two-player constant-sum game", g.Spec)
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
	seen := map[[2]uint64]bool{} // keyed by game and position
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
		if seen[at] {
			n.Repeated++
			continue
		}
		seen[at] = true
		n.Rows++
		fmt.Fprintf(to, "%d,%d,%s,%v\n", r.Episode, r.Ply, fen(s), (r.Outcome[0]-least)/(total-least-least))
	}
	return n, to.Flush()
}

// Drawn returns records in a random order that depends on the seed. It yields one record from each
// game, then a second record from each game, and so on. It keeps all records in memory.
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
		seen := map[uint64]int{} // number of records per game
		for i := range all {
			all[i].round = seen[all[i].r.Episode]
			seen[all[i].r.Episode]++
		}
		slices.SortStableFunc(all, func(a, b ticket) int { return cmp.Compare(a.round, b.round) })
		for i := range all {
			if !yield(&all[i].r, nil) {
				return
			}
		}
	}
}
