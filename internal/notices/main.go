// Command notices writes what a release says of others' work in it: NOTICES, the licences
// of every module that is linked into the program, and sbom.cdx.json, a list of them by
// version and checksum (CycloneDX 1.6).
//
//	go run ./internal/notices FOLDER [GOOS/GOARCH...]
//
// It asks the go command which modules those are, for the systems named or for this one,
// and reads their licences where the go command keeps them. The same modules give the same
// bytes: neither time nor machine is in them.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"plyfit/internal/atomicfile"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// program is what is released.
const program = "./cmd/plyfit"

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want FOLDER [GOOS/GOARCH...]")
	}
	parts, err := linked(program, args[1:])
	if err != nil {
		return err
	}
	for name, write := range map[string]func(io.Writer, []Part) error{"NOTICES": Notices, "sbom.cdx.json": Bill} {
		err := atomicfile.Write(filepath.Join(args[0], name), func(w io.Writer) error { return write(w, parts) })
		if err != nil {
			return err
		}
	}
	return nil
}
