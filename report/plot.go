package report

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"slices"
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
	// Style is the number of its colour and shape, so that a series has the
	// same style in all panels; 0: by its place.
	Style int
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

// titleIndent is about where the first chart's axis stands.
const titleIndent = 36

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
		fit(&style, title, width-titleIndent)
		style.XAlign, style.YAlign = draw.XLeft, draw.YTop // a wider font then grows to one side
		whole.FillText(style, vg.Point{X: titleIndent, Y: height + head - vg.Points(4)}, title)
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

// fit makes a text smaller that would be longer than room; a reader's font may be
// wider than ours by a third.
func fit(style *draw.TextStyle, text string, room vg.Length) {
	if width := style.Width(text) * 4 / 3; width > room {
		style.Font.Size *= room / width
	}
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
	fit(&p.Y.Label.TextStyle, c.YLabel, c.Height)
	p.Legend.Top, p.Legend.Left = c.LegendTop || c.LegendBeside, c.LegendLeft || c.LegendBeside
	p.Legend.TextStyle.Font.Size, p.Legend.Padding = vg.Points(10), vg.Points(2)
	p.Add(faintGrid())
	for _, s := range c.Series {
		if err := c.check(s); err != nil {
			return fmt.Errorf("plot %q, series %q: %w", c.Title, s.Name, err)
		}
	}
	if c.LogX {
		p.X.Tick.Marker = decades{}
	}
	if c.LogY {
		p.Y.Tick.Marker = decades{}
	}
	if c.XTicks != nil {
		p.X.Tick.Marker = marks(c.XTicks, c.LogX)
	}
	c.logarithms()
	if c.XTicks != nil {
		p.X.Min, p.X.Max = slices.Min(c.XTicks), slices.Max(c.XTicks)
		if !slices.ContainsFunc(c.Series, func(s Series) bool { return !s.Points }) { // places, not a scale
			p.X.Min, p.X.Max = p.X.Min-0.5, p.X.Max+0.5
		}
	}
	for i, s := range c.Series {
		if s.Style > 0 {
			i = s.Style - 1
		}
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
	strip := (box.Max.X-box.Min.X)*5/4 + vg.Points(14) // a reader's font may be wider
	p.Draw(draw.Crop(canvas, 0, -strip, 0, 0))
	legend.Draw(draw.Crop(canvas, c.Width-strip+vg.Points(8), 0, 0, -vg.Points(30)))
	return nil
}

// decades are the ticks of an axis of decimal logarithms. gonum's own
// logarithmic scale leaves room for ticks beyond the axis, and for a label about
// the middle of the numbers.
type decades struct{}

// Ticks implements [plot.Ticker].
func (decades) Ticks(low, high float64) (ticks []plot.Tick) {
	for k := math.Floor(low); k <= high; k++ {
		for i := 1.0; i < 10; i++ {
			at := k + math.Log10(i)
			t := plot.Tick{Value: at}
			if i == 1 || high-low < 1 && (i == 2 || i == 5) {
				t.Label = strconv.FormatFloat(i*math.Pow(10, k), 'g', 3, 64)
			}
			if at >= low && at <= high {
				ticks = append(ticks, t)
			}
		}
	}
	return ticks
}

// logarithms replaces what stands on a logarithmic axis by its logarithm.
func (c *Chart) logarithms() {
	log := func(x []float64) []float64 {
		if x == nil {
			return nil
		}
		out := make([]float64, len(x))
		for i, v := range x {
			out[i] = math.Log10(v)
		}
		return out
	}
	one := func(x *float64) *float64 {
		if x == nil {
			return nil
		}
		return &log([]float64{*x})[0]
	}
	c.Series = slices.Clone(c.Series)
	for i := range c.Series {
		s := &c.Series[i]
		if c.LogX {
			s.X = log(s.X)
		}
		if c.LogY {
			s.Y, s.Low, s.High = log(s.Y), log(s.Low), log(s.High)
		}
	}
	if c.LogX {
		c.XTicks = log(c.XTicks)
	}
	if c.LogY {
		c.YMin, c.YMax, c.Level = one(c.YMin), one(c.YMax), one(c.Level)
	}
}

// marks are ticks at given places.
func marks(at []float64, logarithmic bool) plot.ConstantTicks {
	var t plot.ConstantTicks
	for _, x := range at {
		tick := plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', -1, 64)}
		if logarithmic {
			tick.Value = math.Log10(x)
		}
		t = append(t, tick)
	}
	return t
}

func (c Chart) add(p *plot.Plot, s Series, index int) error {
	ink, dark := palette[index%len(palette)], draw.LineStyle{}
	points := make(plotter.XYs, len(s.X))
	for i := range s.X {
		points[i] = plotter.XY{X: s.X[i], Y: s.Y[i]}
	}
	if len(points) == 0 {
		return fmt.Errorf("no points")
	}
	if s.Low != nil {
		bars := intervals{XYs: points, YErrors: make(plotter.YErrors, len(points))}
		for i := range points {
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

// check tells of a point that cannot be drawn.
func (c Chart) check(s Series) error {
	for i, x := range s.X {
		y := []float64{s.Y[i]}
		if s.Low != nil {
			y = append(y, s.Low[i], s.High[i])
		}
		for _, v := range y {
			switch {
			case x-x != 0 || v-v != 0:
				return fmt.Errorf("point (%v, %v) is not finite", x, v)
			case c.LogX && x <= 0 || c.LogY && v <= 0:
				return fmt.Errorf("point (%v, %v) on a logarithmic axis", x, v)
			}
		}
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
