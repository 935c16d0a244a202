package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"syscall/js"
	"time"

	"plyfit/catalog"
	"plyfit/internal/serve"
	"plyfit/models"
	"plyfit/work"
)

// Folders of the file system in memory. What lies in the first is kept by the browser.
const (
	keepFolder = "/keep"
	runsFolder = "/runs"
)

// site is what sw.js gives and takes: its functions, and the folder of the site on its host.
var site = js.Global().Get("plyfit")

func main() {
	models.Fetch = fetch
	for _, dir := range []string{keepFolder + "/models", keepFolder + "/games", runsFolder, os.TempDir()} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			log.Fatal(err)
		}
	}
	s, err := serve.New(serve.Config{
		Catalog: catalog.All(), Runs: runsFolder, Learn: true, Games: keepFolder + "/games", Log: log.Default(),
		Limits: serve.Limits{Browser: true, Tables: 50, Idle: time.Second, Body: 64 << 20, Trees: 64 << 20, Models: keepFolder + "/models"},
	})
	if err != nil {
		log.Fatal(err)
	}
	p := page{handler: s, root: site.Get("root").String()}
	site.Call("ready", js.FuncOf(p.answer))
	select {}
}

// fetch gets a table of a shipped model from the site.
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

// page answers requests of pages in the folder root of a host.
type page struct {
	handler http.Handler
	root    string
}

// answer serves a request: method, path with query, headers as a list of names and values, body,
// and what is called with code, headers and body of the answer. It returns what cancels it.
func (p page) answer(_ js.Value, args []js.Value) any {
	body := make([]byte, args[3].Length())
	js.CopyBytesToGo(body, args[3])
	ctx, stop := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, args[0].String(), "http://localhost"+args[1].String(), bytes.NewReader(body))
	if err != nil {
		panic("web: " + err.Error()) // a browser sends valid ones
	}
	for i := 0; i+1 < args[2].Length(); i += 2 {
		r.Header.Add(args[2].Index(i).String(), args[2].Index(i+1).String())
	}
	r.Header.Del("Accept-Encoding")
	r.Header.Del("Origin") // the worker has its own pages alone, and the host is another one here
	work.Asked()
	done := args[4]
	cancel := js.FuncOf(func(js.Value, []js.Value) any {
		stop()
		return nil
	})
	go func() {
		defer stop()
		w := answered(p.handler, r, p.root)
		data := w.body.Bytes()
		var headers []any
		for name, values := range w.header {
			for _, v := range values {
				headers = append(headers, name, v)
			}
		}
		out := js.Global().Get("Uint8Array").New(len(data))
		js.CopyBytesToJS(out, data)
		done.Invoke(cmp.Or(w.code, http.StatusOK), headers, out)
		cancel.Release()
	}()
	return cancel
}
