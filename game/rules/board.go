package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"plyfit/game"
	"plyfit/game/grid"
)

// A turn is a symmetry of a board: the new number of every cell, or a name until the size of the
// board is known.
type turn struct {
	name  string
	cells []int
}

func (t *turn) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	if d.PeekKind() == '"' {
		return json.UnmarshalDecode(d, &t.name)
	}
	return json.UnmarshalDecode(d, &t.cells)
}

func (t turn) MarshalJSON() ([]byte, error) { return json.Marshal(fmt.Sprint(t.name, t.cells)) }

// turns maps names to the indices of the result of [game.Symmetries].
var turns = map[string]int{"columns": 1, "rows": 2, "half": 3, "diagonal": 4}

// on returns the turn of a board. Cell c moves to on[c].
func (t turn) on(rows, columns int) ([]int, error) {
	if t.name != "" {
		k, ok := turns[t.name]
		if all := game.Symmetries(rows, columns); ok && k < len(all) {
			return all[k], nil
		}
		return nil, fmt.Errorf("turn %q of a board with %d rows and %d columns: want columns, rows, half, diagonal (of a square) or the new number of every cell", t.name, rows, columns)
	}
	sorted := slices.Sorted(slices.Values(t.cells))
	for i, c := range sorted {
		if i != c {
			break
		}
		if i == rows*columns-1 && len(sorted) == rows*columns {
			return t.cells, nil
		}
	}
	return nil, fmt.Errorf("turn %v: want each number from 0 to %d once", t.cells, rows*columns-1)
}

// A board contains the cells of a game in the form in which features and pictures need them.
type board struct {
	game.Cells
	states [2][256]uint8 // state of the cell with a symbol as each player sees it
	flip   []int         // cell c is at flip[c] from player 1's point of view; nil without swap
	hole   []bool
}

// mostSymbols is the maximum number of states of a cell.
const mostSymbols = 40

func newBoard(l *layout, zero bool) (*board, error) {
	n := l.Rows * l.Columns
	switch {
	case l.Rows < 1 || l.Columns < 1 || l.Rows > 30 || l.Columns > 30:
		return nil, fmt.Errorf("board of %d rows and %d columns: want 1 to 30 of each", l.Rows, l.Columns)
	case len(l.Symbols) < 2 || len(l.Symbols) > mostSymbols || strings.ContainsFunc(l.Symbols, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`"',=[]\\`, c) }):
		return nil, fmt.Errorf("board: symbols %q: want 2 to %d ASCII characters, none of them a space, a quotation mark, a comma, a bracket, a backslash or =", l.Symbols, mostSymbols)
	case l.Swap != "" && !zero:
		return nil, errors.New("board: swap: want it only for two players and the sum zero; otherwise give cells for each player")
	case l.Swap == "" && l.Flip.name+fmt.Sprint(l.Flip.cells) != "[]":
		return nil, errors.New("board: flip: want swap as well")
	}
	b := &board{hole: make([]bool, n), Cells: game.Cells{
		Rows: l.Rows, Columns: l.Columns, States: len(l.Symbols), Symbols: l.Symbols, Legend: "symbols of the program", Holes: l.Holes, Apart: zero && l.Swap == "",
	}}
	for _, h := range l.Holes {
		if h < 0 || h >= n || b.hole[h] {
			return nil, fmt.Errorf("board: hole %d: want each cell from 0 to %d at most once", h, n-1)
		}
		b.hole[h] = true
	}
	for p, symbols := range [2]string{l.Symbols, l.Swap} {
		if symbols == "" {
			symbols = l.Symbols
		}
		for k := range len(symbols) {
			state := strings.IndexByte(l.Symbols, symbols[k])
			if state < 0 || len(symbols) != len(l.Symbols) || strings.IndexByte(symbols, symbols[k]) < k || (state == 0) != (k == 0) {
				return nil, fmt.Errorf("board: swap %q: want the symbols %q in another order, with the empty one first", symbols, l.Symbols)
			}
			b.states[p][l.Symbols[k]] = uint8(state)
		}
	}
	if l.Swap != "" {
		b.flip = make([]int, n)
		for c := range b.flip {
			b.flip[c] = c
		}
		if l.Flip.name+fmt.Sprint(l.Flip.cells) != "[]" {
			var err error
			if b.flip, err = l.Flip.on(l.Rows, l.Columns); err != nil {
				return nil, fmt.Errorf("board: flip: %w", err)
			}
		}
	}
	return b, b.symmetries(l.Symmetries)
}

// symmetries sets the group that the given turns generate.
func (b *board) symmetries(generators []turn) error {
	identity := make([]int, len(b.hole))
	for c := range identity {
		identity[c] = c
	}
	group := [][]int{identity}
	for _, t := range generators {
		g, err := t.on(b.Rows, b.Columns)
		if err != nil {
			return fmt.Errorf("board: symmetries: %w", err)
		}
		for c := range g {
			if b.hole[c] != b.hole[g[c]] {
				return errors.New("board: symmetries: want turns that move holes to holes")
			}
		}
		for i := 0; i < len(group); i++ {
			product := make([]int, len(g))
			for c := range g {
				product[c] = g[group[i][c]]
			}
			if !slices.ContainsFunc(group, func(h []int) bool { return slices.Equal(h, product) }) {
				group = append(group, product)
			}
			if len(group) > 64 {
				return errors.New("board: symmetries: want turns that generate at most 64 symmetries")
			}
		}
	}
	b.Symmetries = group
	return nil
}

