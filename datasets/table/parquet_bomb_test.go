package table

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestParquetBomb: a few kilobytes that say two numbers a hundred million times are refused
// in one line before they are in memory.
func TestParquetBomb(t *testing.T) {
	type row struct {
		X     bool `parquet:"x"`
		Label bool `parquet:"label"`
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[row](&file, parquet.Compression(&parquet.Zstd))
	some := make([]row, 1<<18)
	for range 70 {
		if _, err := w.Write(some); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bomb.parquet")
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), path, Layout{Label: "label"})
	if err == nil || !strings.Contains(err.Error(), "18350080 rows of 2 columns") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%d bytes: %v", file.Len(), err)
	}
}
