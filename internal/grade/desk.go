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
	"plyfit/internal/protocol"
	"plyfit/internal/text"
)

// handed lists the environment variables passed to programs. Some interpreters need them.
var handed = []string{"PATH", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "JAVA_HOME", "SystemRoot", "PYENV_ROOT", "PYENV_VERSION", "PLYFIT"}

// A desk is a temporary copy of a submission, in which its program runs.
type desk struct {
	folder  string
	command protocol.Command
	patience
}

// A faultError is the reason why a submission cannot be graded.
type faultError struct{ error }

// newDesk copies the submission of a program. If inside is not empty, it is the command that runs
// the program's command, with {} in place of the folder.
func newDesk(s *Submission, inside []string) (_ *desk, err error) {
	digits := make([]byte, 4) // fixed length, because the folder's name affects where messages are cut
	rand.Read(digits)
	d := &desk{folder: filepath.Join(os.TempDir(), fmt.Sprintf("plyfit-grade-%x", digits)), patience: patience{left: mostLate}}
	if err := os.Mkdir(d.folder, 0o700); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			d.clear()
		}
	}()
	if err := copyOf(s, d.folder); err != nil {
		return nil, faultError{fmt.Errorf("it cannot be copied: %s", strings.ReplaceAll(err.Error(), d.folder+string(filepath.Separator), ""))}
	}
	words := slices.Clone(s.words)
	if len(inside) > 0 {
		words = slices.Concat(inside, words)
		for i := range inside {
			words[i] = strings.ReplaceAll(words[i], "{}", d.folder)
		}
	}
	d.command = protocol.Command{Path: words[0], Args: words[1:], Dir: d.folder, Bare: true, Env: []string{
		homeOf(d.folder), "TMPDIR=" + d.folder, "TMP=" + d.folder, "TEMP=" + d.folder,
		"PYTHONHASHSEED=0", "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1",
	}}
	if !own(words[0]) {
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

// homeOf returns the environment variable that identifies the processes of a desk.
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

// said removes the paths of this machine from a program's message.
func (d *desk) said(words string) string {
	return text.Printable(strings.NewReplacer(d.folder+string(filepath.Separator), "", d.folder, ".").Replace(words))
}

// clear kills the remaining processes of the program, as far as possible, and removes the folder.
// If necessary, it first makes subfolders writable.
func (d *desk) clear() {
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
