package main

import (
	"archive/zip"
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plyfit/internal/program"
)

const elsewhere = "example.org/games/plyfit"

// copied is a copy of this repository's files in a folder of the test.
func copied(t *testing.T) string {
	t.Helper()
	home, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	err = filepath.WalkDir(home, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		within, err := filepath.Rel(home, name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "runs"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, within), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, within), text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// run is the output of a command in a folder; t fails with it.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, &out, &errs)
	}
	return out.String()
}

// TestRename: under another path the module's packages find each other, nothing names the
// old path, and the way back leads to the same bytes.
func TestRename(t *testing.T) {
	dir := copied(t)
	if _, err := Rename(dir, elsewhere); err != nil {
		t.Fatal(err)
	}
	old := program.Module()
	out := run(t, dir, nil, "go", "list", "-deps", "-test", "-f", "{{.ImportPath}}", "./...")
	if !strings.Contains(out, elsewhere+"/cli\n") {
		t.Errorf("no %s/cli among the packages", elsewhere)
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, old+"/") {
			t.Errorf("%s is under the old path", line)
		}
	}
	// What is not compiled here: nested modules, templates, tests' strings, pages, the profile.
	left := regexp.MustCompile(`(^|["` + "`" + ` \[(])` + regexp.QuoteMeta(old) + `/(cli|catalog|game|features|search|models|cluster)\b`)
	for _, name := range []string{
		"cluster/worker.go", "cluster/go.mod", "cli/newgame/template/main.go.tmpl", "docs/tutorial/nim/main.go",
		"internal/reliability/clock_test.go", "docs/design.md", "fit/fit.go",
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(text, []byte(elsewhere)) {
			t.Errorf("%s does not name the new path", name)
		}
		if found := left.Find(text); found != nil {
			t.Errorf("%s names the old path: %q", name, found)
		}
	}
	functions := run(t, dir, nil, "go", "tool", "pprof", "-top", "-nodecount=20", "cmd/plyfit/default.pgo")
	if !strings.Contains(functions, elsewhere+"/search.") || strings.Contains(functions, " "+old+"/") {
		t.Errorf("functions of the profile:\n%s", functions)
	}

	if _, err := Rename(dir, elsewhere); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("renamed to its own path: error %v", err)
	}
	if _, err := Rename(dir, old); err != nil {
		t.Fatal(err)
	}
	for name := range sourceFiles(t, dir) {
		if strings.HasSuffix(name, ".pgo") {
			continue // packed anew
		}
		was, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		is, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(was, is) {
			t.Errorf("%s: another text after the way there and back", name)
		}
	}
}

// TestPlantedPaths: the substitution changes packages and lines of go.mod, and no other
// word that looks like one.
func TestPlantedPaths(t *testing.T) {
	dir := t.TempDir()
	for _, room := range []string{"game", "cluster"} {
		if err := os.Mkdir(filepath.Join(dir, room), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	text, err := substitution(dir, "plyfit", elsewhere)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`"plyfit/game"`, "[plyfit/game/play.Luck]", "module plyfit", "require plyfit v0.0.0", "\tplyfit v0.0.0",
		"replace plyfit => ..", "go mod edit -replace plyfit=..", "plyfit/cluster.Start", "plyfit/game",
	} {
		want := strings.Replace(line, "plyfit", elsewhere, 1)
		if got := string(text([]byte(line))); got != want {
			t.Errorf("%q became %q, want %q", line, got, want)
		}
	}
	for _, line := range []string{
		"~/.config/plyfit/cluster/command.nk", "./plyfit/game", "/src/plyfit/game", "plyfit/games", "plyfit games",
		"plyfit: game", `"plyfit"`, "cmd/plyfit/game", "\tplyfit => is a name",
	} {
		if got := string(text([]byte(line))); got != line && !strings.HasPrefix(line, "\t") {
			t.Errorf("%q became %q", line, got)
		}
	}
}

// TestGoInstall has a stranger install the command from a proxy that serves files, by a
// path and a version of its own, and asks the program what it is.
func TestGoInstall(t *testing.T) {
	if os.Getenv("PLYFIT_LONG") == "" {
		t.Skip("builds all anew; PLYFIT_LONG=1 has it run, and .ci/release does so")
	}
	dir, proxy, bin := copied(t), t.TempDir(), t.TempDir()
	if _, err := Rename(dir, elsewhere); err != nil {
		t.Fatal(err)
	}
	const version = "v0.3.0"
	serve(t, dir, proxy, version)

	mods := strings.TrimSpace(run(t, dir, nil, "go", "env", "GOMODCACHE"))
	env := []string{
		"GOBIN=" + bin, "GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw -trimpath", "GOSUMDB=off", "GOWORK=off", "CGO_ENABLED=0",
		"GOPROXY=file://" + filepath.ToSlash(proxy) + ",file://" + filepath.ToSlash(mods) + "/cache/download,off",
	}
	outside := t.TempDir()
	run(t, outside, env, "go", "install", elsewhere+"/cmd/plyfit@"+version)
	command := filepath.Join(bin, "plyfit")
	if out := run(t, outside, nil, command, "--version"); !strings.HasPrefix(out, "plyfit "+version+" ") {
		t.Errorf("--version says %q, want %s", out, version)
	}
	if out := run(t, outside, nil, command, "games"); !strings.Contains(out, "connect4") {
		t.Errorf("games says %q", out)
	}
	// A game of one's own needs no clone then.
	if out := run(t, outside, nil, command, "new-game", "race"); !strings.Contains(out, "go mod tidy") {
		t.Errorf("new-game says %q", out)
	}
	mod, err := os.ReadFile(filepath.Join(outside, "race", "go.mod"))
	if err != nil || !strings.Contains(string(mod), "\nrequire "+elsewhere+" "+version+"\n") {
		t.Errorf("its go.mod says %q (%v)", mod, err)
	}
}

// serve puts the module in the folder dir into a proxy's folder, as the go command asks
// for it (https://go.dev/ref/mod#goproxy-protocol).
func serve(t *testing.T, dir, proxy, version string) {
	t.Helper()
	at := filepath.Join(proxy, filepath.FromSlash(elsewhere), "@v")
	if err := os.MkdirAll(at, 0o755); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name := range sourceFiles(t, dir) {
		f, err := w.Create(elsewhere + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.Open(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(f, text)
		text.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".info": []byte(`{"Version":"` + version + `"}`), version + ".mod": mod, version + ".zip": packed.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(at, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sourceFiles are the files of the module in dir, with slashes: nested modules are others.
func sourceFiles(t *testing.T, dir string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != dir {
				return fs.SkipDir
			}
			return nil
		}
		within, err := filepath.Rel(dir, name)
		found[filepath.ToSlash(within)] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
