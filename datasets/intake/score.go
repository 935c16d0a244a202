package intake

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/elementary"
)

// outcomeOf returns the utilities of both players if player 0 scores the given fraction of a point.
func outcomeOf(base *game.Game, share float64) ([]float64, error) {
	total, fixed := base.FixedSum()
	if base.Players != 2 || !fixed || math.IsInf(base.Max-base.Min, 0) {
		return nil, fmt.Errorf("results cannot be converted to utilities of %s; use a column named \"outcome\" with the utility of each player", base.Name)
	}
	u := base.Min + float64(share*(base.Max-base.Min))
	return []float64{u, total - u}, nil
}

// A score is the value of a position as written in a file.
type score struct {
	text    string // empty if there is no score
	unit    Score
	byMover bool // from the mover's point of view rather than player 0's
}

// userScore returns a score in the unit and from the point of view specified in Options.
func (r *reader) userScore(text string) score {
	r.scored = r.scored || text != ""
	return score{text, r.o.Score, r.o.ByMover}
}

// missing reports whether sc stands for a missing score. This is the case for NaN, null and similar
// words, and for centipawns outside the valid range.
func (sc score) missing() bool {
	x, ok := number(sc.text)
	return ok && sc.unit == Centipawns && !game.IsCentipawns(x) ||
		slices.Contains([]string{"nan", "none", "null", "na", "n/a"}, strings.ToLower(sc.text))
}

// value converts a score to the mover's point of view and the game's units.
func (r *reader) value(sc score, mover game.Player) (value float64, ok bool) {
	x, ok := number(sc.text)
	if sign, mate := game.MateScore(sc.text); mate && sc.unit == Centipawns {
		x, ok = math.Inf(sign), true
	}
	if !ok || sc.missing() {
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

// behindMove reads the score and the depth that match runners write after a move, such as "+0.35/12
// 0.1s", "-M4/20", "(Nf3) 0.00/9" or OpenBench's "+0.09 17/32". The score is in pawns or moves to
// mate, from the point of view of the player who moved. Other comments, such as those written by
// people, contain no score. The result scored reports whether the comment begins like a score. If
// the score cannot be read, centipawns is empty.
func behindMove(comment string) (centipawns string, depth int32, scored bool) {
	if _, after, line := strings.Cut(comment, ")"); line && strings.HasPrefix(comment, "(") {
		comment = after // skip the expected continuation
	}
	words := strings.Fields(comment)
	if len(words) == 0 || words[0] == "1/2" { // a result, not a score
		return "", 0, false
	}
	pawns, after, slash := strings.Cut(strings.TrimRight(words[0], ","), "/")
	if !slash && len(words) > 1 {
		after, _, slash = strings.Cut(words[1], "/")
	}
	plies, err := strconv.ParseInt(after, 10, 32)
	if slash && err == nil && plies >= 0 && strings.ContainsAny(pawns, ".,#M") {
		if text, ok := inCentipawns(strings.Replace(pawns, ",", ".", 1)); ok {
			return text, int32(plies), true
		}
	}
	return "", 0, scoreLike.MatchString(words[0])
}

// scoreLike matches a signed number, a mate score, or a number followed by a depth.
var scoreLike = regexp.MustCompile(`^([+-]?[#M]?[+-]\d|[#M]\d|\d+([.,]\d+)?/\d+$)`)

// inCentipawns converts a score in pawns, such as +0.35, to centipawns. It leaves mate scores
// unchanged.
func inCentipawns(text string) (centipawns string, ok bool) {
	if _, mate := game.MateScore(text); mate {
		return text, true
	}
	x, ok := number(text)
	if !ok {
		return "", false
	}
	return strconv.FormatFloat(100*x, 'g', -1, 64), true
}
