package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
)

// fileFormat is the value of "format" in model files.
const fileFormat = "plyfit-model/1"

// A File is a model as stored on disk, with weights by name. It can be read, shown and compared
// without a feature set. features.Bind combines it with a feature set.
type File struct {
	Game        string  // name of the game, without options
	Features    string  // name of the feature set
	Fingerprint string  // fingerprint of the features at the time of learning; empty if unknown
	Link        Link    // its Scale is 0, which means 1, if the file does not specify it
	Leaves      Leaves  // Decision by default
	Range       *Range  // range of utilities for which the model was made; nil for that of the game's default options
	Bias        float64 // for player 0
	BiasError   float64 // standard error of Bias; 0 if unknown
	Softmax     Softmax // zero unless the model was fitted to moves

	Terms []NamedWeight // terms with unique names; terms not listed have weight 0
	// TableBlocks lists the pattern tables. Table contains their weights one after another. On
	// disk, the weights are in a binary file next to the model. Read does not read that file and
	// leaves Table nil.
	TableBlocks []TableBlock
	Table       []float32
	// Bits is the size of a table weight on disk: 16 after [File.Halved], or 0 for the default of 32.
	Bits int

	Provenance *Provenance // nil for hand-written models

	// Name is the path from which the file was read, for error messages. It may be empty.
	Name string

	tableSum  string    // SHA-256 of the table file, if known
	read      readTable // table that was read from a file
	tableFile string    // name of the table file, as specified in the model file; empty if it follows from the model's name
}

// NamedWeight is a term of a model file.
type NamedWeight struct {
	Name   string
	Weight float64
	Error  float64 // standard error; NaN if unknown
}

// TableBlock is a pattern table of a model.
type TableBlock struct {
	Name string `json:"name"`
	Len  int    `json:"len"`
}

