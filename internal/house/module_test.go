package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// withExamples lists the packages that new users encounter first. Each must have an Example.
var withExamples = []string{
	"game", "models", "datasets", "features", "search", "search/mcts", "search/policy", "learn", "arena", "datasets/intake",
	"selfplay", "catalog", "learn/fit", "learn/train", "learn/loop", "study", "game/play", "arena/stats", "learn/online/td",
}

// TestExamplesCompileInAnotherModule checks that the Examples of all public packages compile in
// another module, where users copy them. They must not use internal packages or test files that the
// documentation does not show. Each must have an output, because Examples without output are not
// run.
func TestExamplesCompileInAnotherModule(t *testing.T) {
	home := vectors.Must(filepath.Abs(root))
	stranger := t.TempDir()
	sums := vectors.Must(os.ReadFile(filepath.Join(home, "go.sum")))
	write(t, filepath.Join(stranger, "go.mod"), []byte(fmt.Sprintf("module stranger\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", module, home)))
	write(t, filepath.Join(stranger, "go.sum"), sums)

	found := map[string]bool{}
	for _, p := range load().packages {
		if !isPublic(p.ImportPath) {
			continue
		}
		room := strings.TrimPrefix(p.ImportPath, module+"/")
		for _, name := range p.TestGoFiles {
			if hasExamples(t, filepath.Join(p.Dir, name)) {
				t.Errorf("%s/%s: want its Examples in package %s_test, where they use what others can use", room, name, filepath.Base(room))
			}
		}
		for _, name := range p.XTestGoFiles {
			path := filepath.Join(p.Dir, name)
			if !hasExamples(t, path) {
				continue
			}
			text := vectors.Must(os.ReadFile(path))
			write(t, filepath.Join(stranger, room, name), text)
			found[room] = true
		}
	}
	for _, room := range withExamples {
		if !found[room] {
			t.Errorf("package %s has no Example", room)
		}
	}

	// go test ./... checks the output of the Examples in their packages. Here they are only
	// compiled.
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = stranger
	cmd.Env = append(os.Environ(), "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -mod=mod"), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// hasExamples reports whether a test file has Examples. The test fails if one of them has no
// output.
func hasExamples(t *testing.T, path string) bool {
	t.Helper()
	text := vectors.Must(os.ReadFile(path))
	if !bytes.Contains(text, []byte("func Example")) {
		return false
	}
	f := vectors.Must(parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments))
	examples := doc.Examples(f)
	for _, e := range examples {
		if e.Output == "" && !e.EmptyOutput {
			t.Errorf("%s: Example%s has no output: no one runs it", path, e.Name)
		}
	}
	return len(examples) > 0
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	vectors.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	vectors.Check(os.WriteFile(path, data, 0o644))
}

// TestNewcomersBuild checks that the plyfit command depends neither on NATS nor on package cluster.
func TestNewcomersBuild(t *testing.T) {
	out := vectors.Must(exec.Command("go", "list", "-deps", "plyfit/cmd/plyfit").Output())
	if !strings.Contains(string(out), "plyfit/internal/cli\n") {
		t.Fatalf("no plyfit/internal/cli among what the command needs: %.200s", out)
	}
	for path := range strings.Lines(string(out)) {
		if strings.Contains(path, "nats-io") || strings.HasPrefix(path, "plyfit/cluster") {
			t.Errorf("plyfit/cmd/plyfit needs %s", path)
		}
	}
}

// listedModule matches a row of docs/dependencies.md: modules, versions and purpose.
var listedModule = regexp.MustCompile("(?m)^\\| (`[^|]+) \\| ([^|]+) \\| ([^|]+) \\|$")

// TestDependenciesAreListed checks that docs/dependencies.md lists all direct requirements of the
// root, cluster and notebooks modules with their versions. Every listed module must be required, or
// listed as used only in continuous integration.
func TestDependenciesAreListed(t *testing.T) {
	text := vectors.Must(os.ReadFile(filepath.Join(root, "docs/dependencies.md")))
	listed := map[string]string{}
	for table := range strings.SplitSeq(string(text), "\n\n") {
		for _, row := range listedModule.FindAllStringSubmatch(table, -1) {
			if !strings.HasPrefix(table, "| module | version | for |\n") || strings.HasPrefix(row[3], "continuous integration only") {
				continue
			}
			versions := strings.Split(row[2], ", ")
			for i, path := range strings.Split(row[1], ", ") {
				listed[strings.Trim(path, "`")] = versions[min(i, len(versions)-1)]
			}
		}
	}
	wanted := map[string]string{}
	for _, file := range []string{"go.mod", "cluster/go.mod", "notebooks/go.mod"} {
		for path, version := range required(t, file) {
			wanted[path] = version
		}
	}
	delete(wanted, module)
	for path, version := range wanted { // for a version without a number, the page shows the date
		if short := listed[path]; short == "" || version != short && !strings.HasPrefix(version, short+"-") {
			t.Errorf("docs/dependencies.md: %s has version %q, want %s", path, short, version)
		}
		delete(listed, path)
	}
	for path := range listed {
		t.Errorf("docs/dependencies.md: %s stands there and is not required", path)
	}
}

// required returns the versions of the direct requirements in a go.mod file.
func required(t *testing.T, file string) map[string]string {
	t.Helper()
	out := vectors.Must(exec.Command("go", "mod", "edit", "-json", filepath.Join(root, file)).Output())
	var mod struct {
		Require []struct {
			Path, Version string
			Indirect      bool
		}
	}
	vectors.Check(json.Unmarshal(out, &mod))
	found := map[string]string{}
	for _, r := range mod.Require {
		if !r.Indirect {
			found[r.Path] = r.Version
		}
	}
	return found
}
