package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"plyfit/internal/vectors"
)

const small = `{"format": "plyfit-model/1", "game": "2048", "features": "2048/basic", "link": "identity", "bias": 0,
 "terms": [{"name": "score", "weight": 1}, {"name": "empty", "weight": 1}]}`

func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"bias": 0`, `"bias": NaN`, "m.json:1:100: bias: want a finite number, found NaN"},
		{`"bias": 0`, `"bias": -Infinity`, "m.json:1:100: bias: want a finite number, found -Infinity"},
		{`"bias": 0`, `"bias": 1e999`, "m.json:1:100: bias: want a finite number, found 1e999"},
		{`"bias": 0`, `"bias": "0"`, `m.json:1:100: bias: want a finite number, found "0"`},
		{`"bias": 0`, `"Bias": 0`, `m.json:1:92: want one of the keys bias, bias_se`},
		{`"bias": 0`, `"bias": 0, "bias": 1`, `m.json:1:103: want each key once, found "bias" twice`},
		{`"empty", "weight": 1`, `"score", "weight": 1`, `m.json:2:53: terms[1].name: want each term once, found "score" twice`},
		{`"empty", "weight": 1`, `"empty", "wieght": 1`, `m.json:2:62: terms[1]: want one of the keys name, se, weight, found "wieght"`},
		{`"empty", "weight": 1`, `"empty"`, `m.json:2:44: terms[1]: want the key "weight", found none`},
		{`"empty", "weight": 1`, `"empty", "weight": null`, `m.json:2:72: terms[1].weight: want a finite number, found null`},
		{`"plyfit-model/1"`, `"plyfit-model/2"`, `m.json:1:12: format: want "plyfit-model/1", found "plyfit-model/2"`},
		{`"format": "plyfit-model/1", `, ``, `m.json:1:1: want the key "format", found none`},
		{`"identity"`, `"sigmoid"`, `m.json:1:80: link: want "identity", "logistic" or "tanh", found "sigmoid"`},
		{`"bias"`, `"scale": 2, "bias"`, `m.json:1:101: scale: want no scale, because the link is identity`},
		{`"bias"`, `"temperature": 0, "bias"`, `m.json:1:107: temperature: want a temperature above 0, found 0`},
		{`"bias"`, `"random": 1.5, "bias"`, `m.json:1:102: random: want a number from 0 to 1, found 1.5`},
		{`"identity"`, `"tanh", "scale": 0`, `m.json:1:97: scale: want a scale above 0, found 0`},
		{"1}]}", "1}]} x", `m.json:2:77: want nothing after the JSON object, found "x"`},
		{"1}]}", "1}]", "m.json:2:75: want the rest of the JSON, found the end of the text"},
		{small, "", "m.json:1:1: want a model in JSON, such as the output of plyfit fit DATA -o FILE.json, found nothing"},
		{small, "[]", "m.json:1:1: want a model in JSON, such as the output of plyfit fit DATA -o FILE.json, found a list"},
		{"score", "sc\xffore", "m.json:2:24: want text in UTF-8"},
		{`"bias"`, `"provenance": {"seed": 1, "rats": 2}, "bias"`, `m.json:1:118: provenance: want one of the keys command, data, episodes, `},
		{`"bias"`, `"provenance": {"seed": -1}, "bias"`, `provenance.seed: want a whole number of at least 0, found -1`},
		{`"bias"`, `"table": {"file": "../x", "sha256": "0", "blocks": []}, "bias"`, `table.file: want the name of a file in the model's directory`},
		{`"bias"`, `"table": {"sha256": "0", "blocks": []}, "bias"`, `table.sha256: want 64 lower-case hexadecimal digits`},
	} {
		text := strings.Replace(small, c.old, c.new, 1)
		_, err := Read("m.json", []byte(text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v\nwant %s", c.new, err, c.want)
		}
	}
}

