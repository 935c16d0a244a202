package models

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"plyfit/internal/text"
)

// exportFormat is the value of "format" in the output of [Export.JSON].
const exportFormat = "plyfit-export/1"

// keys contains the keys that model files and exports have in common.
type keys struct {
	Format   string    `json:"format" required:"true"`
	Game     string    `json:"game" required:"true"`
	Features string    `json:"features" required:"true"`
	Link     LinkKind  `json:"link" required:"true"`
	Scale    *float64  `json:"scale"`
	Leaves   *Leaves   `json:"leaves"`
	Bias     float64   `json:"bias"`
	Range    []float64 `json:"range"`
}

// modelKeys contains the keys of a model file.
type modelKeys struct {
	keys
	Digest      string      `json:"digest"`
	Fingerprint string      `json:"fingerprint"`
	BiasError   float64     `json:"bias_se"`
	Temperature *float64    `json:"temperature"`
	Random      float64     `json:"random"`
	Terms       []termKeys  `json:"terms" required:"true"`
	Table       *tableKeys  `json:"table"`
	Provenance  *Provenance `json:"provenance"`
}

type termKeys struct {
	Name   string   `json:"name" required:"true"`
	Weight float64  `json:"weight" required:"true"`
	Error  *float64 `json:"se"`
}

type tableKeys struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256" required:"true"`
	Bits   int    `json:"bits"`
	Blocks []struct {
		Name string `json:"name" required:"true"`
		Len  int    `json:"len" required:"true"`
	} `json:"blocks" required:"true"`
}

// exportKeys contains the keys written by [Export.JSON]. Indices and bounds are ignored, because
// they follow from the feature set and the game. Exports do not describe the blocks of pattern
// tables. If an export contains table terms, binding it to its feature set fails.
type exportKeys struct {
	keys
	About     string  `json:"about"`
	Tolerance float64 `json:"tolerance"`
	Min       float64 `json:"min"`
	Max       float64 `json:"max"`
	Length    int     `json:"length"`
	Weights   []struct {
		termKeys
		Index int `json:"index"`
	} `json:"weights" required:"true"`
}

// Read parses the JSON of a model file. Errors contain the given name. Read does not read pattern
// tables (see [Load]). It also accepts the output of [Export.JSON], except for tables.
//
// Read returns a [FileError] if the content is invalid or if the digest does not match the rest of
// the file (see [File.Digest]). Hand-written files need no digest.
func Read(name string, data []byte) (*File, error) {
	r := &reader{data: data, File: &File{Name: name}}
	var head struct {
		Format any `json:"format"`
	}
	var err error
	if json.Unmarshal(data, &head) == nil && head.Format == exportFormat {
		err = r.export()
	} else {
		err = r.model()
	}
	var fault *text.Fault
	switch {
	case errors.As(err, &fault):
		if fault.Key == "" && fault.Want == "a JSON object" {
			fault.Want = "a model in JSON, such as the output of plyfit fit DATA -o FILE.json"
		}
		return nil, &FileError{name, fault.Line, fault.Column, fault.Key, fault.Want, fault.Found}
	case err != nil:
		return nil, err
	}
	return r.File, nil
}

// A reader fills a File from its JSON.
type reader struct {
	*File
	data []byte
	err  error // first error
}

// need records an error about the given key unless ok is true.
func (r *reader) need(ok bool, key, want string, found any) {
	if !ok && r.err == nil {
		line, column := text.Place(r.data, key)
		r.err = &FileError{r.Name, line, column, key, want, fmt.Sprint(found)}
	}
}

// keys reads the keys that model files and exports have in common.
func (r *reader) keys(k *keys, format string) {
	r.need(k.Format == format, "format", strconv.Quote(format), strconv.Quote(k.Format))
	r.need(k.Game != "", "game", "text", "none")
	r.need(k.Features != "", "features", "text", "none")
	r.need(k.Link == Identity || k.Link == Logistic || k.Link == Tanh, "link", `"identity", "logistic" or "tanh"`, strconv.Quote(string(k.Link)))
	r.Game, r.Features, r.Bias, r.Link.Kind, r.Leaves = k.Game, k.Features, k.Bias, k.Link, Decision
	if k.Scale != nil {
		r.need(*k.Scale > 0, "scale", "a scale above 0", *k.Scale)
		r.Link.Scale = *k.Scale
	}
	if k.Leaves != nil {
		r.Leaves = *k.Leaves
		r.need(r.Leaves == Decision || r.Leaves == Afterstate, "leaves", `"decision" or "afterstate"`, strconv.Quote(string(r.Leaves)))
	}
	if k.Range != nil {
		ok := len(k.Range) == 2
		if ok {
			r.Range = &Range{k.Range[0], k.Range[1]}
		}
		r.need(ok && r.Range.finite(), "range", "two finite numbers, the minimum and the maximum utility", k.Range)
	}
}

