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

// syncEvery is the minimum interval between calls to fsync. In a power failure, the lines appended
// since the last call can be lost. If only the process is killed, all appended lines survive,
// because the operating system already has them.
const syncEvery = time.Second

// A Journal is a file of results with one JSON object and its checksum per line. Only one process
// at a time may append to it (see [Hold]). A Journal with only Path set has not yet been read. The
// first append truncates the file after the last line that was read. A Journal is not safe for
// concurrent use.
type Journal struct {
	Path  string
	Lines int   // number of lines read or appended
	Size  int64 // total size of these lines in bytes

	file   *os.File // nil until the first append
	synced time.Time
}

// Load reads the whole file and is otherwise like [Journal.Read]. A missing file counts as empty.
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

// Read continues after the lines that were read before, and r must start there. It passes every
// complete line, including the newline, to the callback. At the end of r, it makes one more call
// with torn set to true and the rest of an incomplete last line, which is usually empty.
//
// Read stops before a line whose checksum does not match, and before a line for which the callback
// returns an error.
func (j *Journal) Read(r io.Reader, each func(line []byte, torn bool) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		torn := err != nil
		if !torn && !disk.Intact(line) {
			return j.Fail("the checksum of the line does not match; want the line as originally written")
		}
		if err := each(line, torn); err != nil || torn {
			return err
		}
		j.Lines++
		j.Size += int64(len(line))
	}
}

// Fail returns an error that contains the file name and the number of the line being read.
func (j *Journal) Fail(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %w", j.Path, j.Lines+1, fmt.Errorf(format, args...))
}

// Append writes a line, which must include its newline, with a single system call. If the file and
// its directory do not exist, the first call creates them.
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

// Close flushes all lines to disk and closes the file. Afterwards, the journal can be read or
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
