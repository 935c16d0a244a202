package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/gzip"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"plyfit/game"
	"plyfit/internal/vectors"
)

// someRecords returns at least n artificial records in episodes of 1 to 7 decisions. The parameter
// first is the number of the first episode.
func someRecords(first uint64, n int) []Record {
	rng := rand.New(rand.NewPCG(1, first))
	var out []Record
	for e := first; len(out) < n; e++ {
		outcome := []float64{rng.NormFloat64(), rng.NormFloat64()}
		truncated := rng.IntN(5) == 0
		for ply := range 1 + rng.IntN(7) {
			r := Record{
				Episode: e, Ply: int32(ply), Position: fmt.Sprintf("%x/%d", rng.Uint64(), ply), Mover: game.Player(ply % 2),
				Move: fmt.Sprint(rng.IntN(7)), Explored: rng.IntN(4) == 0, Outcome: outcome, Truncated: truncated,
			}
			if e%3 == 0 {
				r.ID = fmt.Sprintf("g%d", e)
			}
			if r.Made = r.Move; rng.IntN(5) == 0 {
				r.Made = "x"
			}
			if rng.IntN(3) > 0 {
				r.Proven = rng.IntN(3) == 0
				r.Value, r.HasValue, r.Depth = rng.NormFloat64(), true, int32(rng.IntN(9))
			}
			out = append(out, r)
		}
	}
	return out
}

func readAll(path string) (out []Record, err error) {
	err = EachRecord(path, func(r *Record) bool { out = append(out, *r); return true })
	return out, err
}

// TestViews checks that views are stored and read back, and that there is no column without views.
func TestViews(t *testing.T) {
	for name, each := range map[string]int{"none": 0, "all": 1, "some": 3} {
		path := filepath.Join(t.TempDir(), "s.parquet")
		want := someRecords(7, 3000)
		for i := range want {
			if each > 0 && i%each == 0 {
				want[i].View = fmt.Sprintf("?/%d", i)
			}
		}
		vectors.Check(WriteShard(path, want))
		got, err := readAll(path)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: error %v, or other records came back", name, err)
		}
		f := vectors.Must(os.Open(path))
		info := vectors.Must(f.Stat())
		p := vectors.Must(parquet.OpenFile(f, info.Size()))
		if _, there := p.Schema().Lookup("view"); there != (each > 0) {
			t.Errorf("views of %s: the column view is there: %v", name, there)
		}
		f.Close()
	}
}

// TestForeignShard reads a file as another program might write it, with different column widths,
// nullable columns, additional columns and a different column order.
func TestForeignShard(t *testing.T) {
	type foreignRow struct {
		Comment   string    `parquet:"comment,optional"`
		Truncated *bool     `parquet:"truncated,optional"`
		Outcome   []float64 `parquet:"outcome,list"`
		Depth     *int64    `parquet:"depth,optional"`
		Value     *float64  `parquet:"value,optional,snappy"`
		Explored  *bool     `parquet:"explored,optional"`
		Move      *string   `parquet:"move,optional,dict"`
		Mover     *int64    `parquet:"mover,optional"`
		Position  *string   `parquet:"position,optional"`
		Ply       *int64    `parquet:"ply,optional"`
		Episode   *int64    `parquet:"episode,optional"`
	}
	want := someRecords(0, 100)
	var rows []foreignRow
	for i := range want {
		r := &want[i]
		r.ID, r.Made, r.Proven = "", "", false // these columns are not in the file
		e, ply, mover, depth := int64(r.Episode), int64(r.Ply), int64(r.Mover), int64(r.Depth)
		row := foreignRow{"", &r.Truncated, r.Outcome, &depth, nil, &r.Explored, &r.Move, &mover, &r.Position, &ply, &e}
		if r.HasValue {
			row.Value = &r.Value
		}
		rows = append(rows, row)
	}
	path := filepath.Join(t.TempDir(), "s.parquet")
	vectors.Check(parquet.WriteFile(path, rows))
	got := vectors.Must(readAll(path))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %+v, want %+v", got[0], want[0])
	}
}

// TestShardWithOtherColumns checks that a missing column or a column of the wrong type is an error.
// The Parquet library would silently read zeros.
func TestShardWithOtherColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.parquet")
	for _, c := range []struct {
		column string
		node   parquet.Node
	}{
		{"position", parquet.Int(64)}, {"episode", parquet.String()}, {"value", parquet.Optional(parquet.Int(64))},
		{"outcome", parquet.Leaf(parquet.DoubleType)}, {"outcome", parquet.Repeated(parquet.Leaf(parquet.DoubleType))},
		{"explored", parquet.Int(32)}, {"mover", parquet.Leaf(parquet.DoubleType)},
		{"move", parquet.Repeated(parquet.String())}, {"truncated", parquet.String()}, {"ply", parquet.Leaf(parquet.BooleanType)},
		{"view", parquet.Int(64)}, {"position", nil},
	} {
		group := parquet.Group{}
		for _, f := range parquet.SchemaOf(rowWithView{}).Fields() {
			group[f.Name()] = f
		}
		if group[c.column] = c.node; c.node == nil {
			delete(group, c.column)
		}
		f := vectors.Must(os.Create(path))
		vectors.Check(parquet.NewWriter(f, parquet.NewSchema("row", group)).Close())
		f.Close()
		_, err := readAll(path)
		wantError(t, err, path, "column "+c.column)
	}
}

