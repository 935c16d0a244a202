package cli_test

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"plyfit/catalog"
	"plyfit/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"plyfit": func() { cli.Main(catalog.All()) },
	})
}

// TestScripts runs the command as its user types it.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
