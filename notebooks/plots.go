package main

import (
	"bytes"
	"image/color"

	"github.com/janpfeifer/gonb/gonbui"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// must returns v. It panics if err is not nil, because a cell has no caller that could handle the
// error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// show draws a plot under the cell.
func show(p *plot.Plot, width, height vg.Length) {
	p.Title.Padding = vg.Points(8)
	var b bytes.Buffer
	must(must(p.WriterTo(width, height, "png")).WriteTo(&b))
	gonbui.DisplayPng(b.Bytes())
}

// colours lists colours that people with any kind of colour vision can distinguish (Okabe and Ito
// 2008).
var colours = []color.Color{color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255}}

// band adds a line to p, with error bars for its 95% intervals.
func band(p *plot.Plot, name string, x, y, low, high []float64, colour int) {
	points, errors := make(plotter.XYs, len(x)), make(plotter.YErrors, len(x))
	for i := range x {
		points[i] = plotter.XY{X: x[i], Y: y[i]}
		errors[i].Low, errors[i].High = y[i]-low[i], high[i]-y[i]
	}
	line := must(plotter.NewLine(points))
	line.Color, line.Width = colours[colour], vg.Points(1.5)
	bars := must(plotter.NewYErrorBars(struct {
		plotter.XYer
		plotter.YErrorer
	}{points, errors}))
	bars.Color = colours[colour]
	p.Add(line, bars)
	if name != "" {
		p.Legend.Add(name, line)
	}
}
