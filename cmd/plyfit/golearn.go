//go:build golearn

package main

import (
	"plyfit/learn/trees"
	"plyfit/learn/trees/golearn"
)

func init() { trees.Grow = golearn.Grow }
