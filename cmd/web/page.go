// Command web is plyfit serve as a WebAssembly module for browsers. .ci/site uses it to create a
// directory of static files. The service worker sw.js passes requests for the site's pages to the
// module, which answers them with the handlers of plyfit serve.
package main

import (
	"bytes"
	"cmp"
	"net/http"
	"regexp"
	"strings"
)

// addresses matches the site's own addresses in a page.
var addresses = regexp.MustCompile(`\b(href|src|action|hx-get|hx-post)="/`)

// answered returns the response of h for a site in the directory root of its host. Addresses in
// pages and redirections are prefixed with root, and pages that may run scripts load site.js.
func answered(h http.Handler, r *http.Request, root string) *recorder {
	w := &recorder{header: http.Header{}}
	h.ServeHTTP(w, r)
	if strings.HasPrefix(w.header.Get("Content-Type"), "text/html") {
		data := addresses.ReplaceAll(w.body.Bytes(), []byte(`$1="`+root))
		if !strings.Contains(w.header.Get("Content-Security-Policy"), "sandbox") {
			data = bytes.Replace(data, []byte("</head>"), []byte(`<script defer src="`+root+`site.js"></script>`+"\n</head>"), 1)
		}
		w.body = *bytes.NewBuffer(data)
	}
	if to := w.header.Get("Location"); to != "" {
		w.header.Set("Location", root+strings.TrimPrefix(to, "/"))
	}
	return w
}

// recorder is an [http.ResponseWriter] that records the response.
type recorder struct {
	header http.Header
	code   int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header            { return w.header }
func (w *recorder) WriteHeader(code int)           { w.code = cmp.Or(w.code, code) }
func (w *recorder) Write(data []byte) (int, error) { return w.body.Write(data) }
