package tune

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/internal/spec"
	"plyfit/models"
)

// hole is replaced by the file of weights in a command and in an engine's spec.
const hole = "{}"

// Engine is how a program comes to play with given weights.
type Engine struct {
	// Spec is the agent: uci:cmd=./engine,nodes=2000. Without a Build its program reads
	// the weights itself, and {} is their file: uci:cmd=(./engine {}),nodes=2000.
	Spec string
	// Build is the command that makes the program of Spec, {} standing for the file of
	// weights: make WEIGHTS={}. "": none.
	Build string
	// File is what the file of weights is called; its ending is its format.
	File string
	// Options of a UCI engine are set to the weights, in place of {} and Build; nil: none are.
	Options []*Option
}

// Check finds what no engine can be made by.
func (e Engine) Check() error {
	switch built := e.Build != ""; {
	case e.Options != nil:
		return nil
	case built && strings.Contains(e.Spec, hole):
		return fmt.Errorf("engine %s: names the weights with {}, and so does the build: want one of them", e.Spec)
	case built && !strings.Contains(e.Build, hole):
		return fmt.Errorf("build %q: want {} for the file of weights: make WEIGHTS={}", e.Build)
	case !built && !strings.Contains(e.Spec, hole):
		return fmt.Errorf("engine %s: no one gives it the weights: want a build, or {} for their file: uci:cmd=(./engine {})", e.Spec)
	}
	if e.Build == "" {
		return nil
	}
	_, err := e.program()
	return err
}

func (e Engine) program() (string, error) {
	s, err := game.ParseSpec(e.Spec)
	if err != nil {
		return "", fmt.Errorf("engine %w", err)
	}
	command := strings.Fields(s.Options.String("cmd", ""))
	switch {
	case len(command) == 0:
		return "", fmt.Errorf("engine %s: want cmd=PROGRAM: uci:cmd=./engine,nodes=2000", e.Spec)
	case !strings.ContainsAny(command[0], `/\`):
		return "", fmt.Errorf("engine %s: want the path of the program that the build makes: cmd=./%s", e.Spec, command[0])
	}
	return command[0], nil
}

type made struct {
	spec   string
	digest string // of what it plays by: the program's, or that of the weights
}

// make makes the engine whose weights stand in folder, and gives it a program of its own there.
func (e Engine) make(ctx context.Context, folder string) (made, error) {
	weights := filepath.Join(folder, e.File)
	if e.Options != nil {
		return e.set(folder, weights)
	}
	if e.Build == "" {
		digest, err := disk.Digest(weights)
		return made{strings.ReplaceAll(e.Spec, hole, weights), digest}, err
	}
	if err := e.build(ctx, weights); err != nil {
		return made{}, err
	}
	from, err := e.program()
	if err != nil {
		return made{}, err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return made{}, fmt.Errorf("build %q: made no program: %w", e.Build, err)
	}
	to := filepath.Join(folder, filepath.Base(from))
	if err := disk.Write(to, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return made{}, err
	}
	if err := os.Chmod(to, 0o755); err != nil {
		return made{}, err
	}
	digest, err := disk.Digest(to)
	return made{e.moved(from, to), digest}, err
}

// moved is the spec with the program at another path.
func (e Engine) moved(from, to string) string {
	if !filepath.IsAbs(to) {
		to = "." + string(filepath.Separator) + to
	}
	return strings.Replace(e.Spec, from, to, 1)
}

// build runs the command with the weights put in.
func (e Engine) build(ctx context.Context, weights string) error {
	absolute, err := filepath.Abs(weights)
	if err != nil {
		return err
	}
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	cmd := exec.CommandContext(ctx, shell, flag, strings.ReplaceAll(e.Build, hole, absolute))
	said, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		last := bytes.TrimSpace(said)
		return proc.Failure(fmt.Errorf("build %q: %w: %s", e.Build, err, last[bytes.LastIndexByte(last, '\n')+1:]))
	}
	return nil
}

// set makes an engine of the weights by its options, and writes the lines that do.
func (e Engine) set(folder, weights string) (made, error) {
	w, err := models.ReadWeights(weights)
	if err != nil {
		return made{}, err
	}
	values := map[string]string{}
	for _, c := range w.Columns {
		if strings.HasPrefix(c.Name, optionPrefix) {
			values[c.Name] = fmt.Sprint(c.Middlegame)
		}
	}
	text, err := with(e.Spec, values)
	if err != nil {
		return made{}, err
	}
	return made{text, text}, disk.Write(filepath.Join(folder, "options.txt"), func(out io.Writer) error {
		_, err := fmt.Fprintln(out, strings.Join(e.lines(w), "\n"))
		return err
	})
}

// lines set the engine's options to the weights.
func (e Engine) lines(w *models.Weights) (list []string) {
	for _, c := range w.Columns {
		if name, ok := strings.CutPrefix(c.Name, optionPrefix); ok {
			list = append(list, fmt.Sprintf("setoption name %s value %v", name, c.Middlegame))
		}
	}
	return list
}

// clip keeps weights within the limits of the options that they are for.
func (e Engine) clip(w *models.Weights) {
	for _, x := range e.Options {
		for i, c := range w.Columns {
			if c.Name == optionPrefix+x.Name {
				v := min(max(math.Round(c.Middlegame), float64(x.Min)), float64(x.Max))
				w.Columns[i].Middlegame, w.Columns[i].Endgame = v, v
			}
		}
	}
}

// with is the spec with other values of keys, which are found in any case; "" takes one out.
func with(text string, values map[string]string) (string, error) {
	s, err := game.ParseSpec(text)
	if err != nil {
		return "", fmt.Errorf("engine %w", err)
	}
	keys := maps.Collect(s.Options.All())
	for key, value := range values {
		maps.DeleteFunc(keys, func(had, _ string) bool { return strings.EqualFold(had, key) })
		if value != "" {
			keys[key] = value
		}
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		value, err := spec.Wrap(keys[key])
		if err != nil {
			return "", err
		}
		list = append(list, key+"="+value)
	}
	return s.Name + ":" + strings.Join(list, ","), nil
}
