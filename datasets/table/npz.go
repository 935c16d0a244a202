package table

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plyfit/models"
)

// readNPZ reads an archive written by numpy.savez. An array with one dimension or one column
// provides a column with the array's name. A wider array provides the columns NAME[0], NAME[1], and
// so on. All arrays that are not skipped must have the same number of rows. The line numbers in
// error messages are row numbers, starting from 1.
func readNPZ(in io.Reader, b *builder) error {
	data, size, err := b.whole(in)
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	left := mostUnpacked(size) // number of bytes that the remaining arrays may occupy
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
		f, err := entry.Open()
		if err != nil {
			return fmt.Errorf("%s: array %q: %w", b.t.File, entry.Name, err)
		}
		a := &array{entry: entry.Name, name: strings.TrimSuffix(entry.Name, ".npy"), width: 1, in: f, close: f.Close}
		arrays = append(arrays, a)
		if a.err = a.readHeader(); a.err == errStructured && !b.t.Layout.skips(a.name) {
			return fmt.Errorf("%s: array %q: %w", b.t.File, a.entry, a.err)
		}
		for k := range a.width {
			name := a.name
			if a.width != 1 {
				name = fmt.Sprintf("%s[%d]", name, k)
			}
			names = append(names, name)
		}
		if len(names) > mostColumns {
			return fmt.Errorf("%s: array %q: want at most %d columns in all", b.t.File, a.name, mostColumns)
		}
	}
	if len(arrays) == 0 {
		return fmt.Errorf("%s: no arrays; want one array for each column", b.t.File)
	}
	if err := b.head(0, names); err != nil {
		if slices.Contains(names, "format") && slices.Contains(names, "data") { // as written by scipy.sparse.save_npz
			err = fmt.Errorf("%s: sparse SciPy matrices are not supported; want one array for each column", b.t.File)
		}
		return err
	}
	var first *array
	at := 0
	for _, a := range arrays {
		roles := b.roles[at : at+a.width]
		at += a.width
		if a.skipped = !slices.ContainsFunc(roles, func(r role) bool { return r != skipped }); a.skipped {
			continue
		}
		if a.err == nil && a.text != nil && slices.ContainsFunc(roles, role.number) {
			a.err = fmt.Errorf("type %q: want numbers", a.kind)
		}
		if a.err == nil {
			a.err = a.open(&left)
		}
		if a.err != nil {
			return fmt.Errorf("%s: array %q: %w; use --skip to omit this array", b.t.File, a.entry, a.err)
		}
		if first == nil {
			first = a
		}
		if a.rows != first.rows {
			return fmt.Errorf("%s: array %q has %d rows; want %d, as in %q", b.t.File, a.name, a.rows, first.rows, first.name)
		}
	}
	return b.arrays(arrays, first.rows)
}

// arrays reads all rows after the roles of the columns have been determined.
func (b *builder) arrays(arrays []*array, rows int) error {
	for row := range rows {
		if err := b.begin(row + 1); err != nil {
			return err
		}
		i := 0
		for _, a := range arrays {
			if a.skipped {
				i += a.width
				continue
			}
			numbers, err := a.next()
			if err != nil {
				return fmt.Errorf("%s: array %q: %w", b.t.File, a.entry, err)
			}
			if a.text == nil && b.features(i, numbers) {
				i += len(numbers)
				continue
			}
			for k, x := range numbers {
				cell := a.cells[k*a.size:][:a.size]
				switch {
				case a.text != nil:
					err = b.text(i, b.cell(i, []byte(a.text(cell))))
				case a.whole != nil && b.roles[i] == groupRole:
					err = b.setGroup(i, a.whole(cell))
				default:
					err = b.number(i, x)
				}
				if err != nil {
					return err
				}
				i++
			}
		}
		b.end()
	}
	for _, a := range arrays {
		if a.skipped {
			continue
		}
		if err := a.atEnd(); err != nil {
			return fmt.Errorf("%s: array %q: %w", b.t.File, a.entry, err)
		}
	}
	return nil
}

// features adds numbers to consecutive columns, starting at column i. If a column is not a plain
// feature or a number is out of range, it adds nothing and returns false, so that the caller can
// report an error.
func (b *builder) features(i int, numbers []float64) bool {
	x := b.current.X
	roles, at := b.roles[i:i+len(numbers)], b.feature[i:i+len(numbers)]
	for k, number := range numbers {
		if roles[k] != feature || !(math.Abs(number) <= math.MaxFloat32) {
			return false
		}
		if v := float32(number); v != 0 {
			x = append(x, models.Term{Index: at[k], Value: v})
		}
	}
	b.current.X = x
	return true
}

