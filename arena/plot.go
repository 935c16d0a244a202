package arena

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// WritePlot draws the running estimate with its 95% band over the pairs, as an
// SVG of 7 by 4 inches. The band holds at each point by itself: that it leaves
// the line of equals somewhere on its way decides nothing. A match without an
// interval anywhere is an error.
func (r Result) WritePlot(w io.Writer) error {
	scale, unit := 1.0, "more a game (units of the game)"
	if r.Measure == Wins {
		scale, unit = 100, "points, percent"
	}
	var middle, low, high plotter.XYs
	for _, p := range r.Trace {
		if !p.Score.Bounded {
			continue
		}
		x := float64(p.Pairs)
		middle = append(middle, plotter.XY{X: x, Y: scale * p.Score.Value})
		low = append(low, plotter.XY{X: x, Y: scale * p.Score.Low})
		high = append(high, plotter.XY{X: x, Y: scale * p.Score.High})
	}
	if len(middle) == 0 {
		return errors.New("plot of a match: no interval anywhere: want more pairs, or pairs that differ")
	}
	band := high
	for i := len(low) - 1; i >= 0; i-- {
		band = append(band, low[i])
	}
	area, err := plotter.NewPolygon(band)
	if err != nil {
		return err
	}
	area.Color = color.NRGBA{R: 0x2b, G: 0x6c, B: 0xb0, A: 0x40}
	area.LineStyle.Width = 0
	line, err := plotter.NewLine(middle)
	if err != nil {
		return err
	}
	line.Color, line.Width = color.NRGBA{R: 0x1a, G: 0x45, B: 0x80, A: 0xff}, vg.Points(1.5)
	even := scale * r.neutral()
	equals, err := plotter.NewLine(plotter.XYs{{X: middle[0].X, Y: even}, {X: middle[len(middle)-1].X, Y: even}})
	if err != nil {
		return err
	}
	equals.Dashes, equals.Color = []vg.Length{vg.Points(4), vg.Points(3)}, color.Gray{Y: 0x60}

	p := plot.New()
	p.Title.Text = fmt.Sprintf("%s: %s against %s", r.Game, r.A, r.B)
	p.X.Label.Text, p.Y.Label.Text = "pairs", unit
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{Y: 0xe4}, color.Gray{Y: 0xe4}
	p.Add(grid, area, equals, line)
	const room = "       " // a reader may have wider letters
	p.Legend.Add("running mean"+room, line)
	p.Legend.Add("95% at each point"+room, area)
	p.Legend.Add("equals"+room, equals)
	// On the other side of equality than the curve's end, where room is left.
	p.Legend.Top, p.Legend.Padding = middle[len(middle)-1].Y < even, vg.Points(3)
	p.Legend.XOffs, p.Legend.YOffs = -vg.Points(8), vg.Points(18)
	if p.Legend.Top {
		p.Legend.YOffs = -vg.Points(4)
	}
	p.X.Max += (p.X.Max - p.X.Min) / 40
	p.Y.Min -= (p.Y.Max - p.Y.Min) / 25
	p.X.Tick.Marker, p.Y.Tick.Marker = short{}, short{}
	p.Title.Padding = vg.Points(6)
	c := vgsvg.New(7*vg.Inch, 4*vg.Inch)
	p.Draw(draw.New(c))
	_, err = c.WriteTo(w)
	return err
}

// short are the usual marks without noughts behind the point.
type short struct{}

func (short) Ticks(low, high float64) []plot.Tick {
	ticks := plot.DefaultTicks{}.Ticks(low, high)
	for i := range ticks {
		if x, err := strconv.ParseFloat(ticks[i].Label, 64); err == nil {
			ticks[i].Label = strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	return ticks
}
