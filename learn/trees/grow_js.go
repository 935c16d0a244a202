package trees

import "errors"

// grow fails: golearn would make the static site's program a tenth larger, and no page asks for trees.
func grow(_ [][]float64, _ []float64, _ [][]float64, _ int) ([]float64, error) {
	return nil, errors.New("not available in a browser; use plyfit fit --diagnose")
}
