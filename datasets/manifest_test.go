package datasets

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDamagedManifest: one byte of dataset.json that is changed, lost or put in is an
// error, or changes nothing that is read.
func TestDamagedManifest(t *testing.T) {
	dir := t.TempDir()
	plan := somePlan
	plan.Episodes, plan.Agents, plan.NewOpenings = 3, []string{"alphabeta:depth=2", "random"}, true
	makeSet(t, dir, plan)
	data, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := parseManifest(data)
	if err != nil {
		t.Fatal(err)
	}
	meaning := func(m *Manifest) string { return fmt.Sprintf("%#v", *m) }
	want := meaning(whole)
	tried := 0
	read := func(kind string, damaged []byte) {
		tried++
		m, err := parseManifest(damaged)
		if err == nil && meaning(m) != want {
			t.Errorf("%s is read as %s\nwant %s", kind, meaning(m), want)
		}
	}
	step := 1
	if testing.Short() {
		step = 7
	}
	damaged := make([]byte, len(data)+1)
	for at := range data {
		copy(damaged, data)
		for flip := 1; flip < 256; flip += step {
			damaged[at] = data[at] ^ byte(flip)
			read(fmt.Sprintf("byte %d, %q for %q,", at, damaged[at], data[at]), damaged[:len(data)])
		}
		read(fmt.Sprintf("without byte %d, %q, it", at, data[at]), append(append([]byte(nil), data[:at]...), data[at+1:]...))
		copy(damaged[at+1:], data[at:])
		for _, c := range []byte("0123456789abtrue \n\"{}[],:.-\x00\xff") {
			damaged[at] = c
			read(fmt.Sprintf("with %q before byte %d it", c, at), damaged)
		}
	}
	t.Logf("%d damaged files", tried)
}

// TestManifestWithoutSeal: a folder from before there were seals is read; one whose seal
// is another's is refused, and the file is named.
func TestManifestWithoutSeal(t *testing.T) {
	dir := t.TempDir()
	made := makeSet(t, dir, somePlan)
	path := filepath.Join(dir, ManifestFile)
	if made.Seal == "" {
		t.Fatal("no seal")
	}
	change := func(change func(m *Manifest)) {
		t.Helper()
		m := *made
		change(&m)
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	change(func(m *Manifest) { m.Seal = "" })
	if m, err := Verify(dir); err != nil || m.Seal != "" {
		t.Errorf("without a seal: %v", err)
	}
	for name, c := range map[string]func(m *Manifest){
		"another agent": func(m *Manifest) { m.Agents = []string{"randum"} },
		"another seed":  func(m *Manifest) { m.Seed++ },
		"another seal":  func(m *Manifest) { m.Seal = strings.Repeat("0", 64) },
	} {
		change(c)
		_, err := Verify(dir)
		t.Log(name, err)
		wantError(t, err, path, "seal")
	}
}

// TestManifestOddText: text that is no UTF-8, as a program's name may be, is read as it
// was written.
func TestManifestOddText(t *testing.T) {
	dir := t.TempDir()
	plan := somePlan
	plan.Agents = []string{"uci:cmd=a\xffb", "<\u2028\\ufffd\ufffd>"}
	if err := (&Manifest{Format: Format, Plan: plan}).write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadManifest(dir); err != nil {
		t.Error(err)
	}
}
