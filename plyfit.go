// Package plyfit is the whole command, for programs with games of their own.
package plyfit

import (
	"context"
	"io"

	"plyfit/catalog"
	"plyfit/internal/cli"
)

// Main runs the command over the games of c with the arguments of the process, and exits.
func Main(c catalog.Catalog) { cli.Main(c) }

// Run is Main without the process: it returns the exit code.
func Run(ctx context.Context, c catalog.Catalog, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, c, args, stdin, stdout, stderr)
}
