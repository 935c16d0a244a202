package tune

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// readNPZ reads what numpy.savez writes: an array of one dimension is a column by its
// name; one of two dimensions, rows first, gives columns NAME[0], NAME[1], ... All have
// as many rows. Lines of messages are rows, from 1.
func readNPZ(in io.Reader, b *builder) error {
	data, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	var arrays []*array
	var names []string
	for _, entry := range archive.File {
		a, err := readArray(entry)
		if err != nil {
			return fmt.Errorf("%s: array %s: %w", b.t.File, entry.Name, err)
		}
		if len(arrays) > 0 && a.rows != arrays[0].rows {
			return fmt.Errorf("%s: array %s has %d rows: want %d, as %s has", b.t.File, a.name, a.rows, arrays[0].rows, arrays[0].name)
		}
		arrays = append(arrays, a)
		for k := range a.width {
			name := a.name
			if a.flat {
				names = append(names, name)
				continue
			}
			names = append(names, fmt.Sprintf("%s[%d]", name, k))
		}
	}
	if len(arrays) == 0 {
		return fmt.Errorf("%s: no arrays: want one for each column", b.t.File)
	}
	if err := b.head(0, names); err != nil {
		return err
	}
	for row := range arrays[0].rows {
		if err := b.begin(row + 1); err != nil {
			return err
		}
		i := 0
		for _, a := range arrays {
			for k := range a.width {
				if err := b.number(i, a.at(row, k)); err != nil {
					return err
				}
				i++
			}
		}
		b.end()
	}
	return nil
}

// number puts a number into column i of the row at work.
func (b *builder) number(i int, x float64) error {
	text := func() string { return strconv.FormatFloat(x, 'g', -1, 64) }
	if b.roles[i] == groupRole {
		b.named(text())
		return nil
	}
	return b.set(i, x, text)
}

// array is an .npy file.
type array struct {
	name        string
	rows, width int
	flat        bool // of one dimension
	fortran     bool // columns first
	size        int  // bytes a number
	read        func(cell []byte) float64
	data        []byte
}

func (a *array) at(row, column int) float64 {
	i := row*a.width + column
	if a.fortran {
		i = column*a.rows + row
	}
	return a.read(a.data[i*a.size:])
}

// numbers are the types that are read, little-endian.
var numbers = map[string]struct {
	size int
	read func(cell []byte) float64
}{
	"<f8": {8, func(c []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(c)) }},
	"<f4": {4, func(c []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(c))) }},
	"<i8": {8, func(c []byte) float64 { return float64(int64(binary.LittleEndian.Uint64(c))) }},
	"<i4": {4, func(c []byte) float64 { return float64(int32(binary.LittleEndian.Uint32(c))) }},
	"<i2": {2, func(c []byte) float64 { return float64(int16(binary.LittleEndian.Uint16(c))) }},
	"|i1": {1, func(c []byte) float64 { return float64(int8(c[0])) }},
	"|u1": {1, func(c []byte) float64 { return float64(c[0]) }},
	"<u4": {4, func(c []byte) float64 { return float64(binary.LittleEndian.Uint32(c)) }},
	"|b1": {1, func(c []byte) float64 { return float64(c[0]) }},
}

// The header of an .npy file is a Python dictionary (NEP 1).
var (
	npyKind    = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	npyFortran = regexp.MustCompile(`'fortran_order':\s*True`)
	npyShape   = regexp.MustCompile(`'shape':\s*\(([0-9, ]*)\)`)
)

// readArray reads one .npy file of an archive.
func readArray(entry *zip.File) (*array, error) {
	f, err := entry.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	if len(data) < 12 || string(data[:6]) != "\x93NUMPY" {
		return nil, fmt.Errorf("want an .npy file")
	}
	start, length := 10, int(binary.LittleEndian.Uint16(data[8:]))
	if data[6] > 1 {
		start, length = 12, int(binary.LittleEndian.Uint32(data[8:]))
	}
	if length > len(data)-start {
		return nil, fmt.Errorf("cut off in its header")
	}
	header := string(data[start : start+length])
	kind, shape := npyKind.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if kind == nil || shape == nil {
		return nil, fmt.Errorf("want a header with descr and shape, found %.60q", header)
	}
	number, ok := numbers[kind[1]]
	if !ok {
		return nil, fmt.Errorf("type %q: want one of %s", kind[1], strings.Join(sortedTypes(), ", "))
	}
	a := &array{
		name: strings.TrimSuffix(entry.Name, ".npy"), width: 1, fortran: npyFortran.MatchString(header),
		size: number.size, read: number.read, data: data[start+length:],
	}
	dimensions := strings.FieldsFunc(shape[1], func(r rune) bool { return r == ',' || r == ' ' })
	if len(dimensions) != 1 && len(dimensions) != 2 {
		return nil, fmt.Errorf("shape (%s): want one dimension or two", shape[1])
	}
	a.flat = len(dimensions) == 1
	for i, into := range []*int{&a.rows, &a.width}[:len(dimensions)] {
		if *into, err = strconv.Atoi(dimensions[i]); err != nil || *into > len(data) {
			return nil, fmt.Errorf("shape (%s): larger than its file", shape[1])
		}
	}
	if a.rows*a.width*a.size != len(a.data) {
		return nil, fmt.Errorf("want %d bytes for shape (%s), found %d", a.rows*a.width*a.size, shape[1], len(a.data))
	}
	return a, nil
}

func sortedTypes() []string {
	var out []string
	for name := range numbers {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
