package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

func (r *reader) file(f *File) error {
	if err := r.object("a model", r.modelFields(f), "format", "game", "features", "link", "terms"); err != nil {
		return err
	}
	if r.scaleAt > 0 && f.Link.Kind == Identity {
		r.path = []string{"scale"}
		return r.fault(r.scaleAt, "none with the link identity", "")
	}
	return r.checkDigest(f)
}

// checkDigest compares the digest that a file gives with that of what was read: all that
// counts is in it, whatever the file's blanks and the order of its keys.
func (r *reader) checkDigest(f *File) error {
	if r.digest == "" {
		return nil
	}
	found, err := f.Digest()
	if err != nil {
		return err
	}
	if found != r.digest {
		r.path = []string{"digest"}
		return r.fault(r.digestAt, fmt.Sprintf("%.12s..., which follows from the rest of the file, or no digest where a change of the file was meant", found), fmt.Sprintf("%.12s...", r.digest))
	}
	return nil
}

// modelFields are the keys of a model file and who reads them into f.
func (r *reader) modelFields(f *File) map[string]func() error {
	return map[string]func() error{
		"format":      func() error { _, err := r.choice(fileFormat); return err },
		"digest":      func() error { return r.sha256(&r.digest, &r.digestAt) },
		"game":        r.into(&f.Game),
		"features":    r.into(&f.Features),
		"fingerprint": r.into(&f.Fingerprint),
		"bias":        r.finite(&f.Bias),
		"bias_se":     func() (err error) { f.BiasError, err = r.number(0, "a standard error, at least 0"); return err },
		"link": func() error {
			kind, err := r.choice(string(Identity), string(Logistic), string(Tanh))
			f.Link.Kind = LinkKind(kind)
			return err
		},
		"scale": func() (err error) {
			r.scaleAt = r.at()
			f.Link.Scale, err = r.number(math.SmallestNonzeroFloat64, "a scale above 0")
			return err
		},
		"leaves": func() error {
			leaves, err := r.choice(string(Decision), string(Afterstate))
			f.Leaves = Leaves(leaves)
			return err
		},
		"range": func() error { return r.utilities(f) },
		"temperature": func() (err error) {
			f.Softmax.Temperature, err = r.number(math.SmallestNonzeroFloat64, "a temperature above 0")
			return err
		},
		"random": func() (err error) {
			at := r.at()
			f.Softmax.Random, err = r.number(0, "a share from 0 to 1")
			if err == nil && f.Softmax.Random > 1 {
				err = r.fault(at, "a share from 0 to 1", number(f.Softmax.Random))
			}
			return err
		},
		"terms":      func() error { return r.terms(f) },
		"table":      func() error { return r.table(f) },
		"provenance": func() error { return r.provenance(f) },
	}
}

// utilities reads a model's range: two numbers, the second the larger.
func (r *reader) utilities(f *File) error {
	const want = "two finite numbers, the least and the greatest utility"
	at := r.at()
	var ends []float64
	err := r.list(func() error {
		x, err := r.number(math.Inf(-1), want)
		ends = append(ends, x)
		return err
	})
	if err != nil {
		return err
	}
	if len(ends) != 2 || !(Range{ends[0], ends[1]}).finite() {
		return r.fault(at, want, fmt.Sprint(ends))
	}
	f.Range = &Range{ends[0], ends[1]}
	return nil
}

// terms reads a list of terms, each of which may have numbers under the keys
// besides, which say nothing that is kept.
func (r *reader) terms(f *File, besides ...string) error {
	seen := map[string]bool{}
	var t NamedWeight
	nameAt := 0
	fields := map[string]func() error{
		"name":   func() (err error) { nameAt = r.at(); t.Name, err = r.text(); return err },
		"weight": r.finite(&t.Weight),
		"se":     func() (err error) { t.Error, err = r.number(0, "a standard error, at least 0"); return err },
	}
	for _, key := range besides {
		fields[key] = r.finite(new(float64))
	}
	return r.list(func() error {
		t = NamedWeight{Error: math.NaN()}
		if err := r.object("a term", fields, "name", "weight"); err != nil {
			return err
		}
		if seen[t.Name] {
			return r.fault(nameAt, "each term once", strconv.Quote(t.Name)+" twice")
		}
		seen[t.Name] = true
		f.Terms = append(f.Terms, t)
		return nil
	})
}

func (r *reader) table(f *File) error {
	fields := map[string]func() error{
		"file": func() (err error) {
			at := r.at()
			if f.tableFile, err = r.text(); err == nil && (strings.ContainsAny(f.tableFile, `/\`) || f.tableFile[0] == '.') {
				err = r.fault(at, "the name of a file in the model's folder", strconv.Quote(f.tableFile))
			}
			return err
		},
		"sha256": func() error { return r.sha256(&f.tableSum, new(int)) },
		"bits": func() error {
			at := r.at()
			n, err := r.number(0, "16 or 32")
			if err == nil && n != 16 && n != 32 {
				err = r.fault(at, "16 or 32", fmt.Sprint(n))
			}
			if n == 16 {
				f.Bits = 16
			}
			return err
		},
		"blocks": func() error { return r.tableBlocks(f) },
	}
	return r.object("a table", fields, "sha256", "blocks")
}

// sha256 reads a digest into sum, and where it stands into at.
func (r *reader) sha256(sum *string, at *int) (err error) {
	*at = r.at()
	if *sum, err = r.text(); err == nil && !isDigest(*sum) {
		err = r.fault(*at, "64 hexadecimal digits in lower case", strconv.Quote(*sum))
	}
	return err
}

func (r *reader) tableBlocks(f *File) error {
	var b TableBlock
	nameAt := 0
	fields := map[string]func() error{
		"name": func() (err error) { nameAt = r.at(); b.Name, err = r.text(); return err },
		"len": func() error {
			at := r.at()
			n, err := r.number(1, "a whole number from 1 to 2^31-1")
			if err == nil && (n != math.Trunc(n) || n > math.MaxInt32) {
				err = r.fault(at, "a whole number from 1 to 2^31-1", fmt.Sprint(n))
			}
			b.Len = int(n)
			return err
		},
	}
	seen, total := map[string]bool{}, 0
	return r.list(func() error {
		at := r.at()
		if err := r.object("a table's block", fields, "name", "len"); err != nil {
			return err
		}
		if total += b.Len; total > math.MaxInt32 {
			return r.fault(at, "at most 2^31-1 weights in all", "")
		}
		if seen[b.Name] {
			return r.fault(nameAt, "each block once", strconv.Quote(b.Name)+" twice")
		}
		seen[b.Name] = true
		f.TableBlocks = append(f.TableBlocks, b)
		return nil
	})
}

// provenance is read with unknown keys as errors, too.
func (r *reader) provenance(f *File) error {
	at := r.at()
	var raw json.RawMessage
	if err := r.dec.Decode(&raw); err != nil {
		return r.syntax(err)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	err := dec.Decode(&f.Provenance)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		if wrong.Field != "" {
			r.path = append(r.path, "."+wrong.Field)
		}
		return r.fault(at+max(int(wrong.Offset)-1, 0), wrong.Type.String(), wrong.Value)
	case err != nil:
		return r.fault(at, "a provenance", strings.TrimPrefix(err.Error(), "json: "))
	case f.Provenance == nil:
		return r.fault(at, "an object", "null")
	}
	return nil
}

func isDigest(s string) bool { return len(s) == 64 && strings.Trim(s, "0123456789abcdef") == "" }
