package report

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Series is one line of a [Chart].
type Series struct {
	Name string // in the legend; "" keeps it out
	X, Y []float64
	// Low and High are the ends of each point's interval; nil: none.
	Low, High []float64
	Points    bool // points only, no line between them
	Dashed    bool
}

// Chart is a plot of lines with intervals over common axes.
type Chart struct {
	Title, XLabel, YLabel string // labels name the unit
	Series                []Series
	LogX, LogY            bool
	Diagonal              bool      // draw y = x: where a calibrated prediction lies
	Level                 *float64  // draw a horizontal line: a par, an even score
	LegendLeft, LegendTop bool      // its corner; bottom right by default
	LegendBeside          bool      // right of the plot, where it hides nothing
	XTicks                []float64 // where the axis has its marks; nil: where they fall
	YMin, YMax            *float64  // the axis reaches at least so far
	Width, Height         vg.Length
}

// palette keeps its colours apart for colour-blind readers too (Okabe and Ito).
var palette = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff}, color.RGBA{0x56, 0xb4, 0xe9, 0xff}, color.RGBA{0x33, 0x33, 0x33, 0xff},
}

// shapes tell series apart where colours do not.
var shapes = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.TriangleGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{},
}

// SVG draws the chart. Points that are not finite, or not positive on a
// logarithmic axis, are an error: a report does not hide them.
func (c Chart) SVG() ([]byte, error) { return Panels("", c) }

// Panels draws charts side by side, each of its own size, under a common title
// where it is not "".
func Panels(title string, charts ...Chart) ([]byte, error) {
	var width, height, head vg.Length
	for i := range charts {
		charts[i].size()
		width += charts[i].Width
		height = max(height, charts[i].Height)
	}
	if title != "" {
		head = vg.Points(24)
	}
	canvas := vgsvg.New(width, height+head)
	whole := draw.New(canvas)
	if title != "" {
		style := plot.New().Title.TextStyle
		style.Font.Size = vg.Points(14)
		style.XAlign, style.YAlign = draw.XCenter, draw.YTop
		whole.FillText(style, vg.Point{X: width / 2, Y: height + head - vg.Points(4)}, title)
	}
	var left vg.Length
	for _, c := range charts {
		if err := c.draw(draw.Crop(whole, left, left+c.Width-width, height-c.Height, -head)); err != nil {
			return nil, err
		}
		left += c.Width
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// size completes width and height.
func (c *Chart) size() {
	if c.Width == 0 {
		c.Width = 16 * vg.Centimeter
	}
	if c.Height == 0 {
		c.Height = 9.5 * vg.Centimeter
	}
}

func (c Chart) draw(canvas draw.Canvas) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.Title, c.XLabel, c.YLabel
	p.Title.TextStyle.Font.Size, p.Title.Padding = vg.Points(13), vg.Points(8)
	p.X.Label.TextStyle.Font.Size, p.Y.Label.TextStyle.Font.Size = vg.Points(11), vg.Points(11)
	p.Legend.Top, p.Legend.Left = c.LegendTop || c.LegendBeside, c.LegendLeft || c.LegendBeside
	p.Legend.TextStyle.Font.Size, p.Legend.Padding = vg.Points(10), vg.Points(2)
	p.Add(faintGrid())
	if c.LogX {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	if c.LogY {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	}
	if c.XTicks != nil {
		p.X.Tick.Marker = marks(c.XTicks)
	}
	for i, s := range c.Series {
		if err := c.add(p, s, i); err != nil {
			return fmt.Errorf("plot %q, series %q: %w", c.Title, s.Name, err)
		}
	}
	if c.Diagonal {
		p.Add(reference(func(x float64) float64 { return x }))
	}
	if c.Level != nil {
		level := *c.Level
		p.Add(reference(func(float64) float64 { return level }))
		p.Y.Min, p.Y.Max = math.Min(p.Y.Min, level), math.Max(p.Y.Max, level)
	}
	if c.YMin != nil {
		p.Y.Min = math.Min(p.Y.Min, *c.YMin)
	}
	if c.YMax != nil {
		p.Y.Max = math.Max(p.Y.Max, *c.YMax)
	}
	if !c.LegendBeside {
		p.Draw(canvas)
		return nil
	}
	legend := p.Legend
	p.Legend = plot.NewLegend()
	box := legend.Rectangle(canvas)
	strip := box.Max.X - box.Min.X + vg.Points(14)
	p.Draw(draw.Crop(canvas, 0, -strip, 0, 0))
	legend.Draw(draw.Crop(canvas, c.Width-strip+vg.Points(8), 0, 0, -vg.Points(30)))
	return nil
}

// marks are ticks at given places.
func marks(at []float64) plot.ConstantTicks {
	var t plot.ConstantTicks
	for _, x := range at {
		t = append(t, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', -1, 64)})
	}
	return t
}

func (c Chart) add(p *plot.Plot, s Series, index int) error {
	ink, dark := palette[index%len(palette)], draw.LineStyle{}
	points := make(plotter.XYs, len(s.X))
	for i := range s.X {
		if err := c.check(s.X[i], s.Y[i]); err != nil {
			return err
		}
		points[i] = plotter.XY{X: s.X[i], Y: s.Y[i]}
	}
	if len(points) == 0 {
		return fmt.Errorf("no points")
	}
	if s.Low != nil {
		bars := intervals{XYs: points, YErrors: make(plotter.YErrors, len(points))}
		for i := range points {
			if err := c.check(s.X[i], s.Low[i]); err != nil {
				return err
			}
			bars.YErrors[i].Low, bars.YErrors[i].High = s.Y[i]-s.Low[i], s.High[i]-s.Y[i]
		}
		e, err := plotter.NewYErrorBars(bars)
		if err != nil {
			return err
		}
		e.Color, e.CapWidth = ink, vg.Points(4)
		p.Add(e)
	}
	scatter, err := plotter.NewScatter(points)
	if err != nil {
		return err
	}
	scatter.Color, scatter.Shape, scatter.Radius = ink, shapes[index%len(shapes)], vg.Points(2.8)
	p.Add(scatter)
	if s.Points {
		if s.Name != "" {
			p.Legend.Add(s.Name, scatter)
		}
		return nil
	}
	dark.Color, dark.Width = ink, vg.Points(1.4)
	if s.Dashed {
		dark.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	line, err := plotter.NewLine(points)
	if err != nil {
		return err
	}
	line.LineStyle = dark
	p.Add(line)
	if s.Name != "" {
		p.Legend.Add(s.Name, line, scatter)
	}
	return nil
}

func (c Chart) check(x, y float64) error {
	switch {
	case x-x != 0 || y-y != 0:
		return fmt.Errorf("point (%v, %v) is not finite", x, y)
	case c.LogX && x <= 0 || c.LogY && y <= 0:
		return fmt.Errorf("point (%v, %v) on a logarithmic axis", x, y)
	}
	return nil
}

type intervals struct {
	plotter.XYs
	plotter.YErrors
}

func faintGrid() *plotter.Grid {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = color.Gray{0xe4}, color.Gray{0xe4}
	return g
}

func reference(f func(float64) float64) *plotter.Function {
	line := plotter.NewFunction(f)
	line.Color, line.Width, line.Dashes = color.Gray{0x88}, vg.Points(1), []vg.Length{vg.Points(2), vg.Points(3)}
	return line
}
