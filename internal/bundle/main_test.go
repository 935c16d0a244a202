package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestPack: an archive holds what was put into it, and neither the folder's place nor the
// files' times change a byte.
func TestPack(t *testing.T) {
	want := map[string]string{"thing-1/plyfit": "program", "thing-1/LICENSE": "text"}
	for _, kind := range []string{".tar.gz", ".zip"} {
		var packed [2][]byte
		for i := range packed {
			dir := t.TempDir()
			folder := filepath.Join(dir, "thing-1")
			if err := os.Mkdir(folder, 0o755); err != nil {
				t.Fatal(err)
			}
			for name, text := range want {
				mode := os.FileMode(0o600)
				if filepath.Base(name) == "plyfit" {
					mode = 0o700
				}
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
					t.Fatal(err)
				}
				then := time.Now().Add(-time.Duration(i) * time.Hour)
				if err := os.Chtimes(filepath.Join(dir, name), then, then); err != nil {
					t.Fatal(err)
				}
			}
			archive := filepath.Join(dir, "a"+kind)
			if err := Pack(archive, folder); err != nil {
				t.Fatal(err)
			}
			var err error
			if packed[i], err = os.ReadFile(archive); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(packed[0], packed[1]) {
			t.Errorf("%s: two archives of the same files differ", kind)
		}
		got := unpacked(t, kind, packed[0])
		for name, text := range want {
			if got[name].text != text || got[name].runs != (text == "program") {
				t.Errorf("%s: %s is %+v", kind, name, got[name])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d files, want %d", kind, len(got), len(want))
		}
	}
	if err := Pack(filepath.Join(t.TempDir(), "a.rar"), t.TempDir()); err == nil {
		t.Error("a.rar was written")
	}
	if err := Pack(filepath.Join(t.TempDir(), "a.zip"), t.TempDir()); err == nil {
		t.Error("an empty folder was packed")
	}
}

type unpackedFile struct {
	text string
	runs bool
}

func unpacked(t *testing.T, kind string, packed []byte) map[string]unpackedFile {
	t.Helper()
	found := map[string]unpackedFile{}
	add := func(name string, mode os.FileMode, r io.Reader) {
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		found[name] = unpackedFile{string(text), mode&0o111 != 0}
	}
	if kind == ".zip" {
		z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			add(f.Name, f.Mode(), r)
		}
		return found
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if err == io.EOF {
			return found
		} else if err != nil {
			t.Fatal(err)
		}
		add(h.Name, h.FileInfo().Mode(), in)
	}
}
