package table

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/snappy"

	"plyfit/internal/vectors"
)

// npy returns an .npy file with the given type and shape in its header, followed by the given
// number of zero bytes.
func npy(kind, shape string, numbers int) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, shape)
	out := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	return append(append(out, header...), make([]byte, numbers)...)
}

// archive returns an .npz file with the given arrays.
func archive(t testing.TB, arrays map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range arrays {
		w, err := z.Create(name + ".npy")
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	vectors.Check(z.Close())
	return b.Bytes()
}

// TestArrayBounds checks that arrays with too much data, with false sizes in the header or with a
// truncated header are rejected while allocating at most 16 MiB.
func TestArrayBounds(t *testing.T) {
	for name, c := range map[string]struct {
		data  []byte
		want  string
		label string
	}{
		"a long tail":  {npy("<f8", "3,", 30_000_000), "want 24 bytes for 3 rows of 8 bytes, found 25 or more", ""},
		"a shape":      {npy("<f8", "9999999999999999, 8", 8), "want at most 1099511627776 rows", ""},
		"rows":         {npy("<f8", "999999999999, 8", 8), "want at most 268435456 bytes", "label[0]"},
		"no rows":      {npy("<f8", "0, 9999999", 0), "want at most 1048576 columns", ""},
		"too few":      {npy("<f8", "30000000,", 8), "want 240000000 bytes for 30000000 rows of 8 bytes, found 8", ""},
		"a header":     {append([]byte("\x93NUMPY\x02\x00\xff\xff\xff\x7f"), make([]byte, 100)...), "a header of 2147483647 bytes: want at most 10000", ""},
		"half a shape": {[]byte("\x93NUMPY\x01\x00\xff\x00{'descr'"), "truncated header", ""},
	} {
		path := filepath.Join(t.TempDir(), "t.npz")
		vectors.Check(os.WriteFile(path, archive(t, map[string][]byte{"label": c.data}), 0o600))
		c.data = nil
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Open(t.Context(), path, Layout{Label: c.label})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "t.npz: array \"label.npy\"") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\nwant one line with %q", name, err, c.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
			t.Errorf("%s took %d MB", name, took>>20)
		}
	}
}

// TestCutOffTable checks that a truncated compressed table is reported as truncated rather than as
// a table with an invalid row.
func TestCutOffTable(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	c := columns{names: []string{"game", "a", "label"}}
	for i := range 4000 {
		c.rows = append(c.rows, []float64{float64(i / 10), float64(i%97) / 7, float64(i % 2)})
	}
	io.WriteString(z, c.inFormat(t, ".csv"))
	z.Close()
	for _, part := range []int{2, 3, 5} {
		path := write(t, "t.csv.gz", string(packed.Bytes()[:packed.Len()*(part-1)/part]))
		_, err := Open(t.Context(), path, Layout{Group: "game"})
		if err == nil || !strings.HasSuffix(err.Error(), ": the compressed file is truncated") || !strings.HasPrefix(err.Error(), path+":") {
			t.Errorf("%v", err)
		}
	}
}

// fuzzTable reads arbitrary data with the reader for a format. Errors must contain the file name,
// and the rows of a valid table must be complete. For some data, the memory is measured. Tables
// with the unit Utility and at most 100 columns are also written and read back.
func fuzzTable(f *testing.F, read func(in io.Reader, b *builder) error) {
	f.Fuzz(func(t *testing.T, data []byte, phase bool) {
		layout := Layout{}
		switch {
		case phase:
			layout.Phase, layout.PhaseMax = "phase", 24
		case len(data)%2 == 1:
			layout.Unit = Utility
		}
		vectors.Check(layout.Complete())
		b := newBuilder(context.Background(), "some.file", layout)
		var before, after runtime.MemStats
		measured := len(data)%16 == 0 // ReadMemStats takes longer than most tables
		if measured {
			runtime.ReadMemStats(&before)
		}
		err := read(bytes.NewReader(data), b)
		if measured {
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 512<<20 {
				t.Errorf("%d bytes took %d MB", len(data), took>>20)
			}
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "some.file") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q: want one line that names the file", err)
			}
			return
		}
		b.complete()
		table := b.t
		for s := range table.Plain().All() {
			for _, term := range s.X {
				if int(term.Index) >= len(table.Columns) {
					t.Fatalf("a cell in column %d of %d", term.Index, len(table.Columns))
				}
			}
		}
		want := collect(t, table) // also checks that every row can be read
		if layout.Unit != Utility || len(want) == 0 || len(table.Columns) > 100 {
			return
		}
		var again bytes.Buffer
		vectors.Check(Write(t.Context(), &again, table.Columns, table))
		back := newBuilder(context.Background(), "t.csv", layout)
		if err := readCSV(&again, back); err != nil {
			t.Fatalf("%v in what was written", err)
		}
		back.complete()
		if got := collect(t, back.t); !reflect.DeepEqual(got, want) {
			t.Errorf("%v became %v", want, got)
		}
	})
}