// number stores a number in column i of the current row.
func (b *builder) number(i int, x float64) error {
	text := func() string { return strconv.FormatFloat(x, 'g', -1, 64) }
	if b.roles[i] == groupRole {
		return b.setGroup(i, text())
	}
	return b.set(i, x, text)
}

// An array is an .npy file that is read row by row.
type array struct {
	entry, name string // file name in the archive, and the same name without its extension
	kind        string // type of the elements in NumPy's notation
	rows, width int
	fortran     bool // stored by columns
	skipped     bool
	err         error // reason why the array cannot be read
	size        int   // size of an element in bytes
	read        func(dst []float64, cells []byte)
	text        func(cell []byte) string // converts an element of a string array; nil for other arrays
	whole       func(cell []byte) string // formats 64-bit integers without loss of digits; nil for other types

	in    io.Reader
	close func() error
	at    int // number of rows read
	row   []float64
	cells []byte // bytes of one row
}

// next returns the next row, which is valid until the following call.
func (a *array) next() ([]float64, error) {
	n, err := io.ReadFull(a.in, a.cells)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return nil, a.unequal(fmt.Sprint(a.at*len(a.cells) + n))
	case err != nil:
		return nil, err
	}
	if a.read != nil {
		a.read(a.row, a.cells)
	}
	a.at++
	return a.row, nil
}

// byRows converts an array stored by columns to rows. It needs twice the array's memory.
func (a *array) byRows() error {
	want := a.rows * a.width * a.size
	columns, err := io.ReadAll(io.LimitReader(a.in, int64(want)))
	switch {
	case err != nil && err != io.ErrUnexpectedEOF:
		return err
	case len(columns) < want:
		return a.unequal(fmt.Sprint(len(columns)))
	}
	rows := make([]byte, 0, want)
	for row := range a.rows {
		for k := range a.width {
			rows = append(rows, columns[(k*a.rows+row)*a.size:][:a.size]...)
		}
	}
	a.in = io.MultiReader(bytes.NewReader(rows), a.in)
	return nil
}

func (a *array) unequal(found string) error {
	row := a.width * a.size
	return fmt.Errorf("want %d bytes for %d rows of %d bytes, found %s", a.rows*row, a.rows, row, found)
}

// atEnd returns an error if data follows the last row or if the compressed data is corrupt.
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

// setKind selects how elements of a type are read. NumPy writes a type as a byte order, a letter
// and a size. Floating-point numbers, signed and unsigned integers, booleans and strings are
// supported. setKind returns false for other types.
func (a *array) setKind(kind string) bool {
	order := binary.ByteOrder(binary.LittleEndian)
	if strings.HasPrefix(kind, ">") {
		order = binary.BigEndian
	}
	letter, digits := strings.TrimLeft(kind, "<>|="), ""
	if letter != "" {
		letter, digits = letter[:1], letter[1:]
	}
	size, err := strconv.Atoi(digits)
	if err != nil || size < 0 || size > mostText {
		return false
	}
	a.kind, a.size = kind, size
	switch letter {
	case "S":
		a.text = func(cell []byte) string { return strings.TrimRight(string(cell), "\x00") }
		return true
	case "U": // four bytes per character
		a.size = 4 * size
		a.text = func(cell []byte) string {
			var b strings.Builder
			for ; len(cell) >= 4 && order.Uint32(cell) != 0; cell = cell[4:] {
				b.WriteRune(rune(order.Uint32(cell)))
			}
			return b.String()
		}
		return true
	}
	switch number := letter + strconv.Itoa(size); {
	case number == "f8" && order == binary.ByteOrder(binary.LittleEndian): // avoids a function call per number for the most common types
		a.read = func(dst []float64, cells []byte) {
			for k := range dst {
				dst[k] = math.Float64frombits(binary.LittleEndian.Uint64(cells[8*k:]))
			}
		}
	case number == "f4" && order == binary.ByteOrder(binary.LittleEndian):
		a.read = func(dst []float64, cells []byte) {
			for k := range dst {
				dst[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(cells[4*k:])))
			}
		}
	default:
		one := map[string]func(c []byte) float64{
			"f8": func(c []byte) float64 { return math.Float64frombits(order.Uint64(c)) },
			"f4": func(c []byte) float64 { return float64(math.Float32frombits(order.Uint32(c))) },
			"f2": func(c []byte) float64 { return float16(order.Uint16(c)) },
			"i8": func(c []byte) float64 { return float64(int64(order.Uint64(c))) },
			"i4": func(c []byte) float64 { return float64(int32(order.Uint32(c))) },
			"i2": func(c []byte) float64 { return float64(int16(order.Uint16(c))) },
			"i1": func(c []byte) float64 { return float64(int8(c[0])) },
			"u8": func(c []byte) float64 { return float64(order.Uint64(c)) },
			"u4": func(c []byte) float64 { return float64(order.Uint32(c)) },
			"u2": func(c []byte) float64 { return float64(order.Uint16(c)) },
			"u1": func(c []byte) float64 { return float64(c[0]) },
			"b1": func(c []byte) float64 { return float64(c[0]) },
		}[number]
		if one == nil {
			return false
		}
		a.read = func(dst []float64, cells []byte) {
			for k := range dst {
				dst[k] = one(cells[k*size:])
			}
		}
		a.whole = map[string]func(c []byte) string{
			"i8": func(c []byte) string { return strconv.FormatInt(int64(order.Uint64(c)), 10) },
			"u8": func(c []byte) string { return strconv.FormatUint(order.Uint64(c), 10) },
		}[number]
	}
	return true
}

