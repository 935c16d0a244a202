package confirm

import (
	"fmt"
	"math"
	"strings"

	"plyfit/report"
	"plyfit/study/damage"
	"plyfit/study/experiments/draw"
)

// figure shows the contrasts of planners, each with its interval and in the colour
// of its kind of error. Fading is measured in another unit and is left to the table.
func (p *Protocol) figure(findings []Tested) (report.Figure, error) {
	panel := report.Rows{Title: "What the error costs expectimax more than minimax", XLabel: "difference of losses, share of the points", Level: new(0.0), Width: 620}
	for i, v := range findings {
		h := &p.Hypotheses[i]
		if h.Estimand == fade || math.IsInf(v.Estimate.Low, 0) {
			continue
		}
		of := h.Treatment.Error
		if h.Estimand == anyOf {
			of = v.Error
		}
		e := p.error(of)
		panel.Rows = append(panel.Rows, draw.Row(h.ID+" "+p.world(h.Treatment.World).words()+": "+e.words(), v.Estimate, 3, e.color()))
	}
	return report.NewFigure(p.Name, "", "Hypotheses of the protocol, with 95% intervals, not corrected: to the right of the line the error costs expectimax more. A calibration is an error with the opposite sign.", panel)
}

// words are the world in a few.
func (w *World) words() string {
	name := strings.TrimSuffix(w.Game, ":score=win")
	if w.Slip > 0 {
		name += fmt.Sprintf(" with slip %v", w.Slip)
	}
	return name
}

// words are the error in a few.
func (e *Error) words() string {
	switch e.Kind {
	case string(damage.Exp), string(damage.Power), string(damage.LogOdds):
		return "a wrong scale (" + e.Kind + ")"
	case string(damage.Rescaled):
		return "a link too steep"
	case string(damage.Noise):
		return "white noise"
	case string(damage.Weights):
		return "wrong weights"
	case "refit":
		return "a fit to few games"
	case "label":
		return "labels: " + e.Label
	case "left out":
		return "features left out"
	}
	return "calibrated (" + e.Kind + ")"
}

// color is that of its kind in all figures of the study.
func (e *Error) color() int {
	switch e.Kind {
	case string(damage.Noise):
		return draw.Noise
	case string(damage.Weights), "refit", "label":
		return draw.Estimation
	case "left out":
		return draw.Feature
	}
	return draw.Scale
}
