// Package unpack opens files that may be compressed with gzip or zstd, no matter what their names
// are.
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

// most is the maximum window of a zstd file in bytes. The window determines the memory needed for
// reading. The limit equals the default window of zstd's --long option and zstd's default limit for
// reading.
const most = 128 << 20

// Most returns the maximum size of an unpacked file in bytes: a hundred times its packed size
// (tables and games compress less), but at least 64 MiB. In memory, the rows of a text take about
// ten times its size.
func Most(packed int64) int64 { return max(64<<20, 100*packed) }

// Open opens the file or pipe at path. It unpacks gzip and zstd, which it detects by the first
// bytes. It needs no more memory than the window.
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

// Plain returns the file that [Open] opened for r if it is regular and not packed, and nil
// otherwise. The file may be read at any offset until r is closed.
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

// bounded limits the unpacked size to [Most] and returns a clear error if the window is too large.
type bounded struct {
	io.ReadCloser
	packed *counter
	read   int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = fmt.Errorf("the zstd file has a window of more than %d MiB; compress it with --long=27 or less", most>>20)
	}
	if b.read += int64(n); b.read > Most(b.packed.n) {
		return n, fmt.Errorf("%d packed bytes unpack to more than %d (64 MiB or a hundred times the packed size); unpack the file first", b.packed.n, Most(b.packed.n))
	}
	return n, err
}

// counter counts the bytes read from r.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Reader returns a reader of the unpacked contents of r, or of r itself if it is not packed.
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
		return &bounded{ReadCloser: z.IOReadCloser(), packed: packed}, nil
	}
	return io.NopCloser(in), nil
}

// Ext returns the extension of path in lower case, ignoring the extension of a compressed file:
// ".csv" for data.csv.gz.
func Ext(path string) string {
	lower := strings.ToLower(path)
	for _, packer := range []string{".gz", ".zst", ".zstd"} {
		lower = strings.TrimSuffix(lower, packer)
	}
	return filepath.Ext(lower)
}
