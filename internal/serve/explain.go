package serve

import (
	"cmp"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/list"
)

var explainRoutes = []route{
	{"GET /tables/{id}/why", ofGame((*Server).why), "why"},
	{"GET /tables/{id}/terms", fullyVisible((*Server).terms), "terms"},
}

// A namedEvaluation is an evaluation with the name that the page shows.
type namedEvaluation struct {
	name string
	set  features.Set        // terms of the evaluation; nil if it has none
	of   *features.Evaluator // nil for the evaluation zero, which has no terms
}

// evaluations returns the evaluations specified by a request in a= and b=. If none are specified,
// it returns the hand-written and the learned one, if they are shipped and fit the game.
func (s *Server) evaluations(w *catalog.World, r *http.Request) (list []namedEvaluation, err error) {
	names := []string{r.FormValue("a"), r.FormValue("b")}
	if names[0] == "" && names[1] == "" {
		names = shippedEvaluations(w.Entry)
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		e, err := w.Evaluation(name)
		if err != nil {
			if len(list) > 0 && r.FormValue("b") == "" {
				continue // The learned model of the plain game does not fit every variant.
			}
			return nil, err
		}
		list = append(list, evaluationOf(w, e))
	}
	return list, nil
}

// shippedEvaluations returns the names "handwritten" and "learned", each only if the game ships
// such a model.
func shippedEvaluations(e *catalog.Entry) (names []string) {
	for _, name := range []string{"handwritten", "learned"} {
		if e.Ships(name) {
			names = append(names, name)
		}
	}
	return names
}

func evaluationOf(w *catalog.World, e *catalog.Evaluation) namedEvaluation {
	if e.Model == nil {
		return namedEvaluation{name: e.Name}
	}
	return namedEvaluation{e.Name, e.Set, features.NewEvaluator(w.Game, e.Set, e.Model)}
}

// assessed is a move with the values of the position after it, for the player who moves.
type assessed struct {
	Move   string
	Name   string // move as shown on the page
	Over   bool   // whether the move ends the game; Values are then the mover's utility
	Values []float64
	Shown  []string // Values as shown on the page
	Gap    float64  // second value minus first value, both as shown; 0 if there is only one
	Best   []bool   // for each evaluation, whether it gives this move the highest value
	Terms  string   // URL of the terms of this move
}

func assess(w *catalog.World, s game.State, by []namedEvaluation) []assessed {
	mover := s.Turn()
	var out []assessed
	for _, m := range s.Moves(nil) {
		a := assessed{Move: s.MoveString(m), Name: game.Spelled(s, m)}
		plies := game.PlayIntended(s, m)
		a.Over = s.Turn() == game.Nobody
		for _, e := range by {
			switch {
			case a.Over:
				a.Values = append(a.Values, s.Utility(mover))
			case e.of == nil:
				a.Values = append(a.Values, 0)
			default:
				a.Values = append(a.Values, e.of.Leaf(s, mover))
			}
		}
		for range plies {
			s.Undo()
		}
		if len(a.Values) == 2 {
			a.Gap = rounded(w, a.Values[1]) - rounded(w, a.Values[0])
		}
		a.Shown = list.Map(a.Values, func(x float64) string { return valued(w, x) })
		out = append(out, a)
	}
	for k := range by {
		best := math.Inf(-1)
		for _, a := range out {
			best = max(best, a.Values[k])
		}
		for i := range out {
			out[i].Best = append(out[i].Best, out[i].Values[k] == best)
		}
	}
	return out
}

// whyView is the data for the list of moves with the values that they have without a search.
type whyView struct {
	Scale    string
	Mover    phrase
	Names    []string
	Moves    []assessed
	Disagree string
	Average  float64 // mean gap, excluding moves that end the game
	Equal    string  // sentence that is shown if the first evaluation gives all moves about the same value
	Bar      *barView
	Mark     string // board places of the best move
	Terms    *termsView
	Nothing  string // reason why no moves are explained
}

