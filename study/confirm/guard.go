package confirm

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"plyfit/internal/proc"
)

// Guard refuses a run that would confirm nothing: a protocol or code that is not committed. It returns
// how it is known that the protocol was written down before the run. Cells of another protocol or of
// other code are never read: they have other keys and lie in folders of their own. dir is the run
// folder; registered is the digest under which the user registered the file elsewhere, or "". It is
// required if git finds no repository around the file.
func Guard(p *Protocol, dir, registered string) (provenance string, err error) {
	from, err := p.committed(dir, registered)
	if err != nil {
		return "", err
	}
	if code := proc.Version(); strings.Contains(code, "-dirty-") || registered == "" && strings.HasPrefix(code, "build-") {
		return "", fmt.Errorf("this program is of code %s: want one built by go build from a commit, with nothing changed since", code)
	}
	return from, nil
}

// committed holds the file against its repository.
func (p *Protocol) committed(dir, registered string) (provenance string, err error) {
	if registered != "" && registered != p.Digest {
		return "", fmt.Errorf("%s: its SHA-256 is %s, want the registered %s", p.Path, p.Digest, registered)
	}
	folder, name := filepath.Split(p.Path)
	folder = cmp.Or(folder, ".")
	top, err := git(folder, "rev-parse", "--show-toplevel")
	if err != nil {
		if registered != "" {
			return "registered elsewhere, by the user's word", nil
		}
		return "", fmt.Errorf("%s: nothing says when it was written, since git knows of no repository there: want it committed, or --registered with the digest under which it was registered", p.Path)
	}
	if _, err := git(folder, "ls-files", "--error-unmatch", "--", name); err != nil {
		return "", fmt.Errorf("%s: want it committed before the first cell is run", p.Path)
	}
	for _, model := range p.models() {
		// Of a file elsewhere, or one that git ignores, a clean tree says nothing.
		if _, err := git(filepath.Dir(model), "ls-files", "--error-unmatch", "--", filepath.Base(model)); err != nil {
			return "", fmt.Errorf("%s: its model %s is not committed: want what it is about written down before the first game", p.Path, model)
		}
	}
	changed, err := git(folder, "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(changed) {
		// The run's own folder changes while it is at work.
		path := filepath.Join(strings.TrimSpace(top), filepath.FromSlash(strings.Trim(strings.TrimSpace(line[3:]), `"`)))
		if !within(path, dir) {
			return "", fmt.Errorf("%s: the tree is dirty (%s): want everything committed", p.Path, strings.TrimSpace(line))
		}
	}
	// The one that added these very bytes, whatever came after it.
	commit, err := git(folder, "log", "-1", "--format=%h of %cs", "--", name)
	if err != nil {
		return "", err
	}
	return "committed as " + strings.TrimSpace(commit), nil
}

// models returns the model files that matches name.
func (p *Protocol) models() (paths []string) {
	for _, m := range p.Matches {
		for _, name := range strings.FieldsFunc(m.A+","+m.B+","+m.Planner, func(r rune) bool { return strings.ContainsRune(",=()", r) }) {
			if _, err := os.Stat(name); err == nil && strings.HasSuffix(name, ".json") {
				paths = append(paths, name)
			}
		}
	}
	return paths
}

// within reports whether path lies in dir.
func within(path, dir string) bool {
	for _, p := range []*string{&path, &dir} {
		if abs, err := filepath.Abs(*p); err == nil {
			*p = abs
		}
		if real, err := filepath.EvalSymlinks(*p); err == nil {
			*p = real
		}
	}
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func git(folder string, args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-C", folder}, args...)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return out.String(), nil
}