func (r *reader) export() error {
	var k exportKeys
	if err := text.JSON(r.data, &k); err != nil {
		return err
	}
	r.keys(&k.keys, exportFormat)
	seen := map[string]bool{}
	for i, t := range k.Weights {
		r.term("weights", i, t.termKeys, seen)
	}
	return r.err
}

func (r *reader) model() error {
	var k modelKeys
	if err := text.JSON(r.data, &k); err != nil {
		return err
	}
	r.keys(&k.keys, fileFormat)
	r.need(k.Scale == nil || k.Link != Identity, "scale", "no scale, because the link is identity", "")
	r.need(k.BiasError >= 0, "bias_se", "a standard error of at least 0", k.BiasError)
	r.need(k.Random >= 0 && k.Random <= 1, "random", "a number from 0 to 1", k.Random)
	r.Fingerprint, r.BiasError, r.Softmax.Random, r.Provenance = k.Fingerprint, k.BiasError, k.Random, k.Provenance
	if k.Temperature != nil {
		r.need(*k.Temperature > 0, "temperature", "a temperature above 0", *k.Temperature)
		r.Softmax.Temperature = *k.Temperature
	}
	seen := map[string]bool{}
	for i, t := range k.Terms {
		r.term("terms", i, t, seen)
	}
	if k.Table != nil {
		r.table(k.Table)
	}
	if k.Digest == "" || r.err != nil {
		return r.err
	}
	// The digest covers the whole content except white space and the order of keys.
	r.need(isDigest(k.Digest), "digest", "64 lower-case hexadecimal digits", strconv.Quote(k.Digest))
	found, err := r.Digest()
	r.need(found == k.Digest, "digest", fmt.Sprintf("%.12s... (delete the digest if the file was changed on purpose)", found), fmt.Sprintf("%.12s...", k.Digest))
	return cmp.Or(err, r.err)
}

func (r *reader) term(list string, i int, t termKeys, seen map[string]bool) {
	key := fmt.Sprintf("%s[%d]", list, i)
	r.need(t.Name != "", key+".name", "text", "none")
	r.need(!seen[t.Name], key+".name", "each term once", strconv.Quote(t.Name)+" twice")
	seen[t.Name] = true
	w := NamedWeight{t.Name, t.Weight, math.NaN()}
	if t.Error != nil {
		w.Error = *t.Error
		r.need(w.Error >= 0, key+".se", "a standard error of at least 0", w.Error)
	}
	r.Terms = append(r.Terms, w)
}

func (r *reader) table(t *tableKeys) {
	r.need(!strings.ContainsAny(t.File, `/\`) && !strings.HasPrefix(t.File, "."), "table.file", "the name of a file in the model's directory", strconv.Quote(t.File))
	r.need(isDigest(t.SHA256), "table.sha256", "64 lower-case hexadecimal digits", strconv.Quote(t.SHA256))
	r.need(t.Bits == 0 || t.Bits == 16 || t.Bits == 32, "table.bits", "16 or 32", t.Bits)
	r.tableFile, r.tableSum = t.File, t.SHA256
	if t.Bits == 16 {
		r.Bits = 16
	}
	seen, left := map[string]bool{}, math.MaxInt32
	for i, b := range t.Blocks {
		key := fmt.Sprintf("table.blocks[%d]", i)
		r.need(b.Name != "" && !seen[b.Name], key+".name", "a unique name", strconv.Quote(b.Name))
		r.need(b.Len >= 1 && b.Len <= left, key+".len", "a whole number of at least 1 (at most 2^31-1 in total across all blocks)", b.Len)
		seen[b.Name], left = true, left-b.Len
		r.TableBlocks = append(r.TableBlocks, TableBlock{b.Name, b.Len})
	}
}

func isDigest(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }
