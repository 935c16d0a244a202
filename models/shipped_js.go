package models

import (
	"bytes"
	"embed"
	"io"
	"io/fs"
	"path"
	"time"
)

//go:embed handwritten learned/*.json measured.json
var light embed.FS

// shipped has the tables of learned models, which are large, from where the program came from.
var shipped = lazy{light}

// Fetch gets a shipped table, such as "learned/othello.weights". The program sets it before it
// reads a model.
var Fetch func(name string) ([]byte, error)

type lazy struct{ embed.FS }

func (l lazy) Open(name string) (fs.File, error) {
	if path.Ext(name) != ".weights" {
		return l.FS.Open(name)
	}
	data, err := Fetch(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &fetched{bytes.NewReader(data), path.Base(name)}, nil
}

// fetched is a file in memory.
type fetched struct {
	*bytes.Reader
	name string
}

var (
	_ fs.File     = (*fetched)(nil)
	_ fs.FileInfo = (*fetched)(nil)
	_ io.ReaderAt = (*fetched)(nil)
)

func (f *fetched) Stat() (fs.FileInfo, error) { return f, nil }

func (f *fetched) Close() error { return nil }

func (f *fetched) Name() string { return f.name }

func (f *fetched) Mode() fs.FileMode { return 0o444 }

func (f *fetched) ModTime() time.Time { return time.Time{} }

func (f *fetched) IsDir() bool { return false }

func (f *fetched) Sys() any { return nil }
