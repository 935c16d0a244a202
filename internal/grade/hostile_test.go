package grade

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"plyfit/internal/vectors"
)

// TestHostileClass checks that a hostile submission loses only its own points, and that a reason is
// given. Other submissions must be graded, and neither temporary files nor processes may remain.
func TestHostileClass(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for programs that hang")
	}
	withPython(t)
	temporary, dir := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	startLimit = 5 * time.Second
	defer func() { startLimit = 0 }()
	path := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		vectors.Check(os.MkdirAll(filepath.Dir(path(name)), 0o755))
		vectors.Check(os.WriteFile(path(name), []byte(text), 0o755))
	}
	good := string(vectors.Must(os.ReadFile("testdata/trees/right.py")))
	write("good.py", good)
	write("pipe/agent.py", good)
	vectors.Check(syscall.Mkfifo(path("pipe/p"), 0o644))
	vectors.Check(syscall.Mkfifo(path("pipe-alone.py"), 0o644))
	vectors.Check(syscall.Mkfifo(path("pipe-json.json"), 0o644))
	for _, name := range []string{"sparse/big", "large.py", "large.json"} {
		write("sparse/agent.py", good)
		write(name, "")
		vectors.Check(os.Truncate(path(name), 300<<20))
	}
	write("unknown/command", "nosuchprog x")
	write("codes/command", "nosuchprog\x1b[31m x")
	write("folded/command", "no/such/program")
	write("Index.py", good)
	write("esc\x1b[31m\x1b]0;pwn\a.py", good)
	write("not\xfftext.py", good)
	write(strings.Repeat("long", 60)+".py", good)
	write("twin.py", good)
	write("-h.py", good)
	write("long s/agent.py", good)
	write("long ſ/agent.py", good)
	write("wide/command", strings.Repeat("x", mostCommand+1))
	write("Twin.py", good)
	write("out/agent.py", good)
	vectors.Check(os.Symlink("../good.py", path("out/friend.py")))
	write("absolute/agent.py", good)
	vectors.Check(os.Symlink("/etc/passwd", path("absolute/secret")))
	write("nowhere/agent.py", good)
	vectors.Check(os.Symlink("none", path("nowhere/dangling")))
	vectors.Check(os.Symlink("round", path("nowhere/round")))
	vectors.Check(os.Symlink("good.py", path("copy.py")))
	vectors.Check(os.Symlink("/", path("all")))
	write("linked/agent.py", good)
	vectors.Check(os.Symlink("agent.py", path("linked/again.py")))
	write("closed.py", good)
	vectors.Check(os.Chmod(path("closed.py"), 0))
	write("endless.py", "import sys\nsys.stdin.readline()\nwhile True: print('x', flush=True)\n")
	write("wordless.py", "import sys, time\nsys.stdin.readline()\nwhile True: sys.stdout.write('x' * 9999); sys.stderr.write('y' * 9999); time.sleep(.02)\n")
	write("deaf.py", "import time\ntime.sleep(99)\n")
	write("daemon.py", "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', 'import time\\nwhile True: open(\"mark\", \"w\"); time.sleep(.01)', 'left-by-a-daemon'], start_new_session=True)\n"+good)
	write("shut.py", "import os\nos.makedirs('a/b')\nos.chmod('a', 0)\n"+good)
	write("coded.py", "import json\nq = json.loads(input())\nprint(json.dumps({'id': q['id'], 'answer': '\\x1b[31m'}))\n")

	a := assignmentOf(t, "4", `{"name": "move", "points": 2, "ask": "move", "by": "minimax", "trees": ["(max (min 3 12 8) (min 2 4 6) (min 14 5 2))"]}`)
	t.Chdir(filepath.Dir(dir))
	g, text := grades(t, a, 3, vectors.Must(FindAll(filepath.Base(dir))))
	for name, said := range map[string]string{
		"pipe": "pipe/p: not a file or directory", "pipe-alone": "not a file", "pipe-json": "not a file",
		"sparse": "larger than 256 MB", "large.py": "larger than 256 MB", "large.json": "larger than 256 MB",
		"unknown": "nosuchprog: no such program on this machine", "codes": `nosuchprog\x1b[31m: no such program on this machine`,
		"folded": "no/such/program", "Index": "the page of the class", `esc\x1b[31m\x1b]0;pwn\a`: "the name contains unprintable",
		`not\xfftext`: "the name contains unprintable", strings.Repeat("long", 60): "want at most 100",
		"twin.py": "2 submissions have this name", "Twin.py": "2 submissions have this name",
		"out": "out/friend.py: is a link to a missing file or to a file outside", "absolute": "absolute/secret: is a link to a missing file or to a file outside", "nowhere": "is a link to a missing file or to a file outside the folder",
		"long s": "2 submissions have this name", "long ſ": "2 submissions have this name", "wide": "read wide/command: has more than",
		"copy": "is a link", "all": "is a link", "endless": "says", "wordless": "no answer to move in time",
		"deaf": "did not read its input within 5s", "coded": `\x1b[31m`,
	} {
		r := g.result(t, name)
		why := r.Fault
		for _, p := range r.Exercises {
			for _, i := range p.Items {
				why += " " + i.Why + i.Got
			}
		}
		if r.Points != 0 || !strings.Contains(why, said) {
			t.Errorf("%s: %v points, %s; want %q", name, r.Points, why, said)
		}
	}
	for _, name := range []string{"good", "-h", "linked", "daemon", "shut"} {
		if r := g.result(t, name); r.Points != 2 {
			t.Errorf("%s: %+v, want all points", name, r)
		}
	}
	if r := g.result(t, "closed"); os.Getuid() != 0 && (r.Points != 0 || !strings.Contains(r.Fault, "permission denied")) {
		t.Errorf("a file that cannot be read: %+v", r)
	}
	if all := g.Text() + text; strings.ContainsAny(all, "\x1b\a") || !utf8.ValidString(all) {
		t.Error("codes of a terminal are in the grades")
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v, %v", left, err)
	}
	if left, err := exec.Command("pgrep", "-f", "left-by-a-daemon").Output(); err == nil {
		t.Errorf("a process is left: %s", left)
	}
}

// TestSlowInterpreter checks that an interpreter that takes longer to start than the time limit for
// an answer costs no points. The grades must report its start-up time.
func TestSlowInterpreter(t *testing.T) {
	if testing.Short() {
		t.Skip("starts slowly")
	}
	withPython(t)
	program := vectors.Must(exec.LookPath("python3"))
	bin := t.TempDir()
	vectors.Check(os.WriteFile(filepath.Join(bin, "python3"), []byte("#!/bin/sh\nsleep 4\nexec "+program+" \"$@\"\n"), 0o755))
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	a := assignmentOf(t, "3", `{"name": "move", "points": 2, "ask": "move", "by": "minimax", "trees": ["(max (min 3 12 8) (min 2 4 6) (min 14 5 2))"]}`)
	s := vectors.Must(Find("testdata/trees/right.py"))
	g, _ := grades(t, a, 1, []*Submission{s})
	if r := g.Submissions[0]; r.Points != 2 {
		t.Errorf("%+v, want all points", r)
	}
	if len(g.Starts) != 1 || g.Starts[0].Program != "python3" || g.Starts[0].Took < 4*time.Second {
		t.Errorf("starts: %+v, want one of python3 in 4 s or more", g.Starts)
	}
}
