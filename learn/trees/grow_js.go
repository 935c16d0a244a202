package trees

import "errors"

// grow returns an error. golearn would make the static site's program larger, and no page needs
// trees.
func grow(_ [][]float64, _ []float64, _ [][]float64, _ int) ([]float64, error) {
	return nil, errors.New("trees are not available in a browser; use plyfit fit --diagnose")
}
