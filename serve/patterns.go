package serve

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"plyfit/features"
	"plyfit/internal/svg"
	"plyfit/models"
)

// patternView is a pattern's table as a page shows it.
type patternView struct {
	Name, Legend string
	Weights      int // in the table
	Used         int // that are not 0
	Picture      template.HTML
}

// filling is one weight of a pattern's table, with what the cells hold.
type filling struct {
	symbols string // by cell
	weight  float64
}

// shownFillings is how many fillings are drawn of the highest, and of the lowest.
const shownFillings = 3

// Colours of weights above and below 0.
const highInk, lowInk = "#155a94", "#9c2f1f"

// mostPatterns is how many patterns are drawn.
const mostPatterns = 24

// drawPatterns pictures the patterns of a model by the fillings with the highest and the
// lowest weights; other is subtracted where it is not nil.
func drawPatterns(set features.Set, m, other *models.Linear) (out []patternView) {
	shaper, ok := set.(features.Shaper)
	if !ok {
		return nil
	}
	shapes := map[string]features.Shape{}
	for _, s := range shaper.Shapes() {
		shapes[s.Name] = s
	}
	weight := func(m *models.Linear, i int) float64 {
		if i < len(m.Weights) {
			return m.Weights[i]
		}
		return float64(m.Table[i-len(m.Weights)])
	}
	first := 0
	for _, b := range set.Blocks() {
		if s, ok := shapes[b.Name]; ok && len(out) < mostPatterns {
			v := patternView{Name: b.Name, Legend: s.Legend, Weights: b.Len}
			x := make([]float64, b.Len)
			for i := range x {
				if x[i] = weight(m, first+i); other != nil {
					x[i] -= weight(other, first+i)
				}
				if x[i] != 0 {
					v.Used++
				}
			}
			name := func(i int) filling { return filling{symbolsOf(b.Label(i)), x[i]} }
			v.Picture = drawPattern(s, extremes(x, name, 1), extremes(x, name, -1))
			out = append(out, v)
		}
		first += b.Len
	}
	return out
}

// symbolsOf is what stands between the brackets of a weight's name.
func symbolsOf(name string) string {
	_, rest, _ := strings.Cut(name, "[")
	return strings.TrimSuffix(rest, "]")
}

// extremes are the largest of sign*x above 0, the largest first.
func extremes(x []float64, name func(int) filling, sign float64) (out []filling) {
	var best []int
	for i, w := range x {
		if !(sign*w > 0) || len(best) == shownFillings && sign*w <= sign*x[best[len(best)-1]] {
			continue
		}
		at := len(best)
		for at > 0 && sign*w > sign*x[best[at-1]] {
			at--
		}
		best = slices.Insert(best, at, i)
		best = best[:min(len(best), shownFillings)]
	}
	for _, i := range best {
		out = append(out, name(i))
	}
	return out
}

// drawPattern draws where a pattern lies, and beside it fillings, the highest weights
// above the lowest.
func drawPattern(s features.Shape, high, low []filling) template.HTML {
	const cell, gap, heading = 15.0, 22.0, 20.0
	top, left, bottom, right := s.Rows, s.Columns, 0, 0
	for _, c := range s.Cells {
		top, bottom = min(top, c/s.Columns), max(bottom, c/s.Columns)
		left, right = min(left, c%s.Columns), max(right, c%s.Columns)
	}
	wide := max(float64(right-left+1)*cell, 52)
	tall := float64(bottom-top+1) * cell
	board := float64(s.Columns) * cell
	width := board + gap + shownFillings*(wide+gap)
	height := max(float64(s.Rows)*cell+8, 2*(tall+heading)+12) + 8
	p := svg.New(width, height, "the pattern "+s.Name+" and its highest and lowest weights")
	p.Rect(0, 0, width, height, 6, chartGround)
	for i := range s.Rows * s.Columns {
		colour := chartGround
		if slices.Contains(s.Cells, i) {
			colour = "#9cc3e6"
		}
		p.Rect(4+float64(i%s.Columns)*cell, 4+float64(i/s.Columns)*cell, cell, cell, 0, colour, "stroke", "#8b97a8")
	}
	for row, list := range [2][]filling{high, low} {
		for k, f := range list {
			x, y := board+gap+float64(k)*(wide+gap), 16+float64(row)*(tall+heading+6)
			colour := highInk
			if f.weight < 0 {
				colour = lowInk
			}
			p.Text(x, y, 12, colour, fmt.Sprintf("%+.3g", f.weight), "text-anchor", "start", "font-weight", "700")
			for at, c := range s.Cells {
				if at < len(f.symbols) {
					drawSymbol(p, f.symbols[at], x+float64(c%s.Columns-left)*cell, y+5+float64(c/s.Columns-top)*cell, cell)
				}
			}
		}
	}
	return template.HTML(p.String())
}

// drawSymbol draws what a cell holds: discs for + and -, else the symbol itself.
func drawSymbol(p *svg.Picture, symbol byte, x, y, cell float64) {
	p.Rect(x, y, cell, cell, 0, "#eef2f7", "stroke", "#8b97a8")
	half := cell / 2
	switch symbol {
	case '.', '0':
	case '_':
		p.Line(x+3, y+cell-3.5, x+cell-3, y+cell-3.5, 2, chartInk)
	case '+':
		p.Circle(x+half, y+half, half-2, chartInk)
	case '-':
		p.Circle(x+half, y+half, half-2.5, "#ffffff", "stroke", chartInk, "stroke-width", "1.2")
	default:
		p.Text(x+half, y+half+math.Round(half/2), 11, chartInk, string(symbol))
	}
}
