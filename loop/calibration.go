package loop

import (
	"fmt"

	"plyfit/fit"
	"plyfit/report"
)

// calibration draws predicted against realised outcomes.
func (o *Result) calibration() (report.Figure, error) {
	bins, err := o.Fitted.Calibration(o.Options.World)
	if err != nil {
		return report.Figure{}, err
	}
	s := report.Series{Name: "held-out rows in tenths"}
	var groups []fit.Group
	for _, b := range bins {
		groups = append(groups, fit.Group{Predicted: b.Predicted, Realised: b.Realised.Value, Low: low(b.Realised), High: high(b.Realised)})
		s.X, s.Y = append(s.X, b.Predicted), append(s.Y, b.Realised.Value)
		s.Low, s.High = append(s.Low, low(b.Realised)), append(s.High, high(b.Realised))
	}
	return calibrationFigure(s, "What the learned evaluation predicted for positions of held-out episodes, and what came of them, with 95% intervals clustered by episode. On the dotted line predictions are right on average. "+fit.CalibrationText(groups))
}

func calibrationFigure(s report.Series, caption string) (report.Figure, error) {
	svg, err := report.Chart{Title: "Calibration", XLabel: "predicted outcome", YLabel: "realised outcome (mean)", Series: []report.Series{s}, Diagonal: true}.SVG()
	if err != nil {
		return report.Figure{}, fmt.Errorf("calibration: %w", err)
	}
	return report.Figure{Name: "calibration", SVG: svg, Caption: caption}, nil
}
