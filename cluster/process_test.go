package cluster_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/cluster"
	"plyfit/cluster/command"
	"plyfit/internal/disk"
	"plyfit/internal/proc"
	"plyfit/internal/vectors"
	"plyfit/work"
)

// asEnv is the environment variable that makes the test binary act as a process in a cluster.
const asEnv = "PLYFIT_TEST_AS"

func TestMain(m *testing.M) {
	switch os.Getenv(asEnv) {
	case "":
		os.Exit(alone(m))
	case "plyfit":
		if name := os.Getenv("PLYFIT_TEST_PROGRAM"); name != "" {
			proc.Version = func() string { return name }
		}
		command.Main(catalog.All())
	case "trial-worker":
		exit(trialWorker())
	case "trial-coordinator":
		exit(trialCoordinator())
	}
}

// alone runs the tests with a separate directory for hub keys.
func alone(m *testing.M) int {
	home, err := os.MkdirTemp("", "plyfit-cluster-")
	if err != nil {
		exit(err)
	}
	defer os.RemoveAll(home)
	for _, name := range []string{"XDG_CONFIG_HOME", "AppData"} { // names on different systems
		os.Setenv(name, home)
	}
	return m.Run()
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// trialWorker is a worker for trials. It appends the number of each unit that it starts to a file.
// When it starts the poison unit, it kills itself.
func trialWorker() error {
	url := flag.String("url", "", "")
	begun := flag.String("begun", "", "")
	poison := flag.Int("poison", -1, "")
	workers := flag.Int("workers", 2, "")
	lease := flag.Duration("lease", time.Second, "")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	notes, err := os.OpenFile(*begun, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	l, err := cluster.Dial(ctx, cluster.Access{URL: *url}, time.Minute, log)
	if err != nil {
		return err
	}
	kinds := trials(func(unit int) {
		fmt.Fprintln(notes, unit)
		if unit == *poison {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	})
	w := &cluster.Worker{Link: l, Workers: *workers, Lease: *lease, Kinds: kinds}
	return w.Run(ctx)
}

// trialCoordinator computes the units of a trial and stores the results in a directory.
func trialCoordinator() error {
	url := flag.String("url", "", "")
	dir := flag.String("dir", "", "")
	seed := flag.Uint64("seed", 0, "")
	units := flag.Int("units", 0, "")
	rest := flag.String("rest", "", "")
	flag.Parse()
	var t trial
	if err := json.Unmarshal([]byte(*rest), &t); err != nil {
		return err
	}
	l, err := cluster.Dial(context.Background(), cluster.Access{URL: *url}, time.Minute, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		return err
	}
	return work.Alone(*dir, func() error {
		r, _ := trialRun(*seed, t, *units)
		r.Put = folder(*dir).put
		r.Units = slices.DeleteFunc(r.Units, func(unit int) bool {
			_, err := os.Stat(folder(*dir).path(unit))
			return err == nil
		})
		r.Audit = t.audit()
		return (&cluster.Coordinator{Link: l}).Run(context.Background(), r)
	})
}

// folder stores each result in a file.
type folder string

func (f folder) path(unit int) string { return filepath.Join(string(f), fmt.Sprintf("unit-%d", unit)) }

func (f folder) put(unit int, result []byte) error {
	return disk.Write(f.path(unit), func(w io.Writer) error { _, err := w.Write(result); return err })
}

// process is a process of a cluster.
type process struct {
	cmd    *exec.Cmd
	out    bytes.Buffer // standard output
	errors lines        // log
	ended  chan struct{}
	code   int // exit code, once it has ended
}

// start starts the test program in a role.
func start(t testing.TB, role string, env []string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(os.Args[0], args...), ended: make(chan struct{})}
	p.cmd.Env = append(append(os.Environ(), asEnv+"="+role), env...)
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.errors
	vectors.Check(p.cmd.Start())
	go func() {
		p.cmd.Wait()
		p.code = p.cmd.ProcessState.ExitCode()
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	return p
}

func (p *process) signal(s syscall.Signal) { p.cmd.Process.Signal(s) }

func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// running reports whether the process is still running.
func (p *process) running() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// wait waits for the process to end.
func (p *process) wait(t testing.TB, most time.Duration) (code int, log string) {
	t.Helper()
	select {
	case <-p.ended:
		return p.code, p.errors.String()
	case <-time.After(most):
		p.kill()
		t.Fatalf("not ended after %v:\n%s", most, p.errors.String())
	}
	return 0, ""
}

// freePort returns an address with a free port.
func freePort(t testing.TB) string {
	t.Helper()
	l := vectors.Must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	return l.Addr().String()
}

// startedUnits returns the number of times that each unit was started, from the workers' notes.
func startedUnits(t testing.TB, path string) map[string]int {
	t.Helper()
	text := vectors.Must(os.ReadFile(path))
	n := map[string]int{}
	for _, unit := range strings.Fields(string(text)) {
		n[unit]++
	}
	return n
}
