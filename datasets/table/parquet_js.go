package table

import (
	"errors"
	"io"
)

func readParquet(io.Reader, *builder) error {
	return errors.New("Parquet files cannot be read in a browser; use .csv")
}
