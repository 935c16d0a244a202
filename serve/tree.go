package serve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/search"
)

// traceable are the kinds of agents whose nodes have values to tell of.
var traceable = []string{"greedy", "minimax", "alphabeta", "expectimax", "maxn", "paranoid"}

// treeNode is a node of a search as it was left.
type treeNode struct {
	move     string // that led here; "" at the root
	prob     float64
	turn     game.Player
	text     string // the position
	depth    int    // decisions left below it
	value    float64
	kind     search.Bound
	alpha    float64
	beta     float64
	windowed bool
	children []int
	cut      []string // moves that were not searched
	hash     uint64
}

// searchTree keeps the nodes that a search tells it of, with their children. Values and
// windows are in player 0's view. It is the observer of one search.
type searchTree struct {
	agent   string
	told    string // of the result
	nodes   []treeNode
	root    int
	best    string // the move that was chosen at the root
	pending []int  // nodes whose parent was not told of yet
	limit   int
	full    bool
	stop    context.CancelFunc

	alpha, beta float64
	windowed    bool
}

var _ search.WindowObserver = (*searchTree)(nil)

// Window keeps the window of the node that is told of next.
func (t *searchTree) Window(alpha, beta float64) { t.alpha, t.beta, t.windowed = alpha, beta, true }

// Node keeps a node with the children that were told of since.
func (t *searchTree) Node(s game.State, depth int, value float64, kind search.Bound) {
	if t.full {
		return
	}
	if len(t.nodes) >= t.limit {
		t.full = true
		t.stop()
		return
	}
	n := treeNode{depth: depth, value: value, kind: kind, alpha: t.alpha, beta: t.beta, windowed: t.windowed}
	t.windowed = false
	t.add(s.Clone(), n)
}

// add takes the children of n, which stands at s, off the nodes that are pending and
// puts n in their place. A child that was searched twice counts as it was left last.
func (t *searchTree) add(s game.State, n treeNode) {
	n.text, n.turn, n.hash = s.String(), s.Turn(), s.Hash()
	moves := s.Moves(nil)
	at := make(map[uint64][]int, len(moves))
	for i, m := range moves {
		s.Play(m)
		h := s.Hash()
		s.Undo()
		at[h] = append(at[h], i)
	}
	found, last := make([]int, len(moves)), len(t.pending)
	for i := range found {
		found[i] = -1
	}
	for last > 0 {
		child := &t.nodes[t.pending[last-1]]
		places, ok := at[child.hash]
		if !ok || child.depth > n.depth || child.depth == n.depth && n.turn != game.Chance { // nature's moves cost no depth
			break
		}
		last--
		for _, i := range places {
			if found[i] < 0 {
				found[i] = t.pending[last]
				break
			}
		}
	}
	t.pending = t.pending[:last]
	chancer, _ := game.As[game.Chancer](s)
	for i, m := range moves {
		if found[i] < 0 {
			n.cut = append(n.cut, s.MoveString(m))
			continue
		}
		child := &t.nodes[found[i]]
		child.move = s.MoveString(m)
		if n.turn == game.Chance && chancer != nil {
			child.prob = chancer.Prob(m)
		}
		n.children = append(n.children, found[i])
	}
	if len(n.children) == 0 {
		n.cut = nil // a leaf, none of whose moves was to be searched
	}
	t.pending = append(t.pending, len(t.nodes))
	t.nodes = append(t.nodes, n)
}

