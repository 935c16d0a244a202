package intake

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/elementary"
)

// outcomeOf are the utilities of both players of a share of the point.
func outcomeOf(base *game.Game, share float64) ([]float64, error) {
	total, fixed := base.FixedSum()
	if base.Players != 2 || !fixed || math.IsInf(base.Max-base.Min, 0) {
		return nil, fmt.Errorf("a result says nothing of %s: want a column \"outcome\" with each player's utility", base.Name)
	}
	u := base.Min + float64(share*(base.Max-base.Min))
	return []float64{u, total - u}, nil
}

// score is a value in the game's units as a file has it.
type score struct {
	text    string // "": none
	unit    Score
	byMover bool // in the mover's view, not in player 0's
}

// told is a score as the user says that the files have it.
func (r *reader) told(text string) score {
	r.scored = r.scored || text != ""
	return score{text, r.o.Score, r.o.ByMover}
}

// value is a score in the mover's view and the game's units.
func (r *reader) value(sc score, mover game.Player) (value float64, ok bool) {
	x, ok := number(sc.text)
	if sign, mate := game.MateScore(sc.text); mate && sc.unit == Centipawns {
		x, ok = math.Inf(sign), true
	}
	if !ok {
		return 0, false
	}
	b := r.base
	if sc.unit == Centipawns {
		x = b.Min + (b.Max-b.Min)/(1+elementary.Pow(10, -x/400))
	}
	if !sc.byMover && mover == 1 {
		total, fixed := b.FixedSum()
		return total - x, fixed && b.Players == 2
	}
	return x, true
}

// behindMove reads the score that match runners write behind a move, such as
// "+0.35/12 0.1s", "-M4/20" or "(Nf3) 0.00/9": pawns, or moves to mate, in the view
// of who moved, and the depth. Other comments, the words of people above all, have
// none.
func behindMove(comment string) (centipawns string, depth int32, ok bool) {
	if _, after, line := strings.Cut(comment, ")"); line && strings.HasPrefix(comment, "(") {
		comment = after // the line that was expected
	}
	words := strings.Fields(comment)
	if len(words) == 0 {
		return "", 0, false
	}
	pawns, after, ok := strings.Cut(strings.TrimRight(words[0], ","), "/")
	plies, err := strconv.ParseInt(after, 10, 32)
	if !ok || err != nil || plies < 0 || !strings.ContainsAny(pawns, ".,#M") { // 1/2 is a result
		return "", 0, false
	}
	if centipawns, ok = inCentipawns(strings.Replace(pawns, ",", ".", 1)); !ok {
		return "", 0, false
	}
	return centipawns, int32(plies), true
}

// inCentipawns turns pawns, +0.35, into centipawns, and leaves a mate as it is.
func inCentipawns(text string) (centipawns string, ok bool) {
	if _, mate := game.MateScore(text); mate {
		return text, true
	}
	x, ok := number(text)
	return strconv.FormatFloat(100*x, 'g', -1, 64), ok
}
