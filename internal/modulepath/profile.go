package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
)

// profile has all names in a profile go through text. A profile is a packed protocol
// buffer whose fields of number 6 are its strings (github.com/google/pprof,
// profile.proto). Under a path that is not theirs the compiler would find none of the
// functions, and build a slower program without a word.
func profile(packed []byte, text func([]byte) []byte) ([]byte, error) {
	unpack, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	message, err := io.ReadAll(unpack)
	if err != nil {
		return nil, err
	}
	var out []byte
	for len(message) > 0 {
		key, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, errors.New("damaged: want a number of a field")
		}
		number, wire := key>>3, key&7
		out = append(out, message[:n]...)
		message = message[n:]
		value, n := binary.Uvarint(message)
		if n <= 0 || wire != 0 && wire != 2 || wire == 2 && value > uint64(len(message)-n) {
			return nil, errors.New("damaged: want numbers and strings of fields")
		}
		if wire == 0 {
			out, message = append(out, message[:n]...), message[n:]
			continue
		}
		field := message[n : n+int(value)]
		message = message[n+int(value):]
		if number == 6 {
			field = text(field)
		}
		out = append(binary.AppendUvarint(out, uint64(len(field))), field...)
	}
	var b bytes.Buffer
	pack, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := pack.Write(out); err != nil {
		return nil, err
	}
	err = pack.Close()
	return b.Bytes(), err
}
