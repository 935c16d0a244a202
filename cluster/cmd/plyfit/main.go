// Command plyfit is the plyfit command with cluster support. It adds the commands hub, worker and
// cluster, and the flag --cluster, to the main module's commands.
package main

import (
	"plyfit/catalog"
	"plyfit/cluster/command"
)

func main() { command.Main(catalog.All()) }
