package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
)

// Bundle is the model as one file, for sending: its JSON, as [File.Bytes] has it, and
// right behind it the table file, where it has one.
func (f *File) Bundle() ([]byte, error) {
	data, err := f.Bytes()
	if err != nil || len(f.TableBlocks) == 0 {
		return data, err
	}
	if f.Table == nil {
		return nil, errors.New("models: a bundle of a model whose table was not read")
	}
	b := bytes.NewBuffer(data)
	if err := f.writeTable(b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ReadBundle reads what [File.Bundle] made; name is for messages.
func ReadBundle(name string, data []byte) (*File, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	var first json.RawMessage
	if err := d.Decode(&first); err != nil {
		return Read(name, data) // which says what is wrong with it
	}
	end := int(d.InputOffset())
	if end < len(data) && data[end] == '\n' {
		end++
	}
	f, err := Read(name, data[:end])
	if err != nil {
		return nil, err
	}
	switch table := data[end:]; {
	case len(f.TableBlocks) > 0:
		return f, f.readTable(filepath.Base(name)+", its table", bytes.NewReader(table), int64(len(table)))
	case len(table) > 0:
		return nil, &FileError{File: name, Want: "the end of the model", Found: fmt.Sprintf("%d more bytes", len(table))}
	}
	return f, nil
}