// TestReadCutOff checks that reading a truncated model always fails with an error that contains the
// file name.
func TestReadCutOff(t *testing.T) {
	for i := range len(small) {
		_, err := Read("m.json", []byte(small[:i]))
		if err == nil || !strings.HasPrefix(err.Error(), "m.json:") {
			t.Fatalf("cut off after %d bytes: %v", i, err)
		}
	}
}

func example(table bool) *Linear {
	blocks := []Block{{Name: "a", Len: 1}, {Name: "b", Len: 3}, {Name: "c<d>", Len: 1}}
	if table {
		blocks = append(blocks, Block{Name: "t", Len: 40000, Table: true}, Block{Name: "u", Len: 3, Table: true})
	}
	m := New("game", "game/set", blocks)
	m.Weights = []float64{.1, 0, -1e-300, 1.0 / 3, 123456789}
	m.Errors = []float64{.5, 0, math.NaN(), 2, math.NaN()}
	m.Bias, m.BiasError = -.25, .125
	m.Link, m.Leaves = Link{Logistic, .004}, Afterstate
	m.Provenance = &Provenance{Command: "plyfit fit x -o y --label a<b", Seed: 7, HeldOut: map[string]float64{"r2": .5, "loss": 1}}
	for i := range m.Table {
		m.Table[i] = float32(i) / 7
	}
	return m
}

func TestRoundTrip(t *testing.T) {
	for _, table := range []bool{false, true} {
		dir := t.TempDir()
		path := filepath.Join(dir, "m.json")
		f := example(table).File()
		vectors.Check(f.Save(path))
		back := vectors.Must(Load(path))
		a, _ := f.Bytes()
		b, err := back.Bytes()
		if err != nil || !bytes.Equal(a, b) {
			t.Fatalf("%v: written\n%s\nread and written again\n%s", err, a, b)
		}
		if len(back.Terms) != 5 { // b[0] is 0 but has a standard error
			t.Errorf("%d terms, want 5", len(back.Terms))
		}
		if back.Provenance.Seed != 7 || back.Link != f.Link || back.Leaves != Afterstate || back.BiasError != .125 {
			t.Errorf("read back %+v", back)
		}
		for i, w := range f.Table {
			if back.Table[i] != w {
				t.Fatalf("table weight %d is %v, want %v", i, back.Table[i], w)
			}
		}
		fsys, err := LoadFS(os.DirFS(dir), "m.json")
		if err != nil || len(fsys.Table) != len(f.Table) {
			t.Errorf("LoadFS: %v", err)
		}
		one, _ := f.Digest()
		f.Terms[0].Weight++
		if two, _ := f.Digest(); one == two || len(one) != 64 {
			t.Errorf("digests %s and %s of different models", one, two)
		}
	}
}

// tableFault pairs an invalid table file with a part of the expected error.
type tableFault struct {
	data []byte
	want string
}

// tableFaults loads the model at path with each of the invalid tables and checks the error.
func tableFaults(t *testing.T, path string, faults []tableFault) {
	t.Helper()
	for _, c := range faults {
		vectors.Check(os.WriteFile(tablePath(path), c.data, 0o644))
		if _, err := Load(path); err == nil || !strings.HasPrefix(err.Error(), tablePath(path)) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v\nwant %s: ... %s", err, tablePath(path), c.want)
		}
	}
}

func TestTableErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.json")
	weights := filepath.Join(dir, "m.weights")
	vectors.Check(example(true).File().Save(path))
	whole := vectors.Must(os.ReadFile(weights))
	flipped := bytes.Clone(whole)
	flipped[1000] ^= 1
	nan := bytes.Clone(whole)
	copy(nan[16:], []byte{0, 0, 0xc0, 0x7f})
	tableFaults(t, path, []tableFault{
		{whole[:7], "want a table of 40003 weights, found the end of the file"},
		{whole[:5000], "want 40003 weights, found the end of the file"},
		{append(bytes.Clone(whole), 0), "want the end after 40003 weights"},
		{append([]byte("plyfitW2"), whole[8:]...), "want a table beginning with plyfitW1"},
		{flipped, "want the table with the SHA-256"},
		{nan, "weight 0: want a finite number, found NaN"},
	})
	os.Remove(weights)
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), weights) {
		t.Errorf("without its table: %v", err)
	}
	data, _ := os.ReadFile(path)
	f := vectors.Must(Read(path, data))
	if again, err := f.Bytes(); err != nil || !bytes.Equal(again, data) {
		t.Errorf("read without its table, a model changes: %v", err)
	}
	if err := f.Save(filepath.Join(dir, "n.json")); err == nil {
		t.Error("a model without its table was saved")
	}
	if err := example(true).File().Save(filepath.Join(dir, "n.weights")); err == nil {
		t.Error("a model was saved over its own table")
	}
}

func TestNothingUnfitIsWritten(t *testing.T) {
	for name, spoil := range map[string]func(f *File){
		"NaN weight":  func(f *File) { f.Terms[0].Weight = math.NaN() },
		"Inf bias":    func(f *File) { f.Bias = math.Inf(1) },
		"Inf error":   func(f *File) { f.Terms[0].Error = math.Inf(1) },
		"name twice":  func(f *File) { f.Terms[0].Name = "b[1]" },
		"NaN table":   func(f *File) { f.Table[3] = float32(math.NaN()) },
		"short table": func(f *File) { f.Table = f.Table[1:] },
		"NaN measure": func(f *File) { f.Provenance.HeldOut["r2"] = math.NaN() },
	} {
		path := filepath.Join(t.TempDir(), "m.json")
		f := example(true).File()
		spoil(f)
		if err := f.Save(path); err == nil {
			t.Errorf("%s: no error", name)
		}
		if left, _ := os.ReadDir(filepath.Dir(path)); len(left) > 0 {
			t.Errorf("%s: %d files were left", name, len(left))
		}
	}
}

func TestLinks(t *testing.T) {
	for _, l := range []Link{{Kind: Identity}, {Kind: Logistic}, {Logistic, .01}, {Tanh, 3}, {Kind: Tanh}} {
		lo, hi := -2.0, 6.0
		before := math.Inf(-1)
		for z := -2.0; z <= 2; z += 1.0 / 64 {
			u := l.Apply(z, lo, hi)
			if l.Kind != Identity && (u < lo || u > hi) || u <= before {
				t.Fatalf("%v at %v: %v after %v, want it rising in [%v, %v]", l, z, u, before, lo, hi)
			}
			before = u
			if back := l.Inverse(u, lo, hi); math.Abs(back-z) > 1e-9*max(1, math.Abs(z)) && u < hi-1e-6 && u > lo+1e-6 {
				t.Fatalf("%v: %v becomes %v and then %v", l, z, u, back)
			}
		}
		if l.Kind != Identity && (!math.IsInf(l.Inverse(hi, lo, hi), 1) || !math.IsInf(l.Inverse(lo, lo, hi), -1)) {
			t.Errorf("%v: the ends are %v and %v, want them infinite", l, l.Inverse(lo, lo, hi), l.Inverse(hi, lo, hi))
		}
	}
	if got := (Link{Kind: Logistic, Scale: 2}).Apply(.5, 0, 10); math.Abs(got-10/(1+math.Exp(-1))) > 1e-12 {
		t.Errorf("logistic: %v", got)
	}
	if got := (Link{Kind: Tanh, Scale: 2}).Apply(.5, 0, 10); math.Abs(got-(5+5*math.Tanh(1))) > 1e-12 {
		t.Errorf("tanh: %v", got)
	}
}

