//go:build tools

// Package main pins what the notebooks are run with and what their cells import.
// The helpers of the cells are in plots.go.
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
