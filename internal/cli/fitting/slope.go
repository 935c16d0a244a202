package fitting

import (
	"context"
	"fmt"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/internal/cli/shell"
	"plyfit/learn/fit"
	"plyfit/study/diagnose"
)

// Slope is the line about how sure the model of a fit is of itself, where held-out games
// tell; else "".
func Slope(ctx context.Context, w *catalog.World, f *fit.Result, file string) (string, error) {
	p, ok, err := f.HeldOutSlope(ctx, w)
	if err != nil || !ok {
		return "", err
	}
	return diagnose.Sentence(p.Slope, float64(stats.T95(float64(max(1, p.Episodes-1)))*p.SlopeError), Diagnose(w, file)), nil
}

// Diagnose is the command that diagnoses a model file.
func Diagnose(w *catalog.World, file string) string {
	return fmt.Sprintf("%s diagnose %s --game %s", shell.Program(w), file, w.Spec)
}
