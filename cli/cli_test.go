package cli_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"plyfit/catalog"
	"plyfit/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"plyfit":     func() { cli.Main(catalog.All()) },
		"fakeengine": fakeEngine,
	})
}

// TestScripts runs the command as its user types it.
func TestScripts(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Setup: func(e *testscript.Env) error {
		// The scripts have no home; what they compile needs a cache.
		if os.Getenv("GOCACHE") == "" {
			e.Setenv("GOCACHE", filepath.Join(cache, "go-build"))
		}
		e.Setenv("GOFLAGS", "")
		return nil
	}})
}
