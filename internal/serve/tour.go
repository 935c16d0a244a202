package serve

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/svg"
	"plyfit/study/evaluation"
	"plyfit/study/lecture"
)

var tourRoutes = []route{
	{"GET /lesson/{step}", (*Server).tour, "tour.html"},
	{"GET /lesson/opponent", (*Server).opponent, "opponent"},
	{"GET /lesson/warp", (*Server).warp, "warped"},
	{"GET /lesson/depth", (*Server).depth, "depths"},
	{"GET /lesson/jitter", (*Server).jitter, "jitter"},
	{"POST /lesson/pacman", (*Server).pacmanCells, "cells"},
	{"GET /lesson/chase", (*Server).pacmanLesson, "chase"},
	{"POST /lesson/learn", (*Server).learnLesson, "learned"},
}

// The lesson's trees, as positions of the game "tree". The first is figure 5.2 of Russell and
// Norvig, Artificial Intelligence, 4th ed. The others are worth 10 if one expects the worst
// outcome, and 54.5 if one expects the mean. [Server.transform] builds one more tree. Its leaves
// are 0 40 and 20 30, which Berkeley's CS188 transforms by squaring them.
const (
	textbookTree = "(max (min 3 12 8) (min 2 4 6) (min 14 5 2))"
	chanceTree   = "(max (chance 1/2 10 1/2 10) (chance 1/2 9 1/2 100))"
	opponentTree = "(max (min 10 10) (min 9 100))"
)

// A panel shows one search of a step's tree.
type panel struct {
	By      string // name of the method
	Title   string // title of the method
	Choice  string // move chosen at the root
	Value   string
	Nodes   int
	Picture template.HTML
	Link    string // URL of the same search, step by step
}

// warped is the tree of a step with transformed leaves, searched by two planners.
type warped struct {
	By       string
	Power    float64
	Scale    float64
	Shift    float64
	Position string
	Panels   []panel
}

// tourStep is a step of the lesson.
type tourStep struct {
	Title   string
	content func(s *Server, r *http.Request) (any, error) // returns the content that the step shows below its text; nil if there is none
}

var tourSteps = []tourStep{
	{"A tree and minimax", panelsOf(textbookTree, "minimax")},
	{"What alpha-beta skips", panelsOf(textbookTree, "alphabeta")},
	{"Nature moves: expectimax", panelsOf(chanceTree, "minimax", "expectimax")},
	{"Two assumptions about an opponent", (*Server).assumptions},
	{"Where the tree ends: an evaluation", (*Server).tourTerms},
	{"Depth against evaluation", func(s *Server, r *http.Request) (any, error) { return s.searchedTo(r.Context(), 1) }},
	{"Transform the evaluation", func(s *Server, r *http.Request) (any, error) { return s.transform(r.Context(), 1, 1, 0) }},
	{"Transformations that expectimax tolerates", func(s *Server, r *http.Request) (any, error) { return s.transform(r.Context(), 1, 1, 0) }},
	{"Pacman next to a dot", func(s *Server, r *http.Request) (any, error) { return s.jittered(r.Context(), usualDepth, byScore, 0) }},
	{"Pacman: assumptions and reality", nil},
	{"Learning a better evaluation", nil},
}

func panelsOf(position string, by ...string) func(*Server, *http.Request) (any, error) {
	return func(s *Server, r *http.Request) (any, error) { return s.panels(r.Context(), position, by...) }
}

func (s *Server) tour(_ http.ResponseWriter, r *http.Request) (any, error) {
	k, err := strconv.Atoi(r.PathValue("step"))
	if err != nil || k < 1 || k > len(tourSteps) {
		return nil, missing("no such step; want 1 to %d", len(tourSteps))
	}
	v := struct {
		Head           head
		Step           int
		Steps          []tourStep
		Title          string
		Previous, Next int
		Content        any
	}{Head: s.head(tourSteps[k-1].Title+" | plyfit", "tour"), Step: k, Steps: tourSteps, Title: tourSteps[k-1].Title, Previous: k - 1, Next: (k + 1) % (len(tourSteps) + 1)}
	if content := tourSteps[k-1].content; content != nil {
		v.Content, err = content(s, r)
	}
	return v, busy(err)
}

// assumptions shows the tree under an assumption about the opponent, and Pacman's assumptions in a
// corridor.
func (s *Server) assumptions(r *http.Request) (any, error) {
	opponent, err := s.opponent(nil, r)
	if err != nil {
		return nil, err
	}
	rows, start, err := s.table(r.Context(), lecture.Corridor, ghosts[1:])
	if err != nil {
		return nil, err
	}
	return struct {
		Opponent any
		Mixed    string // URL of the tree under a mixture of assumptions
		Trapped  *trappedView
	}{opponent, treeLink(opponentTree, "mixed", 0), &trappedView{picture(start, 0), linkTo(lecture.Corridor, start.String()), rows}}, nil
}

