// Command modulepath gives the modules of this repository another path:
//
//	go run ./internal/modulepath example.org/games/plyfit
//
// The path stands in one place, the first line of go.mod; what else names it follows
// from there: imports, the nested modules, commands of tests and pages, and the functions
// in the profile that the compiler reads. [Rename] says what is changed.
package main

import (
	"fmt"
	"os"
	"regexp"
)

// pathlike is what a module may be called, so that the go command can install it.
var pathlike = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)+(/[A-Za-z0-9][A-Za-z0-9._~-]*)*$|^plyfit$`)

func main() {
	if len(os.Args) != 2 || !pathlike.MatchString(os.Args[1]) {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/modulepath PATH, such as example.org/games/plyfit")
		os.Exit(2)
	}
	files, err := Rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "modulepath:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed; the tests say whether all is well: go test ./...\n", files)
}
