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

	"plyfit/internal/dense"
	"plyfit/internal/disk"
)

// A table file has a header of 16 bytes, which contains the magic and the number of weights
// (uint64). The weights follow as float32. All numbers are little-endian.
const (
	tableMagic  = "plyfitW1"
	tableHeader = 16
	tableChunk  = 1 << 16 // number of bytes read at a time
)

// largest is the maximum size of a model's JSON in bytes. The size of its table is specified in the
// JSON.
const largest = 64 << 20

// Load reads the model at path and, if it has one, the pattern table next to it. The table must be
// the one that was saved with the model, and both must be regular files.
func Load(path string) (*File, error) {
	return load(path, openRegular, func(file string) string { return filepath.Join(filepath.Dir(path), file) })
}

// LoadFS is like [Load] but reads from a file system, such as [ShippedFiles].
func LoadFS(fsys fs.FS, name string) (*File, error) {
	return load(name, fsys.Open, func(file string) string { return path.Join(path.Dir(name), file) })
}

func openRegular(path string) (fs.File, error) { return disk.Open(path) }

// load reads the model with the given name. The callback beside returns the path of a file in the
// model's directory.
func load(name string, open func(name string) (fs.File, error), beside func(file string) string) (*File, error) {
	f, err := loadTerms(name, open)
	if err != nil || len(f.TableBlocks) == 0 {
		return f, err
	}
	table := tablePath(name)
	if f.tableFile != "" {
		table = beside(f.tableFile)
	}
	in, err := open(table)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: want the table file of %s (plyfit model copy copies both files): %w", table, name, fs.ErrNotExist)
	}
	if err != nil {
		return nil, loadError(table, err)
	}
	defer in.Close()
	return f, f.readTableFile(table, in)
}

func loadTerms(name string, open func(name string) (fs.File, error)) (*File, error) {
	in, err := open(name)
	if err != nil {
		return nil, loadError(name, err)
	}
	defer in.Close()
	data, err := disk.ReadUpTo(in, name, largest)
	if err != nil {
		return nil, loadError(name, err)
	}
	return Read(name, data)
}

// loadError returns an error for a model file that cannot be read. The error does not contain the
// name of the failed system call.
func loadError(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: want a model file: %w", name, err)
}

func (f *File) readTableFile(name string, file fs.File) error {
	info, err := file.Stat()
	if err != nil {
		return loadError(name, err)
	}
	return f.readTable(name, file, info.Size())
}

