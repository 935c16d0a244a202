package models

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// halvedExample is the example with tables of 16 bits, one of them of small weights and
// one of zeros, and the same with 32.
func halvedExample(t *testing.T) (small, whole *File) {
	t.Helper()
	whole = example(true).File()
	whole.TableBlocks = append(whole.TableBlocks, TableBlock{Name: "zeros", Len: 2})
	whole.Table = append(whole.Table, 0, 0)
	copy(whole.Table[40000:], []float32{1e-40, -1.5e-39, 3e-45})
	small, err := whole.Halved()
	if err != nil {
		t.Fatal(err)
	}
	return small, whole
}

// TestHalved: no weight moves by more than half a step, which is at most 1/32,767 of its
// block's largest; on file the table has half the bytes; what is read, alone or in a
// bundle, is what was written, and halved or written again stays the same.
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
	if err := small.Save(path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(tablePath(path)); err != nil || info.Size() != int64(16+2*len(whole.Table)+4*len(whole.TableBlocks)) {
		t.Errorf("a table of %d bytes (%v)", info.Size(), err)
	}
	want, err := small.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := ReadBundle("sent", want)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Halved()
	if err != nil {
		t.Fatal(err)
	}
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
	whole = m.File() // of 32 bits again, as training and calibration have it
	whole.TableBlocks = small.TableBlocks
	wide := filepath.Join(t.TempDir(), "w.json")
	if err := whole.Save(wide); err != nil {
		t.Fatal(err)
	}
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

// TestHalvesFaults: a table file of 16 bits that is cut off, or does not hold what it
// should, is named with what was expected.
func TestHalvesFaults(t *testing.T) {
	small, _ := halvedExample(t)
	path := filepath.Join(t.TempDir(), "m.json")
	if err := small.Save(path); err != nil {
		t.Fatal(err)
	}
	weights := tablePath(path)
	whole, err := os.ReadFile(weights)
	if err != nil {
		t.Fatal(err)
	}
	change := func(at int, bytes ...byte) []byte {
		data := append([]byte(nil), whole...)
		copy(data[at:], bytes)
		return data
	}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{whole[:18], "want 40005 weights, found the end of the file"},
		{whole[:5000], "want 40005 weights, found the end of the file"},
		{append(change(0), 0), "want the end after 40005 weights"},
		{change(0, []byte("plyfitW1")...), "want a table beginning with plyfitW2"},
		{change(16, 0, 0, 0xc0, 0x3f), "table t: want a step that is a power of two, found 1.5"},
		{change(16, 0, 0, 0xc0, 0x7f), "table t: want a step that is a power of two, found NaN"},
		{change(16, 0, 0, 0, 0x7f), "want a finite number, found +Inf"},
		{change(30, whole[30]^1), "want the table whose SHA-256"},
	} {
		os.WriteFile(weights, c.data, 0o644)
		if _, err := Load(path); err == nil || !strings.HasPrefix(err.Error(), weights) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v\nwant %s: ... %s", err, weights, c.want)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read("m.json", bytes.Replace(text, []byte(`"bits": 16`), []byte(`"bits": 12`), 1)); err == nil || !strings.Contains(err.Error(), "want 16 or 32, found 12") {
		t.Errorf("12 bits: %v", err)
	}
}
