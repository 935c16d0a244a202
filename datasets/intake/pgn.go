package intake

import (
	"bufio"
	"fmt"
	"regexp"
	"strings"

	"plyfit/game"
)

// pgn reads games one after another. It plays the moves with plyfit's own rules, so that positions
// have the same form as in other data sets. Positions include previous moves if these can matter
// for repetition.
func (r *reader) pgn() error {
	p := &pgnScanner{in: bufio.NewReaderSize(lineReader{r}, maxLine), line: 1, start: true, game: &pgnGame{}}
	for number := 1; ; number++ {
		g, err := p.next()
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", r.path, err)
		case g == nil:
			return nil
		}
		if r.stray(g) {
			continue
		}
		f := g.fault
		if f.reason == "" {
			f = r.take(g, number)
		}
		if err := r.record(&r.Games, g.line, f); err != nil {
			return err
		}
	}
}

// terminations matches the known values of the Termination tag, except "normal".
var terminations = regexp.MustCompile(`^(adjudication|unterminated|rules infraction|illegal move|stalled connection|disconnect|death|emergency|.*forfeit)$|abandoned$|on time$`)

// termination classifies a game by its Termination tag. ended is empty if the game was decided on
// the board. The result of a forfeited game says little about its positions.
func termination(tag string) (ended string, forfeit bool) {
	tag = strings.ToLower(strings.TrimSpace(strings.ReplaceAll(tag, "_", " ")))
	if ended = terminations.FindString(tag); ended != "" {
		return ended, ended != "adjudication" && ended != "unterminated"
	}
	if tag != "" && tag != "?" && tag != "normal" {
		ended = "other"
	}
	return ended, false
}

