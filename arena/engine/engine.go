// Package engine creates engines that play with given weights. An engine has the weights compiled
// in, reads them from a file, or receives them as options.
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

// OptionPrefix precedes the names of weights that are set as engine options.
const OptionPrefix = "option."

// hole is the placeholder for the path of the weight file in a command or an engine's spec.
const hole = "{}"

// A Maker specifies how an engine obtains its weights.
type Maker struct {
	// Spec is the spec of the agent, such as uci:cmd=./engine,nodes=2000. If Build is empty, the
	// program reads the weights itself, and {} stands for the path of the weight file:
	// uci:cmd=(./engine {}),nodes=2000.
	Spec string
	// Build is the command that compiles the program in Spec, where {} stands for the path of the
	// weight file, such as make WEIGHTS={}. Build is empty if the program does not need to be
	// compiled.
	Build string
	// File is the name of the weight file. Its extension selects the format.
	File string
	// Limits contains the minimum and maximum of each UCI option that takes the weight of the same
	// name. If Limits is not nil, {} and Build are not used.
	Limits map[string][2]int
}

// Check returns an error if the configuration cannot produce an engine.
func (m Maker) Check() error {
	switch built := m.Build != ""; {
	case m.Limits != nil:
		return nil
	case built && strings.Contains(m.Spec, hole):
		return fmt.Errorf("engine %s: both the spec and the build contain {}; use {} in only one of them", m.Spec)
	case built && !strings.Contains(m.Build, hole):
		return fmt.Errorf("build %q: want {} in place of the weight file, as in make WEIGHTS={}", m.Build)
	case !built && !strings.Contains(m.Spec, hole):
		return fmt.Errorf("engine %s: the engine does not read the weights; add a build, or put {} in place of the weight file, as in uci:cmd=(./engine {})", m.Spec)
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
		return "", fmt.Errorf("engine %s: want cmd=PROGRAM, as in uci:cmd=./engine,nodes=2000", m.Spec)
	case !strings.ContainsAny(command[0], `/\`):
		return "", fmt.Errorf("engine %s: want the path of the program that the build creates, such as cmd=./%s", m.Spec, command[0])
	}
	return command[0], nil
}

// Made describes an engine with weights.
type Made struct {
	Spec   string
	Digest string // SHA-256 of the compiled program or of the weight file; Spec if weights are options
}

// Make creates the engine with the weights in folder. A compiled program is copied to that folder.
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
		return Made{}, fmt.Errorf("build %q: the command did not create the program: %w", m.Build, err)
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

// moved returns the spec with the program's path replaced.
func (m Maker) moved(from, to string) string {
	if !filepath.IsAbs(to) {
		to = "." + string(filepath.Separator) + to
	}
	return strings.Replace(m.Spec, from, to, 1)
}

// build runs the build command with the path of the weight file.
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

// set returns an engine whose options are set to the weights, and writes the corresponding UCI
// commands to options.txt.
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

// Lines returns the UCI commands that set the engine's options to the weights.
func (m Maker) Lines(w *models.Weights) (list []string) {
	for _, c := range w.Columns {
		if name, ok := strings.CutPrefix(c.Name, OptionPrefix); ok {
			list = append(list, fmt.Sprintf("setoption name %s value %v", name, c.Middlegame))
		}
	}
	return list
}

// Clip rounds the weights that are set as options and limits them to the allowed range.
func (m Maker) Clip(w *models.Weights) {
	for i, c := range w.Columns {
		if limits, ok := m.Limits[c.Name]; ok {
			v := min(max(math.Round(c.Middlegame), float64(limits[0])), float64(limits[1]))
			w.Columns[i].Middlegame, w.Columns[i].Endgame = v, v
		}
	}
}
