package grade

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/internal/disk"
	"plyfit/internal/text"
)

// Kinds of submissions.
const (
	Program    = "program"    // answers lines of JSON
	Evaluation = "evaluation" // a model file
)

// A Submission is the work that a student submits for an assignment.
type Submission struct {
	Name string // name of the file without its extension, or of the folder
	Path string
	Kind string // Program or Evaluation; "" if Fault is set

	entry string   // name of the entry in the folder of a class
	file  string   // path of an evaluation below Path; "" if it is Path itself
	words []string // command of a program, to run in a copy of Path
	Fault string   // reason why the submission cannot be graded, or ""
}

// Files in a submission's folder, in order of preference.
const (
	commandFile = "command"    // a single line with the program and its arguments
	pythonFile  = "agent.py"   // program that is started with python3
	programFile = "agent"      // program that is started directly
	modelFile   = "model.json" // an evaluation
)

// Find reads a submission: an evaluation (.json), a Python program (.py), another executable, or a
// folder with command, agent.py, agent or model.json. It returns an error if the path is none of
// these, or if the submission cannot be graded.
func Find(path string) (*Submission, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(whole)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(whole)
	s := &Submission{Name: name, Path: whole}
	if !info.IsDir() {
		s.Name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	if err := named(s.Name); err != nil {
		return nil, err
	}
	if err := gradable(whole, name, info); err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return s, s.read(name, info)
	}
	for _, file := range []string{commandFile, pythonFile, programFile, modelFile} {
		if inner, err := os.Stat(filepath.Join(whole, file)); err == nil && inner.Mode().IsRegular() {
			s.file = file
			return s, s.read(file, inner)
		}
	}
	return nil, fmt.Errorf("%s: want a folder with %s, %s, %s or %s", name, commandFile, pythonFile, programFile, modelFile)
}

// mostName is the maximum length of a name in bytes. Page names can be longer.
const mostName = 100

func named(name string) error {
	switch shown := text.Printable(name); {
	case shown != name:
		return fmt.Errorf("%s: the name contains unprintable characters", shown)
	case len(name) > mostName:
		return fmt.Errorf("%s: the name has %d bytes; want at most %d", name, len(name), mostName)
	case strings.EqualFold(name, "index"):
		return fmt.Errorf("%s: the name is reserved for the page of the class; choose another", name)
	}
	return nil
}

// Limits of a submission.
const (
	mostCopied  = 256 << 20 // in bytes, of all files
	mostFiles   = 10_000
	mostCommand = 64 << 10 // in bytes, of the file command
)

// gradable checks the files of a submission. They must be readable regular files, folders or links
// to such files, within the limits.
func gradable(path, name string, info fs.FileInfo) error {
	if !info.IsDir() {
		return readable(path, name, info)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return err
	}
	defer root.Close()
	size, files := int64(0), 0
	return filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inner, _ := filepath.Rel(path, file)
		at := filepath.Join(name, inner)
		info, err := e.Info()
		if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			if info, err = root.Stat(inner); err != nil {
				return fmt.Errorf("%s: is a link to a missing file or to a file outside the folder", at)
			}
		} else if err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		files++
		switch {
		case err != nil:
			return err
		case size > mostCopied:
			return fmt.Errorf("%s: larger than %d MB", name, mostCopied>>20)
		case files > mostFiles:
			return fmt.Errorf("%s: more than %d files", name, mostFiles)
		case info.IsDir():
			return nil
		}
		return readable(file, at, info)
	})
}

func readable(path, name string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a file or directory", name)
	case info.Size() > mostCopied:
		return fmt.Errorf("%s: larger than %d MB", name, mostCopied>>20)
	}
	f, err := disk.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

func (s *Submission) read(file string, info fs.FileInfo) error {
	s.Kind = Program
	switch ending := filepath.Ext(file); {
	case ending == ".json":
		s.Kind = Evaluation
	case ending == ".py" && file[0] == '-':
		s.words = []string{python, "./" + file} // the prefix prevents the name from being interpreted as an option
	case ending == ".py":
		s.words = []string{python, file}
	case file == commandFile && s.file != "":
		text, err := disk.Read(filepath.Join(s.Path, file), mostCommand)
		if err != nil {
			return err
		}
		if s.words = strings.Fields(string(text)); len(s.words) == 0 || strings.Contains(strings.TrimSpace(string(text)), "\n") {
			return fmt.Errorf("%s: want one line with a program and its arguments", file)
		}
		if err := missing(s.words[0]); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	case info.Mode()&0o111 == 0 && filepath.Ext(file) != ".exe":
		return fmt.Errorf("%s: want an executable program, a .py file or a .json file", file)
	default:
		s.words = []string{"." + string(filepath.Separator) + file}
	}
	return nil
}

// python is the interpreter of Python programs.
const python = "python3"

// inFolder reports whether a program is in the submission's folder.
func inFolder(program string) bool {
	return !filepath.IsAbs(program) && strings.ContainsAny(program, `/`+string(filepath.Separator))
}

// missing returns an error if a program is not installed on this machine.
func missing(program string) error {
	if inFolder(program) {
		return nil
	}
	if _, err := exec.LookPath(program); err != nil {
		return fmt.Errorf("%s: no such program on this machine", program)
	}
	return nil
}

// FindAll returns the submissions in a folder, sorted by name. It skips names that begin with a dot
// or an underscore. A submission that cannot be graded has a Fault. Submissions whose names differ
// only in case or extension also have a Fault, and their names include the extension.
func FindAll(folder string) ([]*Submission, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	whole, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	var out []*Submission
	alike := map[string][]*Submission{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || strings.HasPrefix(e.Name(), "_") {
			continue
		}
		s, err := (*Submission)(nil), fmt.Errorf("%s: is a link; want the file or folder itself", e.Name())
		if e.Type()&fs.ModeSymlink == 0 {
			s, err = Find(filepath.Join(whole, e.Name()))
		}
		name := strings.TrimSuffix(e.Name(), filepath.Ext(e.Name()))
		if e.IsDir() {
			name = e.Name()
		}
		if err != nil {
			s = &Submission{Name: text.Printable(name), Fault: text.Printable(strings.ReplaceAll(err.Error(), whole+string(filepath.Separator), ""))}
		}
		s.entry = text.Printable(e.Name())
		out = append(out, s)
		key := strings.ToLower(strings.ToUpper(s.Name)) // case folding maps ſ to s
		alike[key] = append(alike[key], s)
	}
	for _, same := range alike {
		for _, s := range same {
			if len(same) > 1 {
				s.Kind, s.Name = "", s.entry
				s.Fault = cmp.Or(s.Fault, fmt.Sprintf("%d submissions have this name, ignoring case and extensions; give each submission its own name", len(same)))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *Submission) int { return strings.Compare(a.Name, b.Name) })
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: contains no submissions", folder)
	}
	return out, nil
}
