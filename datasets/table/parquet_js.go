package table

import (
	"errors"
	"io"
)

func readParquet(io.Reader, *builder) error {
	return errors.New("no Parquet in a browser: want .csv")
}
