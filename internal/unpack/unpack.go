// Package unpack opens files that may be compressed: gzip and zstd are read as
// what is in them, whatever the file is called.
package unpack

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"plyfit/internal/disk"
)

// most is the window that a zstd file may ask for, in bytes, which is the memory that
// reading it takes: what zstd's own --long writes, and what its reader takes by default.
const most = 128 << 20

// Most is how many bytes a packed file may unpack to: a hundred times its own, which
// tables and games do not reach, and 64 MiB in any case. The rows of a text take some ten
// times its memory.
func Most(packed int64) int64 { return max(64<<20, 100*packed) }

// Open opens the file or pipe at path, unpacked where its first bytes are those of gzip
// or zstd. What comes out is read as it is unpacked: beside it no more memory is needed
// than the window, whatever the file unpacks to.
func Open(path string) (io.ReadCloser, error) {
	f, err := disk.OpenInput(path)
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

type file struct {
	io.ReadCloser
	packed *os.File
}

// Plain is the file that [Open] gave r for, where it is a regular one that is not packed;
// else nil. It may be read from any place beside r, until r is closed.
func Plain(r io.ReadCloser) *os.File {
	f, ok := r.(*file)
	if !ok {
		return nil
	}
	if _, packed := f.ReadCloser.(*bounded); packed {
		return nil
	}
	if info, err := f.packed.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return f.packed
}

func (f *file) Close() error {
	err := f.ReadCloser.Close()
	if closed := f.packed.Close(); err == nil {
		err = closed
	}
	return err
}

// bounded ends what unpacks to more than [Most] allows.
type bounded struct {
	io.ReadCloser
	packed *counter
	read   int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.read += int64(n); b.read > Most(b.packed.n) {
		return n, fmt.Errorf("%d packed bytes unpack to more than %d: want at most 64 MiB, or a hundred times as many: unpack it first", b.packed.n, Most(b.packed.n))
	}
	return n, err
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// windowed tells what a zstd file lacks whose window is too large.
type windowed struct{ io.ReadCloser }

func (w windowed) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = fmt.Errorf("a zstd file with a window of more than %d MiB: want one packed with a smaller --long (27 at most)", most>>20)
	}
	return n, err
}

// Reader unpacks what r holds, which it may leave as it is.
func Reader(r io.Reader) (io.ReadCloser, error) {
	packed := &counter{r: r}
	in := bufio.NewReaderSize(packed, 1<<16)
	head, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case strings.HasPrefix(string(head), "\x1f\x8b"):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, err
		}
		return &bounded{ReadCloser: z, packed: packed}, nil
	case string(head) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(most))
		if err != nil {
			return nil, err
		}
		return &bounded{ReadCloser: windowed{z.IOReadCloser()}, packed: packed}, nil
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
