//go:build !js

package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"plyfit/game"
	"plyfit/internal/list"
)

// row is a Record in a Parquet file; docs/datasets.md describes the columns.
type row struct {
	Episode   int64     `parquet:"episode,delta"`
	Ply       int32     `parquet:"ply,delta"`
	Position  string    `parquet:"position"`
	Mover     int32     `parquet:"mover"`
	Move      string    `parquet:"move,dict"`
	Explored  bool      `parquet:"explored"`
	Value     *float64  `parquet:"value,optional"`
	Depth     int32     `parquet:"depth"`
	Outcome   []float64 `parquet:"outcome,list"`
	Truncated bool      `parquet:"truncated"`
	ID        *string   `parquet:"id,optional,dict"`
	Made      *string   `parquet:"made,optional,dict"`
	Proven    bool      `parquet:"proven"`
}

// veiledRow is a row of a game of imperfect information. Only its files have the column, so that
// those of other games keep their bytes.
type veiledRow struct {
	row
	View *string `parquet:"view,optional"`
}

// later are the newer columns that a file may lack: their values are then null or false.
var later = []string{"id", "made", "proven", "view"}

func (r *row) from(rec *Record) {
	*r = row{
		Episode: int64(rec.Episode), Ply: rec.Ply, Position: rec.Position, Mover: int32(rec.Mover), Move: rec.Move,
		Explored: rec.Explored, Depth: rec.Depth, Outcome: rec.Outcome, Truncated: rec.Truncated,
		Proven: rec.Proven,
	}
	if rec.HasValue {
		r.Value = &rec.Value
	}
	if rec.ID != "" {
		r.ID = &rec.ID
	}
	if rec.Made != "" {
		r.Made = &rec.Made
	}
}

// fields has the field of a record for each column of row but the outcomes.
var fields = map[string]func(rec *Record) any{
	"episode":   func(rec *Record) any { return &rec.Episode },
	"ply":       func(rec *Record) any { return &rec.Ply },
	"position":  func(rec *Record) any { return &rec.Position },
	"mover":     func(rec *Record) any { return &rec.Mover },
	"move":      func(rec *Record) any { return &rec.Move },
	"explored":  func(rec *Record) any { return &rec.Explored },
	"value":     func(rec *Record) any { return &rec.Value },
	"depth":     func(rec *Record) any { return &rec.Depth },
	"truncated": func(rec *Record) any { return &rec.Truncated },
	"id":        func(rec *Record) any { return &rec.ID },
	"made":      func(rec *Record) any { return &rec.Made },
	"proven":    func(rec *Record) any { return &rec.Proven },
	"view":      func(rec *Record) any { return &rec.View },
}

// leaves are the fields by the number of the column; nil for the outcomes.
var leaves = list.Map(parquet.SchemaOf(veiledRow{}).Columns(), func(path []string) func(*Record) any { return fields[path[0]] })

// scan makes a record of a row's values, twice as fast as by reflection. Neighbours with equal
// outcomes, as in an episode, share the slice; outcome is a buffer, handed back.
func scan(values parquet.Row, rec *Record, outcome []float64) ([]float64, error) {
	last := rec.Outcome
	*rec = Record{}
	outcome = outcome[:0]
	for i := range values {
		v := &values[i]
		switch {
		case v.IsNull():
		case leaves[v.Column()] == nil:
			outcome = append(outcome, v.Double())
		default:
			if err := rec.set(v); err != nil {
				return outcome, err
			}
		}
	}
	if rec.Value-rec.Value != 0 {
		return outcome, fmt.Errorf("value %v: want a finite number", rec.Value)
	}
	if len(outcome) <= int(rec.Mover) {
		return outcome, fmt.Errorf("outcome of %d players: want one for each, the mover's %d too", len(outcome), rec.Mover)
	}
	for _, u := range outcome {
		if u-u != 0 {
			return outcome, fmt.Errorf("outcome %v: want finite numbers", outcome)
		}
	}
	if rec.Outcome = last; !sameBits(last, outcome) {
		rec.Outcome = slices.Clone(outcome)
	}
	return outcome, nil
}

func (rec *Record) set(v *parquet.Value) error {
	switch to := leaves[v.Column()](rec).(type) {
	case *string:
		*to = string(v.ByteArray())
	case *bool:
		*to = v.Boolean()
	case *int32:
		*to = v.Int32()
	case *float64:
		*to, rec.HasValue = v.Double(), true
	case *uint64:
		if v.Int64() < 0 {
			return fmt.Errorf("episode %d: want at least 0", v.Int64())
		}
		*to = uint64(v.Int64())
	case *game.Player:
		if m := v.Int32(); m < 0 || m > math.MaxInt8 {
			return fmt.Errorf("mover %d: want a player's number", m)
		}
		*to = game.Player(v.Int32())
	}
	return nil
}