// mostText is the maximum number of characters in a string.
const mostText = 1 << 16

// The header of an .npy file is a Python dictionary (NEP 1).
var (
	npyFields  = regexp.MustCompile(`'descr':\s*\[`)
	npyKind    = regexp.MustCompile(`'descr':\s*'([^']*)'`)
	npyFortran = regexp.MustCompile(`'fortran_order':\s*True`)
	npyShape   = regexp.MustCompile(`'shape':\s*\(([0-9, ]*)\)`)
)

var errStructured = errors.New("structured arrays are not supported; want one array for each column")

// mostArrayHeader is the maximum size of an .npy header in bytes, the same as in NumPy.
const mostArrayHeader = 10_000

// mostUnpacked returns the maximum number of bytes that a file's numbers may occupy: 1000 times the
// size of the file, or 256 MB if that is more.
func mostUnpacked(size int64) int64 { return max(256<<20, 1000*size) }

// mostRows is the maximum number of rows in an array.
const mostRows = 1 << 40

// open prepares the array for reading and subtracts its size from *left. It never unpacks more than
// the header declares.
func (a *array) open(left *int64) error {
	row := int64(a.width) * int64(a.size)
	if row > 0 && int64(a.rows) > *left/row {
		return fmt.Errorf("%d rows of %d bytes: want at most %d bytes in all arrays, which is a thousand times the file size", a.rows, row, *left)
	}
	*left -= int64(a.rows) * row
	a.in = bufio.NewReaderSize(a.in, 64<<10)
	a.row, a.cells = make([]float64, a.width), make([]byte, row)
	if a.fortran && a.width > 1 && row > 0 {
		return a.byRows()
	}
	return nil
}

// readHeader reads the header that precedes the numbers of an array.
func (a *array) readHeader() error {
	f := a.in
	var head [12]byte
	if _, err := io.ReadFull(f, head[:10]); err != nil || string(head[:6]) != "\x93NUMPY" {
		return fmt.Errorf("want an .npy file")
	}
	length := int(binary.LittleEndian.Uint16(head[8:]))
	if head[6] > 1 {
		if _, err := io.ReadFull(f, head[10:]); err != nil {
			return fmt.Errorf("truncated header")
		}
		length = int(binary.LittleEndian.Uint32(head[8:]))
	}
	if length > mostArrayHeader {
		return fmt.Errorf("a header of %d bytes: want at most %d", length, mostArrayHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(f, text); err != nil {
		return fmt.Errorf("truncated header")
	}
	header := string(text)
	if npyFields.MatchString(header) {
		return errStructured
	}
	kind, shape := npyKind.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if kind == nil || shape == nil {
		return fmt.Errorf("want a header with descr and shape, found %.60q", header)
	}
	if !a.setKind(kind[1]) {
		return fmt.Errorf("type %q: want numbers (f, i, u, b) or strings (S, U)", kind[1])
	}
	a.fortran = npyFortran.MatchString(header)
	dimensions := strings.FieldsFunc(shape[1], func(r rune) bool { return r == ',' || r == ' ' })
	if len(dimensions) != 1 && len(dimensions) != 2 {
		return fmt.Errorf("shape (%s): want one or two dimensions", shape[1])
	}
	var err error
	if a.rows, err = strconv.Atoi(dimensions[0]); err != nil || a.rows > mostRows {
		return fmt.Errorf("shape (%s): want at most %d rows", shape[1], mostRows)
	}
	if len(dimensions) == 2 {
		width, err := strconv.Atoi(dimensions[1])
		if err != nil || width > mostColumns {
			return fmt.Errorf("shape (%s): want at most %d columns", shape[1], mostColumns)
		}
		a.width = width
	}
	return nil
}

// float16 converts an IEEE 754 binary16 number.
func float16(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	x := 0.0
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -24)
	case 31:
		if x = math.Inf(1); fraction != 0 {
			x = math.NaN()
		}
	default:
		x = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 != 0 {
		x = -x
	}
	return x
}