// stray reports whether g is text between games, such as a heading. Such text has no tags and no
// termination marker, and does not begin with a legal move. If g is such text, stray adds a note.
func (r *reader) stray(g *pgnGame) bool {
	if g.tags != nil || g.marker != "" || g.fault.reason != "" && len(g.moves) == 0 {
		return false
	}
	if len(g.moves) > 0 {
		if _, err := r.game.ParseMove(r.game.New(), g.moves[0].text); err == nil {
			return false
		}
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s:%d: text between games was ignored", r.path, g.line))
	return true
}

// standard lists the names of standard chess in lower case, without spaces and without "chess".
var standard = map[string]bool{"": true, "?": true, "-": true, "standard": true, "normal": true, "classical": true, "fromposition": true}

// take adds the positions of a game to the collection. The parameter number is the game's number in
// the file.
func (r *reader) take(g *pgnGame, number int) (f fault) {
	if !standard[strings.NewReplacer(" ", "", "chess", "").Replace(strings.ToLower(g.tags["variant"]))] {
		return fault{variant, fmt.Sprintf("the variant Standard or From Position, not %.40q", g.tags["variant"])}
	}
	if len(g.moves) == 0 {
		return fault{noMoves, "a game with moves"}
	}
	tag, marker := g.tags["result"], g.marker
	if tag == "" || tag == "?" {
		tag = marker
	}
	share, finished, ok := game.WordResult(tag)
	byMarker, _, _ := game.WordResult(marker)
	switch {
	case tag != "" && !ok:
		return fault{"unreadable result", fmt.Sprintf("1-0, 0-1, 1/2-1/2 or * in the Result tag, not %.40q", tag)}
	case marker != "" && (byMarker != share || (marker == "*") == finished):
		return fault{"contradicting results", fmt.Sprintf("only one result, but the Result tag contains %s and the moves end with %s", tag, marker)}
	case !finished:
		return fault{Unfinished, "a game with a result"}
	}
	outcome, err := outcomeOf(r.base, share)
	if err != nil {
		return fault{"unreadable result", err.Error()}
	}
	ended, forfeit := termination(g.tags["termination"])
	if forfeit && r.o.NoForfeits {
		return fault{endedBy + ended, fmt.Sprintf("a game decided on the board, not by %s", ended)}
	}
	s := r.game.New()
	if g.tags["fen"] == "" && g.tags["setup"] == "1" {
		return fault{"unreadable position", "a FEN tag together with the tag SetUp"}
	}
	if fen := g.tags["fen"]; fen != "" {
		if s, err = r.game.Parse(fen); err != nil {
			return fault{"unreadable position", err.Error()}
		}
	}
	id := fmt.Sprintf("pgn%d", number)
	var found []item
	var plies, scores Account
	evaluated := "" // %eval of the current position, from the comment after the previous move
	for ply, m := range g.moves {
		if s.Turn() == game.Nobody && s.Utility(0) == 0 { // the game was drawn by a rule, but the players did not claim the draw
			plies.count(Behind, 1)
			if m.comment != "" {
				scores.count(Behind, 1)
			}
			continue
		}
		played, err := r.game.ParseMove(s, m.text)
		if err != nil {
			reason := "illegal or ambiguous move"
			if nullMoves[m.text] {
				reason = "null move"
			}
			return fault{reason, fmt.Sprintf("legal moves; at ply %d, %s", ply, err)}
		}
		comment, eval := commands(m.comment)
		k := item{mover: int8(s.Turn()), ply: int32(ply), placed: true, outcome: -1}
		quiet := r.o.Quiet == nil || r.o.Quiet(game.Base(s))
		if _, _, scored := behindMove(comment); m.comment != "" && !scored && eval == "" {
			scores.count(noScore, 1)
		}
		r.annotate(&k, comment, evaluated, quiet, &scores)
		reason := NotQuiet
		if quiet {
			reason, k.position, k.move = "", s.String(), s.MoveString(played)
			found = append(found, k)
		}
		plies.count(reason, 1)
		s.Play(played)
		evaluated = eval
	}
	if evaluated != "" {
		scores.count(leftOut, 1)
	}
	if s.Turn() == game.Nobody && s.Utility(0) != 0 && s.Utility(0) != outcome[0] {
		return fault{"contradicting results", fmt.Sprintf("a result that matches the decisive final position, not %s", tag)}
	}
	r.Plies.add(plies)
	r.Scores.add(scores)
	if ended != "" {
		r.Terminations[ended]++
	}
	for i := range found {
		r.keep(&found[i], outcome, id)
		r.events[r.entries[len(r.entries)-1].episode] = g.tags["event"]
	}
	return fault{}
}

// commands extracts the %eval command from a comment and removes all other commands.
func commands(comment string) (words, eval string) {
	for {
		before, rest, found := strings.Cut(comment, "[%")
		words += before
		if !found {
			return strings.TrimSpace(words), eval
		}
		command, after, _ := strings.Cut(rest, "]")
		if value, ok := strings.CutPrefix(command, "eval "); ok {
			eval, _, _ = strings.Cut(strings.TrimSpace(value), ",") // a depth may follow
			eval, _, _ = strings.Cut(eval, "/")
		}
		comment = after
	}
}

// annotate sets the value of a position from the game's comments. It uses the score of the mover's
// search, which follows the move (see behindMove). If there is none, it uses the %eval after the
// previous move, which is in pawns from White's point of view. Each score is counted. If the score
// cannot be read, the position is imported without a value.
func (r *reader) annotate(k *item, comment, evaluated string, imported bool, scores *Account) {
	centipawns, depth, scored := behindMove(comment)
	sc := score{centipawns, Centipawns, true}
	if scored && evaluated != "" {
		scores.count(second, 1)
	}
	switch {
	case !scored && evaluated == "":
		return
	case !imported:
		scores.count(leftOut, 1)
		return
	case !scored:
		sc.text, _ = inCentipawns(evaluated)
		sc.byMover = false
	}
	reason := Unreadable
	if k.value, k.valued = r.value(sc, game.Player(k.mover)); k.valued {
		reason, k.depth = "", depth
	}
	scores.count(reason, 1)
}
