package sums

import (
	"fmt"
	"io"
	"os"

	"plyfit/work"
)

// packedRows are the blocks of a fit in a temporary file, by their digests. The file
// has no name, where the system allows that, and goes with the process.
type packedRows struct {
	columns int
	digests []string // of the blocks, in order
	file    *os.File
	at      map[string]span
	size    int64
}

// span is where a block stands in the file.
type span struct{ from, bytes int64 }

var _ work.Files = (*packedRows)(nil)

// packRows packs the rows that read hands out.
func packRows(columns int, read rows) (p *packedRows, err error) {
	file, err := os.CreateTemp("", "plyfit-rows-*")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name()) // not everywhere while it is open: close tries again
	p = &packedRows{columns: columns, file: file, at: map[string]span{}}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	b, size := &block{}, blockRows(columns)
	var failed error
	keep := func() {
		if failed == nil {
			failed = p.keep(b.pack())
		}
		b.clear()
	}
	err = read(func(cols []int32, vals []float64, r Row) {
		if b.Add(cols, vals, r); b.Len() == size {
			keep()
		}
	})
	if err == nil && b.Len() > 0 {
		keep()
	}
	if err == nil {
		err = failed
	}
	return p, err
}

func (p *packedRows) keep(data []byte) error {
	digest := work.Digest(data)
	p.digests = append(p.digests, digest)
	if _, had := p.at[digest]; had {
		return nil
	}
	if _, err := p.file.WriteAt(data, p.size); err != nil {
		return fmt.Errorf("packed rows: %w", err)
	}
	p.at[digest] = span{p.size, int64(len(data))}
	p.size += int64(len(data))
	return nil
}

// Read implements [work.Files].
func (p *packedRows) Read(digest string) ([]byte, error) {
	s, there := p.at[digest]
	if !there {
		return nil, fmt.Errorf("no block of rows of SHA-256 %s is at hand", digest)
	}
	data := make([]byte, s.bytes)
	if _, err := io.ReadFull(io.NewSectionReader(p.file, s.from, s.bytes), data); err != nil {
		return nil, fmt.Errorf("packed rows: %w", err)
	}
	return data, nil
}

// sum answers here.
func (p *packedRows) sum(q *Question) (*Sum, error) {
	var t Tree
	for _, digest := range p.digests {
		data, err := p.Read(digest)
		if err != nil {
			return nil, err
		}
		b, err := unpack(data, p.columns)
		if err != nil {
			return nil, err
		}
		t.Add(q.Of(b))
	}
	return t.Total(), nil
}

func (p *packedRows) close() error {
	err := p.file.Close()
	os.Remove(p.file.Name())
	return err
}
