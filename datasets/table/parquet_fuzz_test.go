package table

import (
	"bytes"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/snappy"
)

// FuzzParquet: files of columns, in the library's hands once their lengths are looked at.
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
		if _, err := w.Write([]row{{"a", &one, 3, 24}, {"a", &half, -2, 12}, {"b", &one, 1, 0}}); err != nil {
			f.Fatal(err)
		}
		if err := w.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes(), false)
		f.Add(b.Bytes(), true)
	}
	fuzzTable(f, readParquet)
}
