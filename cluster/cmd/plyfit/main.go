// Command plyfit is the plyfit command with a cluster: hub, worker and --cluster beside
// all that the command of the main module has.
package main

import (
	"plyfit/catalog"
	"plyfit/cluster/command"
)

func main() { command.Main(catalog.All()) }
