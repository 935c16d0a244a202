//go:build tools

// Package main pins the tools that run the notebooks and the packages that their cells import.
// plots.go contains helpers for the cells.
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
