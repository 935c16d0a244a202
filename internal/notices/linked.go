package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// Part is work of others in the program: a module, the standard library, or a file that
// stands in this repository.
type Part struct {
	Name, Version string
	Sum           string    // as go.sum has it; "" where it has none
	Licences      []Licence // by name, at least one
}

// Licence is a file of a part that says how it may be used, or who made it.
type Licence struct{ Name, Text string }

// licenceName is what such files are called.
var licenceName = regexp.MustCompile(`(?i)^((un)?licen[cs]es?|copying|notice|patents|copyright|authors)([-.].*)?$`)

// assets are files of others that stand in this repository, by the file of their licence.
// docs/dependencies.md has their versions.
var assets = []struct{ name, version, licence string }{
	{"htmx", "2.0.6", "serve/assets/htmx-LICENSE.txt"},
}

// listed is what go list tells of a package.
type listed struct {
	Dir      string
	Standard bool
	Module   *struct {
		Path, Version, Sum, Dir string
		Main                    bool
		Replace                 *struct{ Path string }
	}
}

// linked are the parts of a package's program on the systems, each GOOS/GOARCH; none means
// this one. They are in the order of their names.
func linked(program string, systems []string) ([]Part, error) {
	if len(systems) == 0 {
		systems = []string{runtime.GOOS + "/" + runtime.GOARCH}
	}
	parts := map[string]*Part{}
	folders := map[string]map[string]string{} // of each module, those that are linked: from its own to their paths
	for _, system := range systems {
		packages, err := list(program, system)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			m := p.Module
			switch {
			case p.Standard || m.Main:
				continue
			case m.Replace != nil:
				return nil, fmt.Errorf("module %s is replaced by %s: want released ones", m.Path, m.Replace.Path)
			}
			if parts[m.Path] == nil {
				parts[m.Path] = &Part{Name: m.Path, Version: m.Version, Sum: m.Sum}
				folders[m.Path] = map[string]string{".": m.Dir}
			}
			within, err := filepath.Rel(m.Dir, p.Dir)
			if err != nil {
				return nil, err
			}
			for ; within != "."; within = filepath.Dir(within) { // above it licences of others may stand, too
				folders[m.Path][within] = filepath.Join(m.Dir, within)
			}
		}
	}
	var out []Part
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		p := parts[name]
		for _, within := range slices.Sorted(maps.Keys(folders[name])) {
			if err := p.collect(folders[name][within], within); err != nil {
				return nil, err
			}
		}
		out = append(out, *p)
	}
	more, err := others()
	if err != nil {
		return nil, err
	}
	out = append(out, more...)
	for _, p := range out {
		if len(p.Licences) == 0 {
			return nil, fmt.Errorf("%s %s: no licence found", p.Name, p.Version)
		}
	}
	return out, nil
}

// others are the parts that are no modules.
func others() ([]Part, error) {
	text, err := output(nil, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return nil, err
	}
	root, version, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	library := Part{Name: "std", Version: strings.TrimPrefix(strings.TrimSpace(version), "go")}
	if err := library.collect(strings.TrimSpace(root), "."); err != nil {
		return nil, err
	}
	out := []Part{library}
	for _, a := range assets {
		text, err := os.ReadFile(a.licence)
		if err != nil {
			return nil, err
		}
		out = append(out, Part{Name: a.name, Version: a.version, Licences: []Licence{{filepath.Base(a.licence), string(text)}}})
	}
	return out, nil
}

// collect adds the licences in the folder dir, which is called within in its module.
func (p *Part) collect(dir, within string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !licenceName.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		if e.IsDir() {
			if err := p.all(filepath.Join(dir, e.Name()), filepath.Join(within, e.Name())); err != nil {
				return err
			}
			continue
		}
		if err := p.add(filepath.Join(dir, e.Name()), filepath.Join(within, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// all adds every file of a folder of licences.
func (p *Part) all(dir, within string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Type().IsRegular() && !strings.HasSuffix(e.Name(), ".go") {
			if err := p.add(filepath.Join(dir, e.Name()), filepath.Join(within, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Part) add(path, name string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	p.Licences = append(p.Licences, Licence{filepath.ToSlash(name), strings.ReplaceAll(string(text), "\r\n", "\n")})
	return nil
}

// list asks which packages are linked on a system.
func list(program, system string) ([]listed, error) {
	goos, goarch, ok := strings.Cut(system, "/")
	if !ok {
		return nil, fmt.Errorf("%q: want GOOS/GOARCH", system)
	}
	data, err := output([]string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0", "GOFLAGS="}, "list", "-deps", "-json=Dir,Standard,Module", program)
	if err != nil {
		return nil, err
	}
	var out []listed
	for d := json.NewDecoder(bytes.NewReader(data)); ; {
		var p listed
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
}

// output is what the go command prints.
func output(env []string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), env...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(errs.Bytes()))
	}
	return out, nil
}