// why lists the moves, best first, with the values that they have without a search, and explains
// the best move.
func (s *Server) why(_ http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	by, err := s.evaluations(t.world, r)
	if err != nil {
		return nil, err
	}
	state, version := t.snapshot()
	v := whyView{Scale: scale(t.world, state)}
	switch {
	case state.Turn() < 0:
		v.Nothing = "The game is over, so there is no move to evaluate."
	case len(by) == 0:
		v.Nothing = "This game has no evaluation."
	case t.world.Hidden:
		v.Nothing = "Part of the position is hidden. The values of the moves would reveal it."
	}
	if v.Nothing != "" {
		return v, nil
	}
	if game.ShapeOf(t.world.Game, state).Players > 1 {
		v.Mover = side(t.world, state.Turn())
	}
	v.Names = list.Map(by, func(e namedEvaluation) string { return e.name })
	v.Moves = assess(t.world, state, by)
	if len(by) == 2 {
		v.Disagree, v.Average = disagreement(v.Moves)
	}
	slices.SortStableFunc(v.Moves, func(a, b assessed) int { return cmp.Compare(b.Values[0], a.Values[0]) })
	best := v.Moves[0]
	for i := range v.Moves {
		m := &v.Moves[i]
		m.Terms = "/tables/" + t.id + "/terms?" + url.Values{"move": {m.Move}, "against": {best.Move}, "a": {v.Names[0]}, "version": {version}}.Encode()
	}
	v.Equal, v.Bar, v.Mark = equalValues(v.Moves), barOf(t.world, state, best.Values[0]), places(state, best.Move)
	v.Terms = explainMove(t.world, state, by[0], best.Move, best.Move)
	return v, nil
}

// barView is the evaluation bar. It shows the value for the first player within the game's range.
type barView struct {
	Low, High, Value float64
	First, Second    phrase
	Text             string // for screen readers
}

// barOf returns the bar for v, the value of the best move for the player to move. It returns nil
// unless the game is a zero-sum game for two players with finite bounds.
func barOf(w *catalog.World, s game.State, v float64) *barView {
	shape := game.ShapeOf(w.Game, s)
	if shape.Players != 2 || shape.Sum != game.Zero || math.IsInf(shape.Max-shape.Min, 0) {
		return nil
	}
	if s.Turn() == 1 {
		v = -v
	}
	v += 0
	b := &barView{Low: shape.Min, High: shape.Max, Value: v, First: side(w, 0), Second: side(w, 1)}
	b.Text = "Evaluation for " + b.First.Text + ": " + number(v) + ", from " + number(b.Low) + " to " + number(b.High)
	return b
}

// places returns the clicks on the board that make a move, or "" if there are none. Chains of
// clicks are separated by semicolons, and the places in a chain by spaces.
func places(s game.State, move string) string {
	for _, m := range clickables(s) {
		if m.Move == move {
			return strings.Join(list.Map(m.Clicks, func(chain []string) string { return strings.Join(chain, " ") }), ";")
		}
	}
	return ""
}

// equalValues returns a sentence if all moves have about the same value under the first evaluation,
// and "" otherwise. The moves are sorted best first. Values are considered about the same if they
// differ by at most a thousandth of the best value, or by at most a millionth.
func equalValues(moves []assessed) string {
	best, worst := moves[0].Values[0], moves[len(moves)-1].Values[0]
	switch {
	case len(moves) < 2 || best-worst > 1e-3*max(math.Abs(best), 1e-3):
		return ""
	case best == worst:
		return "All moves have the same value here."
	}
	return "All moves have about the same value here. The values differ by at most " + number(best-worst) + "."
}

// disagreement returns the mean gap and the move whose gap is furthest from the mean, or "" if all
// gaps are about equal. Evaluations that differ by a constant do not disagree about any move.
func disagreement(moves []assessed) (move string, mean float64) {
	n := 0.0
	for _, m := range moves {
		if !m.Over {
			mean, n = mean+m.Gap, n+1
		}
	}
	mean /= max(n, 1)
	most := max(1e-4*math.Abs(mean), 1e-9)
	for _, m := range moves {
		if d := math.Abs(m.Gap - mean); !m.Over && d > most {
			most, move = d, m.Name
		}
	}
	return move, mean
}

// termLine is a row of the table of terms.
type termLine struct {
	Name, Reads            string // name of the term, and the name that is shown, which can be that of the opponent's term
	Doc                    string // description of the term; "" if the set has none
	Value, Weight, Product float64
	Gap                    float64 // product minus the corresponding product for the other move
	Bar                    float64 // |Gap| divided by the largest |Gap|
	Decides                bool
}

