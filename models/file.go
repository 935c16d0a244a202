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

// Provenance is the recipe that makes a learned model again. It holds no path,
// date, machine or number of workers: the same recipe gives the same bytes.
type Provenance struct {
	Command        string             `json:"command"`                  // what a user types to repeat it
	Data           string             `json:"data,omitempty"`           // digest of the data set
	Episodes       int                `json:"episodes,omitempty"`       // used, training and held out
	Rows           int64              `json:"rows,omitempty"`           // used, training and held out
	Label          string             `json:"label,omitempty"`          // "outcome", "search", "mix:0.5", "lstd:0"
	Method         string             `json:"method,omitempty"`         // "least squares", "logistic", "lstd", "td"
	Loss           string             `json:"loss,omitempty"`           // "squared", "logistic"
	Regularisation map[string]float64 `json:"regularisation,omitempty"` // "ridge": 1e-3
	Prior          string             `json:"prior,omitempty"`          // digest or name of the model shrunk to
	Seed           uint64             `json:"seed"`
	HeldOut        map[string]float64 `json:"held_out,omitempty"` // measures on held-out episodes
	Notes          []string           `json:"notes,omitempty"`    // columns dropped, and why
}

// Fingerprint identifies the features of a set by their names: a digest of their block names,
// lengths and labels, in order. Package features' own, which begins with this one, adds what they
// compute. Tables count by name and length alone, to avoid making the names of millions of
// patterns.
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

// SameFeatures reports whether two fingerprints can be of the same features. Each is NAMES, as
// [Fingerprint] and all older files have it, or NAMES-GAME-VALUES of features.Fingerprint: the
// names must agree, and so must the values if both have them, of the same game with the same
// options.
func SameFeatures(a, b string) bool {
	namesA, restA, _ := strings.Cut(a, "-")
	namesB, restB, _ := strings.Cut(b, "-")
	gameA, valuesA, knownA := strings.Cut(restA, "-")
	gameB, valuesB, knownB := strings.Cut(restB, "-")
	return namesA == namesB && (!knownA || !knownB || gameA != gameB || valuesA == valuesB)
}

// Range is what the utilities of a game can be, in the game's units: what a
// weighted sum without a link was fitted to, or what a link spans.
type Range struct{ Min, Max float64 }

// String is the range in words: -1 to 1.
func (r Range) String() string { return fmt.Sprintf("%v to %v", r.Min, r.Max) }

func (r Range) finite() bool { return r.Max-r.Min < math.Inf(1) && r.Min < r.Max }

// Rescale turns m, made for utilities in from, into a model of utilities in to: a value v becomes
// to.Min + (v-from.Min) * (to.Max-to.Min)/(from.Max-from.Min). A link spans any range of the game,
// so its weights stay; without one all weights, their standard errors and the bias are multiplied,
// and the bias is moved if the ranges have different centres. It panics where a range is infinite
// or empty.
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

// times is a copy of m whose weights, bias and their standard errors are multiplied.
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
