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

// WriteEPD writes records in a format that [Read] and other programs understand:
//
//	POSITION c9 "RESULT"; id "EPISODE";
//
// Positions do not include the moves that led to them. A chess position has the four fields of EPD
// (Edwards 1994, 16.2), and its two clocks are written as the operations hmvc and fmvn. RESULT is
// 1-0, 0-1, 1/2-1/2, or the fraction of a point that player 0 scores. Positions of truncated games
// have no result and are omitted. WriteEPD returns the number of omitted positions.
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

// epdOf returns a position of g's base game without its history, and the operations to append.
func epdOf(g *game.Game, s game.State) (position, clocks string) {
	d := g.Dialect("uci")
	if g.Base().Name != "chess" || d == nil {
		return s.String(), ""
	}
	f := strings.Fields(d.FEN(s))
	return strings.Join(f[:4], " "), fmt.Sprintf(" hmvc %s; fmvn %s;", f[4], f[5])
}

// resultOf formats player 0's utility in the notation that [result] reads.
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

// sanitise replaces characters that would end an operand or a line.
var sanitise = strings.NewReplacer(`"`, "'", ";", ",", "\\", "/", "\n", " ", "\r", " ")

// episodeName returns the name of an episode or, if it has none, its number.
func episodeName(r *datasets.Record) string {
	if r.ID == "" {
		return strconv.FormatUint(r.Episode, 10)
	}
	return sanitise.Replace(r.ID)
}