// readTable reads the table into f.Table and checks the table's length, values and digest. The
// parameter size is the size of the file in bytes.
func (f *File) readTable(name string, file io.Reader, size int64) error {
	want := f.tableLen()
	sum := sha256.New()
	in := io.TeeReader(file, sum)
	var header [tableHeader]byte
	if _, err := io.ReadFull(in, header[:]); err != nil {
		return &FileError{File: name, Want: fmt.Sprintf("a table of %d weights", want), Found: readFault(err)}
	}
	if magic := f.magic(); string(header[:8]) != magic {
		return &FileError{File: name, Want: "a table beginning with " + magic, Found: fmt.Sprintf("%q", header[:8])}
	}
	if n := binary.LittleEndian.Uint64(header[8:]); n != uint64(want) {
		return &FileError{File: name, Want: fmt.Sprintf("%d weights", want), Found: fmt.Sprint(n)}
	}
	weights, err := f.readWeights(name, in, size)
	if err != nil {
		return err
	}
	if n, _ := in.Read(make([]byte, 1)); n > 0 {
		return &FileError{File: name, Want: fmt.Sprintf("the end after %d weights", want), Found: "more bytes"}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.tableSum {
		return &FileError{File: name, Want: "the table with the SHA-256 in " + f.Name + "", Found: "a table with SHA-256 " + got[:12] + "..."}
	}
	f.Table = weights
	if f.Bits == 0 { // a 16-bit table has a different digest when written with 32 bits
		f.read = readTable{weights, f.tableSum}
	}
	return nil
}

// tableLen returns the total number of weights in the tables.
func (f *File) tableLen() (n int) {
	for _, b := range f.TableBlocks {
		n += b.Len
	}
	return n
}

// magic returns the first bytes of the table file.
func (f *File) magic() string {
	if f.Bits == 16 {
		return halvesMagic
	}
	return tableMagic
}

// readWeights reads the weights that follow the header of a table file. It allocates no more memory
// than the file size justifies, even if the header declares more weights.
func (f *File) readWeights(name string, in io.Reader, size int64) ([]float32, error) {
	want, width := f.tableLen(), 4
	if f.Bits == 16 {
		width = 2
	}
	weights := make([]float32, 0, min(int64(want), size/int64(width)))
	buffer := make([]byte, tableChunk)
	fill := func(n int) ([]byte, error) {
		if _, err := io.ReadFull(in, buffer[:n]); err != nil {
			return nil, &FileError{File: name, Want: fmt.Sprintf("%d weights", want), Found: readFault(err)}
		}
		return buffer[:n], nil
	}
	for _, b := range f.TableBlocks {
		step := float32(0)
		if f.Bits == 16 {
			first, err := fill(4)
			if err != nil {
				return nil, err
			}
			step = math.Float32frombits(binary.LittleEndian.Uint32(first))
			if fraction, _ := math.Frexp(float64(step)); fraction != 0.5 {
				return nil, &FileError{File: name, Key: "table " + b.Name, Want: "a step that is a power of two", Found: fmt.Sprint(step)}
			}
		}
		for left := b.Len; left > 0; {
			part, err := fill(min(len(buffer), width*left))
			if err != nil {
				return nil, err
			}
			for i := 0; i < len(part); i += width {
				var w float32
				if f.Bits == 16 {
					w = float32(step * float32(int16(binary.LittleEndian.Uint16(part[i:]))))
				} else {
					w = math.Float32frombits(binary.LittleEndian.Uint32(part[i:]))
				}
				if w-w != 0 {
					return nil, &FileError{File: name, Key: fmt.Sprintf("weight %d", len(weights)), Want: "a finite number", Found: fmt.Sprint(w)}
				}
				weights = append(weights, w)
			}
			left -= len(part) / width
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

// writeTable writes the table file in chunks. It must be called only after f.check has succeeded.
func (f *File) writeTable(w io.Writer) error {
	head := append(make([]byte, 0, tableHeader), f.magic()...)
	if _, err := w.Write(binary.LittleEndian.AppendUint64(head, uint64(len(f.Table)))); err != nil {
		return err
	}
	var data, zeros [4 * dense.Block]byte
	for _, part := range f.parts() {
		step := 0.0
		if f.Bits == 16 {
			step = stepOf(part)
			binary.LittleEndian.PutUint32(data[:], math.Float32bits(float32(step)))
			if _, err := w.Write(data[:4]); err != nil {
				return err
			}
		}
		for len(part) > 0 {
			xs := part[:min(len(part), dense.Block)]
			part = part[len(xs):]
			out := data[:4*len(xs)]
			switch {
			case f.Bits == 16:
				out = data[:2*len(xs)]
				for i, x := range xs {
					binary.LittleEndian.PutUint16(out[2*i:], uint16(int16(float64(x)/step)))
				}
			case dense.Zero(xs):
				out = zeros[:len(out)]
			case !dense.PutSingles(out, xs):
				i := dense.NotFinite(f.Table)
				return f.Fault(fmt.Sprintf("table weight %d", i), "a finite number", fmt.Sprint(f.Table[i]))
			}
			if _, err := w.Write(out); err != nil {
				return err
			}
		}
	}
	return nil
}

// A readTable is a table read from a file, with the file's SHA-256. Such tables can be large. They
// are shared and never modified in place, so that the digest is computed only once, even if many
// agents and jobs use the model.
type readTable struct {
	weights []float32
	sum     string
}

// is reports whether table is the slice that was read.
func (r readTable) is(table []float32) bool {
	return len(table) > 0 && len(table) == len(r.weights) && &table[0] == &r.weights[0]
}

// tableDigest returns the SHA-256 of the table file.
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
