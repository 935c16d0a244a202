package tree

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"plyfit/game"
	"plyfit/internal/spec"
)

const (
	maxDepth   = 1000 // maximum nesting, which limits the depth of recursion
	maxPlayers = 16
)

type tree struct {
	shape    game.Shape
	nodes    []node
	children []int32 // the children of node k are children[first:first+count]
	// For node k and player p, at index k*shape.Players+p: the minimum, maximum and sum of the
	// leaves below, and the expected utility if every player moves at random.
	low, high, sum, random []float64
}

type node struct {
	turn         game.Player
	first, count int32
	leaves       int32
	depth        int32
	prob         float64 // probability if the parent is a chance node
	hash         uint64
	word         string // text of the node: "max", "p2", "chance", "<1,2,-3>" or "4"
	odds         string // text of prob
	utility      []float64
}

func read(text string) (game.State, error) {
	t, err := parse(text)
	if err != nil {
		return nil, err
	}
	return &State{tree: t}, nil
}

type parser struct {
	text    string
	at      int
	tree    *tree
	players int         // length of the vectors; 0 before the first vector
	scalar  int         // offset of the first leaf with a single number; -1 before there is one
	highest game.Player // highest player number so far
	named   int         // offset of the highest player number in the text
}

func parse(text string) (*tree, error) {
	p := &parser{text: text, tree: &tree{}, scalar: -1}
	if _, err := p.node(0); err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(text) {
		return nil, p.fault(p.at, "nothing after the tree")
	}
	p.players = cmp.Or(p.players, 2)
	switch {
	case p.scalar >= 0 && p.players != 2:
		return nil, p.fault(p.scalar, fmt.Sprintf("a leaf for %d players, <...>", p.players))
	case int(p.highest) >= p.players:
		return nil, p.fault(p.named, fmt.Sprintf("a player number below %d, as in the leaves", p.players))
	}
	p.tree.measure(p.players)
	return p.tree, nil
}

func (p *parser) fault(at int, want string) error {
	return &game.PositionError{Game: "tree", Text: p.text, At: at, Want: want}
}

func (p *parser) space() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

// word reads up to the next space or bracket. It returns the word and its offset.
func (p *parser) word() (string, int) {
	p.space()
	from := p.at
	for p.at < len(p.text) && !strings.ContainsRune(" \t()<>", rune(p.text[p.at])) {
		p.at++
	}
	return p.text[from:p.at], from
}

func (p *parser) node(depth int) (int32, error) {
	p.space()
	switch {
	case p.at == len(p.text):
		return 0, p.fault(p.at, "a tree")
	case p.text[p.at] == '<':
		return p.vector()
	case p.text[p.at] != '(':
		return p.leaf()
	case depth >= maxDepth:
		return 0, p.fault(p.at, fmt.Sprintf("at most %d nested trees", maxDepth))
	}
	p.at++
	word, from := p.word()
	turn, ok := player(word)
	if !ok {
		return 0, p.fault(from, "max, min, chance or p0, p1, ...")
	}
	if turn > p.highest {
		p.highest, p.named = turn, from
	}
	self := int32(len(p.tree.nodes))
	p.tree.nodes = append(p.tree.nodes, node{turn: turn, word: word})
	var kids []int32
	total := 0.0
	for {
		p.space()
		if p.at == len(p.text) {
			return 0, p.fault(p.at, "a closing parenthesis")
		}
		if p.text[p.at] == ')' {
			break
		}
		prob, odds := 0.0, ""
		if turn == game.Chance {
			var at int
			var err error
			odds, at = p.word()
			if prob, err = spec.Number(odds); err != nil || !(prob > 0 && prob <= 1) {
				return 0, p.fault(at, "a probability above 0 and at most 1")
			}
			total += prob
		}
		kid, err := p.node(depth + 1)
		if err != nil {
			return 0, err
		}
		p.tree.nodes[kid].prob, p.tree.nodes[kid].odds = prob, odds
		kids = append(kids, kid)
	}
	switch {
	case len(kids) == 0:
		return 0, p.fault(p.at, "a child")
	case turn == game.Chance && math.Abs(total-1) > 1e-9:
		return 0, p.fault(from, fmt.Sprintf("probabilities that sum to 1, not %v", total))
	}
	p.at++
	n := &p.tree.nodes[self]
	n.first, n.count = int32(len(p.tree.children)), int32(len(kids))
	p.tree.children = append(p.tree.children, kids...)
	return self, nil
}

// player parses the word for the player to move at a node.
func player(word string) (game.Player, bool) {
	switch word {
	case "max":
		return 0, true
	case "min":
		return 1, true
	case "chance":
		return game.Chance, true
	}
	digits, ok := strings.CutPrefix(word, "p")
	n, err := strconv.Atoi(digits)
	return game.Player(n), ok && err == nil && n >= 0 && n < maxPlayers && strconv.Itoa(n) == digits
}

