package house

import (
	"encoding/json"
	"errors"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"plyfit/internal/proc"
	"plyfit/internal/vectors"
)

// module is the path of the module, and the root of the import paths of its packages.
var module = proc.Module()

// root is the folder of the module, as seen from this package's tests.
const root = "../.."

// listed is what go list says of one package.
type listed struct {
	Dir, ImportPath, Export string
	GoFiles                 []string
	TestGoFiles             []string // of the package itself
	XTestGoFiles            []string // of the package NAME_test
	Imports                 []string
}

// list asks go list for the packages that match args.
func list(args ...string) (all []listed) {
	cmd := exec.Command("go", append([]string{"list", "-json=Dir,ImportPath,Export,GoFiles,TestGoFiles,XTestGoFiles,Imports"}, args...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out := vectors.Must(cmd.Output())
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		vectors.Check(err)
		all = append(all, p)
	}
}

// ours reports whether an import path is one of this module's.
func ours(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// isPublic reports whether another module may import a package of this one.
func isPublic(path string) bool {
	for element := range strings.SplitSeq(path, "/") {
		if element == "internal" || element == "cmd" {
			return false
		}
	}
	return ours(path)
}

// world is the module's packages as the compiler sees them.
type world struct {
	packages []listed
	files    *token.FileSet
	imports  types.Importer
}

// load compiles what is not compiled yet and reads the result: types of all
// packages, without their bodies.
var load = sync.OnceValue(func() *world {
	export := map[string]string{}
	w := &world{files: token.NewFileSet()}
	for _, p := range list("-deps", "-export", "./...") {
		export[p.ImportPath] = p.Export
		if ours(p.ImportPath) {
			w.packages = append(w.packages, p)
		}
	}
	w.imports = importer.ForCompiler(w.files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(export[path])
	})
	return w
})

// public are the packages that another module can import.
func (w *world) public(t *testing.T) []*types.Package {
	t.Helper()
	var all []*types.Package
	for _, p := range w.packages {
		if !isPublic(p.ImportPath) || len(p.GoFiles) == 0 {
			continue
		}
		pkg := vectors.Must(w.imports.Import(p.ImportPath))
		all = append(all, pkg)
	}
	return all
}
