package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/models"
)

func (a *App) modelSetCommand() *cobra.Command {
	var out, variant string
	cmd := &cobra.Command{
		Use:   "set MODEL TERM=WEIGHT... -o FILE",
		Short: "Write a model with other weights for some terms",
		Long: `Write a model with other weights for some terms, bias among them. An agent takes such
changes, too, without a file: eval=(MODEL,TERM=WEIGHT).`,
		Example: `  plyfit model set pacman/handwritten food-tree=1 -o mine.json`,
		Args:    atLeast("MODEL", "TERM=WEIGHT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, m, err := a.bound(args[0], variant)
			if err != nil {
				return err
			}
			if err := catalog.Reweigh(m, args[1:]...); err != nil {
				return fmt.Errorf("model %s: %w", args[0], err)
			}
			m.Provenance = reweighed(m.Provenance, args)
			return runFailure(m.File().Save(out))
		},
	}
	outFileFlag(cmd, &out, "model file to write")
	cmd.Flags().StringVar(&variant, "game", "", "the game with the options that the model was made for; default: the game as it is")
	return cmd
}

// reweighed is the recipe of a changed model, with its own among the notes. A handwritten model
// stays one.
func reweighed(of *models.Provenance, args []string) *models.Provenance {
	if of == nil {
		return nil
	}
	return &models.Provenance{
		Command: "plyfit model set MODEL " + strings.Join(args[1:], " ") + " -o CHANGED",
		Notes:   []string{"of: " + of.Command},
	}
}
