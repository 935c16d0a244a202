package loop

import (
	"context"
	"fmt"

	"plyfit/learn/fit"
	"plyfit/learn/validate"
	"plyfit/study/report"
)

// calibration draws predicted against realised outcomes.
func (o *Result) calibration() (report.Figure, error) {
	tenths, err := o.Fitted.Calibration(context.Background(), o.Options.World)
	if err != nil {
		return report.Figure{}, err
	}
	return calibrationFigure("held-out rows in tenths", tenths, "What the learned evaluation predicted for positions of held-out episodes, and what came of them, with 95% intervals clustered by episode.")
}

// calibrationFigure draws tenths of rows; caption says what they are of.
func calibrationFigure(name string, tenths []validate.Stratum[int], caption string) (report.Figure, error) {
	s, text := fit.Calibrated(name, tenths)
	svg, err := report.Chart{Title: "Calibration", XLabel: "predicted outcome", YLabel: "realised outcome (mean)", Series: []report.Series{s}, Diagonal: true}.SVG()
	if err != nil {
		return report.Figure{}, fmt.Errorf("calibration: %w", err)
	}
	return report.Figure{Name: "calibration", SVG: svg, Caption: caption + " On the dotted line predictions are right on average. " + text}, nil
}
