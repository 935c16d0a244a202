//go:build browser && !js

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/chromedp"

	"plyfit/catalog"
	"plyfit/internal/browser"
	"plyfit/internal/vectors"
)

// network is a host of static files with a total bandwidth of 10 Mbit/s, without compression or
// special headers. It counts the bytes that it sends.
type network struct {
	files http.Handler
	mu    sync.Mutex
	sent  atomic.Int64
}

const bytesPerSecond = 10_000_000 / 8

func (n *network) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.files.ServeHTTP(&slow{w, n}, r)
}

type slow struct {
	http.ResponseWriter
	*network
}

func (s *slow) Write(data []byte) (n int, err error) {
	const piece = 32 << 10
	for len(data) > 0 && err == nil {
		part := data[:min(piece, len(data))]
		s.mu.Lock()
		time.Sleep(time.Duration(len(part)) * time.Second / bytesPerSecond)
		s.mu.Unlock()
		var k int
		k, err = s.ResponseWriter.Write(part)
		n, data = n+k, data[k:]
		s.sent.Add(int64(k))
	}
	return n, err
}

func (s *slow) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{s}, r) }

// mostFirst is the maximum size of the first load in bytes.
const mostFirst = 6_000_000

// TestSite visits a site in a directory of its host over a slow network, and keeps using it after
// the host has disappeared.
func TestSite(t *testing.T) {
	dir := site(t)
	chromium := browser.Start(t)
	host := &network{files: http.StripPrefix("/a/site/", http.FileServer(http.Dir(dir)))}
	server := httptest.NewServer(host)
	defer server.Close()
	home := server.URL + "/a/site/"
	tab := chromium.Tab(t)
	until := func(condition string) {
		t.Helper()
		for begun := time.Now(); time.Since(begun) < time.Minute; time.Sleep(20 * time.Millisecond) {
			if tab.Holds(`document.readyState === "complete" && (` + condition + ")") {
				return
			}
		}
		t.Fatalf("never: %s; the page %s says %q, %v", condition, browser.Evaluate[string](tab, "location.href"), browser.Evaluate[string](tab, "document.body.innerText.slice(0, 600)"), tab.Troubles)
	}

	begun := time.Now()
	go tab.Run(chromedp.Navigate(home))
	until(`document.querySelector(".board svg .place.legal")`)
	t.Logf("a static board: %v", time.Since(begun))
	tab.Click(".place.legal") // before the module has loaded
	until(`document.querySelector("#table")`)
	t.Logf("the program answers: %v", time.Since(begun))
	until(`document.querySelectorAll("#history li, .history li, ol.moves li").length > 1 || Number(document.querySelector(".board").dataset.version) > 2`)
	first := host.sent.Load()
	t.Logf("the first computed move: %v, %.2f MB sent", time.Since(begun), float64(first)/1e6)
	if first > mostFirst {
		t.Errorf("the first load sent %d bytes: want at most %d", first, mostFirst)
	}
	tables := strings.Count(string(vectors.Must(os.ReadFile(filepath.Join(dir, "files.js")))), ".weights.gz")
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if tables == browser.Evaluate[int](tab, `(async () => { for (const k of await caches.keys()) if (k.startsWith("plyfit-site")) return (await (await caches.open(k)).keys()).filter((r) => r.url.endsWith(".weights.gz")).length; return -1; })()`) {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("the tables are not kept")
		}
	}
	server.CloseClientConnections()
	server.Close()
	open := func(path string) {
		t.Helper()
		tab.Run(chromedp.Navigate(home + path))
		until(`document.querySelector("main h1, main h2") && performance.getEntriesByType("navigation")[0].responseStatus === 200`)
	}
	run := func(script string) {
		t.Helper()
		browser.Evaluate[bool](tab, "(async () => { "+script+"; return true; })()")
	}
	open("lesson/1")
	lessons := browser.Evaluate[[]string](tab, `[...document.querySelectorAll(".steps a")].map((a) => a.href)`)
	for _, at := range lessons {
		open(strings.TrimPrefix(at, home))
	}
	open("")
	until(fmt.Sprintf(`document.body.textContent.includes("\n%d short steps")`, len(lessons)))
	for _, e := range catalog.All() {
		open("")
		begun := time.Now()
		if !browser.Evaluate[bool](tab, fmt.Sprintf(`(() => { for (const f of document.querySelectorAll("form.card")) if (f.game.value === %q) { f.requestSubmit(); return true; } return false; })()`, e.Name)) {
			continue // it has no card because it has required options
		}
		until(`document.querySelector("#table .board")`)
		opened := time.Since(begun)
		w, err := catalog.All().World(e.Name)
		if err != nil {
			t.Fatal(err)
		}
		run(fmt.Sprintf(`for (const i of document.querySelectorAll("form.seats input[name^=seat]")) i.value = %q; document.querySelector("form.seats").requestSubmit();`, w.Planner()))
		until(`document.querySelector("#history li")`)
		t.Logf("%s: %v, and an answer %v", e.Name, opened, time.Since(begun))
	}
	open("")
	run(`[...document.querySelectorAll("form.card")].find((f) => f.game.value === "connect4").requestSubmit()`)
	until(`document.querySelector("#table .place.legal")`)
	tab.Click("#table .place.legal")
	until(`document.querySelectorAll("#history li").length === 2`)
	game := strings.TrimPrefix(browser.Evaluate[string](tab, "location.href"), home)
	born := func() string {
		return browser.Evaluate[string](tab, `fetch("/a/site/ping").then((r) => r.json()).then((now) => now.born)`)
	}
	before := born()
	tab.Run(serviceworker.Enable(), serviceworker.StopAllWorkers())
	if open(game); born() == before {
		t.Error("the worker was not ended")
	}
	until(`document.querySelectorAll("#history li").length === 2 && document.querySelector("#table .place.legal")`)
	tab.Click("#table .place.legal")
	until(`document.querySelectorAll("#history li").length === 4`)
	open(game + "/tree")
	until(`document.querySelectorAll(".tree .node.root").length === 2`)
	open("tree")
	tab.Click("#stepped button[data-key=ArrowRight]")
	until(`document.querySelector("#stepped .status").textContent.includes("Step 1 of")`)
	open("models")

	open("learn")
	learn := func(games int) {
		t.Helper()
		run(fmt.Sprintf(`const f = document.querySelector("form"); f.game.value = "2048:size=3"; f.games.value = %d; f.pairs.value = 2; f.seed.value = 3; f.requestSubmit();`, games))
		until(`document.querySelector("#stop")`)
	}
	ended := func(what string) {
		t.Helper()
		begun := time.Now()
		until(`document.querySelector("#runs") && !document.querySelector("#stop")`)
		t.Logf("%s: %v", what, time.Since(begun))
	}
	learn(20000)
	until(`document.querySelector("#runs progress")`)
	tab.Click("#stop")
	ended("stopped")
	learn(30)
	ended("learned")
	run(`const i = document.querySelector("input[type=file]"), d = new DataTransfer(); d.items.add(new File([await (await fetch(document.querySelector('a[download][href$="2048-size3-3.json"]').href)).blob()], "again.json")); i.files = d.files; i.form.requestSubmit();`)
	until(`document.querySelector('a[href$="again.json"]')`)
	run(`const f = document.querySelector('form[action$="match"]'); f.game.value = "tictactoe"; f.pairs.value = 20; f.requestSubmit();`)
	until(`(/(\d+) won, (\d+) drawn, (\d+) lost/.exec(document.querySelector("#runs").textContent) || []).slice(1).reduce((sum, n) => sum + Number(n), 0) === 40`)
	ended("a match")
	open(strings.TrimPrefix(browser.Evaluate[string](tab, `[...document.querySelectorAll("#runs a")].find((a) => a.textContent === "report").href`), home))
	if len(tab.Troubles) > 0 {
		t.Errorf("on the console: %s", strings.Join(tab.Troubles, "\n"))
	}
}
