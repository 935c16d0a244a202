package intake

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"plyfit/datasets"
	"plyfit/game"
)

// WriteEPD writes the positions of records as lines that [Read] and other programs take:
//
//	POSITION c9 "RESULT"; id "EPISODE";
//
// Positions are without the moves that led to them. One of chess has the four parts of an
// EPD (Edwards 1994, 16.2), and its two clocks behind, as hmvc and fmvn. A result is 1-0,
// 0-1, 1/2-1/2, or player 0's share of the point where it is none of these. Positions of
// games that were cut off have no result: they are left out and counted.
func WriteEPD(out io.Writer, g *game.Game, records iter.Seq2[*datasets.Record, error]) (left int, err error) {
	if _, err := outcomeOf(g.Base(), 0); err != nil {
		return 0, err
	}
	w := bufio.NewWriter(out)
	for r, err := range records {
		if err != nil {
			return left, err
		}
		if r.Truncated {
			left++
			continue
		}
		s, err := g.Parse(r.Position)
		if err != nil {
			return left, fmt.Errorf("episode %d, ply %d: %w", r.Episode, r.Ply, err)
		}
		position, clocks := epdOf(g, game.Base(s))
		if _, err := fmt.Fprintf(w, "%s c9 %q; id %q;%s\n", position, resultOf(g.Base(), r.Outcome[0]), episodeName(r), clocks); err != nil {
			return left, err
		}
	}
	return left, w.Flush()
}

// epdOf is a position of g's base game without its past, and the operations behind it.
func epdOf(g *game.Game, s game.State) (position, clocks string) {
	d := g.Dialect("uci")
	if g.Base().Name != "chess" || d == nil {
		return s.String(), ""
	}
	f := strings.Fields(d.FEN(s))
	return strings.Join(f[:4], " "), fmt.Sprintf(" hmvc %s; fmvn %s;", f[4], f[5])
}

// resultOf is what player 0's utility is written as; [result] reads it.
func resultOf(base *game.Game, utility float64) string {
	switch share := (utility - base.Min) / (base.Max - base.Min); share {
	case 1:
		return "1-0"
	case 0:
		return "0-1"
	case 0.5:
		return "1/2-1/2"
	default:
		return strconv.FormatFloat(share, 'g', -1, 64)
	}
}

// between are what ends an operand, or a line.
var between = strings.NewReplacer(`"`, "'", ";", ",", "\\", "/", "\n", " ", "\r", " ")

// episodeName is what an episode was called, or its number.
func episodeName(r *datasets.Record) string {
	if r.ID == "" {
		return strconv.FormatUint(r.Episode, 10)
	}
	return between.Replace(r.ID)
}