// busy converts an error to a refusal with the status code "service unavailable".
func busy(err error) error {
	if err == nil {
		return nil
	}
	return refusal{http.StatusServiceUnavailable, err}
}

// panels searches a typed tree with each of the methods.
func (s *Server) panels(ctx context.Context, position string, by ...string) (out []panel, err error) {
	for _, name := range by {
		t, err := s.step(ctx, position, name)
		if err != nil {
			return nil, err
		}
		for _, m := range t.moments {
			t.play(m)
		}
		picture := svg.Tree(t.picture(t.root, nil, ""), leafWidth, t.by.Title+" of "+position)
		out = append(out, panel{name, t.by.Title, t.best, t.root.shown(), len(t.Nodes), template.HTML(picture), treeLink(position, name, 0)})
	}
	return out, nil
}

// leafWidth is the width of a leaf in the picture of a tree, in pixels.
const leafWidth = 66.0

// opponents lists the methods that the step offers for [opponentTree]. Each assumes a different
// opponent.
var opponents = []string{"minimax", "random"}

// opponentView is the tree under one of the assumptions.
type opponentView struct {
	By     string
	Panels []panel
}

// opponent shows the tree under the assumption in by=, which is one of [opponents]; the default is
// the first.
func (s *Server) opponent(_ http.ResponseWriter, r *http.Request) (any, error) {
	v := opponentView{By: cmp.Or(r.FormValue("by"), opponents[0])}
	if !slices.Contains(opponents, v.By) {
		return nil, fmt.Errorf("by=%.20s: want one of %s", v.By, strings.Join(opponents, ", "))
	}
	var err error
	v.Panels, err = s.panels(r.Context(), opponentTree, v.By)
	return v, busy(err)
}

// tourPosition is a position of Connect Four in which several terms of the evaluation contribute.
const tourPosition = "4453543"

// tourTerms explains the terms of the best move in tourPosition.
func (s *Server) tourTerms(*http.Request) (any, error) {
	w, state, link, err := s.connect4(tourPosition)
	if err != nil {
		return nil, err
	}
	e, err := w.Evaluation("handwritten")
	if err != nil {
		return nil, err
	}
	by := evaluationOf(w, e)
	best := ""
	for _, a := range assess(w, state, []namedEvaluation{by}) {
		if a.Best[0] {
			best = a.Move
		}
	}
	return struct {
		Board template.HTML
		Link  string
		Terms *termsView
	}{picture(state, 0), link, explainMove(w, state, by, best, best)}, nil
}

// connect4 returns the world of Connect Four and the given position. It also returns the URL that
// shows the position without a game.
func (s *Server) connect4(position string) (w *catalog.World, state game.State, link string, err error) {
	if w, err = s.config.Catalog.World("connect4"); err == nil {
		state, err = w.Parse(position)
	}
	return w, state, linkTo("connect4", position), err
}

// linkTo returns the URL that shows a position without a game.
func linkTo(spec, position string) string {
	return "/at?" + url.Values{"game": {spec}, "position": {position}}.Encode()
}

// highest is the maximum value of a leaf before transform scales and shifts it.
const highest = 100.0

// transform searches a tree with transformed leaves by minimax and by expectimax. Each leaf v from
// 0 to 100 is transformed to 100*(v/100)^power, which is the warp used in the study, and is then
// scaled and shifted.
func (s *Server) transform(ctx context.Context, power, scale, shift float64) (*warped, error) {
	d := evaluation.Damage{Kind: evaluation.Power, By: power}
	leaf := func(v float64) string {
		return strconv.FormatFloat(float64(scale*highest*d.Warp(v/highest))+shift, 'g', 6, 64)
	}
	position := fmt.Sprintf("(max (chance 1/2 %s 1/2 %s) (chance 1/2 %s 1/2 %s))", leaf(0), leaf(40), leaf(20), leaf(30))
	panels, err := s.panels(ctx, position, "minimax", "expectimax")
	if err != nil {
		return nil, err
	}
	return &warped{number(power), power, scale, shift, position, panels}, nil
}

// warp handles the sliders, which set the power (by=), the scale (scale=) and the shift (shift=).
func (s *Server) warp(_ http.ResponseWriter, r *http.Request) (any, error) {
	var sliders [3]float64
	for i, slider := range []struct {
		name              string
		otherwise, lo, hi float64
	}{{"by", 1, 0.02, 4}, {"scale", 1, 0.1, 10}, {"shift", 0, -1000, 1000}} {
		sliders[i] = slider.otherwise
		text := r.FormValue(slider.name)
		if text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || !(x >= slider.lo && x <= slider.hi) {
			return nil, fmt.Errorf("%s=%s: want a number from %g to %g", slider.name, text, slider.lo, slider.hi)
		}
		sliders[i] = x
	}
	v, err := s.transform(r.Context(), sliders[0], sliders[1], sliders[2])
	return v, busy(err)
}
