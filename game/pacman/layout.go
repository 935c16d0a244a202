package pacman

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"plyfit/internal/list"
)

const (
	// MaxGhosts is the maximum number of ghosts in a layout.
	MaxGhosts   = 8
	maxSide     = 64   // maximum width and height in cells; half-cell indices then fit in 15 bits
	maxOpen     = 2048 // maximum number of open cells; the size of the distance table is the square of this number
	maxCapsules = 32
)

//go:embed layouts/*.lay
var shipped embed.FS

// A Layout is a maze with its initial state: walls, food, capsules, Pacman and the ghosts. It is
// immutable and may be used by several goroutines.
type Layout struct {
	Name          string
	Width, Height int // in cells, including the outer walls

	rows string // result of Rows

	cells  []spot // open cells, row by row from the top
	stride int    // row length of half-cell indices: twice the width
	// The following slices are indexed by half-cell.
	cellOf []Cell  // -1 in walls; between two cells, the cell to which a ghost snaps
	exits  []uint8 // directions open from a cell, always including Stop; 0 between cells

	food     []uint64 // one bit for each open cell
	foods    []Cell
	capsules []Cell
	// capsuleAt contains the number of the capsule in each open cell, or -1 if there is none.
	capsuleAt []int8
	pacman    int16
	ghosts    []int16 // initial places, by the number of the ghost

	maze
}

// A Cell is the number of an open cell of a layout, counted row by row from the top.
type Cell int16

// A spot contains a cell's coordinates as in the Berkeley projects: x from the left and y from the
// bottom, both counted from 0 and including walls.
type spot struct{ x, y int }

// layouts returns the names of the built-in layouts in sorted order.
func layouts() []string {
	files, err := fs.ReadDir(shipped, "layouts")
	if err != nil {
		panic("pacman: " + err.Error())
	}
	return list.Map(files, func(f fs.DirEntry) string { return strings.TrimSuffix(f.Name(), ".lay") })
}

// load returns the layout called name. A name that contains a slash or ends in .lay is the path of
// a file, which is read with the function read. A name that begins like the result of [Layout.Rows]
// is the layout itself. Any other name is that of a built-in layout.
func load(name string, read func(path string) ([]byte, error)) (*Layout, error) {
	if strings.HasPrefix(name, edge) {
		return parseLayout("in the spec", strings.NewReplacer("/", "\n", "_", " ").Replace(name))
	}
	if strings.Contains(name, "/") || strings.HasSuffix(name, ".lay") {
		text, err := read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("layout %s: %w: want one of %s, or the path of a .lay file", name, fs.ErrNotExist, strings.Join(layouts(), ", "))
		case err != nil:
			return nil, fmt.Errorf("layout %w", err)
		}
		return parseLayout(name, string(text))
	}
	text, err := shipped.ReadFile("layouts/" + name + ".lay")
	if err != nil {
		return nil, fmt.Errorf("layout %q: want one of %s, or the path of a .lay file", name, strings.Join(layouts(), ", "))
	}
	return parseLayout(name, string(text))
}

// edge is the beginning of every layout's rows, because the first row consists of walls.
const edge = "%%%"

// Rows returns the layout in canonical form on one line: its rows from the top, separated by
// slashes, with underscores for spaces. A spec that contains the rows does not depend on the layout
// file, and describes the same maze on other machines.
func (l *Layout) Rows() string { return l.rows }

// parseLayout reads a layout in Berkeley's format: % is a wall, . is food, o is a capsule, P is
// Pacman, and G or a digit from 1 to 4 is a ghost. Spaces around the lines are ignored, as are
// walls beyond the width of the first line. Ghosts are ordered by their digit (1 for G), then by x,
// then by y. The layout must be enclosed by walls and contain one P and food. Pacman and each ghost
// must have an open neighbouring cell.
func parseLayout(name, text string) (*Layout, error) {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	l := &Layout{Name: name, Width: len(lines[0]), Height: len(lines)}
	if l.Height < 3 || l.Height > maxSide {
		return nil, l.fail(0, 0, fmt.Sprintf("3 to %d lines; found %d", maxSide, l.Height))
	}
	if l.Width < 3 || l.Width > maxSide {
		return nil, l.fail(1, 0, fmt.Sprintf("3 to %d cells, found %d", maxSide, l.Width))
	}
	l.stride = 2 * l.Width
	l.pacman = -1
	l.cellOf = slices.Repeat([]Cell{-1}, 2*l.Height*l.stride)
	l.exits = make([]uint8, len(l.cellOf))
	var ghosts []ghost
	for row, line := range lines {
		more, err := l.readLine(row, line)
		if err != nil {
			return nil, err
		}
		ghosts = append(ghosts, more...)
		lines[row] = line[:l.Width]
	}
	if err := l.complete(len(ghosts)); err != nil {
		return nil, err
	}
	slices.SortFunc(ghosts, func(a, b ghost) int {
		return cmp.Or(cmp.Compare(a.digit, b.digit), cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y))
	})
	for _, g := range ghosts {
		l.ghosts = append(l.ghosts, l.half(g.spot))
	}
	l.rows = strings.NewReplacer(" ", "_", "O", "o", "G", "1").Replace(strings.Join(lines, "/"))
	l.connect()
	for _, start := range append([]int16{l.pacman}, l.ghosts...) {
		if l.exits[start] == 1<<Stop {
			at := l.cells[l.cellOf[start]]
			return nil, l.fail(l.Height-at.y, at.x+1, "an open cell next to Pacman and each ghost")
		}
	}
	return l, nil
}