// wrong returns a description of valid cells if the given ones are invalid, and otherwise "".
func (b *board) wrong(cells string) string {
	if len(cells) != len(b.hole) {
		return fmt.Sprintf("%d symbols, not %d", len(b.hole), len(cells))
	}
	for c := range len(cells) {
		if state := b.states[0][cells[c]]; state == 0 && cells[c] != b.Cells.Symbols[0] || state != 0 && b.hole[c] {
			return fmt.Sprintf("one of %q in cell %d, and %q in holes", b.Cells.Symbols, c, b.Cells.Symbols[:1])
		}
	}
	return ""
}

func (c celled) Cells() game.Cells { return c.s.board.Cells }

// Fill implements [game.Celled].
func (c celled) Fill(p game.Player, dst []uint8) {
	b, views := c.s.board, c.s.at().record.Cells
	if len(views) > 1 {
		p, views = 0, views[p:]
	}
	states := &b.states[min(p, 1)]
	for i := range len(views[0]) {
		to := i
		if p > 0 && b.flip != nil {
			to = b.flip[i]
		}
		dst[to] = states[views[0][i]]
	}
}

var drawn = grid.Layout{
	Width: 3, Side: "|", Between: "|", Left: "%2s ",
	Size: 60, Edge: 30, Round: 8, Back: "#f4efe4", Lines: "#b9ab94", LineWidth: 2, Names: "#6b5d4a",
}

// Figures of cells: the pieces of player 0, of player 1 and of neither, and the changes made by the
// last move.
var (
	inks    = [3]int{166, 32, 240}
	fills   = [3]string{"#c8553d", "#2f6f9f", "#8a8378"}
	changed = grid.Figure{Ground: 238, Mark: true, Art: `<rect x="-27" y="-27" width="54" height="54" rx="6" fill="#f6d860" fill-opacity=".6"/>`}
	hole    = grid.Figure{Text: " ", Art: `<rect x="-30" y="-30" width="60" height="60" fill="#f4efe4"/>`}
)

// figure returns the picture of a state. With swap, a state that is exchanged with a later one
// belongs to player 0.
func (b *board) figure(state uint8) grid.Figure {
	symbol := b.Cells.Symbols[state : state+1]
	other := b.states[1][symbol[0]]
	owner := 2
	switch {
	case b.flip != nil && state < other:
		owner = 0
	case b.flip != nil && state > other:
		owner = 1
	}
	escaped := map[string]string{"<": "&lt;", ">": "&gt;", "&": "&amp;"}[symbol]
	if escaped == "" {
		escaped = symbol
	}
	return grid.Figure{Text: symbol, Ink: inks[owner], Art: fmt.Sprintf(`<circle r="22" fill="%s"/><text y="9" text-anchor="middle" font-size="26" fill="#fff">%s</text>`, fills[owner], escaped)}
}

// grid returns the board. The cells that the last move changed are marked.
func (c celled) grid() *grid.Board {
	b, s := c.s.board, c.s
	g := drawn.New(b.Rows, b.Columns, "board of "+s.Name)
	for r := range b.Rows {
		g.RowNames = append(g.RowNames, fmt.Sprint(b.Rows-r))
	}
	for k := range b.Columns {
		g.ColumnNames = append(g.ColumnNames, columnName(k))
	}
	cells, before := s.at().record.Cells[0], ""
	if last := len(s.path) - 2; last >= 0 {
		before = s.path[last].record.Cells[0]
	}
	for i := range g.Cells {
		cell := &g.Cells[i]
		if b.hole[i] {
			cell.Add(hole)
			continue
		}
		cell.Place = b.place(i)
		if before != "" && before[i] != cells[i] {
			cell.Add(changed)
		}
		if state := b.states[0][cells[i]]; state != 0 {
			cell.Add(b.figure(state))
		}
	}
	g.Below = "to move: " + s.mover()
	return g
}

func (s *state) mover() string {
	switch t := s.Turn(); t {
	case game.Chance:
		return "chance"
	case game.Nobody:
		return fmt.Sprint("nobody; utilities ", s.at().record.Utility)
	default:
		return fmt.Sprint("player ", t)
	}
}

// columnName returns a, b, ... z, aa, ab and so on.
func columnName(k int) string {
	if k < 26 {
		return lower[k : k+1]
	}
	return "a" + lower[k-26:k-25]
}

// place returns the name of a cell, such as a1 for the first column of the lowest row.
func (b *board) place(c int) string {
	return fmt.Sprintf("%s%d", columnName(c%b.Columns), b.Rows-c/b.Columns)
}

func (c celled) Draw(colour bool) string { return c.grid().Text(colour) }

// SVG implements [game.Illustrator]. The picture is the same for all players.
func (c celled) SVG(game.Player) string { return c.grid().SVG(false) }

// Clicks implements [game.Illustrator]. The places are the cells that the move changes: the cell
// that a piece leaves, if there is one, and the cell in which it arrives. If the changes have
// another form, there are none.
func (c celled) Clicks(m game.Move) [][]string {
	n := c.s.node()
	before, after := n.record.Cells[0], n.After[slices.Index(n.ids, m)].Cells[0]
	empty := c.s.board.Cells.Symbols[0]
	var left, filled, replaced []int
	for i := range len(before) {
		switch {
		case before[i] == after[i]:
		case after[i] == empty:
			left = append(left, i)
		case before[i] == empty:
			filled = append(filled, i)
		default:
			replaced = append(replaced, i)
		}
	}
	to := filled
	if len(filled) == 0 {
		to = replaced
	}
	if len(to) != 1 {
		return nil
	}
	if len(left) > 1 { // captured pieces disappear, too
		left = slices.DeleteFunc(left, func(i int) bool { return before[i] != after[to[0]] })
	}
	switch len(left) {
	case 0:
		return [][]string{{c.s.board.place(to[0])}}
	case 1:
		return [][]string{{c.s.board.place(left[0]), c.s.board.place(to[0])}}
	}
	return nil
}
