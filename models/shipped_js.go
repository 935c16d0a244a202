package models

import (
	"embed"
	"io/fs"
	"path"
	"testing/fstest" // for its file in memory
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
	memory := fstest.MapFS{name: {Data: data, Mode: 0o444}}
	return memory.Open(name)
}
