package grid

import (
	"slices"

	"plyfit/internal/svg"
)

// SVG returns the board as a single svg element. If turned is set, the board is rotated by 180
// degrees.
func (g *Board) SVG(turned bool) string {
	across, down := float64(g.Columns)*g.Size, float64(g.Rows)*g.Size
	p := svg.New(across+2*g.Edge, down+2*g.Edge, g.Label)
	p.Rect(0, 0, across+2*g.Edge, down+2*g.Edge, g.Round, g.Back)
	if g.Field != "" {
		p.Rect(g.Edge, g.Edge, across, down, 0, g.Field)
	}
	g.lines(p)
	g.names(p, turned)
	for i := range g.Cells {
		c := &g.Cells[i]
		if turned {
			c = &g.Cells[len(g.Cells)-1-i]
		}
		p.Begin(g.middle(i%g.Columns), g.middle(i/g.Columns))
		for _, f := range c.Layers {
			p.Add(f.Art)
		}
		if c.Place != "" {
			p.Place(c.Place, -g.Size/2, -g.Size/2, g.Size, g.Size)
		}
		p.End()
	}
	for _, at := range g.Places {
		p.Place(at.Name, g.Edge+at.X*g.Size, g.Edge+at.Y*g.Size, at.Width*g.Size, at.Height*g.Size)
	}
	return p.String()
}

// middle returns the coordinate of the centre of the i-th row or column.
func (g *Board) middle(i int) float64 { return g.Edge + (float64(i)+0.5)*g.Size }

// lines draws lines between the cells.
func (g *Board) lines(p *svg.Picture) {
	if g.Lines == "" {
		return
	}
	across, down := g.Edge+float64(g.Columns)*g.Size, g.Edge+float64(g.Rows)*g.Size
	for i := 1; i < g.Columns; i++ {
		x := g.middle(i) - g.Size/2
		p.Line(x, g.Edge, x, down, g.LineWidth, g.Lines, "stroke-linecap", "round")
	}
	for i := 1; i < g.Rows; i++ {
		y := g.middle(i) - g.Size/2
		p.Line(g.Edge, y, across, y, g.LineWidth, g.Lines, "stroke-linecap", "round")
	}
}

// names draws the column names above the board and the row names on its left.
func (g *Board) names(p *svg.Picture, turned bool) {
	if g.Names == "" {
		return
	}
	of := func(names []string) []string {
		if names = slices.Clone(names); turned {
			slices.Reverse(names)
		}
		return names
	}
	for i, name := range of(g.ColumnNames) {
		p.Text(g.middle(i), g.Edge/2+5, 13, g.Names, name)
	}
	for i, name := range of(g.RowNames) {
		p.Text(g.Edge/2, g.middle(i)+5, 13, g.Names, name)
	}
}