// watchTree has an agent search s and keeps what it visited. The tree that it gives has
// a root even where the search tells of none.
func (s *Server) watchTree(ctx context.Context, w *catalog.World, spec string, state game.State) (*searchTree, error) {
	kind, _, _ := strings.Cut(spec, ":")
	if !slices.Contains(traceable, kind) {
		return nil, fmt.Errorf("agent %s tells of no nodes: want one of %s", spec, strings.Join(traceable, ", "))
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	t := &searchTree{agent: spec, limit: s.limits.Nodes, stop: stop}
	agent, err := s.agent(w, spec, catalog.AgentOptions{Observer: t})
	if err != nil {
		return nil, err
	}
	r, err := s.search(ctx, agent, state, 1)
	if t.full {
		return nil, fmt.Errorf("agent %s: more than %d nodes, too many to unfold: want less depth", spec, t.limit)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	root := state.Clone()
	if last := len(t.nodes) - 1; last < 0 || t.nodes[last].hash != root.Hash() {
		n := treeNode{depth: math.MaxInt, kind: search.Exact}
		if len(r.Values) > 0 {
			n.value = r.Values[0]
		}
		t.add(root, n)
	}
	t.root = len(t.nodes) - 1
	if r.Move != game.NoMove {
		t.best = state.MoveString(r.Move)
	}
	t.told, _ = describe(state, &r)
	return t, nil
}

// nodeView is a node as a page lists it.
type nodeView struct {
	Address          string // of its children; "" where it has none
	Symbol, Kind     string
	Move, Odds       string
	Value, Window    string
	Text             string
	Cut              []string
	Children, Chosen bool
}

// symbols stand for who is to move.
func symbol(turn game.Player, leaf bool) (mark, kind string) {
	switch {
	case turn == game.Nobody:
		return "■", "the end"
	case leaf:
		return "□", "a leaf, evaluated"
	case turn == game.Chance:
		return "●", "chance"
	case turn == 0:
		return "▲", "player 0 chooses"
	}
	return "▼", fmt.Sprintf("player %d chooses", turn)
}

// nodeAt is node i as a page lists it, its children at the address of the tree.
func (t *searchTree) nodeAt(i int, address string) nodeView {
	n := &t.nodes[i]
	v := nodeView{Move: n.move, Text: n.text, Cut: n.cut, Children: len(n.children) > 0}
	v.Symbol, v.Kind = symbol(n.turn, len(n.children) == 0)
	v.Value = map[search.Bound]string{search.Exact: "=", search.Lower: "≥", search.Upper: "≤"}[n.kind] + " " + number(n.value)
	if n.prob > 0 {
		v.Odds = fmt.Sprintf("%.3g", n.prob)
	}
	if n.windowed && !(math.IsInf(n.alpha, -1) && math.IsInf(n.beta, 1)) {
		v.Window = "(" + end(n.alpha) + ", " + end(n.beta) + ")"
	}
	if v.Children {
		v.Address = address + strconv.Itoa(i)
	}
	v.Chosen = n.move != "" && n.move == t.best && slices.Contains(t.nodes[t.root].children, i)
	return v
}

// end is one side of a window.
func end(x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	}
	return number(x)
}

// treeView is a part of a tree as its template shows it.
type treeView struct {
	Agent, Told string
	Root        *nodeView
	Nodes       []nodeView
	Count       int
	More        int // children that are not listed
}

// mostListed is how many children of a node a page lists.
const mostListed = 150

func (t *searchTree) childrenOf(i int, address string) treeView {
	var v treeView
	for k, child := range t.nodes[i].children {
		if k == mostListed {
			v.More = len(t.nodes[i].children) - k
			break
		}
		v.Nodes = append(v.Nodes, t.nodeAt(child, address))
	}
	return v
}

// treePage is where two agents search the position on a table side by side.
func (s *Server) treePage(w http.ResponseWriter, r *http.Request, t *table) {
	if !s.bare(w, r, t) {
		return
	}
	t.mu.Lock()
	state := t.episode.State.Clone()
	below := t.below
	t.mu.Unlock()
	minimax := "minimax:depth=2"
	if total, ok := t.world.FixedSum(); ok && total == 0 {
		minimax = "alphabeta:depth=2,order=natural,table=off"
	}
	s.render(w, r, "unfold.html", struct {
		Head   head
		ID     string
		Spec   string
		Status string
		Agents [2]string
		Sides  [2]string
		Board  any
	}{s.head("tree | "+t.world.Name, "games"), t.id, t.world.Spec, state.String(), [2]string{minimax, "expectimax:depth=2,prune=none,order=natural,table=off"}, [2]string{"a", "b"}, picture(state, below)})
}

// unfold searches the position on a table, keeps the tree as side=a or b, and shows its
// root.
func (s *Server) unfold(w http.ResponseWriter, r *http.Request, t *table) {
	if !s.bare(w, r, t) {
		return
	}
	side := cmp.Or(r.PostFormValue("side"), "a")
	if side != "a" && side != "b" {
		refuse(w, r, http.StatusBadRequest, fmt.Sprintf("side %q: want a or b", side))
		return
	}
	t.mu.Lock()
	state := t.episode.State.Clone()
	t.mu.Unlock()
	if state.Turn() == game.Nobody {
		refuse(w, r, http.StatusBadRequest, "the game is over: there is nothing to search")
		return
	}
	tree, err := s.watchTree(r.Context(), t.world, strings.TrimSpace(r.PostFormValue("agent")), state)
	if err != nil {
		if r.Context().Err() == nil {
			refuse(w, r, http.StatusBadRequest, err.Error())
		}
		return
	}
	t.mu.Lock()
	if t.trees == nil {
		t.trees = map[string]*searchTree{}
	}
	t.trees[side] = tree
	t.mu.Unlock()
	address := "/tables/" + t.id + "/tree/" + side + "/"
	v := tree.childrenOf(tree.root, address)
	root := tree.nodeAt(tree.root, address)
	v.Agent, v.Told, v.Root, v.Count = tree.agent, tree.told, &root, len(tree.nodes)
	s.render(w, r, "tree", v)
}

// branch lists the children of a node of a tree that was unfolded.
func (s *Server) branch(w http.ResponseWriter, r *http.Request, t *table) {
	side := r.PathValue("side")
	t.mu.Lock()
	tree := t.trees[side]
	t.mu.Unlock()
	if tree == nil {
		refuse(w, r, http.StatusNotFound, "no tree was unfolded here")
		return
	}
	i, err := strconv.Atoi(r.PathValue("node"))
	if err != nil || i < 0 || i >= len(tree.nodes) {
		refuse(w, r, http.StatusNotFound, fmt.Sprintf("no such node: want a number below %d", len(tree.nodes)))
		return
	}
	s.render(w, r, "branch", tree.childrenOf(i, "/tables/"+t.id+"/tree/"+side+"/"))
}