// EncodeShard is a shard's sealed file. The same records give the same bytes.
func EncodeShard(records []Record) ([]byte, error) {
	if slices.ContainsFunc(records, func(r Record) bool { return r.View != "" }) {
		return encode(records, func(row *veiledRow, rec *Record) {
			row.row.from(rec)
			if row.View = nil; rec.View != "" {
				row.View = &rec.View
			}
		})
	}
	return encode(records, (*row).from)
}

// encode writes a shard of rows of the type R, each made by from.
func encode[R any](records []Record, from func(*R, *Record)) ([]byte, error) {
	var file bytes.Buffer
	p := parquet.NewGenericWriter[R](&file, parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault}),
		parquet.CreatedBy("plyfit", "1", "0"), parquet.KeyValueMetadata(sealKey, openSeal))
	rows := make([]R, 0, 1024)
	for len(records) > 0 {
		n := min(len(records), cap(rows))
		rows = rows[:n]
		for i := range rows {
			from(&rows[i], &records[i])
		}
		if _, err := p.Write(rows); err != nil {
			return nil, err
		}
		records = records[n:]
	}
	if err := p.Close(); err != nil {
		return nil, err
	}
	seal(file.Bytes())
	return file.Bytes(), nil
}

// readBatch is how many rows are decoded at a time.
const readBatch = 1024

// checkEnd reports a shard that is missing or cut off, by its footer alone.
func checkEnd(path string) error {
	return withShard(path, func(f io.ReaderAt, size int64) error {
		if _, _, _, err := readTail(f, size); err != nil {
			return damagedShard(path, err)
		}
		return nil
	})
}

func readRows(path string, f io.ReaderAt, size int64, do func(*Record) bool) (err error) {
	damaged := func(what any) error { return damagedShard(path, what) }
	done := false
	defer func() {
		// The Parquet library panics at some damage; a panic of do is not ours to hide.
		if r := recover(); r != nil {
			if done {
				panic(r)
			}
			err = damaged(r)
		}
	}()
	if err := checkSeal(f, size); err != nil {
		return damaged(err)
	}
	p, err := OpenParquet(f, size)
	if err != nil {
		return damaged(err)
	}
	if err := checkColumns(p); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	reader := rowsOf(p)
	defer reader.Close()
	rows := make([]parquet.Row, readBatch)
	var rec Record
	var outcome []float64
	for at, to := int64(0), p.NumRows(); at < to; {
		n, err := reader.ReadRows(rows[:min(int64(len(rows)), to-at)])
		for i, values := range rows[:n] {
			var bad error
			if outcome, bad = scan(values, &rec, outcome); bad != nil {
				return fmt.Errorf("%s: row %d: %w", path, at+int64(i), bad)
			}
			done = true
			more := do(&rec)
			done = false
			if !more {
				return nil
			}
		}
		at += int64(n)
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return damaged(err)
		case at < to && (err != nil || n == 0):
			return damaged(fmt.Errorf("%d of %d rows", at, to))
		}
	}
	return nil
}

// rowsOf reads the rows of a file with or without the column view: to add an empty one, the
// library would convert each row, which takes a third longer.
func rowsOf(p *parquet.File) interface {
	parquet.RowReader
	parquet.RowSeeker
	io.Closer
} {
	if _, veiled := p.Schema().Lookup("view"); veiled {
		return parquet.NewGenericReader[veiledRow](p)
	}
	return parquet.NewGenericReader[row](p)
}

// checkColumns names a column that a file lacks or has in another type: the library would fill it
// with zeros. Columns may be nullable, of 32 or 64 bits, in any order and among others.
func checkColumns(p *parquet.File) error {
	wanted := parquet.SchemaOf(veiledRow{})
	for _, path := range wanted.Columns() {
		want, _ := wanted.Lookup(path...)
		got, ok := p.Schema().Lookup(path...)
		name := strings.Join(path, ".")
		switch {
		case !ok && slices.Contains(later, name):
			continue
		case !ok:
			names := list.Map(wanted.Columns(), func(c []string) string { return strings.Join(c, ".") })
			return fmt.Errorf("no column %s: want %s", name, strings.Join(names, ", "))
		case got.MaxRepetitionLevel != want.MaxRepetitionLevel || kindOf(got) != kindOf(want):
			return fmt.Errorf("column %s: %s, repeated at %d levels: want %s at %d", name, kindOf(got), got.MaxRepetitionLevel, kindOf(want), want.MaxRepetitionLevel)
		}
	}
	return nil
}

// kindOf is what a column holds, of whatever width.
func kindOf(c parquet.LeafColumn) string {
	switch kind := c.Node.Type().Kind(); kind {
	case parquet.Boolean:
		return "a boolean"
	case parquet.Int32, parquet.Int64:
		return "an integer"
	case parquet.Float, parquet.Double:
		return "a floating-point number"
	case parquet.ByteArray:
		return "a string"
	default:
		return kind.String()
	}
}
