//go:build !js

package table

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"plyfit/datasets"
)

// readParquet reads a Parquet file. Feature columns may contain numbers of any type, including
// decimals and booleans. Columns of labels and games may also contain text. All other columns,
// including lists and groups, must be skipped. The line numbers in error messages are row numbers,
// starting from 1.
func readParquet(in io.Reader, b *builder) (err error) {
	data, size, err := b.whole(in)
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	defer func() { // parquet-go panics on some damaged files
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: damaged: %v", b.t.File, r)
		}
	}()
	f, err := datasets.OpenParquet(data, size)
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	names, leaves := leavesOf(f)
	if rows, most := f.NumRows(), mostUnpacked(size); rows > most/8/int64(max(1, len(leaves))) { // a small page can repeat a number 16 million times
		return fmt.Errorf("%s: %d rows of %d columns in %d bytes: want at most %d bytes of numbers, which is a thousand times the file size", b.t.File, rows, len(leaves), size, most)
	}
	if err := b.head(0, names); err != nil {
		return err
	}
	for k := range leaves {
		l := &leaves[k]
		if err := l.choose(b.roles[l.column]); err != nil {
			return fmt.Errorf("%s: column %s: %w; use --skip to omit this column", b.t.File, names[l.column], err)
		}
	}
	line := 0
	for _, group := range f.RowGroups() {
		if err := b.rows(group, leaves, &line); err != nil {
			return err
		}
	}
	return nil
}

// A leaf is a column in which Parquet stores values. A column of the table has one or more leaves.
type leaf struct {
	*parquet.Column
	column  int  // index of the column in the table
	nested  bool // whether the leaf is inside a list or a group
	element *format.SchemaElement
	number  func(v *parquet.Value) float64 // nil if the column contains text or is skipped
	name    func(v *parquet.Value) string  // formats integers without loss of digits; nil for other types
	text    bool                           // whether the values are read as text
}

// leavesOf returns the column names of a file and the leaves in the order in which rows contain
// them.
func leavesOf(f *parquet.File) (names []string, leaves []leaf) {
	elements := slices.DeleteFunc(slices.Clone(f.Metadata().Schema[1:]), func(e format.SchemaElement) bool { return e.NumChildren.V > 0 })
	var walk func(c *parquet.Column, nested bool)
	walk = func(c *parquet.Column, nested bool) {
		nested = nested || c.Repeated()
		if c.Leaf() {
			leaves = append(leaves, leaf{Column: c, column: len(names) - 1, nested: nested, element: &elements[len(leaves)]})
		}
		for _, inner := range c.Columns() {
			walk(inner, true)
		}
	}
	for _, c := range f.Root().Columns() {
		names = append(names, c.Name())
		walk(c, false)
	}
	return names, leaves
}

// choose selects how the values of the leaf are read for a column with role r.
func (l *leaf) choose(r role) error {
	if r == skipped {
		return nil
	}
	if l.nested {
		return errors.New("want one value per row, not a list or a group")
	}
	name := l.Type().String()
	switch logical := l.logical().(type) {
	case nil:
		if l.physical(r); !l.element.ConvertedType.Valid {
			name = "bytes"
		}
	case *format.IntType:
		l.integer(!logical.IsSigned)
	case *format.DecimalType:
		l.decimal(int(logical.Scale))
	case *format.Float16Type:
		l.number = func(v *parquet.Value) float64 {
			if b := v.ByteArray(); len(b) == 2 {
				return float16(binary.LittleEndian.Uint16(b))
			}
			return math.NaN()
		}
	case *format.StringType, *format.EnumType, *format.JsonType, *format.UUIDType:
		l.text = r == groupRole || r == labelRole
	}
	if l.number == nil && !l.text {
		return fmt.Errorf("want numbers, not %s (%s)", name, l.element.Type.V)
	}
	return nil
}

// logical returns the logical type of the leaf, or nil if there is none. It also recognises the
// converted types of older writers.
func (l *leaf) logical() any {
	switch old, kind := l.element.ConvertedType, l.Type().LogicalType(); {
	case l.element.LogicalType.Value != nil:
		return l.element.LogicalType.Value
	case old.Valid && old.V == deprecated.Decimal:
		return &format.DecimalType{Scale: l.element.Scale.V}
	case kind != nil:
		return kind.Value
	}
	return nil
}

