//go:build !js

package main

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/serve"
	"plyfit/internal/vectors"
)

// site returns the directory named by PLYFIT_SITE, which .ci/site created. Tests of the site are
// skipped if it is not set, because creating the site takes half a minute.
func site(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("PLYFIT_SITE")
	switch {
	case dir == "" && os.Getenv("CI") != "":
		t.Fatal("no PLYFIT_SITE: .ci/run makes the site by .ci/site")
	case dir == "":
		t.Skip("no PLYFIT_SITE: want the folder of .ci/site")
	}
	return dir
}

// module is the module running in Node.js.
type module struct {
	testing.TB
	in  *json.Encoder
	out *bufio.Scanner
}

func start(t testing.TB) *module {
	t.Helper()
	dir := site(t)
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no node: want apt-get install nodejs")
		}
		t.Skip("no node")
	}
	command := exec.Command("node", "testdata/node.js", dir)
	command.Stderr = os.Stderr
	in, out := vectors.Must(command.StdinPipe()), vectors.Must(command.StdoutPipe())
	vectors.Check(command.Start())
	t.Cleanup(func() {
		in.Close()
		command.Wait()
	})
	m := &module{t, json.NewEncoder(in), bufio.NewScanner(out)}
	m.out.Buffer(nil, 16<<20)
	return m
}

// answer is the response of a server.
type answer struct {
	Status  int
	Headers []string
	Body    string
	Ms      float64
}

func (a answer) location() string {
	for i := 0; i+1 < len(a.Headers); i += 2 {
		if a.Headers[i] == "Location" {
			return a.Headers[i+1]
		}
	}
	return ""
}

func (m *module) ask(method, path string, form url.Values) (a answer) {
	m.Helper()
	vectors.Check(m.in.Encode(map[string]string{"method": method, "path": path, "body": form.Encode()}))
	if !m.out.Scan() {
		m.Fatalf("%s %s %v: the module has ended", method, path, form)
	}
	vectors.Check(json.Unmarshal(m.out.Bytes(), &a))
	return a
}

// native answers requests in this process, with the interface of module.
type native struct{ http.Handler }

func (n native) ask(method, path string, form url.Values) answer {
	r := httptest.NewRequest(method, "http://localhost"+path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := answered(n, r, "/")
	return answer{Status: w.code, Headers: []string{"Location", w.header.Get("Location")}, Body: w.body.String()}
}

// decided returns the page after the agent to move has moved from a position, without the table's
// ID and the navigation. ms is the duration of the answer in milliseconds.
func decided(t testing.TB, ask func(string, string, url.Values) answer, form url.Values) (page string, ms float64) {
	t.Helper()
	a := ask("POST", "/tables", form)
	if a.Status != http.StatusSeeOther {
		t.Fatalf("%v: %d %s", form, a.Status, a.Body)
	}
	at := a.location()
	a = ask("POST", at+"/answer", url.Values{})
	if a.Status != http.StatusSeeOther {
		t.Fatalf("%v: %d %s", form, a.Status, a.Body)
	}
	page = strings.ReplaceAll(ask("GET", at, nil).Body, at, "/tables/ID")
	page = strings.ReplaceAll(page, strings.TrimPrefix(at, "/tables/"), "ID")
	return own.ReplaceAllString(page, ""), a.Ms
}

// own matches the navigation, which contains other pages on the site.
var own = regexp.MustCompile(`(?s)<nav .*?</nav>`)

// TestEqual checks that the module makes the same moves as the native program at positions of all
// games, with the same values and numbers of nodes.
func TestEqual(t *testing.T) {
	m := start(t)
	n := native{vectors.Must(serve.New(serve.Config{Catalog: catalog.All(), Limits: serve.Limits{Browser: true, Idle: time.Nanosecond}}))}
	positions := 60
	if vectors.Long() {
		positions = 1000
	}
	rng := rand.New(rand.NewPCG(44, 1))
	all := catalog.All()
	counted, ms := 0, 0.0
	for k := range positions {
		w, err := all.World(all[k%len(all)].Name)
		if err != nil {
			t.Fatal(err)
		}
		form := url.Values{"game": {w.Spec}, "position": {walked(w, rng).String()}, "seed": {strconv.Itoa(k)}}
		for p := range max(w.Players, 2) {
			form.Set("seat"+strconv.Itoa(p), w.Planner())
		}
		want, _ := decided(t, n.ask, form)
		got, took := decided(t, m.ask, form)
		if ms += took; got != want {
			t.Errorf("%v: the module says\n%s\nwant\n%s", form, difference(got, want), difference(want, got))
		}
		counted += strings.Count(want, " nodes")
	}
	t.Logf("%d positions, %d of them with nodes on the page, %.0f ms each", positions, counted, ms/float64(positions))
	if counted < positions/2 {
		t.Errorf("pages show the nodes of %d searches at %d positions: want most", counted, positions)
	}
}

// BenchmarkSite measures the search time of the module relative to this program. It is the median
// of five single-threaded searches at each position, alternating between the two. Before that, a
// search compiles the module completely.
func BenchmarkSite(b *testing.B) {
	asks := []func(string, string, url.Values) answer{native{vectors.Must(serve.New(serve.Config{Catalog: catalog.All()}))}.ask, start(b).ask}
	seconds := regexp.MustCompile(`data-seconds="(.*?)"`)
	for _, c := range []string{"connect4 alphabeta:depth=8 60", "connect4 minimax:depth=7 8", "2048 expectimax:depth=2 60"} {
		f := strings.Fields(c)
		w, rng, sums := vectors.Must(catalog.All().World(f[0])), rand.New(rand.NewPCG(44, 2)), [2]float64{}
		for range vectors.Must(strconv.Atoi(f[2])) {
			form, took := url.Values{"game": {f[0]}, "position": {walked(w, rng).String()}, "agent": {f[1]}}, [2][6]float64{}
			tables := [2]answer{asks[0]("POST", "/tables", form), asks[1]("POST", "/tables", form)}
			for i := range 12 {
				a := asks[i%2]("POST", tables[i%2].location()+"/think", form)
				took[i%2][i/2] = vectors.Must(strconv.ParseFloat(seconds.FindStringSubmatch(a.Body)[1], 64))
			}
			for k := range took {
				slices.Sort(took[k][1:])
				sums[k] += took[k][3]
			}
		}
		b.Logf("%s positions: %.2f times as long, %.0f ms and %.0f ms", c, sums[1]/sums[0], 1000*sums[1], 1000*sums[0])
	}
}

// walked returns a position, reached by some random moves, in which a player is to move.
func walked(w *catalog.World, rng *rand.Rand) game.State {
	left := rng.IntN(20)
	for s := range gametest.Games(w.Game, 1000, rng.Uint64()) {
		if left--; left < 0 && s.Turn() >= 0 {
			return s
		}
	}
	panic("no position of " + w.Spec)
}

// difference returns the lines of a that b lacks.
func difference(a, b string) string {
	has := map[string]bool{}
	for line := range strings.Lines(b) {
		has[line] = true
	}
	var out strings.Builder
	for line := range strings.Lines(a) {
		if !has[line] {
			out.WriteString(line)
		}
	}
	return out.String()
}

// TestWithoutStorage checks that the service worker answers in browsers that store nothing.
func TestWithoutStorage(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node")
	}
	if out, err := exec.Command("node", "testdata/worker.js", ".").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
