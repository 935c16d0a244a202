//go:build tools

// Package notebooks pins what the notebooks are run with and what their cells
// import; it holds no code of its own.
package notebooks

import (
	_ "github.com/janpfeifer/gonb"
	_ "github.com/janpfeifer/gonb/gonbui"
	_ "golang.org/x/tools/cmd/goimports"
	_ "gonum.org/v1/plot"
	_ "gonum.org/v1/plot/plotter"
	_ "gonum.org/v1/plot/vg"
	_ "gonum.org/v1/plot/vg/draw"

	_ "plyfit/arena"
	_ "plyfit/catalog"
	_ "plyfit/learn/fit"
	_ "plyfit/selfplay"
	_ "plyfit/study"
	_ "plyfit/study/damage"
)
