package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
)

const (
	// mostEpisodeBytes is how much the records of an episode may take in a shard: a
	// game of 2048 by strong agents takes some 500 KB.
	mostEpisodeBytes = 4 << 20
	// mostShardBytes is how large a shard may be that another process has made.
	mostShardBytes = 1 << 30
)

// MostBytes is how large a shard of the plan may be that another process has made.
func (r Plan) MostBytes() int64 {
	return min(int64(min(r.EpisodesPerShard, mostShardBytes))*mostEpisodeBytes, mostShardBytes)
}

// Examine reads a shard that another process has made, and hands the records of the
// episodes [first, end) to each, in order. It is an error where the shard is none of ours,
// or not this one of the plan: without an intact seal, with other episodes than the
// shard's, or plies that do not ascend.
func (r Plan) Examine(shard int, file []byte, first, end uint64, each func(*Record) error) error {
	name := ShardName(shard)
	return eachSealed(name, file, func(p *parquet.File) (from, to int64, err error) {
		episodes, err := integers(p, "episode")
		if err != nil {
			return 0, 0, err
		}
		plies, err := integers(p, "ply")
		if err != nil {
			return 0, 0, err
		}
		if err := r.inOrder(shard, episodes, plies); err != nil {
			return 0, 0, err
		}
		at := func(e uint64) int64 {
			i, _ := slices.BinarySearch(episodes, int64(e))
			return int64(i)
		}
		return at(first), at(end), nil
	}, each)
}

// integers are the values of a column.
func integers(p *parquet.File, name string) (all []int64, err error) {
	column, _ := p.Schema().Lookup(name) // checkColumns has found it
	buffer := make([]parquet.Value, readBatch)
	for _, group := range p.RowGroups() {
		pages := group.ColumnChunks()[column.ColumnIndex].Pages()
		for err == nil {
			var page parquet.Page
			if page, err = pages.ReadPage(); err != nil {
				break
			}
			values := page.Values()
			for err == nil {
				var n int
				n, err = values.ReadValues(buffer)
				for _, v := range buffer[:n] {
					switch v.Kind() {
					case parquet.Int64:
						all = append(all, v.Int64())
					case parquet.Int32:
						all = append(all, int64(v.Int32()))
					default:
						err = fmt.Errorf("column %s: a value that is no integer", name)
					}
				}
			}
			parquet.Release(page)
			if errors.Is(err, io.EOF) {
				err = nil
			}
		}
		if cerr := pages.Close(); errors.Is(err, io.EOF) {
			err = cerr
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// inOrder finds fault with the episodes and plies of a shard.
func (r Plan) inOrder(shard int, episodes, plies []int64) error {
	from, end := r.Span(shard)
	if len(plies) != len(episodes) {
		return fmt.Errorf("%d plies of %d rows", len(plies), len(episodes))
	}
	for i, e := range episodes {
		switch first := i == 0; {
		case e < int64(from) || e >= int64(end):
			return fmt.Errorf("row %d: episode %d: want those from %d to %d", i, e, from, end-1)
		case first && e != int64(from) || !first && e != episodes[i-1] && e != episodes[i-1]+1:
			return fmt.Errorf("row %d: episode %d: want one after the other from %d", i, e, from)
		case plies[i] < 0 || !first && e == episodes[i-1] && plies[i] <= plies[i-1]:
			return fmt.Errorf("row %d: ply %d: want one that is larger than those before", i, plies[i])
		}
	}
	if n := len(episodes); n == 0 || episodes[n-1] != int64(end)-1 {
		return fmt.Errorf("its episodes end before %d", end)
	}
	return nil
}

// EachSealed calls each for the records of a shard in memory, in order, until it returns
// an error. A shard without an intact seal is an error. name is for messages.
func EachSealed(name string, file []byte, each func(*Record) error) error {
	return eachSealed(name, file, nil, each)
}

// eachSealed is EachSealed for the rows that choose finds.
func eachSealed(name string, file []byte, choose func(*parquet.File) (from, to int64, err error), each func(*Record) error) error {
	if !sealed(file) {
		return fmt.Errorf("%s: want a shard with a seal", name)
	}
	var bad error
	if err := readPart(name, bytes.NewReader(file), int64(len(file)), choose, func(rec *Record) bool {
		bad = each(rec)
		return bad == nil
	}); err != nil {
		return err
	}
	if bad != nil {
		return fmt.Errorf("%s: %w", name, bad)
	}
	return nil
}
