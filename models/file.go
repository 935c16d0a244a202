package models

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strings"
)

// fileFormat is what a model file says of itself under "format".
const fileFormat = "plyfit-model/1"

// File is a model as it stands on disk: weights by name. It needs no feature
// set to be read, shown or compared; features.Bind joins it to one.
type File struct {
	Game        string  // the game's name, without options
	Features    string  // the feature set's name
	Fingerprint string  // of the set's features when the model was made; "" where not given
	Link        Link    // the scale is 0 where not given, which means 1
	Leaves      Leaves  // Decision where not given
	Range       *Range  // of utility that it was made for; nil where not given: that of the game's default options
	Bias        float64 // player 0's
	BiasError   float64 // standard error of Bias, 0 where not given
	Softmax     Softmax // zeros where not given

	Terms []NamedWeight // those left out weigh nothing; each name once
	// TableBlocks are the pattern tables, whose weights are in Table one after the other, and on
	// disk in a binary file next to the model. Read, which skips it, leaves Table nil.
	TableBlocks []TableBlock
	Table       []float32
	// Bits is the size of a table's weight on file if not 32: 16 by [File.Halved].
	Bits int

	Provenance *Provenance // nil for hand-written models

	// Name is where the file was read from, for messages; "" for none.
	Name string

	tableSum  string // SHA-256 of the table file, where already known
	read      readTable
	tableFile string // as the file names it; "" for the model's own name
}

// NamedWeight is one term of a model file.
type NamedWeight struct {
	Name   string
	Weight float64
	Error  float64 // its standard error, NaN where there is none
}

// TableBlock is one pattern table of a model.
type TableBlock struct {
	Name string `json:"name"`
	Len  int    `json:"len"`
}

// FileError is a fault in a model file.
type FileError struct {
	File         string // "" where unknown
	Line, Column int    // from 1; 0 where the whole file is at fault
	Key          string // such as "terms[2].weight"; "" for none
	Want         string // what was expected there
	Found        string // what stands there; "" where that says nothing
}

func (e *FileError) Error() string {
	var b strings.Builder
	if e.File == "" {
		b.WriteString("model")
	} else {
		b.WriteString(e.File)
	}
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": ")
	if e.Key != "" {
		fmt.Fprintf(&b, "%s: ", e.Key)
	}
	b.WriteString("want " + e.Want)
	if e.Found != "" {
		fmt.Fprintf(&b, ", found %s", e.Found)
	}
	return b.String()
}

// Fault is an error about the file as a whole, naming it and key.
func (f *File) Fault(key, want, found string) error {
	return &FileError{File: f.Name, Key: key, Want: want, Found: found}
}

// File is m by names, as on disk. Terms are in the set's order; those of weight 0 without a
// standard error are omitted. The table is shared, not copied.
func (m *Linear) File() *File {
	f := &File{
		Game: m.Game, Features: m.Features, Fingerprint: m.Fingerprint,
		Link: m.Link, Leaves: m.Leaves, Range: m.Range, Bias: m.Bias, Softmax: m.Softmax, Provenance: m.Provenance,
	}
	if m.Errors != nil {
		f.BiasError = m.BiasError
	}
	i := 0
	for _, b := range m.Blocks {
		if b.Table {
			f.TableBlocks = append(f.TableBlocks, TableBlock{b.Name, b.Len})
			continue
		}
		for k := 0; k < b.Len; k, i = k+1, i+1 {
			t := NamedWeight{Weight: m.Weights[i], Error: math.NaN()}
			if m.Errors != nil {
				t.Error = m.Errors[i]
			}
			if t.Weight != 0 || t.Error == t.Error {
				t.Name = b.FeatureName(k)
				f.Terms = append(f.Terms, t)
			}
		}
	}
	if len(f.TableBlocks) > 0 {
		f.Table, f.read = m.Table, m.read
	}
	return f
}

// Digest identifies a model: the SHA-256, in hexadecimal, of the bytes that its
// file has but for the line with the digest itself, the table's digest among them.
func (f *File) Digest() (string, error) {
	content, err := f.content()
	if err != nil {
		return "", err
	}
	return digestOf(content), nil
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
