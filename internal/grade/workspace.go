package grade

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"plyfit/internal/disk"
	"plyfit/internal/program"
	"plyfit/internal/text"
)

// passedVariables lists the environment variables passed to programs. Some interpreters need them.
var passedVariables = []string{"PATH", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "JAVA_HOME", "SystemRoot", "PYENV_ROOT", "PYENV_VERSION", "PLYFIT"}

// A workspace is a temporary copy of a submission, in which its program runs.
type workspace struct {
	folder  string
	command program.Command
	patience
}

// A faultError is the reason why a submission cannot be graded.
type faultError struct{ error }

// newWorkspace copies the submission of a program. Unless empty, inside is a command that runs the
// program's command, and {} in it stands for the folder.
func newWorkspace(s *Submission, inside []string) (_ *workspace, err error) {
	digits := make([]byte, 4) // the name has a fixed length, because it affects where messages are truncated
	rand.Read(digits)
	d := &workspace{folder: filepath.Join(os.TempDir(), fmt.Sprintf("plyfit-grade-%x", digits)), patience: patience{left: mostLate}}
	if err := os.Mkdir(d.folder, 0o700); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.clear()
		}
	}()
	if err := copyOf(s, d.folder); err != nil {
		return nil, faultError{fmt.Errorf("the submission cannot be copied: %s", strings.ReplaceAll(err.Error(), d.folder+string(filepath.Separator), ""))}
	}
	words := slices.Clone(s.words)
	if len(inside) > 0 {
		words = slices.Concat(inside, words)
		for i := range inside {
			words[i] = strings.ReplaceAll(words[i], "{}", d.folder)
		}
	}
	d.command = program.Command{Path: words[0], Args: words[1:], Dir: d.folder, CompleteEnv: true, Env: []string{
		homeOf(d.folder), "TMPDIR=" + d.folder, "TMP=" + d.folder, "TEMP=" + d.folder,
		"PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1",
	}}
	if !inFolder(words[0]) {
		if d.command.Path, err = exec.LookPath(words[0]); err != nil {
			return nil, err
		}
	}
	for _, name := range passedVariables {
		if value, ok := os.LookupEnv(name); ok {
			d.command.Env = append(d.command.Env, name+"="+value)
		}
	}
	return d, nil
}

// homeOf returns the environment variable that identifies the processes of a workspace.
func homeOf(folder string) string { return "HOME=" + folder }

func copyOf(s *Submission, folder string) error {
	info, err := os.Stat(s.Path)
	if err != nil {
		return err
	}
	if err := gradable(s.Path, s.Name, info); err != nil { // the files may have changed since Find
		return err
	}
	if info.IsDir() {
		return os.CopyFS(folder, os.DirFS(s.Path))
	}
	text, err := disk.Read(s.Path, mostCopied)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, filepath.Base(s.Path)), text, info.Mode().Perm())
}

// redact removes the paths of this machine from a program's message.
func (d *workspace) redact(words string) string {
	return text.Printable(strings.NewReplacer(d.folder+string(filepath.Separator), "", d.folder, ".").Replace(words))
}

// clear kills the remaining processes of the program, as far as possible, and removes the folder.
// If necessary, it first makes subfolders writable.
func (d *workspace) clear() {
	endAll(d.folder)
	if os.RemoveAll(d.folder) == nil {
		return
	}
	filepath.WalkDir(d.folder, func(path string, e fs.DirEntry, _ error) error {
		if e != nil && e.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
	os.RemoveAll(d.folder)
}
