package models

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// meaning is all that a reader takes from a model file.
func meaning(f *File) string {
	text := fmt.Sprintf("%q", []any{f.Game, f.Features, f.Fingerprint, f.Link, f.leaves(), f.Bias, f.BiasError, f.Terms, f.TableBlocks, f.tableSum, f.Bits})
	if f.Range != nil {
		text += fmt.Sprint(*f.Range)
	}
	if f.Provenance != nil {
		text += fmt.Sprintf("%#v", *f.Provenance)
	}
	return text
}

// damage changes, puts in or takes out some bytes of data.
func damage(data []byte, rng *rand.Rand) []byte {
	at, n := rng.IntN(len(data)), 1+rng.IntN(3)
	end := min(at+n, len(data))
	out := append([]byte(nil), data[:at]...)
	switch rng.IntN(4) {
	case 0: // a bit
		out = append(out, data[at]^1<<rng.IntN(8))
		end = at + 1
	case 1: // what a hand or another file could have put there
		for range n {
			out = append(out, data[rng.IntN(len(data))])
		}
		end = at
	case 2: // the same in place of what was there
		for range end - at {
			out = append(out, data[rng.IntN(len(data))])
		}
	}
	return append(out, data[end:]...)
}

// TestDamagedModel: of 8,000 damaged files none reads as another model. Without their
// digest many do.
func TestDamagedModel(t *testing.T) {
	for _, table := range []bool{false, true} {
		f := example(table).File()
		f.Range = &Range{-1, 2.5}
		sealed, err := f.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		open, err := f.content()
		if err != nil {
			t.Fatal(err)
		}
		others := func(data []byte) (n int) {
			f, err := Read("m.json", data)
			if err != nil {
				t.Fatal(err)
			}
			want := meaning(f)
			rng := rand.New(rand.NewPCG(29, 4))
			for i := range 4000 {
				damaged := damage(data, rng)
				got, err := Read("m.json", damaged)
				if err == nil && meaning(got) != want {
					if n++; n == 1 {
						t.Logf("table %v, damage %d: %q", table, i, damaged)
					}
				}
			}
			return n
		}
		if n := others(sealed); n > 0 {
			t.Errorf("table %v: %d of 4,000 damaged files with a digest read as another model", table, n)
		}
		if n := others(open); n < 100 {
			t.Errorf("table %v: only %d of 4,000 damaged files without a digest read as another model: want damage that would be seen", table, n)
		}
	}
}

// TestDigestLine: the line can be taken out, a blank more or less does no harm, and a
// change by hand is told with what to do.
func TestDigestLine(t *testing.T) {
	f := example(false).File()
	data, err := f.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.Digest()
	if err != nil {
		t.Fatal(err)
	}
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
		!strings.Contains(err.Error(), "or no digest where a change of the file was meant") || !strings.HasSuffix(err.Error(), want[:12]+"...") {
		t.Errorf("a change by hand: %v", err)
	}
}

// TestDigestOfOddText: text that is no UTF-8, as the name of a file may be, is read as it
// was written.
func TestDigestOfOddText(t *testing.T) {
	m := example(false)
	m.Provenance.Command, m.Provenance.Notes = "plyfit fit a\xff\xfeb", []string{`\ufffd`, "\ufffd", "\u2028"}
	f := m.File()
	f.Terms[0].Name = "odd \xff"
	path := filepath.Join(t.TempDir(), "m.json")
	if err := f.Save(path); err != nil {
		t.Fatal(err)
	}
	back, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	if again, err := back.Bytes(); err != nil || !bytes.Equal(again, data) {
		t.Errorf("%v: written\n%s\nand again\n%s", err, data, again)
	}
}