// A ghost in a layout has an initial cell and a digit that determines its number.
type ghost struct {
	digit byte
	spot
}

// fail returns an error about the text of a layout. Lines and columns are counted from 1. Column 0
// means the whole line, and line 0 means the whole text.
func (l *Layout) fail(line, column int, want string) error {
	at := "layout " + l.Name
	if line > 0 {
		at += fmt.Sprintf(", line %d", line)
	}
	if column > 0 {
		at += fmt.Sprintf(", column %d", column)
	}
	return fmt.Errorf("%s: want %s", at, want)
}

// readLine reads the cells of a line and returns its ghosts. Rows are counted from the top.
func (l *Layout) readLine(row int, line string) (ghosts []ghost, err error) {
	if len(line) < l.Width {
		return nil, l.fail(row+1, 0, fmt.Sprintf("%d cells, as in the first line; found %d", l.Width, len(line)))
	}
	if rest := strings.TrimLeft(line[l.Width:], "%"); rest != "" {
		return nil, l.fail(row+1, len(line)-len(rest)+1, "only walls beyond the width of the first line")
	}
	for x := range l.Width {
		c := line[x]
		if c == '%' {
			continue
		}
		if x == 0 || x == l.Width-1 || row == 0 || row == l.Height-1 {
			return nil, l.fail(row+1, x+1, "a wall (%) at the edge")
		}
		at, cell := spot{x, l.Height - 1 - row}, Cell(len(l.cells))
		l.cells = append(l.cells, at)
		l.cellOf[l.half(at)] = cell
		switch c {
		case ' ':
		case '.':
			l.foods = append(l.foods, cell)
		case 'o', 'O':
			l.capsules = append(l.capsules, cell)
		case 'P':
			if l.pacman >= 0 {
				return nil, l.fail(row+1, x+1, "one P only")
			}
			l.pacman = l.half(at)
		case 'G':
			ghosts = append(ghosts, ghost{'1', at})
		case '1', '2', '3', '4':
			ghosts = append(ghosts, ghost{c, at})
		default:
			return nil, l.fail(row+1, x+1, "one of % . o P G 1 2 3 4 and a blank")
		}
	}
	return ghosts, nil
}

// complete returns an error if a required element is missing from the layout or an element occurs
// too often.
func (l *Layout) complete(ghosts int) error {
	switch {
	case l.pacman < 0:
		return l.fail(0, 0, "a P")
	case len(l.foods) == 0:
		return l.fail(0, 0, "food (.)")
	case ghosts > MaxGhosts:
		return l.fail(0, 0, fmt.Sprintf("at most %d ghosts; found %d", MaxGhosts, ghosts))
	case len(l.capsules) > maxCapsules:
		return l.fail(0, 0, fmt.Sprintf("at most %d capsules; found %d", maxCapsules, len(l.capsules)))
	case len(l.cells) > maxOpen:
		return l.fail(0, 0, fmt.Sprintf("at most %d cells without walls; found %d", maxOpen, len(l.cells)))
	}
	return nil
}

// half returns the half-cell index of a cell.
func (l *Layout) half(at spot) int16 { return int16(2*at.y*l.stride + 2*at.x) }

// connect fills in the data derived from the open cells.
func (l *Layout) connect() {
	l.food = make([]uint64, (len(l.cells)+63)/64)
	for _, c := range l.foods {
		l.food[c>>6] |= 1 << (c & 63)
	}
	l.capsuleAt = slices.Repeat([]int8{-1}, len(l.cells))
	for i, c := range l.capsules {
		l.capsuleAt[c] = int8(i)
	}
	step := l.steps()
	for _, at := range l.cells {
		h := l.half(at)
		l.exits[h] = 1 << Stop
		for d, by := range step {
			if d != Stop && l.cellOf[h+2*by] >= 0 {
				l.exits[h] |= 1 << d
			}
		}
	}
	for _, at := range l.cells {
		h := l.half(at)
		for _, d := range [2]int{East, North} {
			if l.exits[h]&(1<<d) != 0 {
				l.cellOf[h+step[d]] = l.cellOf[h+2*step[d]] // int(x + 0.5)
			}
		}
	}
	l.maze = newMaze(l)
}

// steps returns, for each direction, the change in a half-cell index caused by moving half a cell.
func (l *Layout) steps() [5]int16 {
	s := int16(l.stride)
	return [5]int16{West: -1, Stop: 0, East: 1, North: s, South: -s}
}

// Cells returns the number of open cells.
func (l *Layout) Cells() int { return len(l.cells) }

// CellAt returns the open cell at (x, y). ok is false if (x, y) is a wall or outside the layout.
func (l *Layout) CellAt(x, y int) (c Cell, ok bool) {
	if x < 0 || y < 0 || x >= l.Width || y >= l.Height {
		return -1, false
	}
	c = l.cellOf[l.half(spot{x, y})]
	return c, c >= 0
}

// wall reports whether there is a wall at (x, y). Positions outside the layout count as walls.
func (l *Layout) wall(x, y int) bool {
	_, open := l.CellAt(x, y)
	return !open
}

// Foods returns the initial number of food dots, and Capsules returns the initial number of
// capsules.
func (l *Layout) Foods() int    { return len(l.foods) }
func (l *Layout) Capsules() int { return len(l.capsules) }
