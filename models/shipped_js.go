package models

import (
	"embed"
	"io/fs"
	"path"
	"testing/fstest" // for its in-memory file
)

//go:embed handwritten learned/*.json measured.json
var light embed.FS

// shipped contains the shipped models. The tables of learned models are large and are therefore
// downloaded on demand.
var shipped = lazy{light}

// Fetch downloads a shipped table, such as "learned/othello.weights". Programs must set Fetch
// before they load a model.
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
