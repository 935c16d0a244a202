// Package docs_test walks the pages: what they tell people to type works, in their order,
// and prints what stands below it.
package docs_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"plyfit/catalog"
	"plyfit/internal/cli"
)

// TestMain has plyfit on the path of what the pages run in a shell.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"plyfit": func() { cli.Main(catalog.All()) }})
}

// plyfit is the command in this process.
func plyfit(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = cli.Run(context.Background(), catalog.All(), args, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}
