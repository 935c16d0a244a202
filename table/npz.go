package table

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

	"plyfit/internal/unpack"
)

// readNPZ reads what numpy.savez writes: an array of one dimension is a column by its
// name; one of two dimensions, rows first, gives columns NAME[0], NAME[1], ... All have
// as many rows. Lines of messages are rows, from 1.
func readNPZ(in io.Reader, b *builder) error {
	data, err := whole(in)
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	left := unpack.Most(int64(len(data))) // bytes that all arrays together may have
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	var arrays []*array
	var names []string
	for _, entry := range archive.File {
		a, err := readArray(entry, &left)
		if err != nil {
			return fmt.Errorf("%s: array %q: %w", b.t.File, entry.Name, err)
		}
		if len(arrays) > 0 && a.rows != arrays[0].rows {
			return fmt.Errorf("%s: array %q has %d rows: want %d, as %q has", b.t.File, a.name, a.rows, arrays[0].rows, arrays[0].name)
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
		if len(names) > mostColumns {
			return fmt.Errorf("%s: array %q: want at most %d columns in all", b.t.File, a.name, mostColumns)
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
		return b.named(i, text())
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

// mostArrayHeader bounds the dictionary of an .npy file, in bytes, as NumPy itself does.
const mostArrayHeader = 10_000

// mostRows bounds the rows of an array.
const mostRows = 1 << 40

// readArray reads one .npy file of an archive, whose numbers take some of the bytes that
// are left. No more is unpacked than the header says.
func readArray(entry *zip.File, left *int64) (*array, error) {
	f, err := entry.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, err := readArrayHeader(f)
	if err != nil {
		return nil, err
	}
	a.name = strings.TrimSuffix(entry.Name, ".npy")
	row := int64(a.width) * int64(a.size)
	if row > 0 && int64(a.rows) > *left/row {
		return nil, fmt.Errorf("%d rows of %d bytes: want at most %d bytes in all arrays, a thousand times those of the file", a.rows, row, *left)
	}
	want := int64(a.rows) * row
	*left -= want
	if a.data, err = io.ReadAll(io.LimitReader(f, want+1)); err != nil {
		return nil, err
	}
	if found := int64(len(a.data)); found != want {
		more := ""
		if found > want {
			more = " or more"
		}
		return nil, fmt.Errorf("want %d bytes for %d rows of %d, found %d%s", want, a.rows, row, found, more)
	}
	return a, nil
}

// readArrayHeader reads what stands before an array's numbers.
func readArrayHeader(f io.Reader) (*array, error) {
	var head [12]byte
	if _, err := io.ReadFull(f, head[:10]); err != nil || string(head[:6]) != "\x93NUMPY" {
		return nil, fmt.Errorf("want an .npy file")
	}
	length := int(binary.LittleEndian.Uint16(head[8:]))
	if head[6] > 1 {
		if _, err := io.ReadFull(f, head[10:]); err != nil {
			return nil, fmt.Errorf("cut off in its header")
		}
		length = int(binary.LittleEndian.Uint32(head[8:]))
	}
	if length > mostArrayHeader {
		return nil, fmt.Errorf("a header of %d bytes: want at most %d", length, mostArrayHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(f, text); err != nil {
		return nil, fmt.Errorf("cut off in its header")
	}
	header := string(text)
	kind, shape := npyKind.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if kind == nil || shape == nil {
		return nil, fmt.Errorf("want a header with descr and shape, found %.60q", header)
	}
	number, ok := numbers[kind[1]]
	if !ok {
		return nil, fmt.Errorf("type %q: want one of %s", kind[1], strings.Join(sortedTypes(), ", "))
	}
	a := &array{width: 1, fortran: npyFortran.MatchString(header), size: number.size, read: number.read}
	dimensions := strings.FieldsFunc(shape[1], func(r rune) bool { return r == ',' || r == ' ' })
	if len(dimensions) != 1 && len(dimensions) != 2 {
		return nil, fmt.Errorf("shape (%s): want one dimension or two", shape[1])
	}
	a.flat = len(dimensions) == 1
	var err error
	if a.rows, err = strconv.Atoi(dimensions[0]); err != nil || a.rows > mostRows {
		return nil, fmt.Errorf("shape (%s): want at most %d rows", shape[1], mostRows)
	}
	if !a.flat {
		if a.width, err = strconv.Atoi(dimensions[1]); err != nil || a.width > mostColumns {
			return nil, fmt.Errorf("shape (%s): want at most %d columns", shape[1], mostColumns)
		}
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
