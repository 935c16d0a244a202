package serve

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"plyfit/internal/svg"
	"plyfit/internal/text"
)

// This file implements the page of a typed tree, which shows a textbook search node by node.

var steppingRoutes = []route{{"GET /tree", (*Server).stepping, "stepping.html|stepped"}}

// A method is a way to search a typed tree. It names the agent that performs the textbook search.
type method struct{ Name, Title, agent string }

var methods = []method{
	{"minimax", "minimax", "minimax"},
	{"alphabeta", "alpha-beta", "alphabeta"},
	{"expectimax", "expectimax", "expectimax"},
	{"random", "expectimax against a random opponent", "expectimax:assume=random"},
	{"mixed", "expectimax against a mixed opponent (80% minimax, 20% random)", "expectimax:assume=(mix(0.8*minimax:depth=2,0.2*random))"},
	{"maxn", "max^n for several players", "maxn"},
	{"mcts", "Monte Carlo tree search", "mcts:simulations=60,rollouts=on"},
}

// lectureTree is an example tree on the page, with the method to search it.
type lectureTree struct{ Title, Tree, By string }

var lectureTrees = []lectureTree{
	{"Which branches are cut?", textbookTree, "alphabeta"},
	{"The same branches in a different order", "(max (min 3 12 8) (min 14 5 2) (min 6 4 2))", "alphabeta"},
	{"A chance node", "(chance 1/2 8 1/3 24 1/6 -12)", "expectimax"},
	{"A certain 10, or an average of 9 and 100", chanceTree, "expectimax"},
	{"10 against an optimal opponent", opponentTree, "minimax"},
	{"54.5 against an opponent that moves at random", opponentTree, "random"},
	{"18.1 against an opponent that plays the best move 80% of the time", opponentTree, "mixed"},
	{"Max, chance and min", "(max (chance 1/2 (min 3 12) 1/2 (min 2 4)) (chance 1/2 (min 14 5) 1/2 (min 6 1)))", "expectimax"},
	{"A tree that grows", "(max (min 3 12 8) (min 2 4 6) (min 14 5 2))", "mcts"},
	{"Three players", "(p0 (p1 (p2 <1,2,6> <4,3,3>) (p2 <6,1,2> <7,4,1>)) (p1 (p2 <5,1,1> <1,5,2>) (p2 <7,7,1> <5,4,5>)))", "maxn"},
}

// mostStepped is the maximum number of nodes in a tree that is shown step by step.
const mostStepped = 150

// steppingView is the data for the page of a typed tree.
type steppingView struct {
	Head     head
	Tree, By string
	Error    string
	Searches []method
	Examples []lectureTree

	Picture                                template.HTML
	Step, Last                             int
	Steps                                  []step
	Said, Window, Answer, Agent, Ask, Link string
	Right, Small                           bool
}

// Link returns the URL of the tree.
func (t lectureTree) Link() string { return treeLink(t.Tree, t.By, 0) }

// stepping shows the tree in t=, searched by the method in by=, at the moment in step=. The
// visitor's guess of a branch is in guess=.
func (s *Server) stepping(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := r.URL.Query()
	v := steppingView{Head: s.head("Trees | plyfit", "trees"), Tree: strings.Join(strings.Fields(q.Get("t")), " "), By: q.Get("by"), Searches: methods, Examples: lectureTrees}
	if v.Tree == "" {
		v.Tree, v.By = lectureTrees[0].Tree, cmp.Or(v.By, lectureTrees[0].By)
	}
	var t *stepped
	step, err := wholeNumber(r, "step", 0, 0, math.MaxInt)
	if err == nil {
		t, err = s.step(r.Context(), v.Tree, v.By)
	}
	if err != nil {
		v.Error = err.Error()
		return v, nil
	}
	v.By = t.by.Name
	v.show(t, min(step, len(t.moments)-1), q.Get("guess"))
	return v, nil
}

// smallTree is the minimum width of a tree's picture, in pixels.
const smallTree = 500.0

