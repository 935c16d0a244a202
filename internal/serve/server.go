package serve

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log"
	"net/http"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"plyfit/catalog"
	"plyfit/internal/lru"
	"plyfit/internal/report"
	"plyfit/internal/settings"
	"plyfit/internal/text"
)

// Config is the configuration of a [Server].
type Config struct {
	Catalog catalog.Catalog
	Runs    string   // folder of the runs that are shown; "" if no runs are shown
	Learn   bool     // whether pages may start learning runs in Runs, and may upload and download the models in Limits.Models
	Games   string   // folder in which open games are kept; "" keeps them only in memory
	Hosts   []string // host names, other than localhost, that requests may use
	Token   string   // token that every request must have; "" if none is required
	Limits  Limits
	Log     *log.Logger // log of internal errors; nil discards them
}

// Server is an [http.Handler] that serves the page.
type Server struct {
	config   Config
	limits   Limits
	opening  catalog.Catalog // for games that a form opens, whose rules may be programs; links cannot start programs
	games    lru.Cache[string, *openGame]
	dropped  []string                        // kept games that could not be reopened, with the reasons
	matches  lru.Cache[string, *matchResult] // cache by file; a changed file is read again
	drawing  sync.Mutex                      // held while a model is loaded and drawn
	searches chan struct{}                   // slots for searches; the capacity is the number of searches that may run at the same time
	natures  chan struct{}                   // slots for nature's searches, which also need a slot of searches
	unfolded lru.Cache[treeName, *searchTree]
	pages    *template.Template
	assets   map[string]asset
	learning learning
	lesson   string // path of the file with the model learned in the lesson
	handler  http.Handler
}

//go:embed assets
var assetFiles embed.FS

//go:embed pages
var pageFiles embed.FS

// An asset is a file that pages load.
type asset struct {
	kind         string // media type
	digest       string
	data, packed []byte
}

// New returns a server with the given configuration. It returns an error if the token is invalid,
// the folder of kept games cannot be read, or a page does not parse.
func New(c Config) (*Server, error) {
	c.Log = cmp.Or(c.Log, log.New(io.Discard, "", 0))
	limits := c.Limits.complete()
	if err := checkToken(c.Token); err != nil {
		return nil, err
	}
	all := c.Catalog
	c.Catalog = c.Catalog.For(limits.access())
	opening := limits.access()
	opening.Rules = limits.Engines
	atOnce := max(2, runtime.GOMAXPROCS(0))
	s := &Server{
		config: c, limits: limits,
		searches: make(chan struct{}, atOnce), natures: make(chan struct{}, atOnce/2),
		unfolded: lru.Cache[treeName, *searchTree]{Most: limits.Trees, Size: func(t *searchTree) int64 { return t.Bytes() }},
		matches:  lru.Cache[string, *matchResult]{Most: mostRuns},
		games:    lru.Cache[string, *openGame]{Most: int64(limits.Tables)},
	}
	s.learning.catalog = all
	s.lesson = addLessonModel(c.Catalog, c.Learn, limits.Models)
	s.opening = c.Catalog.For(opening)
	s.games.Keep = func(t *openGame) bool { return time.Since(time.Unix(0, t.used.Load())) < limits.Idle }
	s.games.Gone = s.forget
	if err := s.loadAssets(); err != nil {
		return nil, err
	}
	var err error
	if s.pages, err = template.New("").Funcs(s.functions()).ParseFS(pageFiles, "pages/*.html"); err != nil {
		return nil, err
	}
	if err := s.reopen(); err != nil {
		return nil, err
	}
	m := http.NewServeMux()
	for _, rt := range routes() {
		m.HandleFunc(rt.pattern, s.serve(rt))
	}
	s.handler = s.guarded(m)
	return s, nil
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// An answer returns the data for the template, or nil if it has already written the response. An
// error is sent as one line. The status code is that of the [refusal], or "bad request" for other
// errors.
type answer func(s *Server, w http.ResponseWriter, r *http.Request) (any, error)

// A route connects a pattern to an answer. Each one is declared next to its answer.
type route struct {
	pattern  string // method and path; GET requests change nothing
	answer   answer
	template string // template of the page, or PAGE|PART to render a fragment on request
}

func routes() []route {
	return slices.Concat(playRoutes, explainRoutes, treeRoutes, steppingRoutes, tourRoutes, runRoutes, replayRoutes, modelRoutes, learnRoutes,
		[]route{{"GET /assets/{name}", (*Server).asset, ""}, {"/", func(*Server, http.ResponseWriter, *http.Request) (any, error) { return nil, missing("no such page") }, ""}})
}

// Pages returns the paths of all pages with a fixed address, including the lesson's steps but not
// the pages of open games.
func Pages() (paths []string) {
	for _, rt := range routes() {
		whole := rt.template == "" || strings.Contains(rt.template, ".html")
		if path, read := strings.CutPrefix(rt.pattern, "GET /"); read && whole && !strings.Contains(path, "{") {
			paths = append(paths, path)
		}
	}
	for i := range tourSteps {
		paths = append(paths, fmt.Sprintf("lesson/%d", i+1))
	}
	return paths
}

func (s *Server) serve(rt route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, err := rt.answer(s, w, r)
		switch {
		case err != nil && r.Context().Err() != nil: // the client has gone, so write nothing
		case err != nil:
			code := refusal{code: http.StatusBadRequest}
			errors.As(err, &code)
			if fragment(r) || !strings.Contains(r.Header.Get("Accept"), "text/html") {
				refuse(w, r, code.code, err.Error())
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(code.code)
			s.render(w, "refused.html", struct {
				Head    head
				Missing bool
				Text    string
			}{s.head("Not shown | plyfit", ""), code.code == http.StatusNotFound, oneLine(err.Error())})
		case data != nil:
			page, part, parted := strings.Cut(rt.template, "|")
			if parted && fragment(r) {
				page = part
			}
			s.render(w, page, data)
		}
	}
}

// A refusal is an error with its HTTP status code.
type refusal struct {
	code int
	error
}

func (r refusal) Unwrap() error { return r.error }

// missing returns an error with the status code "not found".
func missing(format string, args ...any) error {
	return refusal{http.StatusNotFound, fmt.Errorf(format, args...)}
}

func (s *Server) loadAssets() error {
	s.assets = map[string]asset{}
	files, err := assetFiles.ReadDir("assets")
	if err != nil {
		return err
	}
	kinds := map[string]string{".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8"}
	for _, f := range files {
		data, err := assetFiles.ReadFile("assets/" + f.Name())
		if err != nil {
			return err
		}
		if f.Name() == "page.css" {
			data = append(data, report.Palette...)
		}
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // compression in memory cannot fail
		z.Write(data)
		z.Close()
		sum := sha256.Sum256(data)
		s.assets[f.Name()] = asset{kind: kinds[path.Ext(f.Name())], digest: hex.EncodeToString(sum[:8]), data: data, packed: packed.Bytes()}
	}
	return nil
}

// asset serves a file that pages load. The URL contains the digest of the file, so browsers may
// cache it.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) (any, error) {
	a, ok := s.assets[r.PathValue("name")]
	if !ok {
		return nil, missing("no such file")
	}
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Vary", "Accept-Encoding")
	if r.URL.Query().Get("v") == a.digest {
		h.Set("Cache-Control", "private, max-age=31536000, immutable")
	}
	data := a.data
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		data = a.packed
	}
	w.Write(data)
	return nil, nil
}

