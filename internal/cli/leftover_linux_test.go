package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

// leavers lists ways in which a program can leave a child process behind. CHILD stands for a
// command that sleeps for 1,000 seconds.
var leavers = map[string]string{
	"holds standard error": `CHILD >/dev/null &`,
	"holds all":            `CHILD &`,
	"ignores signals":      `trap '' INT TERM HUP; CHILD >/dev/null 2>&1 &`,
	"own group":            `set -m; CHILD >/dev/null 2>&1 &`,
	"own session":          `setsid CHILD &`,
	"no environment":       `env -i setsid CHILD >/dev/null 2>&1 &`,
	"orphan":               `(setsid CHILD >/dev/null 2>&1 &)`,
}

// TestNothingIsLeft checks that the child process of an agent or a build does not survive the
// command. The program fails, or the command is sent a signal, which the program may ignore.
func TestNothingIsLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	read := t.TempDir()
	table := "label,a,game\n" + strings.Repeat("1,1,1\n0,-1,2\n1,2,3\n0,-2,4\n", 10)
	vectors.Check(os.WriteFile(filepath.Join(read, "table.csv"), []byte(table), 0o666))
	vectors.Check(os.WriteFile(filepath.Join(read, "start.csv"), []byte("name,weight\na,1\n"), 0o666))
	for kind, leave := range leavers {
		for name, args := range map[string]string{
			"match": "match tictactoe lines:cmd=(sh~DIR/program) random --pairs 1 --workers 1 --quiet",
			"build": "tune ladder READ/table.csv uci:cmd=./none,depth=1 --build sh~DIR/program~{} --start READ/start.csv --group game --game tictactoe -o DIR/out --quiet",
		} {
			for end, then := range map[string]string{"ends": "exit 3", "SIGINT": "sleep 1000", "SIGTERM": "sleep 1000", "ignores": "trap '' TERM INT; sleep 1000 & wait; sleep 1000"} {
				t.Run(kind+"/"+name+"/"+end, func(t *testing.T) {
					t.Parallel()
					dir := t.TempDir()
					child := fmt.Sprintf("sh -c 'echo $$ >%s/new; mv %[1]s/new %[1]s/pid; exec sleep 1000'", dir)
					program := fmt.Sprintf("%s\nwhile [ ! -e %s/pid ]; do sleep 0.01; done\n%s\n", strings.ReplaceAll(leave, "CHILD", child), dir, then)
					vectors.Check(os.WriteFile(filepath.Join(dir, "program"), []byte(program), 0o666))
					cmd := at(dir, strings.ReplaceAll(args, "READ", read))
					vectors.Check(cmd.Start())
					pid := 0
					for pid == 0 {
						text, _ := os.ReadFile(filepath.Join(dir, "pid"))
						fmt.Sscan(string(text), &pid)
						time.Sleep(time.Millisecond)
					}
					switch end {
					case "SIGTERM":
						cmd.Process.Signal(syscall.SIGTERM)
					case "SIGINT", "ignores":
						cmd.Process.Signal(syscall.SIGINT)
					}
					if err := cmd.Wait(); err == nil {
						t.Error("the command succeeded")
					}
					if syscall.Kill(pid, 0) == nil {
						syscall.Kill(pid, syscall.SIGKILL)
						t.Error("the child is left")
					}
				})
			}
		}
	}
}
