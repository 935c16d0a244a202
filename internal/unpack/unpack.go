// Package unpack opens files that may be compressed: gzip and zstd are read as
// what is in them, whatever the file is called.
package unpack

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// most is the window that a zstd file may ask for: what zstd's own --long=30
// writes.
const most = 1 << 30

// Open opens the file at path, unpacked where its first bytes are those of gzip
// or zstd.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r, err := Reader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &file{r, f}, nil
}

// file is an unpacked reader and the file below it.
type file struct {
	io.ReadCloser
	packed *os.File
}

func (f *file) Close() error {
	err := f.ReadCloser.Close()
	if closed := f.packed.Close(); err == nil {
		err = closed
	}
	return err
}

// Reader unpacks what r holds, which it may leave as it is.
func Reader(r io.Reader) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(r, 1<<16)
	head, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case strings.HasPrefix(string(head), "\x1f\x8b"):
		return gzip.NewReader(in)
	case string(head) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(most))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	return io.NopCloser(in), nil
}

// Ext is the ending of path in lower case, without that of a packer: ".csv" for
// data.csv.gz.
func Ext(path string) string {
	lower := strings.ToLower(path)
	for _, packer := range []string{".gz", ".zst", ".zstd"} {
		lower = strings.TrimSuffix(lower, packer)
	}
	return filepath.Ext(lower)
}