func (s *Server) render(w http.ResponseWriter, name string, data any) {
	var b bytes.Buffer
	if err := s.pages.ExecuteTemplate(&b, name, data); err != nil {
		panic(fmt.Sprintf("serve: template %s: %v", name, err))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(b.Bytes())
}

// fragment reports whether the browser requests part of a page.
func fragment(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// oneLine returns s without line breaks, truncated to 1000 bytes.
func oneLine(s string) string {
	return text.Clip(strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " "), 1000)
}

// refuse sends an error message in one line.
func refuse(w http.ResponseWriter, r *http.Request, code int, text string) {
	text = oneLine(text)
	if code == http.StatusUnauthorized || code == http.StatusForbidden {
		w.Header().Set("Connection", "close")
		defer http.NewResponseController(w).SetReadDeadline(time.Now()) // does not wait for the rest of the request body
	}
	if fragment(r) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(code)
		fmt.Fprintf(w, `<p class="error">%s</p>`, template.HTMLEscapeString(text))
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	fmt.Fprintln(w, text)
}

// Limits are the resources that pages may use. A zero field has its default value.
type Limits struct {
	Tables int `flag:"games" default:"200" in:"of at least 1" help:"maximum number of open games"`
	Depth  int `flag:"depth" default:"12" in:"of at least 1" help:"maximum search depth of an agent, in decisions"`
	Table  int `flag:"table" default:"64" in:"of at least 1" help:"maximum size of an agent's transposition table, in megabytes"`

	Time time.Duration `flag:"time" default:"10s" help:"time limit per search"`

	Idle        time.Duration // time until an unused game may be dropped; default 2 hours
	Body        int64         // maximum size of a request in bytes; default 64 KiB
	Simulations int           // maximum number of simulations in Monte Carlo tree search; default 100,000
	Nodes       int           // maximum number of nodes in a tree kept for a page; default 20,000
	Trees       int64         // maximum total size of the kept trees in bytes; default 256 MB
	Connections int           // maximum number of open connections; default 512

	Browser bool   // whether the program runs in a browser, where the computer's levels search fewer nodes
	Engines bool   `flag:"engines" help:"allow agents that start programs, such as uci:cmd=PROGRAM"`
	Models  string `flag:"models" help:"folder with model files that agents may use"`
}

func (l Limits) complete() Limits {
	settings.Fill(&l, "")
	l.Idle = cmp.Or(l.Idle, 2*time.Hour)
	l.Body = cmp.Or(l.Body, 64<<10)
	l.Simulations = cmp.Or(l.Simulations, 100_000)
	l.Nodes = cmp.Or(l.Nodes, 20_000)
	l.Trees = cmp.Or(l.Trees, 256<<20)
	l.Connections = cmp.Or(l.Connections, 512)
	return l
}

// access returns the access rights of a spec that comes from a page.
func (l Limits) access() catalog.Access {
	const spec, agents = 2000, 8
	return catalog.Access{Programs: l.Engines, Allow: "plyfit serve --engines", Folder: l.Models, Limits: catalog.Limits{
		Length: spec, Agents: agents, Depth: l.Depth, Megabytes: l.Table, Samples: l.Simulations, Threads: 1, Time: l.Time, Browser: l.Browser,
	}}
}
