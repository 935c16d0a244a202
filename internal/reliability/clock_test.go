package reliability

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

// clockBefore is code from the time package that TestClock replaces with clockAfter. With the new
// code, the wall clock jumps by seconds to months, forwards or backwards, ten times a second. The
// monotonic clock, which measures durations, is not affected, as when a user sets a machine's
// clock.
const (
	clockBefore = "	sec, nsec, mono := runtimeNow()\n	if mono == 0 {\n		return Time{uint64(nsec), sec + unixToInternal, Local}\n	}\n	mono -= startNano\n	sec += unixToInternal - minWall\n"
	clockAfter  = "	sec, nsec, mono := runtimeNow()\n	sec += [...]int64{0, -40 * 86400, 3 * 3600, -1, 400 * 86400, 7, -3600}[uint64(mono)/1e8%7]\n	mono -= startNano\n	sec += unixToInternal - minWall\n"
)

// TestClock runs the commands in works with a wall clock that jumps. Their output and the files
// that they list as results must equal those of commands with a steady clock.
func TestClock(t *testing.T) {
	if !vectors.Long() {
		t.Skip("compiles the standard library anew")
	}
	dir := t.TempDir()
	root := vectors.Must(exec.Command("go", "env", "GOROOT").Output())
	path := filepath.Join(strings.TrimSpace(string(root)), "src/time/time.go")
	text := vectors.Must(os.ReadFile(path))
	if strings.Count(string(text), clockBefore) != 1 {
		t.Fatalf("%s: time.Now is not the one that this test knows", path)
	}
	other := filepath.Join(dir, "time.go")
	vectors.Check(os.WriteFile(other, []byte(strings.Replace(string(text), clockBefore, clockAfter, 1)), 0o644))
	overlay := vectors.Must(json.Marshal(map[string]any{"Replace": map[string]string{path: other}}))
	vectors.Check(os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644))
	jumping := filepath.Join(dir, "plyfit")
	if out, err := exec.Command("go", "test", "-c", "-overlay", filepath.Join(dir, "overlay.json"), "-o", jumping, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	in := sources(t)
	for _, w := range works {
		t.Run(w.name, func(t *testing.T) {
			whole, other := t.TempDir(), t.TempDir()
			want := must(t, whole, w.in(whole, in))
			c := exec.Command(jumping, strings.Fields(w.in(other, in))...)
			c.Dir, c.Env = other, append(os.Environ(), asCommand+"=1")
			got, err := c.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, got)
			}
			if got := strings.ReplaceAll(string(got), other, whole); got != want {
				t.Errorf("prints\n%s\nwith a steady clock\n%s", got, want)
			}
			if what := w.same(whole, other); what != "" {
				t.Error(what)
			}
		})
	}
}
