package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/search"
	"plyfit/search/trace"
)

var treeRoutes = []route{
	{"GET /tables/{id}/tree", fullyVisible((*Server).treePage), "unfold.html"},
	{"POST /tables/{id}/tree", fullyVisible((*Server).unfold), "tree"},
	{"GET /tables/{id}/tree/{side}/{node}", ofGame((*Server).branch), "branch"},
}

// searchTree is the tree of an agent's search, with its result.
type searchTree struct {
	trace.Tree
	agent    string
	value    func(float64) string
	answered string // result in words
	best     string // move chosen at the root
}

// treeName identifies a tree by its game and its side of the page.
type treeName struct{ table, side string }

// sides contains the names of the two trees on a game's page.
var sides = [2]string{"a", "b"}

// address returns the URL prefix for the children of nodes. The number of the node is appended to
// it.
func (n treeName) address() string { return "/tables/" + n.table + "/tree/" + n.side + "/" }

// watchTree runs an agent's search from state and records the visited nodes. The tree always has a
// root.
func (s *Server) watchTree(ctx context.Context, w *catalog.World, spec string, state game.State) (*searchTree, error) {
	kind, _, _ := strings.Cut(spec, ":")
	if !slices.Contains(trace.Kinds, kind) {
		return nil, fmt.Errorf("agent %s does not report its nodes; want one of %s", spec, strings.Join(trace.Kinds, ", "))
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	t := &searchTree{agent: spec, value: func(x float64) string { return valued(w, x) }, Tree: trace.Tree{Limit: s.limits.Nodes, Stop: stop, Spelled: true}}
	agent, err := w.Agent(spec, catalog.AgentOptions{Observer: t})
	if err != nil {
		return nil, err
	}
	var r search.Result
	err = s.turn(ctx, func(ctx context.Context) (err error) {
		if r, err = s.runSearch(ctx, agent, state, 1); err == nil && !t.Full {
			t.Finish(state, &r)
			err = ctx.Err()
		}
		return err
	})
	if t.Full {
		return nil, fmt.Errorf("agent %s: the tree has more than %d nodes; reduce the depth", spec, t.Limit)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("agent %s: the search did not end within %v; reduce the depth", spec, s.limits.Time)
	}
	if err != nil {
		return nil, err
	}
	if r.Move != game.NoMove {
		t.best = game.Spelled(state, r.Move)
	}
	t.answered, _ = describe(w, state, &r)
	return t, nil
}

// nodeView is a node as the page shows it.
type nodeView struct {
	Address          string // URL of the children; "" if there are none
	Symbol, Kind     string
	Side             string // max, min or mean; selects the colour
	Move, Odds       string
	Value, Window    string
	Text             string
	Cut              []string
	Children, Chosen bool
}

// relation contains the sign between the value of a position and the bound found by the search.
var relation = map[search.Bound]string{search.Exact: "=", search.Lower: "≥", search.Upper: "≤"}

// nodeAt returns the view of node i in the tree with the URL prefix address.
func (t *searchTree) nodeAt(i int, address string) nodeView {
	n := &t.Nodes[i]
	v := nodeView{Move: n.Move, Text: n.Text, Cut: n.Cut, Children: !n.Leaf(), Kind: n.What(), Value: relation[n.Bound] + " " + t.value(n.Value)}
	v.Side = n.Role()
	v.Symbol = map[string]string{"max": "▲", "min": "▼", "mean": "●", "": "□"}[v.Side]
	if n.Turn == game.Nobody {
		v.Symbol = "■"
	}
	if n.Prob > 0 {
		v.Odds = fmt.Sprintf("%.3g", n.Prob)
	}
	if n.Bounded() {
		v.Window = "(" + t.end(n.Alpha) + ", " + t.end(n.Beta) + ")"
	}
	if v.Children {
		v.Address = address + strconv.Itoa(i)
	}
	v.Chosen = n.Move != "" && n.Move == t.best && slices.Contains(t.Nodes[t.Root].Children, i)
	return v
}

// end formats one end of a window.
func (t *searchTree) end(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	}
	return t.value(x)
}

type treeView struct {
	Agent, Answered string
	Root            *nodeView
	Nodes           []nodeView
	Count           int
	More            int // number of children that are not listed
}

// mostListed is the maximum number of a node's children that a page lists.
const mostListed = 150

func (t *searchTree) childrenOf(i int, address string) treeView {
	var v treeView
	for _, child := range t.Nodes[i].Children {
		if t.Nodes[child].Again {
			continue // the move is listed again at the place where the search last left it
		}
		if len(v.Nodes) == mostListed {
			v.More++
			continue
		}
		v.Nodes = append(v.Nodes, t.nodeAt(child, address))
	}
	return v
}

func (s *Server) treePage(_ http.ResponseWriter, _ *http.Request, t *openGame) (any, error) {
	t.mu.Lock()
	state := t.session.State.Clone()
	below := t.Below
	t.mu.Unlock()
	agents := [2]string{"minimax:depth=2", "expectimax:depth=2,prune=none,order=natural,table=off"}
	if total, ok := t.world.FixedSum(); ok && total == 0 && !t.world.Chancy() {
		agents[1] = "alphabeta:depth=2,order=natural,table=off"
	}
	return struct {
		Head   head
		ID     string
		Spec   string
		Status string
		Agents [2]string
		Sides  [2]string
		Board  any
		First  string // player for whom values are given
	}{s.head("The tree of "+t.world.Entry.Heading()+" | plyfit", "games"), t.id, t.world.Spec, state.String(), agents, sides, picture(state, below), t.world.Side(0)}, nil
}

// unfold searches a game's position, keeps the tree for side=a or side=b, and shows the root.
func (s *Server) unfold(_ http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	side := cmp.Or(r.PostFormValue("side"), "a")
	if !slices.Contains(sides[:], side) {
		return nil, fmt.Errorf("side %q: want a or b", side)
	}
	state, _ := t.snapshot()
	if state.Turn() == game.Nobody {
		return nil, errors.New("the game is over, so there is nothing to search")
	}
	tree, err := s.watchTree(r.Context(), t.world, strings.TrimSpace(r.PostFormValue("agent")), state)
	if err != nil {
		return nil, err
	}
	name := treeName{t.id, side}
	if !s.unfolded.Put(name, tree) {
		return nil, fmt.Errorf("agent %s: the tree takes up %d MB, but the limit is %d MB; reduce the depth", tree.agent, tree.Bytes()>>20, s.limits.Trees>>20)
	}
	address := name.address()
	v := tree.childrenOf(tree.Root, address)
	root := tree.nodeAt(tree.Root, address)
	v.Agent, v.Answered, v.Root, v.Count = tree.agent, tree.answered, &root, len(tree.Nodes)
	return v, nil
}

// branch lists the children of a node of a kept tree.
func (s *Server) branch(_ http.ResponseWriter, r *http.Request, t *openGame) (any, error) {
	name := treeName{t.id, r.PathValue("side")}
	tree := s.unfolded.Get(name)
	if tree == nil {
		return nil, missing("this tree is no longer stored; search again")
	}
	i, err := strconv.Atoi(r.PathValue("node"))
	if err != nil || i < 0 || i >= len(tree.Nodes) {
		return nil, missing("no such node; want a number below %d", len(tree.Nodes))
	}
	return tree.childrenOf(i, name.address()), nil
}