// leaf reads a leaf with a single number, which is player 0's utility. Player 1 gets its negative.
func (p *parser) leaf() (int32, error) {
	word, from := p.word()
	v, err := spec.Number(word)
	if err != nil {
		return 0, p.fault(from, "a tree: (max ...), (chance 1/2 ...), a number or <1,2,3>")
	}
	if p.scalar < 0 {
		p.scalar = from
	}
	return p.add(word, []float64{v, -v}), nil
}

// vector reads a leaf with a number for each player.
func (p *parser) vector() (int32, error) {
	from := p.at
	length := strings.IndexByte(p.text[from:], '>')
	if length < 0 {
		return 0, p.fault(len(p.text), "a closing >")
	}
	var utility []float64
	var words []string
	at := from + 1
	for _, item := range strings.Split(p.text[at:from+length], ",") {
		word := strings.Trim(item, " \t")
		v, err := spec.Number(word)
		if err != nil {
			return 0, p.fault(at, "a number for each player, <1,2,-3>")
		}
		utility, words = append(utility, v), append(words, word)
		at += len(item) + 1
	}
	p.players = cmp.Or(p.players, len(utility))
	switch n := len(utility); {
	case n < 2 || n > maxPlayers:
		return 0, p.fault(from, fmt.Sprintf("a leaf for 2 to %d players", maxPlayers))
	case n != p.players:
		return 0, p.fault(from, fmt.Sprintf("a leaf for %d players, as in the previous leaves", p.players))
	}
	p.at = from + length + 1
	return p.add("<"+strings.Join(words, ",")+">", utility), nil
}

func (p *parser) add(word string, utility []float64) int32 {
	p.tree.nodes = append(p.tree.nodes, node{turn: game.Nobody, word: word, utility: utility})
	return int32(len(p.tree.nodes) - 1)
}

// measure computes the shape of the tree, and the hash and summaries of each node, from the leaves
// up.
func (t *tree) measure(players int) {
	n := len(t.nodes) * players
	t.low, t.high, t.sum, t.random = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	least, most := math.Inf(1), math.Inf(-1) // minimum and maximum of the sum of a leaf's utilities
	for k := len(t.nodes) - 1; k >= 0; k-- {
		nd, at := &t.nodes[k], k*players
		if nd.turn == game.Nobody {
			nd.leaves, nd.hash = 1, game.Mix(1)
			total := 0.0
			for p, u := range nd.utility {
				t.low[at+p], t.high[at+p], t.sum[at+p], t.random[at+p] = u, u, u, u
				nd.hash = game.Mix(nd.hash ^ math.Float64bits(u+0)) // +0 turns -0 into 0
				total += u
			}
			least, most = math.Min(least, total), math.Max(most, total)
			continue
		}
		nd.hash = game.Mix(uint64(nd.turn) + 16)
		for p := range players {
			t.low[at+p], t.high[at+p] = math.Inf(1), math.Inf(-1)
		}
		for _, c := range t.children[nd.first : nd.first+nd.count] {
			kid, from := &t.nodes[c], int(c)*players
			nd.leaves += kid.leaves
			nd.depth = max(nd.depth, kid.depth+1)
			nd.hash = game.Mix(nd.hash ^ kid.hash ^ game.Mix(math.Float64bits(kid.prob)))
			share := 1 / float64(nd.count)
			if nd.turn == game.Chance {
				share = kid.prob
			}
			for p := range players {
				t.low[at+p] = math.Min(t.low[at+p], t.low[from+p])
				t.high[at+p] = math.Max(t.high[at+p], t.high[from+p])
				t.sum[at+p] += t.sum[from+p]
				t.random[at+p] += float64(share * t.random[from+p])
			}
		}
	}
	t.shape = game.Shape{Players: players, Sum: game.General, Min: math.Inf(1), Max: math.Inf(-1)}
	for p := range players {
		t.shape.Min = math.Min(t.shape.Min, t.low[p])
		t.shape.Max = math.Max(t.shape.Max, t.high[p])
	}
	scale := 1e-9 * math.Max(1, math.Max(math.Abs(t.shape.Min), math.Abs(t.shape.Max)))
	switch {
	case math.Abs(least) <= scale && math.Abs(most) <= scale:
		t.shape.Sum = game.Zero
	case most-least <= scale:
		t.shape.Sum = game.Constant
	}
}

// print appends the text of the tree below node k to dst.
func (t *tree) print(dst []byte, k int32) []byte {
	nd := &t.nodes[k]
	if nd.turn == game.Nobody {
		return append(dst, nd.word...)
	}
	dst = append(append(dst, '('), nd.word...)
	for _, c := range t.children[nd.first : nd.first+nd.count] {
		dst = append(dst, ' ')
		if nd.turn == game.Chance {
			dst = append(append(dst, t.nodes[c].odds...), ' ')
		}
		dst = t.print(dst, c)
	}
	return append(dst, ')')
}