// physical is like choose, but for leaves without a logical type.
func (l *leaf) physical(r role) {
	switch l.Type().Kind() {
	case parquet.Boolean:
		l.number = func(v *parquet.Value) float64 {
			if v.Boolean() {
				return 1
			}
			return 0
		}
	case parquet.Float:
		l.number = func(v *parquet.Value) float64 { return float64(v.Float()) }
	case parquet.Double:
		l.number = func(v *parquet.Value) float64 { return v.Double() }
	case parquet.ByteArray: // some writers do not mark text as such
		l.text = r == groupRole || r == labelRole
	}
}

func (l *leaf) integer(unsigned bool) {
	bits := func(v *parquet.Value) int64 { return v.Int64() }
	switch wide := l.element.Type.V == format.Int64; {
	case !wide && unsigned:
		bits = func(v *parquet.Value) int64 { return int64(uint32(v.Int32())) }
	case !wide:
		bits = func(v *parquet.Value) int64 { return int64(v.Int32()) }
	case unsigned:
		l.number = func(v *parquet.Value) float64 { return float64(uint64(v.Int64())) }
		l.name = func(v *parquet.Value) string { return strconv.FormatUint(uint64(v.Int64()), 10) }
		return
	}
	l.number = func(v *parquet.Value) float64 { return float64(bits(v)) }
	l.name = func(v *parquet.Value) string { return strconv.FormatInt(bits(v), 10) }
}

// decimal reads integers that are multiples of 10^-scale. The result is the floating-point number
// nearest to the decimal, as if the decimal had been read from text.
func (l *leaf) decimal(scale int) {
	if kind := l.element.Type.V; scale == 0 && (kind == format.Int32 || kind == format.Int64) {
		l.integer(false)
		return
	}
	power, _ := strconv.ParseFloat("1e"+strconv.Itoa(scale), 64)
	whole := func(n int64) float64 {
		if n > -1<<53 && n < 1<<53 && scale <= 22 { // both operands are exact, so the quotient is rounded correctly
			return float64(n) / power
		}
		return nearest(big.NewInt(n), scale)
	}
	switch l.element.Type.V {
	case format.Int32:
		l.number = func(v *parquet.Value) float64 { return whole(int64(v.Int32())) }
	case format.Int64:
		l.number = func(v *parquet.Value) float64 { return whole(v.Int64()) }
	case format.ByteArray, format.FixedLenByteArray:
		whole := func(v *parquet.Value) *big.Int { // two's complement in big-endian order
			text := v.ByteArray()
			n := new(big.Int).SetBytes(text)
			if len(text) > 0 && text[0]&0x80 != 0 {
				n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(text))))
			}
			return n
		}
		l.number = func(v *parquet.Value) float64 { return nearest(whole(v), scale) }
		if scale == 0 {
			l.name = func(v *parquet.Value) string { return whole(v).String() }
		}
	}
}

// nearest returns the floating-point number nearest to n/10^scale.
func nearest(n *big.Int, scale int) float64 {
	x, _ := strconv.ParseFloat(n.String()+"e"+strconv.Itoa(-scale), 64)
	return x
}

// rows reads the rows of a row group.
func (b *builder) rows(group parquet.RowGroup, leaves []leaf, line *int) error {
	rows := group.Rows()
	defer rows.Close()
	buf := make([]parquet.Row, 256)
	for {
		n, err := rows.ReadRows(buf)
		for _, row := range buf[:n] {
			*line++
			if err := b.begin(*line); err != nil {
				return err
			}
			for k := range row {
				if err := b.value(&row[k], leaves); err != nil {
					return err
				}
			}
			b.end()
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: row %d: %w", b.t.File, *line+1, err)
		}
	}
}

// value stores a Parquet value in the current row.
func (b *builder) value(v *parquet.Value, leaves []leaf) error {
	l := &leaves[v.Column()]
	i := l.column
	switch {
	case b.roles[i] == skipped:
		return nil
	case v.IsNull():
		return b.mustNumber(i, "null")
	case b.roles[i] == groupRole && l.name != nil:
		return b.setGroup(i, l.name(v))
	case l.text:
		return b.text(i, b.cell(i, v.ByteArray()))
	}
	return b.number(i, l.number(v))
}