// TestDamagedShard checks that reading a truncated shard always fails with an error that contains
// the file name. A flipped bit must also cause such an error, unless it does not affect the
// records. A third of the bits are flipped, or all if PLYFIT_LONG is set.
func TestDamagedShard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shard.parquet")
	want := someRecords(0, 60)
	vectors.Check(WriteShard(path, want))
	whole := vectors.Must(os.ReadFile(path))
	for n := range whole {
		_, err := readBytes(whole[:n])
		if err == nil || !strings.Contains(err.Error(), "some.parquet") {
			t.Fatalf("cut off after %d of %d bytes: error %v, want one that names the file", n, len(whole), err)
		}
	}
	step := 3
	if vectors.Long() {
		step = 1
	}
	for i := range whole {
		for bit := i % step; bit < 8; bit += step {
			damaged := bytes.Clone(whole)
			damaged[i] ^= 1 << bit
			got, err := readBytes(damaged)
			switch {
			case err != nil && !strings.Contains(err.Error(), "some.parquet"):
				t.Fatalf("byte %d, bit %d: error %v, want one that names the file", i, bit, err)
			case err == nil && !reflect.DeepEqual(got, want):
				t.Fatalf("byte %d, bit %d: other records and no error", i, bit)
			}
		}
	}
}

func readBytes(data []byte) (out []Record, err error) {
	err = readRows("some.parquet", bytes.NewReader(data), int64(len(data)), func(r *Record) bool {
		out = append(out, *r)
		return true
	})
	return out, err
}

func TestPanicOfTheCallerPasses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	vectors.Check(WriteShard(path, someRecords(0, 3)))
	defer func() {
		if recover() != "mine" {
			t.Error("the panic was swallowed")
		}
	}()
	EachRecord(path, func(*Record) bool { panic("mine") })
}

func FuzzShard(f *testing.F) {
	for _, n := range []int{0, 5, 40} {
		path := filepath.Join(f.TempDir(), "s")
		vectors.Check(WriteShard(path, someRecords(0, n)))
		data, _ := os.ReadFile(path)
		f.Add(data)
		f.Add(data[:len(data)/2])
		f.Add(bytes.Replace(data, []byte(sealKey), []byte("plyfit.sha999"), 1)) // a file without a seal
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := readBytes(data); err != nil && !strings.Contains(err.Error(), "some.parquet") {
			t.Errorf("error %v does not name the file", err)
		}
	})
}

// foreignShard returns a small shard without a seal.
func foreignShard(t testing.TB) []byte {
	t.Helper()
	file := vectors.Must(EncodeShard(someRecords(0, 40)))
	return bytes.Replace(file, []byte(sealKey), []byte("plyfit.sha999"), 1)
}

// TestShardsMemory checks that reading a small file allocates at most 64 MiB, even if the footer, a
// page header or the compressed data claims a huge length, at every eleventh offset.
func TestShardsMemory(t *testing.T) {
	file := foreignShard(t)
	const most = 64 << 20
	lies := map[string][]byte{
		"a list of 2^31-1 structures": {0xfc, 0xff, 0xff, 0xff, 0xff, 0x07},
		"a text of 2^31-1 bytes":      {0x18, 0xff, 0xff, 0xff, 0xff, 0x07},
		"2^31-1 bytes":                {0xfe, 0xff, 0xff, 0xff, 0x0f},
		"a zstd frame of 1.9 GB":      binary.LittleEndian.AppendUint32([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0}, 1900<<20),
	}
	var stats runtime.MemStats
	for name, lie := range lies {
		for at := 0; at+len(lie) <= len(file); at += 11 {
			damaged := bytes.Clone(file)
			copy(damaged[at:], lie)
			runtime.ReadMemStats(&stats)
			before := stats.TotalAlloc
			_, err := readBytes(damaged)
			runtime.ReadMemStats(&stats)
			if took := stats.TotalAlloc - before; took > most {
				t.Fatalf("%s at byte %d of %d: %d MB (%v)", name, at, len(file), took>>20, err)
			}
		}
	}
}

// TestPackedPages reads files compressed with gzip, Zstandard, Snappy or not at all, one of them
// with pages of version 1. It checks the number of records.
func TestPackedPages(t *testing.T) {
	records := someRecords(0, 300)
	rows := make([]row, len(records))
	for i := range rows {
		rows[i].from(&records[i])
	}
	for name, o := range map[string][]parquet.WriterOption{
		"gzip": {parquet.Compression(&gzip.Codec{})}, "none": {}, "first kind": {parquet.Compression(&zstd.Codec{}), parquet.DataPageVersion(1)},
		"small pages": {parquet.Compression(&snappy.Codec{}), parquet.PageBufferSize(100)},
	} {
		var file bytes.Buffer
		w := parquet.NewGenericWriter[row](&file, o...)
		vectors.Must(w.Write(rows))
		vectors.Check(w.Close())
		if got, err := readBytes(file.Bytes()); err != nil || len(got) != len(records) {
			t.Errorf("%s: %d records, %v", name, len(got), err)
		}
	}
}
