// Command plyfit is the plyfit command with cluster support. It adds hub, worker, cluster and
// --cluster to the commands of the main module.
package main

import (
	"plyfit/catalog"
	"plyfit/cluster/command"
)

func main() { command.Main(catalog.All()) }
