package cli

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"plyfit/internal/proc"
)

// templates contains the files of the new module, each with the extension .tmpl.
//
//go:embed template
var templates embed.FS

type newGame struct {
	Name   string // name of the game, the model and the command
	Chance bool   // whether the game has a die
	Source string // absolute path of plyfit's source; if empty, the module requires the release of the running program
}

// Module returns the module path. Its first element prevents conflicts with the standard library,
// which has a package called image, for example.
func (g *newGame) Module() string { return "games/" + g.Name }

func (a *App) newgameCommand() *cobra.Command {
	var g newGame
	cmd := &cobra.Command{
		Use:   "new-game DIR",
		Short: "Create a Go module for your own game, with rules, features, a model and tests",
		Args:  Exactly("DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := args[0]
			if g.Name == "" {
				abs, err := filepath.Abs(dir)
				if err != nil {
					return proc.Failure(err)
				}
				g.Name = filepath.Base(abs)
			}
			if err := g.check(a); err != nil {
				return err
			}
			if err := g.Write(dir); err != nil {
				return err
			}
			tidy := ""
			if g.Source == "" {
				tidy = "  go mod tidy\n"
			}
			return a.printf("Created %s. Next steps:\n\n  cd %s\n%s  go test ./...\n  go run . learn %s\n", dir, dir, tidy, g.Name)
		},
	}
	cmd.Flags().BoolVar(&g.Chance, "chance", false, "create a dice game")
	cmd.Flags().StringVar(&g.Name, "name", "", "name of the game; default: the folder's name")
	cmd.Flags().StringVar(&g.Source, "plyfit", "", "folder that contains plyfit's source; default: a parent folder with the source, or the installed release")
	return cmd
}

var nameable = regexp.MustCompile(`^[a-z][a-z0-9]{0,30}$`)

// check validates the name and finds plyfit's source, or checks that the release can be downloaded.
func (g *newGame) check(a *App) error {
	if !nameable.MatchString(g.Name) {
		return fmt.Errorf("name %q: want lower-case letters and digits, beginning with a letter; use --name if the folder's name does not fit", g.Name)
	}
	if _, err := a.Catalog.Entry(g.Name); err == nil {
		return fmt.Errorf("name %q: plyfit already has a game with this name; use --name to choose another", g.Name)
	}
	if g.Source != "" {
		abs, err := filepath.Abs(g.Source)
		if err != nil {
			return proc.Failure(err)
		}
		if g.Source = abs; !isSource(abs) {
			return fmt.Errorf("--plyfit %s: want the folder with plyfit's source, whose go.mod begins with module %s", abs, proc.Module())
		}
		return nil
	}
	here, err := os.Getwd()
	if err != nil {
		return proc.Failure(err)
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if isSource(dir) {
			g.Source = dir
			return nil
		}
		if dir == filepath.Dir(dir) && canDownload() {
			return nil
		}
		if dir == filepath.Dir(dir) {
			return fmt.Errorf("no plyfit go.mod in %s or its parent folders; use --plyfit DIR to name a clone of plyfit", here)
		}
	}
}

// canDownload reports whether the go command can download the running release.
func canDownload() bool {
	host, _, _ := strings.Cut(proc.Module(), "/")
	return strings.Contains(host, ".") && released.MatchString(proc.Release())
}

var released = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

var moduleLine = regexp.MustCompile(`(?m)^module ` + regexp.QuoteMeta(proc.Module()) + `\s*$`)

func isSource(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	return err == nil && moduleLine.Match(text)
}

// Files returns the contents of the module's files by slash-separated path.
func (g *newGame) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(templates, "template", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		t, err := template.ParseFS(templates, path)
		if err != nil {
			return err
		}
		var text bytes.Buffer
		if err := t.Execute(&text, g); err != nil {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(path, "template/"), ".tmpl")
		name = strings.Replace(name, "model.json", g.Name+".json", 1)
		files[name] = text.Bytes()
		return nil
	})
	if err != nil {
		return nil, err
	}
	if g.Source == "" {
		files["go.mod"] = fmt.Appendf(nil, "module %s\n\nrequire %s %s\n", g.Module(), proc.Module(), proc.Release())
		return files, nil
	}
	mod, err := os.ReadFile(filepath.Join(g.Source, "go.mod"))
	if err != nil {
		return nil, err
	}
	if files["go.sum"], err = os.ReadFile(filepath.Join(g.Source, "go.sum")); err != nil {
		return nil, err
	}
	files["go.mod"] = g.goMod(mod)
	return files, nil
}

var requirement = regexp.MustCompile(`(?m)^\t?(?:require )?(\S+ v\S+)(?: // indirect)?$`)

// goMod returns the go.mod file of the new module. It repeats plyfit's requirements.
func (g *newGame) goMod(plyfit []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "module %s\n\n", g.Module())
	if line := regexp.MustCompile(`(?m)^go \S+$`).Find(plyfit); line != nil {
		fmt.Fprintf(&b, "%s\n\n", line)
	}
	fmt.Fprintf(&b, "require %s v0.0.0\n\nrequire (\n", proc.Module())
	for _, m := range requirement.FindAllSubmatch(plyfit, -1) {
		fmt.Fprintf(&b, "\t%s // indirect\n", m[1])
	}
	fmt.Fprintf(&b, ")\n\nreplace %s => %q\n", proc.Module(), filepath.ToSlash(g.Source))
	return b.Bytes()
}

// Write creates the folder dir with all files of the module. If it fails, it creates nothing. The
// folder must either not exist or be empty.
func (g *newGame) Write(dir string) (err error) {
	left, err := os.ReadDir(dir)
	switch {
	case err == nil && len(left) > 0:
		return fmt.Errorf("%s: already contains %s; want an empty or new folder", dir, left[0].Name())
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: want an empty or new folder: %w", dir, err)
	}
	files, err := g.Files()
	if err != nil {
		return proc.Failure(err)
	}
	// The temporary folder needs the same parent, so that it can be renamed.
	made, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), ".new-game-")
	if err != nil {
		return fmt.Errorf("%s: want a folder that can be created: %w", dir, err)
	}
	defer os.RemoveAll(made)
	for name, text := range files {
		path := filepath.Join(made, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return proc.Failure(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return proc.Failure(err)
		}
	}
	if err := os.Chmod(made, 0o755); err != nil {
		return proc.Failure(err)
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return proc.Failure(err)
	}
	return proc.Failure(os.Rename(made, dir))
}
