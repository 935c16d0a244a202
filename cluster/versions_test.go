package cluster_test

import (
	"os/exec"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// TestSameBytes checks that both modules use the same versions of the packages that write shards.
// Otherwise, data sets of the two programs would differ.
func TestSameBytes(t *testing.T) {
	version := func(dir, module string) string {
		cmd := exec.Command("go", "list", "-m", "-f", "{{if .Replace}}{{.Replace.Version}}{{else}}{{.Version}}{{end}}", module)
		cmd.Dir = dir
		out := vectors.Must(cmd.Output())
		return strings.TrimSpace(string(out))
	}
	for _, module := range []string{"github.com/klauspost/compress", "github.com/parquet-go/parquet-go"} {
		if here, there := version(".", module), version("..", module); here != there {
			t.Errorf("%s: %s here, %s in the main module", module, here, there)
		}
	}
}
