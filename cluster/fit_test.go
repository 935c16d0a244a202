package cluster_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plyfit/cluster/hub"
)

// TestFit: a fit has the model and the output of one process, with one worker and with
// three, one of which is killed.
func TestFit(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	must(t, "selfplay", "connect4", "-o", path("data"), "--agent", "random", "--games", "6000", "--quiet")
	fit := func(name, method string) []string {
		return []string{"fit", path("data"), "-o", path(name), "--method", method, "--features", "connect4/lines"}
	}
	h := startHub(t, hub.Options{})
	at := []string{"--cluster", h.URL()}
	worker := func() *process {
		return start(t, "plyfit", nil, "worker", "--cluster", h.URL(), "--workers", "1", "--lease", "1s")
	}
	workers := []*process{worker()}
	done := func() (n int) {
		for _, w := range workers {
			n += strings.Count(w.errors.String(), "unit done")
		}
		return n
	}
	for _, method := range []string{"ridge", "logistic"} {
		here := strings.ReplaceAll(must(t, fit("here.json", method)...), "here.json", "")
		for _, name := range []string{"one.json", "three.json"} {
			before := done()
			killed := make(chan struct{})
			if name == "three.json" {
				workers = append(workers, worker(), worker())
				go func() { // the first one, at its next unit
					defer close(killed)
					for w, n := workers[0], strings.Count(workers[0].errors.String(), "unit done"); w.running() && strings.Count(w.errors.String(), "unit done") == n; {
						time.Sleep(time.Millisecond)
					}
					workers[0].kill()
				}()
			} else {
				close(killed)
			}
			if there := strings.ReplaceAll(must(t, append(fit(name, method), at...)...), name, ""); there != here {
				t.Errorf("%s, %s: it prints\n%s\nalone\n%s", method, name, there, here)
			}
			same(t, path("here.json"), path(name))
			if n := done() - before; n < 2 {
				t.Errorf("%s, %s: %d units went to the workers", method, name, n)
			}
			<-killed
		}
		for _, w := range workers {
			w.kill()
		}
		workers = []*process{worker()}
	}
}
