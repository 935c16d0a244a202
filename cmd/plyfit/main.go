// Command plyfit learns evaluation functions for game search and measures how well they play.
package main

import (
	"plyfit"
	"plyfit/catalog"
)

func main() { plyfit.Main(catalog.All()) }