// TestShipped checks that every shipped model can be loaded, and that the files of learned models
// are exactly as plyfit writes them.
func TestShipped(t *testing.T) {
	for _, dir := range []string{"handwritten", "learned"} {
		if _, err := shipped.Open(dir + "/README.md"); err != nil {
			t.Error(err)
		}
		entries := vectors.Must(shipped.ReadDir(dir))
		for _, e := range entries {
			name := dir + "/" + e.Name()
			if filepath.Ext(name) != ".json" {
				continue
			}
			f, err := LoadFS(ShippedFiles(), name)
			if err != nil {
				t.Error(err)
				continue
			}
			if dir == "learned" { // the file must be exactly as plyfit would write it, including the digest
				data, _ := shipped.ReadFile(name)
				if again, err := f.Bytes(); err != nil || !bytes.Equal(again, data) {
					t.Errorf("%s: %v, or other bytes than those of a model that was saved", name, err)
				}
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	whole, _ := example(false).File().Bytes()
	f.Add(whole)
	tables, _ := example(true).File().Bytes()
	f.Add(tables)
	f.Add([]byte(`{"bias": NaN}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read("m.json", data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "m.json") {
				t.Fatalf("error %q does not name the file", err)
			}
			return
		}
		once, err := m.Bytes()
		if err != nil {
			t.Fatalf("read, but not to be written: %v", err)
		}
		again, err := Read("m.json", once)
		if err != nil {
			t.Fatalf("written, but not to be read: %v\n%s", err, once)
		}
		if twice, _ := again.Bytes(); !bytes.Equal(once, twice) {
			t.Fatalf("written\n%s\nand again\n%s", once, twice)
		}
	})
}

func FuzzTable(f *testing.F) {
	var b bytes.Buffer
	blocks := []TableBlock{{"a", 1}, {"b", 2}}
	vectors.Check((&File{TableBlocks: blocks, Table: []float32{1, -2, 3.5}}).writeTable(&b))
	good := b.Bytes()
	f.Add(good, true)
	f.Add(good[:20], true)
	f.Add(good, false)
	f.Fuzz(func(t *testing.T, data []byte, right bool) {
		sum := sha256.Sum256(data)
		if !right {
			sum[3] ^= 1
		}
		m := &File{TableBlocks: blocks, tableSum: hex.EncodeToString(sum[:])}
		file := vectors.Must(fstest.MapFS{"m.weights": {Data: data}}.Open("m.weights"))
		err := m.readTableFile("m.weights", file)
		switch {
		case err != nil && !strings.HasPrefix(err.Error(), "m.weights: "):
			t.Fatalf("error %q does not name the file", err)
		case err == nil && !right:
			t.Fatal("a table of another digest was read")
		case err == nil:
			var again bytes.Buffer
			if err := m.writeTable(&again); err != nil || !bytes.Equal(again.Bytes(), data) {
				t.Fatalf("%v: read %x, written %x", err, data, again.Bytes())
			}
		}
	})
}

// TestBundle checks that models with and without tables can be sent as a single file and keep their
// digest. Half a bundle, or one with a table that is too short or too long, must be rejected.
func TestBundle(t *testing.T) {
	for _, name := range []string{"handwritten/connect4.json", "learned/othello.json"} {
		f := vectors.Must(LoadFS(ShippedFiles(), name))
		want := vectors.Must(f.Digest())
		data := vectors.Must(f.Bundle())
		got, err := ReadBundle(name, data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if digest, err := got.Digest(); err != nil || digest != want || len(got.Table) != len(f.Table) {
			t.Errorf("%s: comes back as %s with %d weights, %v; want %s with %d", name, digest, len(got.Table), err, want, len(f.Table))
		}
		for what, damaged := range map[string][]byte{"cut off": data[:len(data)-3], "too long": append(data[:len(data):len(data)], "\n\n"...)} {
			if _, err := ReadBundle(name, damaged); err == nil && len(f.Table) > 0 {
				t.Errorf("%s, %s: no error", name, what)
			}
		}
		if _, err := ReadBundle(name, data[:len(data)/2]); err == nil {
			t.Errorf("%s, half of it: no error", name)
		}
	}
}

// TestReadTable checks that the digest of a table is not computed again after the table is read,
// and that a replaced or modified table has a different digest.
func TestReadTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.json")
	vectors.Check(example(true).File().Save(path))
	read := vectors.Must(Load(path))
	m := example(true)
	m.Share(read)
	if f := m.File(); !f.read.is(f.Table) {
		t.Error("the table that was read is not known again")
	}
	digest := func(m *Linear) string {
		return vectors.Must(m.File().Digest())
	}
	want := digest(example(true))
	if got := digest(m); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
	c := m.Clone()
	if got := digest(c); got != want {
		t.Errorf("a clone has digest %s, want %s", got, want)
	}
	if c.Table[0]++; digest(c) == want {
		t.Error("a clone that has changed has the same digest")
	}
	if m.Table = c.Table; digest(m) == want {
		t.Error("another table has the same digest")
	}
}

// TestDigestLine checks that the digest may be omitted and that white space does not matter. If a
// file was edited manually, the error must explain what to do.
func TestDigestLine(t *testing.T) {
	f := example(false).File()
	data := vectors.Must(f.Bytes())
	want := vectors.Must(f.Digest())
	lines := strings.SplitAfter(string(data), "\n")
	if lines[2] != fmt.Sprintf(" \"digest\": %q,\n", want) {
		t.Fatalf("line 3 is %q, want the digest %s", lines[2], want)
	}
	without := strings.Join(append(append([]string(nil), lines[:2]...), lines[3:]...), "")
	changed := strings.Replace(string(data), `"bias": -0.25`, `"bias": -0.5`, 1)
	for name, text := range map[string]string{"as written": string(data), "without": without, "other blanks": strings.ReplaceAll(string(data), "\n ", "\n\t\t"),
		"changed without": strings.Replace(without, `"bias": -0.25`, `"bias": -0.5`, 1)} {
		if _, err := Read("m.json", []byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Read("m.json", []byte(changed)); err == nil || !strings.HasPrefix(err.Error(), "m.json:3:12: digest: want ") ||
		!strings.Contains(err.Error(), "delete the digest if the file was changed on purpose") || !strings.HasSuffix(err.Error(), want[:12]+"...") {
		t.Errorf("a change by hand: %v", err)
	}
}

// TestDigestOfOddText checks that invalid UTF-8, which may occur in file names, does not invalidate
// the digest.
func TestDigestOfOddText(t *testing.T) {
	m := example(false)
	m.Provenance.Command, m.Provenance.Notes = "plyfit fit a\xff\xfeb", []string{`\ufffd`, "\ufffd", "\u2028"}
	f := m.File()
	f.Terms[0].Name = "odd \xff"
	path := filepath.Join(t.TempDir(), "m.json")
	vectors.Check(f.Save(path))
	back := vectors.Must(Load(path))
	data, _ := os.ReadFile(path)
	if again, err := back.Bytes(); err != nil || !bytes.Equal(again, data) {
		t.Errorf("%v: written\n%s\nand again\n%s", err, data, again)
	}
}

// halvedExample returns a model with 16-bit tables and the same model with 32-bit tables. One table
// has small weights, and another has only zeros.
func halvedExample(t *testing.T) (small, whole *File) {
	t.Helper()
	whole = example(true).File()
	whole.TableBlocks = append(whole.TableBlocks, TableBlock{Name: "zeros", Len: 2})
	whole.Table = append(whole.Table, 0, 0)
	copy(whole.Table[40000:], []float32{1e-40, -1.5e-39, 3e-45})
	return vectors.Must(whole.Halved()), whole
}

// TestHalved checks that no weight changes by more than about 1/32,767 of the largest weight in its
// block. The table file must have two bytes for each weight and four for each block, apart from its
// header. The model must not change when it is written, read, bundled, or halved again.
func TestHalved(t *testing.T) {
	small, whole := halvedExample(t)
	at := 0
	for _, b := range whole.TableBlocks {
		most := 0.0
		for _, w := range whole.Table[at : at+b.Len] {
			most = max(most, math.Abs(float64(w)))
		}
		least := math.Ldexp(1, -149)
		for i, w := range whole.Table[at : at+b.Len] {
			if moved := math.Abs(float64(small.Table[at+i]) - float64(w)); moved > most/32767+least {
				t.Fatalf("%s: %v becomes %v of at most %v", b.Name, w, small.Table[at+i], most)
			}
		}
		at += b.Len
	}
	path := filepath.Join(t.TempDir(), "m.json")
	vectors.Check(small.Save(path))
	if info, err := os.Stat(tablePath(path)); err != nil || info.Size() != int64(16+2*len(whole.Table)+4*len(whole.TableBlocks)) {
		t.Errorf("a table of %d bytes (%v)", info.Size(), err)
	}
	want := vectors.Must(small.Bundle())
	back := vectors.Must(Load(path))
	sent := vectors.Must(ReadBundle("sent", want))
	again := vectors.Must(back.Halved())
	for name, f := range map[string]*File{"read": back, "sent": sent, "halved again": again} {
		if got, err := f.Bundle(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s, the model is another (%v)", name, err)
		}
		for i, w := range small.Table {
			if f.Table[i] != w {
				t.Fatalf("%s: weight %d is %v, want %v", name, i, f.Table[i], w)
			}
		}
	}
	m := example(true)
	m.Share(back)
	whole = m.File() // 32-bit tables again, as after training or calibration
	whole.TableBlocks = small.TableBlocks
	wide := filepath.Join(t.TempDir(), "w.json")
	vectors.Check(whole.Save(wide))
	if _, err := Load(wide); err != nil {
		t.Error(err)
	}
	if _, err := example(false).File().Halved(); err == nil {
		t.Error("a model without tables was halved")
	}
	back.Table[1] += 1e-4
	if err := back.Save(path); err == nil || !strings.Contains(err.Error(), "table weight 1: want a multiple of") {
		t.Errorf("a weight that 16 bits do not hold: %v", err)
	}
}

// TestHalvesFaults checks the errors for truncated or invalid table files with 16-bit weights.
func TestHalvesFaults(t *testing.T) {
	small, _ := halvedExample(t)
	path := filepath.Join(t.TempDir(), "m.json")
	vectors.Check(small.Save(path))
	whole := vectors.Must(os.ReadFile(tablePath(path)))
	change := func(at int, bytes ...byte) []byte {
		data := append([]byte(nil), whole...)
		copy(data[at:], bytes)
		return data
	}
	tableFaults(t, path, []tableFault{
		{whole[:18], "want 40005 weights, found the end of the file"},
		{whole[:5000], "want 40005 weights, found the end of the file"},
		{append(change(0), 0), "want the end after 40005 weights"},
		{change(0, []byte("plyfitW1")...), "want a table beginning with plyfitW2"},
		{change(16, 0, 0, 0xc0, 0x3f), "table t: want a step that is a power of two, found 1.5"},
		{change(16, 0, 0, 0xc0, 0x7f), "table t: want a step that is a power of two, found NaN"},
		{change(16, 0, 0, 0, 0x7f), "want a finite number, found +Inf"},
		{change(30, whole[30]^1), "want the table with the SHA-256"},
	})
	text := vectors.Must(os.ReadFile(path))
	if _, err := Read("m.json", bytes.Replace(text, []byte(`"bits": 16`), []byte(`"bits": 12`), 1)); err == nil || !strings.Contains(err.Error(), "want 16 or 32, found 12") {
		t.Errorf("12 bits: %v", err)
	}
}
