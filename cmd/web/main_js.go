package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log"
	"net/http"
	"net/url"
	"os"
	"syscall/js"
	"time"

	"plyfit/catalog"
	"plyfit/internal/serve"
	"plyfit/models"
	"plyfit/work"
)

// Directories of the in-memory file system. The browser stores the contents of the first.
const (
	keepFolder = "/keep"
	runsFolder = "/runs"
)

// site is the interface to sw.js: its functions, and the site's path and origin.
var site = js.Global().Get("plyfit")

func main() {
	models.Fetch = fetch
	for _, dir := range []string{keepFolder + "/models", keepFolder + "/games", runsFolder, os.TempDir()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			log.Fatal(err)
		}
	}
	at, err := url.Parse(site.Get("origin").String())
	if err != nil {
		log.Fatal(err)
	}
	s, err := serve.New(serve.Config{
		Catalog: catalog.All(), Runs: runsFolder, Learn: true, Games: keepFolder + "/games", Hosts: []string{at.Hostname()}, Log: log.Default(),
		Limits: serve.Limits{Browser: true, Tables: 50, Idle: time.Second, Body: int64(site.Get("longest").Int()), Trees: 64 << 20, Models: keepFolder + "/models"},
	})
	if err != nil {
		log.Fatal(err)
	}
	p := page{handler: s, origin: at.String(), root: site.Get("root").String()}
	site.Call("ready", js.FuncOf(p.answer), js.FuncOf(func(js.Value, []js.Value) any { return s.Busy() }))
	select {}
}

// fetch downloads a table of a shipped model from the site.
func fetch(name string) ([]byte, error) {
	type answer struct {
		data []byte
		err  error
	}
	got := make(chan answer, 1)
	done := js.FuncOf(func(_ js.Value, args []js.Value) any {
		if failure := args[0]; failure.Truthy() {
			got <- answer{nil, errors.New(failure.String())}
			return nil
		}
		data := make([]byte, args[1].Length())
		js.CopyBytesToGo(data, args[1])
		got <- answer{data, nil}
		return nil
	})
	defer done.Release()
	site.Call("table", name, done)
	a := <-got
	return a.data, a.err
}

// page answers requests for pages in the directory root of an origin such as https://example.org.
type page struct {
	handler      http.Handler
	origin, root string
}

// answer serves a request. args contains the method, the path with the query, the headers as a list
// of names and values, the body, and a function that is called with the status code, headers and
// body of the response. answer returns a function that cancels the request.
func (p page) answer(_ js.Value, args []js.Value) any {
	body := make([]byte, args[3].Length())
	js.CopyBytesToGo(body, args[3])
	ctx, stop := context.WithCancel(context.Background())
	done := args[4]
	r, err := http.NewRequestWithContext(ctx, args[0].String(), p.origin+args[1].String(), bytes.NewReader(body))
	if err != nil { // browsers send addresses such as /%zz
		stop()
		done.Invoke(http.StatusBadRequest, []any{"Content-Type", "text/plain; charset=utf-8"}, bytesOf([]byte(err.Error()+"\n")))
		return js.FuncOf(func(js.Value, []js.Value) any { return nil })
	}
	for i := 0; i+1 < args[2].Length(); i += 2 {
		r.Header.Add(args[2].Index(i).String(), args[2].Index(i+1).String())
	}
	r.Header.Del("Accept-Encoding")
	work.Asked()
	cancel := js.FuncOf(func(js.Value, []js.Value) any {
		stop()
		return nil
	})
	go func() {
		defer stop()
		w := answered(p.handler, r, p.root)
		var headers []any
		for name, values := range w.header {
			for _, v := range values {
				headers = append(headers, name, v)
			}
		}
		done.Invoke(cmp.Or(w.code, http.StatusOK), headers, bytesOf(w.body.Bytes()))
		cancel.Release()
	}()
	return cancel
}

// bytesOf copies data into a JavaScript Uint8Array.
func bytesOf(data []byte) js.Value {
	out := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(out, data)
	return out
}
