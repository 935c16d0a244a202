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
	"reflect"
	"strings"
	"sync"
	"testing"

	"plyfit/internal/vectors"
)

// module is the path of the module, with which the import paths of its packages begin.
var module = strings.TrimSuffix(reflect.TypeFor[listed]().PkgPath(), "/internal/house")

// root is the path of the module's root folder relative to this package.
const root = "../.."

// listed contains the output of go list for a package.
type listed struct {
	Dir, ImportPath, Export string
	GoFiles                 []string
	TestGoFiles             []string // test files in the package itself
	XTestGoFiles            []string // test files in package NAME_test
	Imports                 []string
}

// list runs go list for the packages that match args.
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

// ours reports whether an import path belongs to this module.
func ours(path string) bool { return path == module || strings.HasPrefix(path, module+"/") }

// isPublic reports whether other modules may import a package of this module.
func isPublic(path string) bool {
	for element := range strings.SplitSeq(path, "/") {
		if element == "internal" || element == "cmd" {
			return false
		}
	}
	return ours(path)
}

// A world contains the packages of the module as compiled.
type world struct {
	packages []listed
	files    *token.FileSet
	imports  types.Importer
}

// load compiles the packages if necessary, and reads their types but not their function bodies.
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

// public returns the packages that other modules can import.
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
