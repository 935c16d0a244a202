package intake

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	oracle "github.com/corentings/chess/v2"

	"plyfit/game"
)

// formatBits tells numbers apart to the last bit.
func formatBits(x float64) string { return strconv.FormatUint(math.Float64bits(x), 16) + "," }

// pgn reads games, one after the other. The library reads the text of a game;
// our own rules play it, so that the positions are those of every other data
// set, with what stood before them where repetition needs it.
func (r *reader) pgn() error {
	var text strings.Builder
	begin, tags, moves := 0, false, false
	number := 0
	flush := func() error {
		if !tags && !moves {
			return nil
		}
		number++
		want := r.take(text.String(), number)
		text.Reset()
		tags, moves = false, false
		if want != "" {
			return r.bad(begin, want)
		}
		return nil
	}
	depth := 0 // of braces: a line of a comment may look like a tag
	for {
		line, err := r.line()
		if err == io.EOF {
			return flush()
		}
		if err != nil {
			return err
		}
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || trimmed[0] == '%' {
			continue
		}
		if trimmed[0] == '[' && depth == 0 {
			if moves {
				if err := flush(); err != nil {
					return err
				}
			}
			tags = true
		} else {
			moves = true
			if k := strings.LastIndexAny(line, "{}"); k >= 0 {
				depth = 0
				if line[k] == '{' {
					depth = 1
				}
			}
		}
		if text.Len() == 0 {
			begin = r.lines
		}
		if text.Len() > longest {
			return LineError{File: r.path, Line: begin, Want: "games of at most a megabyte"}
		}
		text.WriteString(line)
		text.WriteByte('\n')
	}
}

// take takes in the positions of one game, the text of which is the file's
// number-th.
func (r *reader) take(text string, number int) (want string) {
	g, err := parseGame(text)
	if err != nil {
		return "a game in PGN: " + err.Error()
	}
	share, finished, ok := result(g.GetTagPair("Result"))
	if g.GetTagPair("Result") == "" {
		share, finished, ok = result(string(g.Outcome()))
	}
	if !ok {
		return wantResult
	}
	if !finished {
		r.Open++
		return ""
	}
	outcome, err := outcomeOf(r.base, share)
	if err != nil {
		return err.Error()
	}
	var s game.State
	if fen := g.GetTagPair("FEN"); fen != "" {
		if s, err = r.game.Parse(fen); err != nil {
			return err.Error()
		}
	} else {
		s = r.game.New()
	}
	id := fmt.Sprintf("pgn%d", number)
	var found []kept
	noisy := 0
	evaluated := "" // the comment %eval on this position, behind the move before
	for ply, m := range g.Moves() {
		if s.Turn() == game.Nobody { // drawn by a rule that the players did not call on
			r.Over++
			break
		}
		played, err := r.game.ParseMove(s, m.String())
		if err != nil {
			return fmt.Sprintf("legal moves: at ply %d %s", ply, err)
		}
		if r.o.Quiet == nil || r.o.Quiet(game.Base(s)) {
			k := kept{position: s.String(), move: s.MoveString(played), mover: int8(s.Turn()), ply: int32(ply), placed: true, outcome: -1}
			if want := r.annotate(&k, m, evaluated); want != "" {
				return fmt.Sprintf("%s at ply %d", want, ply)
			}
			found = append(found, k)
		} else {
			noisy++
		}
		s.Play(played)
		evaluated, _ = m.GetCommand("eval")
	}
	r.Noisy += noisy
	for i := range found {
		r.keep(&found[i], outcome, id)
	}
	return ""
}

// annotate gives a position the score that the game's comments have for it: what the
// mover's search said, behind his move (behindMove), else the %eval behind the move
// before, which is White's and in pawns.
func (r *reader) annotate(k *kept, m *oracle.Move, evaluated string) (want string) {
	centipawns, depth, ok := behindMove(m.Comments())
	sc := score{centipawns, Centipawns, true}
	if ok {
		k.depth = depth
	} else {
		if evaluated == "" {
			return ""
		}
		if sc.text, ok = inCentipawns(evaluated); !ok {
			return fmt.Sprintf("pawns or #MOVES as %%eval, not %.40q,", evaluated)
		}
		sc.byMover = false
	}
	if k.value, k.valued = r.value(sc, game.Player(k.mover)); !k.valued {
		return fmt.Sprintf("a score, not %.40q,", sc.text)
	}
	return ""
}

// parseGame has the library read a game; what it cannot read is an error, even
// where it panics.
func parseGame(text string) (g *oracle.Game, err error) {
	defer func() {
		if p := recover(); p != nil {
			g, err = nil, fmt.Errorf("%v", p)
		}
	}()
	tokens, err := oracle.TokenizeGame(&oracle.GameScanned{Raw: text})
	if err != nil {
		return nil, err
	}
	return oracle.NewParser(tokens).Parse()
}
