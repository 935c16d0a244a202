package grade

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/protocol"
)

// What is handed in.
const (
	Program    = "program"    // answers lines of JSON
	Evaluation = "evaluation" // a model file
)

// Submission is what one student hands in.
type Submission struct {
	Name string // of the file, without its ending, or of the folder
	Path string
	Kind string // Program or Evaluation; "" where Fault says why it is neither

	file  string   // below Path, of an evaluation; "": Path itself
	words []string // of a program: its command, on a copy of Path
	Fault string   // what keeps it from being graded; "": nothing does
}

// modelPath is the file of an evaluation.
func (s *Submission) modelPath() string { return filepath.Join(s.Path, s.file) }

// Files that a folder may hand in, the first of them counts.
const (
	commandFile = "command"    // one line: the program with its arguments
	pythonFile  = "agent.py"   // started by python3
	programFile = "agent"      // started as it is
	modelFile   = "model.json" // an evaluation
)

// Find reads a submission: an evaluation (.json), a Python program (.py), any other
// program that can be run, or a folder with one of command, agent.py, agent and
// model.json. What is none of these is an error.
func Find(path string) (*Submission, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(whole)
	s := &Submission{Name: name, Path: whole}
	if info.IsDir() {
		for _, file := range []string{commandFile, pythonFile, programFile, modelFile} {
			if inner, err := os.Stat(filepath.Join(path, file)); err == nil && inner.Mode().IsRegular() {
				s.file = file
				return s, s.read(file, inner)
			}
		}
		return nil, fmt.Errorf("%s: want a folder with %s, %s, %s or %s", name, commandFile, pythonFile, programFile, modelFile)
	}
	s.Name = strings.TrimSuffix(name, filepath.Ext(name))
	return s, s.read(name, info)
}

// read finds out what a file is.
func (s *Submission) read(file string, info fs.FileInfo) error {
	s.Kind = Program
	switch ending := filepath.Ext(file); {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: want a file or a folder", file)
	case ending == ".json":
		s.Kind = Evaluation
	case ending == ".py":
		s.words = []string{"python3", file}
	case file == commandFile && s.file != "":
		text, err := os.ReadFile(filepath.Join(s.Path, file))
		if err != nil {
			return err
		}
		if s.words = strings.Fields(string(text)); len(s.words) == 0 || strings.Contains(strings.TrimSpace(string(text)), "\n") {
			return fmt.Errorf("%s: want one line, a program with its arguments", file)
		}
	case info.Mode()&0o111 == 0 && filepath.Ext(file) != ".exe":
		return fmt.Errorf("%s: want a program that may be run, a .py or a .json", file)
	default:
		s.words = []string{"." + string(filepath.Separator) + file}
	}
	return nil
}

// FindAll are the submissions in a folder, by name; those whose names begin with a dot
// or an underscore are left out. One that cannot be graded has a Fault.
func FindAll(folder string) ([]*Submission, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var out []*Submission
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") {
			continue
		}
		s, err := Find(filepath.Join(folder, e.Name()))
		if err != nil {
			name := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
			s = &Submission{Name: name, Fault: strings.ReplaceAll(err.Error(), folder+string(filepath.Separator), "")}
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b *Submission) int { return strings.Compare(a.Name, b.Name) })
	for i := 1; i < len(out); i++ {
		if out[i].Name == out[i-1].Name {
			return nil, fmt.Errorf("%s: two submissions are called %s: want a name for each", folder, out[i].Name)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: want a folder of submissions: none is there", folder)
	}
	return out, nil
}

// handed are names of our environment that programs of submissions get: without them
// interpreters do not find what belongs to them.
var handed = []string{"PATH", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "JAVA_HOME", "SystemRoot", "PYENV_ROOT", "PYENV_VERSION", "PLYFIT"}

// desk is where a submission's program works: a copy in a folder of its own, that goes
// when it is done.
type desk struct {
	folder  string
	command protocol.Command
}

// newDesk copies a program's submission. Where inside is not empty it is the command
// that the program's is put behind, {} being the folder.
func newDesk(s *Submission, inside []string) (d *desk, err error) {
	digits := make([]byte, 4) // of one length, as messages are cut by theirs
	rand.Read(digits)
	d = &desk{folder: filepath.Join(os.TempDir(), fmt.Sprintf("plyfit-grade-%x", digits))}
	if err := os.Mkdir(d.folder, 0o700); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.clear()
		}
	}()
	if err := copyOf(s, d.folder); err != nil {
		return nil, err
	}
	words := slices.Clone(s.words)
	if len(inside) > 0 {
		words = slices.Concat(inside, words)
		for i := range inside {
			words[i] = strings.ReplaceAll(words[i], "{}", d.folder)
		}
	}
	d.command = protocol.Command{Path: words[0], Args: words[1:], Dir: d.folder, Bare: true, Env: []string{
		"HOME=" + d.folder, "TMPDIR=" + d.folder, "TMP=" + d.folder, "TEMP=" + d.folder,
		"PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1",
	}}
	if !strings.HasPrefix(words[0], ".") {
		if d.command.Path, err = exec.LookPath(words[0]); err != nil {
			return nil, err
		}
	}
	for _, name := range handed {
		if value, ok := os.LookupEnv(name); ok {
			d.command.Env = append(d.command.Env, name+"="+value)
		}
	}
	return d, nil
}

// mostCopied is the largest submission in bytes.
const mostCopied = 256 << 20

// copyOf copies a submission into a folder.
func copyOf(s *Submission, folder string) error {
	info, err := os.Stat(s.Path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		text, err := os.ReadFile(s.Path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(folder, filepath.Base(s.Path)), text, info.Mode().Perm())
	}
	size := int64(0)
	err = fs.WalkDir(os.DirFS(s.Path), ".", func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil {
			size += info.Size()
		}
		if size > mostCopied {
			return fmt.Errorf("more than %d MB: want less", mostCopied>>20)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return os.CopyFS(folder, os.DirFS(s.Path))
}

// said replaces what is of this machine alone in what a program said.
func (d *desk) said(text string) string {
	return strings.NewReplacer(d.folder+string(filepath.Separator), "", d.folder, ".").Replace(text)
}

func (d *desk) clear() { os.RemoveAll(d.folder) }

// missing is the program that a submission cannot do without and this machine lacks;
// nil: there is none.
func missing(s *Submission) error {
	if len(s.words) == 0 || strings.HasPrefix(s.words[0], ".") {
		return nil
	}
	if _, err := exec.LookPath(s.words[0]); err != nil && !errors.Is(err, exec.ErrDot) {
		return fmt.Errorf("%s: %s: no such program here", s.Name, s.words[0])
	}
	return nil
}
