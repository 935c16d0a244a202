//go:build browser && !js

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/serviceworker"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"plyfit/internal/browser"
	"plyfit/internal/vectors"
)

// visitor is a tab with a fresh profile on a host that serves the site from the directories /a/ and
// /b/.
type visitor struct {
	*browser.Tab
	host  string
	newer atomic.Bool // whether the host has another version
}

func visit(t *testing.T, chromium *browser.Browser) *visitor {
	dir, v := site(t), &visitor{Tab: chromium.Fresh(t)}
	version := regexp.MustCompile(`version: ".`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/files.js") && v.newer.Load() {
			w.Header().Set("Content-Type", "text/javascript")
			w.Write(version.ReplaceAll(vectors.Must(os.ReadFile(filepath.Join(dir, "files.js"))), []byte(`version: "newer`)))
			return
		}
		http.StripPrefix(r.URL.Path[:min(3, len(r.URL.Path))], http.FileServer(http.Dir(dir))).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	v.host = server.URL
	v.open("/a/learn")
	return v
}

func (v *visitor) until(condition string) {
	v.Helper()
	for begun := time.Now(); !v.Holds(condition); time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			v.Fatalf("never: %s; the page %s says %q", condition, browser.Evaluate[string](v.Tab, "location.href"), browser.Evaluate[string](v.Tab, "document.body.innerText.slice(0, 900)"))
		}
	}
}

func (v *visitor) open(path string) {
	v.Helper()
	v.Run(chromedp.Navigate(v.host + path))
	v.until(`document.readyState === "complete" && document.querySelector("nav") && navigator.serviceWorker.controller`)
}

// stop stops the service worker, which loses its memory and its token.
func (v *visitor) stop() { v.Run(serviceworker.Enable(), serviceworker.StopAllWorkers()) }

// load submits the form with a shipped model under the given name, followed by the given number of
// blanks.
func (v *visitor) load(name string, blanks int) {
	v.Helper()
	model := vectors.Must(os.ReadFile("../../models/learned/connect4.json"))
	browser.Evaluate[bool](v.Tab, fmt.Sprintf(`(() => { const i = document.querySelector("input[type=file]"), d = new DataTransfer(); d.items.add(new File([%q, new Uint8Array(%d).fill(32)], %q)); i.files = d.files; i.form.requestSubmit(); return true; })()`, model, blanks, name))
}

const (
	listed = `[...document.querySelectorAll("form h2 a")].map((a) => a.textContent)`
	keep   = `caches.open("plyfit-kept").then((c) => c.put(%q + "kept?file=" + encodeURIComponent(%q), new Response(%q))).then(() => true)`
)

// TestKept checks what the site stores in the browser.
func TestKept(t *testing.T) {
	chromium := browser.Start(t)
	model := vectors.Must(os.ReadFile("../../models/learned/connect4.json"))
	for name, do := range map[string]func(v *visitor){
		"names": func(v *visitor) { // each name is listed, also by a new service worker
			for i, name := range []string{"win 55%.json", "..%2fup.json", "%zz", "../..", "<img src=x>.json", strings.Repeat("a", 300) + ".json", "é.json"} {
				v.load(name, 0)
				v.until(fmt.Sprintf(`document.readyState === "complete" && %s.length === %d`, listed, i+1))
			}
			for _, name := range []string{"win 55%.json", "a%20b.json", "%2f.json", "%zz.json"} { // as stored by another version
				browser.Evaluate[bool](v.Tab, fmt.Sprintf(keep, "/a/", "/keep/models/"+name, model))
			}
			for _, path := range []string{"/keep/models/half.json", "/keep/games/half.json", "/keep/models", "/../etc", ""} {
				browser.Evaluate[bool](v.Tab, fmt.Sprintf(keep, "/a/", path, `{"format":`))
			}
			v.stop()
			v.open("/a/learn")
			v.until(listed + `.length === 11 && !document.querySelector("main img") && ["Game half", "half.json was skipped", "/../etc"].every((text) => document.body.innerText.includes(text))`)
			v.Run(chromedp.Navigate(v.host + "/a/%zz"))
			v.until(`document.body.innerText.includes("invalid URL escape")`)
			v.open("/a/tree")
		},
		"token": func(v *visitor) { // a page survives its service worker
			v.stop()
			v.load("after.json", 0)
			v.until(listed + `.join() === "after.json"`)
		},
		"foreign": func(v *visitor) { // forms of the site cannot be sent from another site
			_, actions := links(t)
			for _, action := range actions {
				evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprintf(w, `<form id=f method=post action="%s/a%s"><input name=game value=tictactoe></form><script>f.submit()</script>`, v.host, action)
				}))
				v.Run(chromedp.Navigate(strings.Replace(evil.URL, "127.0.0.1", "localhost", 1)))
				v.until(`document.body.innerText.startsWith("the request comes from a different site")`)
				evil.Close()
			}
		},
		"folders": func(v *visitor) {
			v.load("mine.json", 0)
			v.until(listed + `.length === 1`)
			v.open("/b/learn")
			v.until(listed + `.length === 0`)
			if all := browser.Evaluate[[]string](v.Tab, `caches.keys()`); len(all) != 3 {
				t.Errorf("stores %q: want one a folder, and that of kept files", all)
			}
		},
		"full": func(v *visitor) {
			used := browser.Evaluate[float64](v.Tab, `navigator.storage.estimate().then((e) => e.usage)`)
			v.Run(storage.OverrideQuotaForOrigin(v.host).WithQuotaSize(used + 100))
			v.load("full.json", 0)
			v.until(listed + `.length === 1 && document.querySelector("#trouble").textContent.includes("models/full.json")`)
		},
		"large": func(v *visitor) {
			v.load("large.json", 65<<20)
			v.until(`document.querySelector("#message").textContent.includes("want at most 64")`)
			if got := browser.Evaluate[string](v.Tab, `fetch("/a/learn/model", {method: "POST", body: new Blob([new Uint8Array(65 << 20)])}).then((r) => r.text())`); !strings.HasPrefix(got, "the form has more than 64 MB") {
				t.Errorf("a large form: %s", got)
			}
		},
		"update": func(v *visitor) { // the update waits for the end of the run
			browser.Evaluate[bool](v.Tab, `(() => { const f = document.querySelector("form"); f.game.value = "2048:size=3"; f.requestSubmit(); return true; })()`)
			v.until(`document.querySelector("#stop")`)
			v.newer.Store(true)
			browser.Evaluate[bool](v.Tab, `navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => true)`)
			waits := func(want bool) bool {
				return want == browser.Evaluate[bool](v.Tab, `navigator.serviceWorker.getRegistration().then((r) => !!r.waiting)`)
			}
			for begun := time.Now(); !waits(true); time.Sleep(100 * time.Millisecond) {
				if time.Since(begun) > time.Minute {
					t.Fatal("no new version is there")
				}
			}
			v.open("/a/learn")
			time.Sleep(5 * time.Second) // the page queries the service worker after three seconds
			v.until(`document.querySelector("#stop")`)
			if !waits(true) {
				t.Error("a new version began during a run")
			}
			v.Click("#stop")
			v.until(`document.querySelector("#runs") && !document.querySelector("#stop")`)
			for begun := time.Now(); !waits(false); time.Sleep(100 * time.Millisecond) {
				if time.Since(begun) > time.Minute {
					t.Fatal("the new version never begins")
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) { do(visit(t, chromium)) })
	}
}