// A FileError reports an invalid model file.
type FileError struct {
	File         string // empty if unknown
	Line, Column int    // line number, starting from 1; 0 if the error concerns the whole file
	Key          string // key, such as "terms[2].weight"; may be empty
	Want         string // expected value
	Found        string // actual value; may be empty
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

// Fault returns an error about the value of key. The error contains the file name but no line
// number.
func (f *File) Fault(key, want, found string) error {
	return &FileError{File: f.Name, Key: key, Want: want, Found: found}
}

// File converts m to a File. Terms are in the order of the feature set. Terms with weight 0 and
// without a standard error are omitted. The table is shared, not copied.
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

// Digest returns the SHA-256 of the model in hexadecimal digits, which identifies the model. It
// covers all bytes returned by [File.Bytes] except the line with the digest itself. Tables are
// covered because the file contains their digest.
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

// Bundle returns the model as a single file for transmission: its JSON, as returned by
// [File.Bytes], followed by the table file, if there is one.
func (f *File) Bundle() ([]byte, error) {
	data, err := f.Bytes()
	if err != nil || len(f.TableBlocks) == 0 {
		return data, err
	}
	if f.Table == nil {
		return nil, errors.New("models: cannot bundle a model whose table was not read")
	}
	b := bytes.NewBuffer(data)
	if err := f.writeTable(b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ReadBundle reads the output of [File.Bundle]. Errors contain the given name.
func ReadBundle(name string, data []byte) (*File, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	var first json.RawMessage
	if err := d.Decode(&first); err != nil {
		return Read(name, data) // returns a more specific error
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

// Provenance describes how a learned model can be reproduced. It contains no paths, dates, machine
// names or numbers of workers, so that repeating the recipe produces the same bytes.
type Provenance struct {
	Command        string             `json:"command"`                  // command line to reproduce the model
	Data           string             `json:"data,omitempty"`           // digest of the data set
	Episodes       int                `json:"episodes,omitempty"`       // number used, including those held out
	Rows           int64              `json:"rows,omitempty"`           // number used, including those held out
	Label          string             `json:"label,omitempty"`          // such as "outcome", "search", "mix:0.5" or "lstd:0"
	Method         string             `json:"method,omitempty"`         // such as "ridge", "logistic", "lstd" or "td"
	Loss           string             `json:"loss,omitempty"`           // "squared" or "logistic"
	Regularisation map[string]float64 `json:"regularisation,omitempty"` // such as "ridge": 1e-3
	Prior          string             `json:"prior,omitempty"`          // digest or name of the model towards which weights are shrunk
	Seed           uint64             `json:"seed"`
	HeldOut        map[string]float64 `json:"held_out,omitempty"` // losses on held-out episodes
	Notes          []string           `json:"notes,omitempty"`    // remarks, such as columns that were dropped and why
}

// Fingerprint identifies the features of a set by name. It is a digest of the features' names, in
// order. features.Fingerprint begins with the same digits and adds a digest of feature values. For
// tables, only the name and the length of the block are used, because formatting the names of
// millions of patterns would take too long.
func Fingerprint(blocks []Block) string {
	h := sha256.New()
	for _, b := range blocks {
		if b.Table {
			io.WriteString(h, b.Name+"\x01")
			binary.Write(h, binary.LittleEndian, uint32(b.Len))
			continue
		}
		for i := 0; i < b.Len; i++ {
			io.WriteString(h, b.FeatureName(i)+"\x00")
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// SameFeatures reports whether two fingerprints may belong to the same features. A fingerprint is
// either NAMES, as returned by [Fingerprint] and found in older files, or NAMES-GAME-VALUES, as
// returned by features.Fingerprint. The names must agree. If both fingerprints contain values for
// the same game with the same options, these must agree as well.
func SameFeatures(a, b string) bool {
	namesA, restA, _ := strings.Cut(a, "-")
	namesB, restB, _ := strings.Cut(b, "-")
	gameA, valuesA, knownA := strings.Cut(restA, "-")
	gameB, valuesB, knownB := strings.Cut(restB, "-")
	return namesA == namesB && (!knownA || !knownB || gameA != gameB || valuesA == valuesB)
}

// Range is the range of utilities in a game, in the game's units. A weighted sum without a link was
// fitted to utilities in this range. A link maps sums to this range.
type Range struct{ Min, Max float64 }

// String formats the range, for example as "-1 to 1".
func (r Range) String() string { return fmt.Sprintf("%v to %v", r.Min, r.Max) }

func (r Range) finite() bool { return r.Max-r.Min < math.Inf(1) && r.Min < r.Max }

// Rescale converts m from one range of utilities to another. A value v in the old range becomes
// to.Min + (v-from.Min) * (to.Max-to.Min)/(from.Max-from.Min) in the new one.
//
// If m has a link with bounds, its weights remain unchanged, because the link maps onto any range.
// Otherwise, the weights, the standard errors and the bias are multiplied by a factor, and the bias
// is shifted as well. Rescale panics if a range is infinite or empty.
func (m *Linear) Rescale(from, to Range) {
	if !from.finite() || !to.finite() {
		panic(fmt.Sprintf("models: a rescaling of %v to %v", from, to))
	}
	m.Range = &to
	if m.Link.Bounded() {
		return
	}
	k := (to.Max - to.Min) / (from.Max - from.Min)
	bias := float64((m.Bias-from.Min)*k) + to.Min
	*m = *m.times(k)
	m.Bias = bias
}

// times returns a copy of m with all weights, the bias and the standard errors multiplied by
// factor.
func (m *Linear) times(factor float64) *Linear {
	out := m.Clone()
	out.Bias, out.BiasError = out.Bias*factor, out.BiasError*factor
	for _, list := range [][]float64{out.Weights, out.Errors} {
		for i := range list {
			list[i] *= factor
		}
	}
	for i, w := range out.Table {
		out.Table[i] = float32(float64(w) * factor)
	}
	return out
}
