package table

import (
	"archive/zip"
	"bufio"
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
// as many rows, and are read row by row side by side. Lines of messages are rows, from 1.
func readNPZ(in io.Reader, b *builder) error {
	data, size, err := b.whole(in)
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	left := unpack.Most(size) // bytes that all arrays together may have
	archive, err := zip.NewReader(data, size)
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	var arrays []*array
	defer func() {
		for _, a := range arrays {
			a.close()
		}
	}()
	var names []string
	for _, entry := range archive.File {
		a, err := openArray(entry, &left)
		if err != nil {
			return fmt.Errorf("%s: array %q: %w", b.t.File, entry.Name, err)
		}
		arrays = append(arrays, a)
		if first := arrays[0]; a.rows != first.rows {
			return fmt.Errorf("%s: array %q has %d rows: want %d, as %q has", b.t.File, a.name, a.rows, first.rows, first.name)
		}
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
	return b.arrays(arrays)
}

// arrays reads the rows of arrays, whose columns are known.
func (b *builder) arrays(arrays []*array) error {
	for row := range arrays[0].rows {
		if err := b.begin(row + 1); err != nil {
			return err
		}
		i := 0
		for _, a := range arrays {
			numbers, err := a.next()
			if err != nil {
				return fmt.Errorf("%s: array %q: %w", b.t.File, a.entry, err)
			}
			if b.features(i, numbers) {
				i += len(numbers)
				continue
			}
			for _, x := range numbers {
				if err := b.number(i, x); err != nil {
					return err
				}
				i++
			}
		}
		b.end()
	}
	for _, a := range arrays {
		if err := a.atEnd(); err != nil {
			return fmt.Errorf("%s: array %q: %w", b.t.File, a.entry, err)
		}
	}
	return nil
}

// features puts numbers into the columns from i on, and reports whether it did: all are
// features, and none is to be told of.
func (b *builder) features(i int, numbers []float64) bool {
	columns, values := b.columns, b.values
	roles, at := b.roles[i:i+len(numbers)], b.feature[i:i+len(numbers)]
	for k, x := range numbers {
		if roles[k] != feature || !(math.Abs(x) <= math.MaxFloat32) {
			return false
		}
		if v := float32(x); v != 0 {
			columns, values = append(columns, at[k]), append(values, v)
		}
	}
	b.columns, b.values = columns, values
	return true
}

// number puts a number into column i of the row at work.
func (b *builder) number(i int, x float64) error {
	text := func() string { return strconv.FormatFloat(x, 'g', -1, 64) }
	if b.roles[i] == groupRole {
		return b.named(i, text())
	}
	return b.set(i, x, text)
}

// array is an .npy file whose rows are read one after the other.
type array struct {
	entry, name string // in the archive, and without its ending
	rows, width int
	flat        bool // of one dimension
	fortran     bool // columns first
	size        int  // bytes a number
	read        func(dst []float64, cells []byte)

	in    io.Reader
	close func() error
	at    int // rows read
	row   []float64
	cells []byte // of one row; of all, columns first, where the file has them so
}

// next is the next row, good until the one after it.
func (a *array) next() ([]float64, error) {
	if a.fortran && a.width > 1 {
		if a.at == 0 {
			want := a.rows * a.width * a.size
			var err error
			if a.cells, err = io.ReadAll(io.LimitReader(a.in, int64(want))); err == nil && len(a.cells) < want {
				err = io.EOF
			}
			if err != nil {
				return nil, a.short(len(a.cells), err)
			}
		}
		for k := range a.row {
			a.read(a.row[k:k+1], a.cells[(k*a.rows+a.at)*a.size:])
		}
		a.at++
		return a.row, nil
	}
	if n, err := io.ReadFull(a.in, a.cells); err != nil {
		return nil, a.short(a.at*len(a.cells)+n, err)
	}
	a.read(a.row, a.cells)
	a.at++
	return a.row, nil
}

// short is the error of an array that has only so many bytes.
func (a *array) short(found int, err error) error {
	if err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	return a.unequal(fmt.Sprint(found))
}

func (a *array) unequal(found string) error {
	row := a.width * a.size
	return fmt.Errorf("want %d bytes for %d rows of %d, found %s", a.rows*row, a.rows, row, found)
}

// atEnd is an error where more follows than the rows, or where what was read is damaged.
func (a *array) atEnd() error {
	var more [1]byte
	switch n, err := io.ReadFull(a.in, more[:]); {
	case n > 0:
		return a.unequal(fmt.Sprintf("%d or more", a.rows*a.width*a.size+1))
	case err != io.EOF:
		return err
	}
	return nil
}

// numbers are the types that are read, little-endian; those of large arrays without a
// call a number.
var numbers = map[string]struct {
	size int
	read func(dst []float64, cells []byte)
}{
	"<f8": {8, func(dst []float64, cells []byte) {
		for k := range dst {
			dst[k] = math.Float64frombits(binary.LittleEndian.Uint64(cells[8*k:]))
		}
	}},
	"<f4": {4, func(dst []float64, cells []byte) {
		for k := range dst {
			dst[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(cells[4*k:])))
		}
	}},
	"<i8": reading(8, func(c []byte) float64 { return float64(int64(binary.LittleEndian.Uint64(c))) }),
	"<i4": reading(4, func(c []byte) float64 { return float64(int32(binary.LittleEndian.Uint32(c))) }),
	"<i2": reading(2, func(c []byte) float64 { return float64(int16(binary.LittleEndian.Uint16(c))) }),
	"|i1": reading(1, func(c []byte) float64 { return float64(int8(c[0])) }),
	"|u1": reading(1, func(c []byte) float64 { return float64(c[0]) }),
	"<u4": reading(4, func(c []byte) float64 { return float64(binary.LittleEndian.Uint32(c)) }),
	"|b1": reading(1, func(c []byte) float64 { return float64(c[0]) }),
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

// openArray opens one .npy file of an archive, whose numbers take some of the bytes that
// are left. No more is unpacked than the header says.
func openArray(entry *zip.File, left *int64) (*array, error) {
	f, err := entry.Open()
	if err != nil {
		return nil, err
	}
	a, err := readArrayHeader(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	row := int64(a.width) * int64(a.size)
	if row > 0 && int64(a.rows) > *left/row {
		f.Close()
		return nil, fmt.Errorf("%d rows of %d bytes: want at most %d bytes in all arrays, a thousand times those of the file", a.rows, row, *left)
	}
	*left -= int64(a.rows) * row
	a.entry, a.name, a.in, a.close = entry.Name, strings.TrimSuffix(entry.Name, ".npy"), bufio.NewReaderSize(f, 64<<10), f.Close
	a.row, a.cells = make([]float64, a.width), make([]byte, row)
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

// reading reads numbers of so many bytes.
func reading(size int, one func(cell []byte) float64) (out struct {
	size int
	read func(dst []float64, cells []byte)
}) {
	out.size = size
	out.read = func(dst []float64, cells []byte) {
		for k := range dst {
			dst[k] = one(cells[k*size:])
		}
	}
	return out
}

func sortedTypes() []string {
	var out []string
	for name := range numbers {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
