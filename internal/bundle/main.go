// Command bundle packs a folder for a release, as .tar.gz or .zip by the archive's name:
//
//	go run ./internal/bundle ARCHIVE FOLDER
//
// The archive holds one folder of that name. The same files give the same bytes: neither
// their times nor their owners are in it, and of their modes only who may run them.
package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"plyfit/internal/atomicfile"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/bundle ARCHIVE.tar.gz|ARCHIVE.zip FOLDER")
		os.Exit(2)
	}
	if err := Pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// epoch is the time of all files: the first that a .zip can tell.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Pack writes the files of a folder into an archive, in the order of their names.
func Pack(archive, folder string) error {
	format := zipped
	switch {
	case strings.HasSuffix(archive, ".tar.gz"):
		format = tarred
	case !strings.HasSuffix(archive, ".zip"):
		return fmt.Errorf("%s: want a name that ends in .tar.gz or .zip", archive)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return fmt.Errorf("%s: holds nothing", folder)
	}
	var files []file
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s: want files alone", filepath.Join(folder, e.Name()))
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		mode := os.FileMode(0o644)
		if info.Mode()&0o111 != 0 {
			mode = 0o755
		}
		files = append(files, file{path.Join(filepath.Base(folder), e.Name()), mode, text})
	}
	return atomicfile.Write(archive, func(w io.Writer) error { return format(w, files) })
}

type file struct {
	name string
	mode os.FileMode
	text []byte
}

func tarred(w io.Writer, files []file) error {
	packed, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(packed)
	for _, f := range files {
		if err := t.WriteHeader(&tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.text)), ModTime: epoch, Format: tar.FormatUSTAR}); err != nil {
			return err
		}
		if _, err := t.Write(f.text); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return packed.Close()
}

func zipped(w io.Writer, files []file) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: epoch}
		h.SetMode(f.mode)
		out, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := out.Write(f.text); err != nil {
			return err
		}
	}
	return z.Close()
}
