// Package engine makes engines that play with given weights: by a build, by a file that they read, or by
// their options.
package engine

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/models"
)

// OptionPrefix begins the names of weights that are options of an engine.
const OptionPrefix = "option."

// hole is replaced by the file of weights in a command and in an engine's spec.
const hole = "{}"

// Maker is how a program comes to play with given weights.
type Maker struct {
	// Spec is the agent: uci:cmd=./engine,nodes=2000. Without a Build its program reads
	// the weights itself, and {} is their file: uci:cmd=(./engine {}),nodes=2000.
	Spec string
	// Build is the command that makes the program of Spec, with {} for the file of
	// weights: make WEIGHTS={}. "": none.
	Build string
	// File is what the file of weights is called; its ending is its format.
	File string
	// Limits of options of a UCI engine, which are set to the weights of their names, in place of {} and
	// Build; nil: none are.
	Limits map[string][2]int
}

// Check finds what no engine can be made by.
func (m Maker) Check() error {
	switch built := m.Build != ""; {
	case m.Limits != nil:
		return nil
	case built && strings.Contains(m.Spec, hole):
		return fmt.Errorf("engine %s: names the weights with {}, and so does the build: want one of them", m.Spec)
	case built && !strings.Contains(m.Build, hole):
		return fmt.Errorf("build %q: want {} for the file of weights: make WEIGHTS={}", m.Build)
	case !built && !strings.Contains(m.Spec, hole):
		return fmt.Errorf("engine %s: no one gives it the weights: want a build, or {} for their file: uci:cmd=(./engine {})", m.Spec)
	}
	if m.Build == "" {
		return nil
	}
	_, err := m.program()
	return err
}

func (m Maker) program() (string, error) {
	s, err := game.ParseSpec(m.Spec)
	if err != nil {
		return "", fmt.Errorf("engine %w", err)
	}
	command := strings.Fields(s.Options.String("cmd", ""))
	switch {
	case len(command) == 0:
		return "", fmt.Errorf("engine %s: want cmd=PROGRAM: uci:cmd=./engine,nodes=2000", m.Spec)
	case !strings.ContainsAny(command[0], `/\`):
		return "", fmt.Errorf("engine %s: want the path of the program that the build makes: cmd=./%s", m.Spec, command[0])
	}
	return command[0], nil
}

// Made is an engine with weights.
type Made struct {
	Spec   string
	Digest string // of what it plays by: the program's, or that of the weights
}

// Make makes the engine whose weights are in folder, and gives it a program of its own there.
func (m Maker) Make(ctx context.Context, folder string) (Made, error) {
	weights := filepath.Join(folder, m.File)
	if m.Limits != nil {
		return m.set(folder, weights)
	}
	if m.Build == "" {
		digest, err := disk.Digest(weights)
		return Made{strings.ReplaceAll(m.Spec, hole, weights), digest}, err
	}
	if err := m.build(ctx, weights); err != nil {
		return Made{}, err
	}
	from, err := m.program()
	if err != nil {
		return Made{}, err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return Made{}, fmt.Errorf("build %q: made no program: %w", m.Build, err)
	}
	to := filepath.Join(folder, filepath.Base(from))
	if err := disk.Write(to, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return Made{}, err
	}
	if err := os.Chmod(to, 0o755); err != nil {
		return Made{}, err
	}
	digest, err := disk.Digest(to)
	return Made{m.moved(from, to), digest}, err
}

// moved is the spec with the program at another path.
func (m Maker) moved(from, to string) string {
	if !filepath.IsAbs(to) {
		to = "." + string(filepath.Separator) + to
	}
	return strings.Replace(m.Spec, from, to, 1)
}

// build runs the command with the weights put in.
func (m Maker) build(ctx context.Context, weights string) error {
	absolute, err := filepath.Abs(weights)
	if err != nil {
		return err
	}
	shell, flag := "sh", "-c"
	if runtime.GOOS == "windows" {
		shell, flag = "cmd", "/C"
	}
	var said proc.Tail
	cmd := exec.CommandContext(ctx, shell, flag, strings.ReplaceAll(m.Build, hole, absolute))
	cmd.Stdout, cmd.Stderr = &said, &said
	if err = proc.Run(cmd); ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		err = proc.Failure(fmt.Errorf("build %q: %w: %.300s", m.Build, err, said.ErrorLine()))
	}
	return err
}

// set makes an engine of the weights by its options, and writes the lines that do.
func (m Maker) set(folder, weights string) (Made, error) {
	w, err := models.ReadWeights(weights)
	if err != nil {
		return Made{}, err
	}
	text := m.Spec
	for _, c := range w.Columns {
		if strings.HasPrefix(c.Name, OptionPrefix) {
			if text, err = catalog.WithKey(text, c.Name, fmt.Sprint(c.Middlegame)); err != nil {
				return Made{}, err
			}
		}
	}
	return Made{text, text}, disk.Write(filepath.Join(folder, "options.txt"), func(out io.Writer) error {
		_, err := fmt.Fprintln(out, strings.Join(m.Lines(w), "\n"))
		return err
	})
}

// Lines set the engine's options to the weights.
func (m Maker) Lines(w *models.Weights) (list []string) {
	for _, c := range w.Columns {
		if name, ok := strings.CutPrefix(c.Name, OptionPrefix); ok {
			list = append(list, fmt.Sprintf("setoption name %s value %v", name, c.Middlegame))
		}
	}
	return list
}

// Clip keeps weights within the limits of the options that they are for.
func (m Maker) Clip(w *models.Weights) {
	for i, c := range w.Columns {
		if limits, ok := m.Limits[c.Name]; ok {
			v := min(max(math.Round(c.Middlegame), float64(limits[0])), float64(limits[1]))
			w.Columns[i].Middlegame, w.Columns[i].Endgame = v, v
		}
	}
}
