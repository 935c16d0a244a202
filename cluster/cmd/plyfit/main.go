// Command plyfit is the plyfit command with a cluster: hub, worker and --cluster beside
// all that the command of the main module has.
package main

import (
	"plyfit/catalog"
	"plyfit/cluster/command"
	"plyfit/learn/trees"
	"plyfit/learn/trees/golearn"
)

func main() {
	trees.Grow = golearn.Grow
	command.Main(catalog.All())
}
