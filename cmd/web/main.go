//go:build !js

package main

import (
	_ "embed"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"

	"plyfit/catalog"
	"plyfit/internal/serve"
)

// On systems other than js, main writes the files of the site that a browser shows before the
// module has loaded: the first page, the files that it loads, and a shell for every other page.
func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "web: want a site folder; use .ci/site FOLDER to create one")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "web:", err)
		os.Exit(1)
	}
}

// shell is the page at every other address of the site. It starts the service worker and reloads
// the address, which the service worker then serves.
//
//go:embed shell.html
var shell []byte

// loaded matches the addresses of files that a page loads.
var loaded = regexp.MustCompile(`"(assets/[^"?]+)"`)

// dated matches such an address with the digest of the file.
var dated = regexp.MustCompile(`(assets/[^"?]+)\?v=[0-9a-f]+`)

func write(dir string) error {
	s, err := serve.New(serve.Config{Catalog: catalog.All(), Learn: true})
	if err != nil {
		return err
	}
	get := func(path string) ([]byte, error) {
		r, err := http.NewRequest(http.MethodGet, "http://localhost/"+path, nil)
		if err != nil {
			return nil, err
		}
		w := answered(s, r, "")
		if w.code >= http.StatusBadRequest {
			return nil, fmt.Errorf("/%s: %s", path, w.body.Bytes())
		}
		return w.body.Bytes(), nil
	}
	page, err := get("")
	if err != nil {
		return err
	}
	page = dated.ReplaceAll(page, []byte("$1")) // so that the service worker's copy has the same address
	files := map[string][]byte{"index.html": page}
	files["404.html"] = shell
	for _, path := range serve.Pages() {
		files[path+"/index.html"] = shell
	}
	for _, m := range loaded.FindAllSubmatch(page, -1) {
		name := string(m[1])
		if files[name], err = get(name); err != nil {
			return err
		}
	}
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}
