package table

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"

	"plyfit/datasets"
)

// readParquet reads a flat Parquet file: numbers and booleans, and text where a column
// groups rows or is a label. Lines of messages are rows, from 1.
func readParquet(in io.Reader, b *builder) (err error) {
	data, size, err := b.whole(in)
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	defer func() { // what parquet-go says of a file that is damaged
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: damaged: %v", b.t.File, r)
		}
	}()
	f, err := datasets.OpenParquet(data, size)
	if err != nil {
		return fmt.Errorf("%s: %w", b.t.File, err)
	}
	var names []string
	for _, field := range f.Schema().Fields() {
		if !field.Leaf() || field.Repeated() {
			return fmt.Errorf("%s: column %s: want one value a row, not a list or a group", b.t.File, field.Name())
		}
		names = append(names, field.Name())
	}
	if err := b.head(0, names); err != nil {
		return err
	}
	line := 0
	for _, group := range f.RowGroups() {
		if err := b.rows(group, &line); err != nil {
			return err
		}
	}
	return nil
}

// rows reads the rows of a group.
func (b *builder) rows(group parquet.RowGroup, line *int) error {
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
				if err := b.value(&row[k]); err != nil {
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

// value puts a Parquet value into the row at work.
func (b *builder) value(v *parquet.Value) error {
	i := v.Column()
	if b.roles[i] == skipped {
		return nil
	}
	if v.IsNull() {
		return b.mustNumber(i, "null")
	}
	x := 0.0
	switch v.Kind() {
	case parquet.Boolean:
		if v.Boolean() {
			x = 1
		}
	case parquet.Int32:
		x = float64(v.Int32())
	case parquet.Int64:
		x = float64(v.Int64())
	case parquet.Float:
		x = float64(v.Float())
	case parquet.Double:
		x = v.Double()
	default:
		if b.roles[i] != groupRole && b.roles[i] != labelRole {
			return b.mustNumber(i, v.String())
		}
		return b.text(i, b.cell(i, v.ByteArray()))
	}
	if b.roles[i] == groupRole {
		return b.named(i, v.String())
	}
	return b.set(i, x, v.String)
}
