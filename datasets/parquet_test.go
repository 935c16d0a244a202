package datasets

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/gzip"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// strangersShard is a small shard without a seal.
func strangersShard(t testing.TB) []byte {
	t.Helper()
	file, err := EncodeShard(someRecords(0, 40))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Replace(file, []byte(sealKey), []byte("plyfit.sha999"), 1)
}

// TestShardsMemory: whatever lengths a small shard tells of, in its footer, before its
// pages and in what is packed, reading it takes little memory. Each is tried in many
// places.
func TestShardsMemory(t *testing.T) {
	file := strangersShard(t)
	step := 7
	if testing.Short() {
		step = 41
	}
	const most = 64 << 20
	lies := map[string][]byte{
		"a list of 2^31-1 structures": {0xfc, 0xff, 0xff, 0xff, 0xff, 0x07},
		"a text of 2^31-1 bytes":      {0x18, 0xff, 0xff, 0xff, 0xff, 0x07},
		"2^31-1 bytes":                {0xfe, 0xff, 0xff, 0xff, 0x0f},
		"a zstd frame of 1.9 GB":      binary.LittleEndian.AppendUint32([]byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0}, 1900<<20),
	}
	var stats runtime.MemStats
	for name, lie := range lies {
		for at := 0; at+len(lie) <= len(file); at += step {
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

// TestPackedPages: what other programs pack with is read, in pages of both kinds.
func TestPackedPages(t *testing.T) {
	records := someRecords(0, 300)
	rows := make([]row, len(records))
	for i := range rows {
		rows[i].from(&records[i])
	}
	for name, o := range map[string][]parquet.WriterOption{
		"zstd": {parquet.Compression(&zstd.Codec{})}, "snappy": {parquet.Compression(&snappy.Codec{})},
		"gzip": {parquet.Compression(&gzip.Codec{})}, "none": {}, "first kind": {parquet.Compression(&zstd.Codec{}), parquet.DataPageVersion(1)},
		"small pages": {parquet.Compression(&snappy.Codec{}), parquet.PageBufferSize(100)},
	} {
		var file bytes.Buffer
		w := parquet.NewGenericWriter[row](&file, o...)
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got, err := readBytes(file.Bytes()); err != nil || len(got) != len(records) {
			t.Errorf("%s: %d records, %v", name, len(got), err)
		}
	}
}
