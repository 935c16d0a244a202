//go:build tools

// Package main records the versions of the programs and packages that run the notebooks. The helper
// functions for the cells are in plots.go.
package main

import (
	_ "github.com/janpfeifer/gonb"
	_ "golang.org/x/tools/cmd/goimports"

	_ "plyfit/arena"
	_ "plyfit/catalog"
	_ "plyfit/learn/fit"
	_ "plyfit/selfplay"
	_ "plyfit/study"
	_ "plyfit/study/evaluation"
	_ "plyfit/study/measure"
)
