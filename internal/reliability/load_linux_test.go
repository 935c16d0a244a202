package reliability

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

var (
	loadTime = flag.Duration("for", 2*time.Hour, "how long the mixed load lasts")
	loadRest = flag.Duration("sample", 30*time.Second, "time between samples of the mixed load")
	loadFile = flag.String("csv", "", "file for the samples of the mixed load: seconds, job, process, resident kB, open files, threads, CPU seconds")
)

// A job is one line of the mixed load. Its commands are run one after the
// other, the last of them again and again, each in a folder of its own.
type job struct {
	name     string
	commands []string
	// feed is what an engine is told for ever, each with the beginning of the line
	// that it is to answer before the next.
	feed []exchange
}

type exchange struct{ say, until string }

var jobs = []job{
	{name: "selfplay", commands: []string{"selfplay connect4 -o data --games 5000000 --agent alphabeta:depth=1 --workers 1 --quiet"}},
	{name: "match", commands: []string{"match connect4 alphabeta:depth=3,ties=random alphabeta:depth=2,ties=random --pairs 5000000 -o pairs.jsonl --workers 1 --quiet"}},
	{name: "train", commands: []string{
		"train connect4 -o m.json --method td --games 1000000000 --curve-pairs 0 --curve-every 1000000 --workers 1 --checkpoint-every 20s --quiet --time TIME",
		"train connect4 -o m.json --method tdleaf --games 1000000000 --curve-pairs 0 --curve-every 1000000 --workers 1 --checkpoint-every 20s --quiet --time TIME",
		"train connect4 -o m.json --method rootstrap --games 1000000000 --curve-pairs 0 --curve-every 1000000 --workers 1 --checkpoint-every 20s --quiet --time TIME",
		"train connect4 -o m.json --method treestrap --games 1000000000 --curve-pairs 0 --curve-every 1000000 --workers 1 --checkpoint-every 20s --quiet --time TIME",
	}},
	{name: "study", commands: []string{"study crossed --full --workers 1 --quiet -o study"}},
	{name: "uci", commands: []string{"uci chess"}, feed: []exchange{
		{"ucinewgame\nposition startpos moves e2e4 e7e5\ngo depth 3\n", "bestmove"},
		{"position startpos moves d2d4 g8f6 c2c4\ngo nodes 5000\n", "bestmove"},
		{"isready\n", "readyok"},
	}},
	{name: "gtp", commands: []string{"gtp othello --agent alphabeta:depth=3"}, feed: []exchange{
		{"1 clear_board\n", "=1"}, {"2 genmove b\n", "=2"}, {"3 genmove w\n", "=3"}, {"4 genmove b\n", "=4"}, {"5 showboard\n", "=5"},
	}},
}

// sample is what the system knew of a process at one moment.
type sample struct {
	seconds                  float64 // since the load began
	job                      string
	pid                      int
	resident, files, threads int     // resident memory in kB
	cpu                      float64 // seconds that it has had of all cores
}

