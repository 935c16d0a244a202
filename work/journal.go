package work

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"plyfit/internal/disk"
)

// syncEvery is how much a power failure may cost. Being killed costs nothing that was
// appended: it is the system's.
const syncEvery = time.Second

// Journal is a file of results, one JSON object a line with its checksum, which one process appends
// to ([Hold]). Path alone is one of which nothing is read yet; what stands behind the lines that
// were read is cut off by the first that is appended. It belongs to one goroutine.
type Journal struct {
	Path  string
	Lines int   // read or appended
	Size  int64 // of these lines, in bytes

	file   *os.File // nil: nothing was appended yet
	synced time.Time
}

// Load is [Journal.Read] of the whole file; none is one without lines.
func (j *Journal) Load(each func(line []byte, torn bool) error) error {
	f, err := os.Open(j.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	return j.Read(f, each)
}

// Read reads on from where the journal was read before, which is where r begins, and hands whole
// lines to each. At the end, each gets what is left of a torn line, mostly nothing. A line that was
// changed since it was written, and any error of each's, ends the reading before that line.
func (j *Journal) Read(r io.Reader, each func(line []byte, torn bool) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		torn := err != nil
		if !torn && !disk.Intact(line) {
			return j.Fail("want the line as it was written: its checksum tells of another")
		}
		if err := each(line, torn); err != nil || torn {
			return err
		}
		j.Lines++
		j.Size += int64(len(line))
	}
}

// Fail is an error about the line that is read.
func (j *Journal) Fail(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %w", j.Path, j.Lines+1, fmt.Errorf(format, args...))
}

// Append writes a line, newline included, with one call to the system. It makes the
// file, and its folder, where there is none.
func (j *Journal) Append(line []byte) (err error) {
	if j.file == nil {
		if err := os.MkdirAll(filepath.Dir(j.Path), 0o777); err != nil {
			return err
		}
		if j.file, err = os.OpenFile(j.Path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
			return err
		}
		if err := j.file.Truncate(j.Size); err != nil {
			return err
		}
	}
	if _, err := j.file.WriteAt(line, j.Size); err != nil {
		return err
	}
	j.Lines++
	j.Size += int64(len(line))
	if time.Since(j.synced) < syncEvery {
		return nil
	}
	return j.sync()
}

func (j *Journal) sync() error {
	j.synced = time.Now()
	return j.file.Sync()
}

// Close ends the appending: all is on the disk then. The journal may be read on, or
// appended to again.
func (j *Journal) Close() error {
	if j.file == nil {
		return nil
	}
	err := j.sync()
	if cerr := j.file.Close(); err == nil {
		err = cerr
	}
	j.file = nil
	return err
}
