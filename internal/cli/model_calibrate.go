package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"plyfit/arena/stats"
	"plyfit/datasets"
	"plyfit/learn/fit"
	"plyfit/models"
	"plyfit/study/diagnose"
)

func (a *App) modelCalibrateCommand() *cobra.Command {
	var out, dir, world string
	var seed uint64
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "calibrate MODEL --data DIR -o FILE",
		Short: "Calibrate a model on the outcomes of games",
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := a.modelFile(args[0])
			if err != nil {
				return err
			}
			data, w, err := a.recorded(dir, world)
			if err != nil {
				return err
			}
			_, m, err := w.Bind(args[0], file)
			if err != nil {
				return err
			}
			c, err := fit.Calibrate(cmd.Context(), w, data, m, seed)
			if err != nil {
				return runFailure(fmt.Errorf("model %s: %w", args[0], err))
			}
			c.Apply(m)
			m.Errors, m.BiasError = nil, 0 // these apply to the weights before calibration
			m.Provenance = calibrated(m.Provenance, data, c, seed)
			if err := m.File().Save(out); err != nil {
				return runFailure(err)
			}
			if asJSON {
				return WriteJSON(a.Stdout, c)
			}
			return a.printf("The slope is %.4f ± %.4f and the shift is %.4f ± %.4f, from %d positions in %d games.\nThe held-out loss is %.5f before calibration and %.5f after calibration.\n%s\n",
				c.Slope, c.SlopeError, c.Shift, c.ShiftError, c.Rows, c.Episodes, c.HeldOutBefore, c.HeldOutAfter, slopeAdvice(c))
		},
	}
	flags := cmd.Flags()
	recordedFlag(cmd, &world)
	outModelFlag(cmd, &out, "model file to write")
	flags.StringVar(&dir, "data", "", "data set with games that the model was not fitted to")
	cmd.MarkFlagRequired("data")
	flags.BoolVar(&asJSON, "json", false, "print slope, shift and losses as one JSON object")
	seedFlag(cmd, &seed)
	return cmd
}

// slopeAdvice explains how the slope affects play.
func slopeAdvice(c *fit.Calibration) string {
	half := float64(stats.TQuantile95(float64(max(1, c.Episodes-1))) * c.SlopeError)
	switch sure := diagnose.CalibrationOf(c.Slope, c.Slope-half, c.Slope+half); {
	case c.Slope > 1:
		return "Warning: a slope above 1 means that the model is underconfident. Sharpening a model gains nothing and can lose points, so use the original model."
	case sure == diagnose.TooSure:
		return "The model was overconfident. The calibrated model gains under expectimax (plyfit diagnose measures how much) and plays the same under minimax."
	}
	return "The model was well calibrated. The calibrated model plays much as before."
}

// calibrated returns the provenance of a calibrated model. It describes the calibration and
// contains the original model's command as a note.
func calibrated(of *models.Provenance, data *datasets.Set, c *fit.Calibration, seed uint64) *models.Provenance {
	p := &models.Provenance{
		Command: fmt.Sprintf("plyfit model calibrate MODEL --data DATA -o CALIBRATED --seed %d", seed), Data: data.Digest,
		Episodes: c.Episodes, Rows: c.Rows, Label: "outcome", Method: "Platt scaling", Loss: "logistic", Seed: seed,
		HeldOut: map[string]float64{"loss before": c.HeldOutBefore, "loss after": c.HeldOutAfter},
		Notes:   []string{fmt.Sprintf("slope %.9g, shift %.9g", c.Slope, c.Shift)},
	}
	if of != nil {
		p.Notes = append(p.Notes, "of: "+of.Command)
	}
	return p
}
