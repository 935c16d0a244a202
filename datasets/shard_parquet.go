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

// A row is the Parquet representation of a Record. See docs/datasets.md for a description of the
// columns.
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

// A rowWithView is a row of a game with imperfect information. The view column exists only in the
// files of such games, so that files of other games remain unchanged.
type rowWithView struct {
	row
	View *string `parquet:"view,optional"`
}

// optionalColumns lists newer columns that a file may lack, in which case their values are null or
// false.
var optionalColumns = []string{"id", "made", "proven", "view"}

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

// fields maps each column, except outcome, to the corresponding field of a record.
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

// leaves contains the entries of fields by column number; the entry of the outcome is nil.
var leaves = list.Map(parquet.SchemaOf(rowWithView{}).Columns(), func(path []string) func(*Record) any { return fields[path[0]] })

// scan converts a row to a record, twice as fast as reflection would. Consecutive records with
// equal outcomes, such as those of one episode, share one slice. The parameter outcome is a buffer,
// which scan returns for reuse.
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
		return outcome, fmt.Errorf("outcome for %d players: want a utility for each player, including mover %d", len(outcome), rec.Mover)
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

// EncodeShard returns the contents of a shard file, including its seal. Equal records produce
// identical files.
func EncodeShard(records []Record) ([]byte, error) {
	if slices.ContainsFunc(records, func(r Record) bool { return r.View != "" }) {
		return encode(records, func(row *rowWithView, rec *Record) {
			row.row.from(rec)
			if row.View = nil; rec.View != "" {
				row.View = &rec.View
			}
		})
	}
	return encode(records, (*row).from)
}

// encode writes a shard with rows of type R. It uses the function from to convert records to rows.
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

// readBatch is the number of rows decoded at a time.
const readBatch = 1024

// checkEnd reads the footer of a shard and returns an error if the shard is missing or truncated.
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
		// The Parquet library panics on some damaged files, but panics in the callback must not be
		// hidden.
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

// rowsOf returns a reader for files with or without the view column. If a file lacks the column,
// the generic reader of rowWithView would convert each row, which takes a third longer.
func rowsOf(p *parquet.File) interface {
	parquet.RowReader
	parquet.RowSeeker
	io.Closer
} {
	if _, veiled := p.Schema().Lookup("view"); veiled {
		return parquet.NewGenericReader[rowWithView](p)
	}
	return parquet.NewGenericReader[row](p)
}

// checkColumns returns an error if a column is missing or has the wrong type. The library would
// fill such a column with zeros. Columns may be nullable, may have 32 or 64 bits, may be in any
// order, and may be mixed with other columns.
func checkColumns(p *parquet.File) error {
	wanted := parquet.SchemaOf(rowWithView{})
	for _, path := range wanted.Columns() {
		want, _ := wanted.Lookup(path...)
		got, ok := p.Schema().Lookup(path...)
		name := strings.Join(path, ".")
		switch {
		case !ok && slices.Contains(optionalColumns, name):
			continue
		case !ok:
			names := list.Map(wanted.Columns(), func(c []string) string { return strings.Join(c, ".") })
			return fmt.Errorf("no column %s: want %s", name, strings.Join(names, ", "))
		case got.MaxRepetitionLevel != want.MaxRepetitionLevel || kindOf(got) != kindOf(want):
			return fmt.Errorf("column %s: %s, repeated at %d levels; want %s, repeated at %d levels", name, kindOf(got), got.MaxRepetitionLevel, kindOf(want), want.MaxRepetitionLevel)
		}
	}
	return nil
}

// kindOf describes the type of a column regardless of its width.
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
