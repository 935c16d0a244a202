package models

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"path/filepath"

	"plyfit/internal/regular"
)

// A table file is 16 bytes of header, the magic and the count of weights
// (uint64), then the weights as float32, all little-endian.
const (
	tableMagic  = "plyfitW1"
	tableHeader = 16
	tableChunk  = 1 << 16 // bytes read or written at a time
)

// Largest is how many bytes the JSON of a model file may have. Its table is as long as
// the JSON says.
const Largest = 64 << 20

// Load reads the model at path, and the pattern table beside it where it has
// one, which must be the very one that the model was saved with. Both must be regular
// files.
func Load(path string) (*File, error) {
	f, err := LoadTerms(path)
	if err != nil || len(f.TableBlocks) == 0 {
		return f, err
	}
	beside := tablePath(path)
	if f.tableFile != "" {
		beside = filepath.Join(filepath.Dir(path), f.tableFile)
	}
	in, err := regular.Open(beside)
	if err != nil {
		return nil, notThere(beside, err)
	}
	defer in.Close()
	return f, f.readTableFile(beside, in)
}

// LoadTerms is [Load] but for the table, which stays unread, as by [Read].
func LoadTerms(path string) (*File, error) {
	data, err := regular.Read(path, Largest)
	if err != nil {
		return nil, notThere(path, err)
	}
	return Read(path, data)
}

// LoadFS is [Load] from a file system, such as that of the shipped models.
func LoadFS(fsys fs.FS, name string) (*File, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, notThere(name, err)
	}
	f, err := Read(name, data)
	if err != nil || len(f.TableBlocks) == 0 {
		return f, err
	}
	beside := tablePath(name)
	if f.tableFile != "" {
		beside = path.Join(path.Dir(name), f.tableFile)
	}
	in, err := fsys.Open(beside)
	if err != nil {
		return nil, notThere(beside, err)
	}
	defer in.Close()
	return f, f.readTableFile(beside, in)
}

// notThere is err without the name of the system call before it.
func notThere(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: want a model file: %w", name, err)
}

func (f *File) readTableFile(name string, file fs.File) error {
	info, err := file.Stat()
	if err != nil {
		return notThere(name, err)
	}
	return f.readTable(name, file, info.Size())
}

// readTable fills f.Table from a table of size bytes, checking its length, its numbers
// and its digest. Beyond the weights it needs one chunk of memory.
func (f *File) readTable(name string, file io.Reader, size int64) error {
	want := 0
	for _, b := range f.TableBlocks {
		want += b.Len
	}
	sum := sha256.New()
	in := io.TeeReader(file, sum)
	var header [tableHeader]byte
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return &FileError{File: name, Want: fmt.Sprintf("a table of %d weights", want), Found: readFault(err)}
	}
	magic, read := tableMagic, f.readSingles
	if f.Bits == 16 {
		magic, read = halvesMagic, f.readHalves
	}
	if string(header[:8]) != magic {
		return &FileError{File: name, Want: "a table beginning with " + magic, Found: fmt.Sprintf("%q", header[:8])}
	}
	if n := binary.LittleEndian.Uint64(header[8:]); n != uint64(want) {
		return &FileError{File: name, Want: fmt.Sprintf("%d weights", want), Found: fmt.Sprint(n)}
	}
	weights, err := read(name, in, size)
	if err != nil {
		return err
	}
	if n, _ := in.Read(make([]byte, 1)); n > 0 {
		return &FileError{File: name, Want: fmt.Sprintf("the end after %d weights", want), Found: "more bytes"}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.tableSum {
		return &FileError{File: name, Want: "the table whose SHA-256 " + f.Name + " gives", Found: "another, " + got[:12] + "..."}
	}
	f.Table = weights
	if f.Bits == 0 { // else what is made of it has 32 bits a weight, and another sum
		f.read = readTable{weights, f.tableSum}
	}
	return nil
}

// readSingles reads the float32 weights of a table file.
func (f *File) readSingles(name string, in io.Reader, size int64) ([]float32, error) {
	want := 0
	for _, b := range f.TableBlocks {
		want += b.Len
	}
	// No more than the file can deliver, so that a length that lies costs nothing.
	weights := make([]float32, 0, min(int64(want), size/4))
	buffer := make([]byte, tableChunk)
	for len(weights) < want {
		part := buffer[:min(len(buffer), 4*(want-len(weights)))]
		if _, err := io.ReadFull(in, part); err != nil {
			return nil, &FileError{File: name, Want: fmt.Sprintf("%d weights", want), Found: readFault(err)}
		}
		for i := 0; i < len(part); i += 4 {
			w := math.Float32frombits(binary.LittleEndian.Uint32(part[i:]))
			if w-w != 0 {
				return nil, &FileError{File: name, Key: fmt.Sprintf("weight %d", len(weights)), Want: "a finite number", Found: fmt.Sprint(w)}
			}
			weights = append(weights, w)
		}
	}
	return weights, nil
}

func readFault(err error) string {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return "the end of the file"
	}
	return err.Error()
}

// writeTable writes the table file.
func (f *File) writeTable(w io.Writer) error {
	if f.Bits == 16 {
		return f.writeHalves(w)
	}
	return writeSingles(w, f.Table)
}

// writeSingles writes a table file of float32 weights.
func writeSingles(w io.Writer, weights []float32) error {
	var header [tableHeader]byte
	copy(header[:], tableMagic)
	binary.LittleEndian.PutUint64(header[8:], uint64(len(weights)))
	if _, err := w.Write(header[:]); err != nil {
		return err
	}
	buffer := make([]byte, 0, tableChunk)
	for i, x := range weights {
		if x-x != 0 {
			return fmt.Errorf("weight %d of a table is %v: want a finite number", i, x)
		}
		buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(x))
		if len(buffer) == cap(buffer) || i == len(weights)-1 {
			if _, err := w.Write(buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
		}
	}
	return nil
}

// readTable is a table as it was read from a file, with the file's SHA-256. Read tables
// are shared, and nobody changes them in place, so the sum need not be computed again
// for each agent and job that names the model: tables have up to some 100 MB.
type readTable struct {
	weights []float32
	sum     string
}

// is reports whether a table is the one that was read.
func (r readTable) is(table []float32) bool {
	return len(table) > 0 && len(table) == len(r.weights) && &table[0] == &r.weights[0]
}

// tableDigest is the SHA-256 of the table file.
func (f *File) tableDigest() (string, error) {
	if f.Table == nil {
		return f.tableSum, nil
	}
	if f.read.is(f.Table) {
		return f.read.sum, nil
	}
	sum := sha256.New()
	if err := f.writeTable(sum); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