// TestLoad runs selfplay, a match, learners of every method, a study and two
// engine sessions side by side and samples their memory and open files, with
// PLYFIT_LONG=1: every job lives, and none has more files open than a job can need.
func TestLoad(t *testing.T) {
	if !vectors.Long() {
		t.Skip("two hours: set PLYFIT_LONG=1")
	}
	lasts, rest := *loadTime, *loadRest
	out := io.Discard
	if *loadFile != "" {
		f, err := os.Create(*loadFile)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		out = f
	}
	fmt.Fprintln(out, "seconds,job,pid,resident_kb,open_files,threads,cpu_seconds")
	begun := time.Now()
	until := begun.Add(lasts)
	var mu sync.Mutex
	alive := map[string]*exec.Cmd{}
	starts := map[string]int{}
	var wait sync.WaitGroup
	for _, j := range jobs {
		wait.Go(func() {
			dir := t.TempDir()
			for i := 0; time.Now().Before(until); i++ {
				at := filepath.Join(dir, fmt.Sprint(i))
				if err := os.Mkdir(at, 0o755); err != nil {
					t.Error(err)
					return
				}
				text := j.commands[min(i, len(j.commands)-1)]
				turn := lasts / time.Duration(len(j.commands))
				c := plyfit(at, strings.ReplaceAll(text, "TIME", turn.String()))
				stderr := &strings.Builder{}
				c.Stderr = stderr
				stop, err := start(c, j.feed)
				if err != nil {
					t.Errorf("%s: %v", text, err)
					return
				}
				mu.Lock()
				alive[j.name] = c
				starts[j.name]++
				mu.Unlock()
				ended := make(chan error, 1)
				go func() { ended <- c.Wait() }()
				select {
				case err = <-ended:
					stop()
				case <-time.After(time.Until(until)):
					c.Process.Kill()
					stop()
					<-ended
					err = nil
				}
				mu.Lock()
				delete(alive, j.name)
				mu.Unlock()
				if err != nil {
					t.Errorf("%s: %v: %s", text, err, stderr)
					return
				}
				os.RemoveAll(at)
			}
		})
	}
	samples := map[string][]sample{}
	for time.Now().Before(until) {
		time.Sleep(min(rest, time.Until(until)))
		mu.Lock()
		for name, c := range alive {
			s, err := sampleOf(c.Process.Pid)
			if errors.Is(err, os.ErrNotExist) || err == nil && s.resident == 0 {
				continue // it ended just now
			}
			if err != nil {
				t.Error(err)
				continue
			}
			s.seconds, s.job = time.Since(begun).Seconds(), name
			samples[name] = append(samples[name], s)
			fmt.Fprintf(out, "%.0f,%s,%d,%d,%d,%d,%.1f\n", s.seconds, s.job, s.pid, s.resident, s.files, s.threads, s.cpu)
		}
		mu.Unlock()
	}
	wait.Wait()
	const mostFiles = 64
	for _, j := range jobs {
		all := samples[j.name]
		if len(all) == 0 {
			t.Errorf("%s was never seen alive", j.name)
			continue
		}
		for _, s := range all {
			if s.files > mostFiles {
				t.Errorf("%s: %d open files after %.0f s, want at most %d", j.name, s.files, s.seconds, mostFiles)
				break
			}
		}
		for _, g := range byProcess(all) {
			g = g[len(g)/4:] // what it fills once is filled
			first, last := g[0], g[len(g)-1]
			t.Logf("%-8s process %d, %5.0f s to %5.0f s: resident %.1f to %.1f MB (slope %+.2f MB an hour), open files %d to %d, threads %d to %d, %.0f s of CPU",
				j.name, last.pid, first.seconds, last.seconds, float64(first.resident)/1024, float64(last.resident)/1024,
				slope(g)*3600/1024, first.files, last.files, first.threads, last.threads, last.cpu)
		}
		t.Logf("%-8s started %d times", j.name, starts[j.name])
	}
}

// start starts c; with a feed it is told that for ever, until stop.
func start(c *exec.Cmd, feed []exchange) (stop func(), err error) {
	if len(feed) == 0 {
		return func() {}, c.Start()
	}
	in, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	answers := bufio.NewReader(out)
	go func() {
		for i := 0; ; i++ {
			next := feed[i%len(feed)]
			if _, err := io.WriteString(in, next.say); err != nil {
				return
			}
			for line := ""; !strings.HasPrefix(line, next.until); {
				if line, err = answers.ReadString('\n'); err != nil {
					return
				}
			}
		}
	}()
	return func() { in.Close() }, nil
}

// sampleOf reads what the system knows of a process.
func sampleOf(pid int) (s sample, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return s, err
	}
	s.pid = pid
	for _, line := range strings.Split(string(status), "\n") {
		key, rest, _ := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		n, _ := strconv.Atoi(fields[0])
		switch key {
		case "VmRSS":
			s.resident = n
		case "Threads":
			s.threads = n
		}
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, err
	}
	// After the name, which may hold anything: fields 3 and on. 14 and 15 are user
	// and system time, in hundredths of a second on every Linux that Go knows.
	if fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(fields) > 12 {
		user, _ := strconv.ParseFloat(fields[11], 64)
		system, _ := strconv.ParseFloat(fields[12], 64)
		s.cpu = (user + system) / 100
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	s.files = len(files)
	return s, err
}

// byProcess parts samples of one job where another process begins.
func byProcess(all []sample) (out [][]sample) {
	for i, s := range all {
		if i == 0 || s.pid != all[i-1].pid {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], s)
	}
	return out
}

// slope is the least-squares slope of resident memory, in kB a second.
func slope(g []sample) float64 {
	var n, x, y, xx, xy float64
	for _, s := range g {
		r := float64(s.resident)
		n, x, y, xx, xy = n+1, x+s.seconds, y+r, xx+s.seconds*s.seconds, xy+s.seconds*r
	}
	if d := n*xx - x*x; d > 0 {
		return (n*xy - x*y) / d
	}
	return 0
}