// show fills in the view of the given step.
func (v *steppingView) show(t *stepped, step int, guess string) {
	for _, m := range t.moments[:step+1] {
		t.play(m)
	}
	now := t.moments[step]
	at := cmp.Or(now.at, t.root)
	to := func(step int) string { return treeLink(v.Tree, v.By, step) }
	v.Step, v.Last, v.Said, v.Window, v.Agent, v.Link = step, len(t.moments)-1, t.describe(now), t.window(at), t.agent, to(step)
	if v.Steps = stepsAt("#stepped", step, v.Last, to); step < v.Last && t.by.Name == "alphabeta" {
		v.Ask = v.Link + "&guess="
	}
	if guess != "" {
		v.Right, v.Answer = t.checkGuess(step, guess)
	}
	width := leafWidth
	if t.several {
		width = 110
	}
	v.Small = width*float64(t.root.leaves()) < smallTree
	width = max(width, smallTree/float64(t.root.leaves()))
	v.Picture = template.HTML(svg.Tree(t.picture(t.root, at, v.Ask), width, t.by.Title+" of "+v.Tree+": "+v.Said))
}

// step is a button that leads to another moment of a search or a game. Key is its keyboard
// shortcut.
type step struct{ Key, Name, Link, Target string } // Link is "" if there is no such moment

// stepsAt returns the buttons at a moment between 0 and last. Given a moment, link returns the URL
// whose response replaces the target.
func stepsAt(target string, at, last int, link func(int) string) []step {
	all := []step{{Key: "Home", Name: "First"}, {Key: "ArrowLeft", Name: "Back"}, {Key: "ArrowRight", Name: "Next"}, {Key: "End", Name: "Last"}}
	for i, to := range []int{0, at - 1, at + 1, last} {
		if all[i].Target = target; to != at && to >= 0 && to <= last {
			all[i].Link = link(to)
		}
	}
	return all
}

// leaves returns the number of leaves below n.
func (n *stepNode) leaves() (count int) {
	for _, c := range n.below {
		count += c.leaves()
	}
	return max(count, 1)
}

// treeLink returns the URL of a tree at a step of its search.
func treeLink(tree, by string, step int) string {
	return "/tree?" + url.Values{"t": {tree}, "by": {by}, "step": {strconv.Itoa(step)}}.Encode()
}

// picture returns the drawing of n at the current moment. The URL prefix for guessing a branch is
// guess, or "" if there is nothing to guess.
func (t *stepped) picture(n, at *stepNode, guess string) *svg.Node {
	out := &svg.Node{Shape: n.shape, Faint: n.cut, Unvisited: !n.visited, Marked: n == at}
	switch {
	case n.shape == svg.Box:
		out.Text = n.shown()
	case n.visits > 0:
		out.Value = "mean " + n.shown()
	case n.done:
		out.Text = strings.ReplaceAll(t.sign(n), " ", "") + n.shown()
		if len(out.Text) > 7 { // too long for the node
			out.Text, out.Value = "", out.Text
		}
	case n.value != nil:
		out.Value = n.shown() + " so far"
	}
	if n.visited && !n.done {
		out.Window = t.window(n)
	}
	if n.visits > 0 {
		out.Window = text.Counted(n.visits, "visit")
	}
	if t.several && n.turn >= 0 && out.Text == "" {
		out.Text = fmt.Sprintf("p%d", n.turn)
	}
	if guess != "" && n.path != "" && !n.visited && !n.cut {
		out.Link, out.Name = guess+n.path, "guess: "+n.branch()+" is cut next"
	}
	for i, c := range n.below {
		below := t.picture(c, at, guess)
		if below.Faint = below.Faint || n.cut; below.Faint {
			below.Unvisited = false
		}
		if c.label != "" {
			below.Labels = []string{c.label}
		}
		below.Chosen = n == t.root && n.done && strconv.Itoa(i+1) == t.best
		out.Below = append(out.Below, below)
	}
	return out
}

// checkGuess reports whether the branch at path is the next one to be cut after the given step, and
// returns a sentence about it.
func (t *stepped) checkGuess(step int, path string) (right bool, text string) {
	for i := step + 1; i < len(t.moments); i++ {
		m := t.moments[i]
		if !m.cut {
			continue
		}
		for _, c := range m.at.below {
			if c.traced == nil {
				right = right || path == c.path || strings.HasPrefix(path, c.path+".")
			}
		}
		if right {
			return true, fmt.Sprintf("Right, branch %s is cut at step %d.", path, i)
		}
		return false, fmt.Sprintf("No, branch %s is not cut next. Continue, and watch alpha and beta at branch %s.", path, m.at.path)
	}
	return false, "No, the search cuts no more branches."
}

// precise formats a value with up to five significant digits.
func precise(x float64) string { return strconv.FormatFloat(x+0, 'g', 5, 64) }