// ending is a step from the sum to the value shown.
type ending struct {
	Name, Shown string
	Gap         float64 // difference from the same step for the other move
}

// termsView is the data for the explanation of one move.
type termsView struct {
	Move, Against, By string // moves as shown on the page, and the name of the evaluation
	Over              bool
	Shown             string // value of the position, or the utility if the game is over
	Bias              float64
	Ending            []ending // sum, value, and value in pawns
	Lines             []termLine
	Idle              []string // terms that contribute nothing for either move
	Phased            bool     // whether names contain the phase of the weight, as in knight@0
}

// explainMove explains the value of the position after a move, and compares its terms with those
// after another move (the parameter against). It returns nil if there is nothing to explain.
func explainMove(w *catalog.World, s game.State, e namedEvaluation, move, against string) *termsView {
	if e.of == nil {
		return nil
	}
	explain := func(name string) (x features.Explanation, spelled string, over, ok bool) {
		m, err := game.FindMove(s, name)
		if err == nil {
			spelled = game.Spelled(s, m)
			x, over = e.of.After(s, m)
		}
		return x, spelled, over, err == nil
	}
	x, name, over, ok := explain(move)
	base, other, baseOver, found := explain(against)
	if !ok || !found {
		return nil
	}
	v := &termsView{Move: name, Against: other, By: e.name, Over: over, Shown: valued(w, x.Leaf), Bias: x.Bias}
	docs := map[string]string{}
	if e.set != nil {
		docs = features.DocsByName(e.set)
	}
	compared := move != against && !over && !baseOver
	if baseOver { // The game is over after the other move, so there are no terms to compare.
		base = x
	}
	for _, c := range features.Endings(base, x, number) {
		v.Ending = append(v.Ending, ending{c.Name, number(c.After), c.Difference})
	}
	if formula := pawnsFormula(w); formula != "" {
		v.Ending = append(v.Ending, ending{formula, valued(w, x.Leaf), rounded(w, x.Leaf) - rounded(w, base.Leaf)})
	}
	var changes []features.Change
	if compared {
		changes = features.Changes(base, x)
	}
	gaps, largest := map[string]features.Change{}, 0.0
	for _, c := range changes {
		gaps[c.Name] = c
		largest = max(largest, math.Abs(c.Difference))
	}
	add := func(line termLine) {
		line.Doc, line.Gap = plainDoc(docs[line.Reads]), gaps[line.Name].Difference
		if largest > 0 {
			line.Bar = math.Abs(line.Gap) / largest
		}
		line.Decides = line.Bar > 0.5
		delete(gaps, line.Name)
		v.Phased = v.Phased || strings.Contains(line.Name, "@")
		if line.Product == 0 && line.Gap == 0 {
			v.Idle = append(v.Idle, line.Reads)
			return
		}
		v.Lines = append(v.Lines, line)
	}
	for _, t := range x.Terms {
		add(termLine{Name: t.Name, Reads: cmp.Or(t.Reads, t.Name), Value: t.Value, Weight: t.Weight, Product: t.Product})
	}
	for _, c := range changes {
		if _, left := gaps[c.Name]; left { // only in the other position
			add(termLine{Name: c.Name, Reads: c.Name, Weight: c.Weight})
		}
	}
	slices.SortStableFunc(v.Lines, func(a, b termLine) int { return cmp.Compare(b.Bar, a.Bar) })
	return v
}

// terms explains the move in a request's parameter move=, compared with the move in against=. If
// version= is not the current version of the game, it responds with no content, because the page is
// about to request the new moves.
func (s *Server) terms(w http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	by, err := s.evaluations(t.world, r)
	if err != nil {
		return nil, err
	}
	state, version := t.snapshot()
	if v := r.FormValue("version"); v != "" && v != version {
		w.WriteHeader(http.StatusNoContent)
		return nil, nil
	}
	if state.Turn() < 0 || len(by) == 0 {
		return nil, errors.New("there is no move to explain in this position")
	}
	move := r.FormValue("move")
	if _, err := game.FindMove(state, move); err != nil {
		return nil, err
	}
	v := explainMove(t.world, state, by[0], move, cmp.Or(r.FormValue("against"), move))
	if v == nil {
		return nil, errors.New("the evaluation zero has no terms; choose another evaluation with the parameter a=")
	}
	return v, nil
}
