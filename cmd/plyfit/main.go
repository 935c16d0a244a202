// Command plyfit learns evaluation functions for game search, and shows what
// they are worth.
package main

import (
	"plyfit/catalog"
	"plyfit/cli"
)

func main() { cli.Main(catalog.All()) }
