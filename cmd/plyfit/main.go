// Command plyfit learns evaluation functions for game search, and shows what they are worth.
package main

import (
	"plyfit"
	"plyfit/catalog"
)

func main() { plyfit.Main(catalog.All()) }
