package models

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"plyfit/internal/disk"
)

// Bytes returns the model file as JSON, with the digest in the third line. Equal models produce
// identical bytes. Bytes returns an error if a number is not finite, a name is repeated, or the
// length of the table does not match its blocks.
func (f *File) Bytes() ([]byte, error) {
	content, err := f.content()
	if err != nil {
		return nil, err
	}
	return sealed(content), nil
}

// sealed inserts the digest into the content of a model file.
func sealed(content []byte) []byte {
	rest := content[len(opening):]
	data := append(make([]byte, 0, len(content)+len(`"digest": "",`)+70), opening...)
	data = fmt.Appendf(data, " %q: %s,\n", "digest", quote(digestOf(content)))
	return append(data, rest...)
}

// opening is the beginning of every model file.
const opening = "{\n \"format\": \"" + fileFormat + "\",\n"

// content returns the model file without the line that contains the digest. The digest is the hash
// of this content.
func (f *File) content() ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	sum := ""
	if len(f.TableBlocks) > 0 {
		var err error
		if sum, err = f.tableDigest(); err != nil {
			return nil, err
		}
	}
	return f.contentWith(sum)
}

// contentWith is like content for a model that has passed check. sum is the SHA-256 of the table
// file.
func (f *File) contentWith(sum string) ([]byte, error) {
	var b bytes.Buffer
	line := func(key, value string) { fmt.Fprintf(&b, " %q: %s,\n", key, value) }
	b.WriteString(opening)
	line("game", quote(f.Game))
	line("features", quote(f.Features))
	if f.Fingerprint != "" {
		line("fingerprint", quote(f.Fingerprint))
	}
	line("link", quote(string(f.Link.kind())))
	if f.Link.kind() != Identity && f.Link.Scale != 0 {
		line("scale", number(f.Link.Scale))
	}
	line("leaves", quote(string(f.leaves())))
	if f.Range != nil {
		line("range", "["+number(f.Range.Min)+", "+number(f.Range.Max)+"]")
	}
	line("bias", number(f.Bias))
	if f.BiasError != 0 {
		line("bias_se", number(f.BiasError))
	}
	if f.Softmax.Temperature != 0 {
		line("temperature", number(f.Softmax.Temperature))
	}
	if f.Softmax.Random != 0 {
		line("random", number(f.Softmax.Random))
	}
	b.WriteString(` "terms": [`)
	for i, t := range f.Terms {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n  {\"name\": %s, \"weight\": %s", quote(t.Name), number(t.Weight))
		if t.Error == t.Error {
			fmt.Fprintf(&b, ", \"se\": %s", number(t.Error))
		}
		b.WriteByte('}')
	}
	b.WriteString("\n ]")
	if len(f.TableBlocks) > 0 {
		fmt.Fprintf(&b, ",\n \"table\": {\"sha256\": %s, ", quote(sum))
		if f.Bits != 0 {
			fmt.Fprintf(&b, "\"bits\": %d, ", f.Bits)
		}
		b.WriteString("\"blocks\": [")
		for i, t := range f.TableBlocks {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "\n  {\"name\": %s, \"len\": %d}", quote(t.Name), t.Len)
		}
		b.WriteString("\n ]}")
	}
	if f.Provenance != nil {
		p, err := f.Provenance.json()
		if err != nil {
			return nil, f.Fault("provenance", "finite numbers", err.Error())
		}
		fmt.Fprintf(&b, ",\n \"provenance\": %s", p)
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

// CheckName returns an error unless path ends in .json.
func CheckName(path string) error {
	_, err := disk.ByEnding(path, map[string]bool{".json": true})
	return err
}

// Save writes the model to path atomically. If the model has a pattern table, Save also writes it
// to the same path with the extension .weights. The table is renamed first. If the program is
// killed before the model is renamed as well, Load detects the mismatch.
func (f *File) Save(path string) error {
	if len(f.TableBlocks) == 0 {
		data, err := f.Bytes()
		if err != nil {
			return err
		}
		return disk.WriteBytes(path, data)
	}
	if err := f.check(); err != nil {
		return err
	}
	if _, err := f.contentWith(""); err != nil { // report errors before writing any file
		return err
	}
	if f.Table == nil {
		return f.Fault("table", "a model whose table was read", "")
	}
	if tablePath(path) == path {
		return CheckName(path)
	}
	sum := sha256.New()
	if err := disk.Write(tablePath(path), func(w io.Writer) error { return f.writeTable(io.MultiWriter(w, sum)) }); err != nil {
		return err
	}
	content, err := f.contentWith(hex.EncodeToString(sum.Sum(nil)))
	if err != nil {
		return err
	}
	return disk.WriteBytes(path, sealed(content))
}

// tablePath returns the path of the pattern table for the model at path.
func tablePath(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".weights"
}

// check returns an error if the model must not be written. It does not check table weights, which
// are checked by writeTable.
func (f *File) check() error {
	finite := func(key string, x float64) error {
		if x-x != 0 {
			return f.Fault(key, "a finite number", fmt.Sprint(x))
		}
		return nil
	}
	if f.Game == "" || f.Features == "" {
		return f.Fault("", "a model with the names of its game and feature set", "none")
	}
	if err := cmp.Or(finite("bias", f.Bias), finite("bias_se", f.BiasError)); err != nil {
		return err
	}
	if s := f.Link.Scale; s-s != 0 || s < 0 {
		return f.Fault("scale", "a scale above 0", fmt.Sprint(s))
	}
	seen := make(map[string]bool, len(f.Terms))
	for _, t := range f.Terms {
		if err := finite("weight of "+strconv.Quote(t.Name), t.Weight); err != nil {
			return err
		}
		if math.IsInf(t.Error, 0) {
			return f.Fault("standard error of "+strconv.Quote(t.Name), "a finite number", fmt.Sprint(t.Error))
		}
		if seen[t.Name] || t.Name == "" {
			return f.Fault("terms", "unique, non-empty names", strconv.Quote(t.Name))
		}
		seen[t.Name] = true
	}
	total := f.tableLen()
	// A model that was read without its table can still be written.
	if total != len(f.Table) && !(f.Table == nil && f.tableSum != "") {
		return f.Fault("table", fmt.Sprintf("%d weights", total), fmt.Sprint(len(f.Table)))
	}
	return f.checkHalves()
}

func (l Link) kind() LinkKind { return cmp.Or(l.Kind, Identity) }

func (f *File) leaves() Leaves { return cmp.Or(f.Leaves, Decision) }

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// quote returns s as a JSON string. Invalid UTF-8 is replaced, as it would be when the file is
// read.
func quote(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(strings.ToValidUTF8(s, "\ufffd")) // encoding a string cannot fail
	return string(bytes.TrimSpace(b.Bytes()))
}

// json returns the provenance in the form used in model files.
func (p *Provenance) json() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(" ", " ")
	if err := enc.Encode(p); err != nil {
		return nil, err
	}
	// The encoder writes invalid UTF-8 as an escape sequence. When this is read, it becomes the
	// replacement character, which the encoder writes without escaping. Encoding twice ensures that
	// the digest does not change when the file is read.
	if bytes.Contains(b.Bytes(), []byte(`\ufffd`)) {
		var read Provenance
		if err := json.Unmarshal(b.Bytes(), &read); err != nil {
			return nil, err
		}
		b.Reset()
		if err := enc.Encode(&read); err != nil {
			return nil, err
		}
	}
	return bytes.TrimSpace(b.Bytes()), nil
}
