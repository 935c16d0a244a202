//go:build browser && !js

package main

import (
	"flag"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"plyfit/catalog"
	"plyfit/internal/browser"
	"plyfit/internal/serve"
	"plyfit/internal/vectors"
)

// hosted contains addresses of manually started servers that host the site.
var hosted = flag.String("hosted", "", "addresses of the site for TestLinks, in place of its own three hosts")

// link is an address on a page, with the title of the page at that address.
type link struct{ at, title string }

var (
	anchor = regexp.MustCompile(`<a [^>]*href="/([^"]*)`)
	titled = regexp.MustCompile(`<title>(.*?)</title>`)
)

var form = regexp.MustCompile(`<form [^>]*method="post" action="(/[^"]*)"`)

// links visits the pages of the site, beginning with the first page and a game of each kind, and
// returns the addresses to which they link and the actions of their forms. It leaves out pages of
// games and runs, because these exist only in the browser in which they were created.
func links(t testing.TB) (out []link, actions []string) {
	n := native{vectors.Must(serve.New(serve.Config{Catalog: catalog.All(), Learn: true, Runs: t.TempDir(), Limits: serve.Limits{Models: t.TempDir()}}))}
	left, seen := []string{""}, map[string]bool{}
	for _, e := range catalog.All() {
		if to := n.ask("POST", "/tables", url.Values{"game": {e.Name}}).location(); to != "" {
			left = append(left, strings.TrimPrefix(to, "/"))
		}
	}
	for len(left) > 0 {
		at := left[0]
		if left = left[1:]; seen[at] {
			continue
		}
		seen[at] = true
		a := n.ask("GET", "/"+at, nil)
		if a.Status != 0 {
			t.Errorf("/%s: %d %s", at, a.Status, a.Body)
		}
		for _, m := range anchor.FindAllStringSubmatch(a.Body, -1) {
			to, _, _ := strings.Cut(html.UnescapeString(m[1]), "#")
			left = append(left, to)
		}
		if strings.HasPrefix(at, "tables/") {
			continue
		}
		out = append(out, link{at, html.UnescapeString(titled.FindStringSubmatch(a.Body)[1])})
		for _, m := range form.FindAllStringSubmatch(a.Body, -1) {
			if !slices.Contains(actions, m[1]) {
				actions = append(actions, m[1])
			}
		}
	}
	return out, actions
}

// page returns the address without its query. kind keeps the query, but without its numbers and
// values.
func (l link) page() string { return vectors.Must(url.Parse(l.at)).Path }
func (l link) kind() string { return value.ReplaceAllString(l.at, "") }

var value = regexp.MustCompile(`=[^&]*|[0-9]+`)

// TestShells checks that the site has a file for each link of each page.
func TestShells(t *testing.T) {
	dir := t.TempDir()
	vectors.Check(write(dir))
	all, _ := links(t)
	for _, l := range all {
		if _, err := os.Stat(filepath.Join(dir, l.page(), "index.html")); err != nil {
			t.Error(err)
		}
	}
	if len(all) < 100 {
		t.Errorf("%d links: want all", len(all))
	}
}

// nginx serves the files of dir, with 404.html for missing files.
func nginx(dir string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(r.URL.Path))); err != nil {
			w.WriteHeader(http.StatusNotFound)
			w.Write(vectors.Must(os.ReadFile(filepath.Join(dir, "404.html"))))
			return
		}
		http.FileServer(http.Dir(dir)).ServeHTTP(w, r)
	})
}

// TestLinks opens the links of all pages, each in a fresh browser profile, from a plain file
// server, from a subdirectory and from a server like nginx. The short form opens one of several
// links that differ only in numbers, and alternates between the hosts. The long form opens all
// links from each host.
func TestLinks(t *testing.T) {
	chromium, dir := browser.Start(t), site(t)
	hosts := strings.Fields(*hosted)
	if len(hosts) == 0 {
		files := http.FileServer(http.Dir(dir))
		for _, h := range []http.Handler{files, http.StripPrefix("/a/site/", files), nginx(dir)} {
			server := httptest.NewServer(h)
			t.Cleanup(server.Close)
			hosts = append(hosts, server.URL+"/")
		}
		hosts[1] += "a/site/"
	}
	all, _ := links(t)
	kinds := map[string]bool{}
	for _, l := range all {
		from := hosts
		if !vectors.Long() {
			if kinds[l.kind()] {
				continue
			}
			from = hosts[len(kinds)%len(hosts):][:1]
		}
		kinds[l.kind()] = true
		for _, host := range from {
			t.Run(host+l.at, func(t *testing.T) {
				t.Parallel()
				opens(t, chromium, host, l)
			})
		}
	}
	if *hosted == "" {
		t.Run("missing", func(t *testing.T) { opens(t, chromium, hosts[2], link{"no/such/page", "Not shown | plyfit"}) })
	}
}

// opens checks that a link leads to its page in a browser without stored data.
func opens(t *testing.T, chromium *browser.Browser, host string, l link) {
	tab := chromium.Fresh(t)
	tab.Run(chromedp.Navigate(host + l.at))
	want := fmt.Sprintf(`document.readyState === "complete" && document.title === %q && document.querySelector("nav") && location.href.replace(/\/(\?|$)/, "$1") === %q.replace(/\/(\?|$)/, "$1")`, l.title, host+l.at)
	for begun := time.Now(); !tab.Holds(want); time.Sleep(50 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatalf("%s: never %q; %s shows %q", l.at, l.title, browser.Evaluate[string](tab, "location.href"), browser.Evaluate[string](tab, "document.body.innerText.slice(0, 300)"))
		}
	}
}
