// Package plyfit provides the complete plyfit command for programs that add their own games.
package plyfit

import (
	"context"
	"io"

	"plyfit/catalog"
	"plyfit/internal/cli"
)

// Main runs the command with the games in c and the process's arguments, and then exits.
func Main(c catalog.Catalog) { cli.Main(c) }

// Run is like Main, but it takes the arguments and streams as parameters and returns the exit code.
func Run(ctx context.Context, c catalog.Catalog, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, c, args, stdin, stdout, stderr)
}
