package serve

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/report"
)

// deepest is the maximum search depth in this step of the lesson.
const deepest = 5

// In depthPosition, a Connect Four position, the move depthRight is the only best move. A search
// with alphabeta:depth=42,eval=zero proves this.
const (
	depthPosition = "51364237312473"
	depthRight    = "5"
)

// A record is the result of a match. Half is half the width of the 95% interval for the share of
// the points, in percent.
type record struct {
	Won, Drawn, Lost int
	Half             float64
}

// Share returns the share of the points, in percent.
func (r record) Share() float64 {
	return 100 * (float64(r.Won) + float64(0.5*float64(r.Drawn))) / float64(r.Won+r.Drawn+r.Lost)
}

// depthEvaluations lists the evaluations in this step of the lesson, with their results at depths 1
// to 5 in
//
//	plyfit match connect4 alphabeta:depth=D,eval=E alphabeta:depth=3,eval=handwritten --pairs 500 --seed 20261124
//
// TestDepthRecords repeats the matches.
var depthEvaluations = []struct {
	Eval, Name, Doc string
	Records         [deepest]record
}{
	{"zero", "none", "gives every position the value 0 until the game is over",
		[deepest]record{{56, 0, 944, 1.48}, {67, 2, 931, 1.60}, {96, 2, 902, 1.85}, {106, 3, 891, 1.94}, {111, 3, 886, 1.99}}},
	{"connect4/lines", "poor", "counts open lines",
		[deepest]record{{122, 3, 875, 2.01}, {295, 29, 676, 2.49}, {288, 24, 688, 2.44}, {380, 44, 576, 2.60}, {474, 36, 490, 2.59}}},
	{"handwritten", "fair", "hand-written: counts threats by row and stones in the centre",
		[deepest]record{{321, 32, 647, 2.62}, {425, 105, 470, 2.48}, {467, 66, 467, 0.38}, {544, 91, 365, 2.44}, {627, 51, 322, 2.51}}},
	{"learned", "good", "learned: weighs threats by the player whose turn it will be",
		[deepest]record{{346, 20, 634, 2.52}, {459, 74, 467, 2.66}, {557, 46, 397, 2.52}, {639, 54, 307, 2.54}, {682, 43, 275, 2.44}}},
}

// chosen is the result of a search with one of the evaluations, together with that evaluation's
// match record.
type chosen struct {
	Name, Doc string
	Moves     string // moves that the search considers best
	Right     bool   // whether Moves contains only the right move
	Value     string
	Record    record
}

type depthView struct {
	Depth, Deepest int
	Right          string
	Rows           []chosen
	Board, Figure  template.HTML // shared by all rows
	Link           string
}

func depthFigure() template.HTML {
	var lines []report.Series
	for _, e := range depthEvaluations {
		line := report.Series{Name: e.Name}
		for i, r := range e.Records {
			line.X, line.Y = append(line.X, float64(i+1)), append(line.Y, r.Share())
			line.Low, line.High = append(line.Low, r.Share()-r.Half), append(line.High, r.Share()+r.Half)
		}
		lines = append(lines, line)
	}
	return plot(report.Chart{Title: "Points won, percent", XLabel: "search depth", Series: lines, Level: new(50.0), XTicks: []float64{1, 2, 3, 4, 5}, YMin: new(0.0)})
}

func (s *Server) searchedTo(ctx context.Context, depth int) (*depthView, error) {
	w, state, link, err := s.connect4(depthPosition)
	if err != nil {
		return nil, err
	}
	v := &depthView{Depth: depth, Deepest: deepest, Right: depthRight, Board: picture(state, 0), Figure: depthFigure(), Link: link}
	for _, e := range depthEvaluations {
		agent, err := w.Agent(fmt.Sprintf("alphabeta:depth=%d,eval=%s", depth, e.Eval), catalog.AgentOptions{Complete: true})
		if err != nil {
			return nil, err
		}
		r, err := s.search(ctx, agent, state, 1)
		if err != nil {
			return nil, err
		}
		best := list.Map(r.Best, func(m game.Move) string { return game.Spelled(state, m) })
		c := chosen{Name: e.Name, Doc: e.Doc, Value: number(r.Value), Record: e.Records[depth-1]}
		c.Moves, c.Right = strings.Join(best, " "), len(best) == 1 && best[0] == depthRight
		if len(best) == len(state.Moves(nil)) {
			c.Moves = "any"
		}
		v.Rows = append(v.Rows, c)
	}
	return v, nil
}

func (s *Server) depth(_ http.ResponseWriter, r *http.Request) (any, error) {
	depth, err := wholeNumber(r, "depth", 1, 1, deepest)
	if err != nil {
		return nil, err
	}
	v, err := s.searchedTo(r.Context(), depth)
	return v, busy(err)
}

// wholeNumber parses a form field as a whole number from lo to hi. If the field is empty, it
// returns the default.
func wholeNumber(r *http.Request, name string, usual, lo, hi int) (int, error) {
	text := r.FormValue(name)
	if text == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < lo || n > hi {
		to := ""
		if hi < math.MaxInt {
			to = fmt.Sprintf(" to %d", hi)
		}
		return 0, fmt.Errorf("%s=%s: want a whole number from %d%s", name, shortened(text), lo, to)
	}
	return n, nil
}

// plot draws a plot for the page. The page's style sheet includes [report.Palette].
func plot(p report.Plot) template.HTML {
	f, err := report.NewFigure("", "", "", p)
	if err != nil {
		return drawing(err.Error())
	}
	return f.Panels[0]
}