// FuzzCSV starts from tables like those written by other programs, such as the feature traces of
// engines.
func FuzzCSV(f *testing.F) {
	f.Add([]byte("game,phase,pawn,knight,king,label\ng0,12,1,-2,3,1\ng0,11,1,-2,2,1\n"), true)
	f.Add([]byte("episode,weight,kind,bias,a,label\n3,0.5,1,-1,2.5,-300\n"), false)
	f.Add([]byte("label,\"a \"\"b\"\"\",phase\n1,2,3\n0.5,-1e3,0\n"), true)
	f.Add([]byte("\ufefflabel,a\r\n1,2\r\n\r\n0,3"), false)
	fuzzTable(f, readCSV)
}

// FuzzLIBSVM starts from small files with sparse rows.
func FuzzLIBSVM(f *testing.F) {
	f.Add([]byte("1 1:2 3:-.5 # a comment\n0 qid:7 pawn:1\n"), false)
	f.Add([]byte("0.5 qid:a king:1 phase:12\n1 qid:a b:c:2 phase:3\n"), true)
	fuzzTable(f, readLIBSVM)
}

// FuzzNPZ starts from small archives of arrays.
func FuzzNPZ(f *testing.F) {
	f.Add(archive(f, map[string][]byte{"label": npy("<f8", "3,", 24), "x": npy("|i1", "3, 2", 6)}), false)
	f.Add(archive(f, map[string][]byte{"label": npy("<f4", "2,", 8), "phase": npy("<i2", "2,", 4), "x": npy("<u4", "2,", 8)}), true)
	f.Add(archive(f, map[string][]byte{"label": npy("<f8", "3,", 24), "two\nlines": npy("|i1", "4,", 4)}), false)
	fuzzTable(f, readNPZ)
}

// TestParquetBomb checks that a file of 18 million rows of two columns, compressed with Zstandard,
// is rejected with a one-line error.
func TestParquetBomb(t *testing.T) {
	type row struct {
		X     bool `parquet:"x"`
		Label bool `parquet:"label"`
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[row](&file, parquet.Compression(&parquet.Zstd))
	some := make([]row, 1<<18)
	for range 70 {
		vectors.Must(w.Write(some))
	}
	vectors.Check(w.Close())
	path := filepath.Join(t.TempDir(), "bomb.parquet")
	vectors.Check(os.WriteFile(path, file.Bytes(), 0o644))
	_, err := Open(t.Context(), path, Layout{Label: "label"})
	if err == nil || !strings.Contains(err.Error(), "18350080 rows of 2 columns") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%d bytes: %v", file.Len(), err)
	}
}

// FuzzParquet starts from valid Parquet files. It also covers the library, which is called only
// after the lengths have been checked.
func FuzzParquet(f *testing.F) {
	type row struct {
		Game  string   `parquet:"game,dict"`
		Label *float64 `parquet:"label,optional"`
		Pawn  int32    `parquet:"pawn,delta"`
		Phase float32  `parquet:"phase"`
	}
	one, half := 1.0, 0.5
	for _, o := range [][]parquet.WriterOption{{}, {parquet.Compression(&snappy.Codec{}), parquet.DataPageVersion(1)}} {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[row](&b, o...)
		vectors.Must(w.Write([]row{{"a", &one, 3, 24}, {"a", &half, -2, 12}, {"b", &one, 1, 0}}))
		vectors.Check(w.Close())
		f.Add(b.Bytes(), false)
		f.Add(b.Bytes(), true)
	}
	fuzzTable(f, readParquet)
}
