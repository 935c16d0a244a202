package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"time"

	"plyfit/datasets"
	"plyfit/internal/regular"
)

// unreadable tells of a file that cannot be read, such as a named pipe in its place. One
// that is not there, or not any more, is nothing to tell of.
func (v *runView) unreadable(err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		v.Events = append(v.Events, err.Error())
	}
}

// countShards reads how much of a data set is there: the shards in its folder, of those
// that its plan wants, and how fast they came.
func (v *runView) countShards(root *os.Root, name string) {
	data, err := regular.ReadIn(root, path.Join(name, datasets.ManifestFile), longestPlan)
	var m datasets.Manifest
	v.unreadable(err)
	if err != nil || json.Unmarshal(data, &m) != nil || m.EpisodesPerShard < 1 {
		return
	}
	v.Game = m.Game
	var first, last time.Time
	late := 0 // episodes after the first shard
	for k := range min(m.Plan.Shards(), mostFiles) {
		begin, end := m.Span(k)
		v.Of += int(end - begin)
		info, err := root.Stat(path.Join(name, datasets.ShardName(k)))
		if err != nil {
			continue
		}
		v.Done += int(end - begin)
		at := info.ModTime()
		if first.IsZero() || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
		late = v.Done - int(end-begin)
	}
	v.Ended = m.Complete
	if took := last.Sub(first).Seconds(); took > 1 && late > 0 {
		v.pace(float64(late) / took)
	}
}

// countCells counts the finished cells of a study, experiment by experiment.
func (v *runView) countCells(root *os.Root, name string) {
	fs.WalkDir(root.FS(), path.Join(name, cellsName), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".jsonl") || path.Base(file) == "seeds.jsonl" {
			return nil
		}
		f, err := regular.OpenIn(root, file)
		if err != nil {
			v.unreadable(err)
			return nil
		}
		n := lines(f)
		f.Close()
		v.Done += n
		v.Events = append(v.Events, fmt.Sprintf("%s: %d cells", strings.TrimSuffix(path.Base(file), ".jsonl"), n))
		return nil
	})
}

// lines counts the lines of a file.
func lines(r io.Reader) (n int) {
	for block := make([]byte, 1<<16); ; {
		k, err := r.Read(block)
		n += bytes.Count(block[:k], []byte("\n"))
		if err != nil {
			return n
		}
	}
}

// pace notes how many units are finished in a second, and so what time is left.
func (v *runView) pace(rate float64) {
	if !(rate > 0) {
		return
	}
	v.Rate = number(rate)
	if left := v.Of - v.Done; left > 0 && !v.Ended {
		v.Ahead = time.Duration(float64(left) / rate * float64(time.Second)).Round(time.Second).String()
	}
}

// observation is how far a run was when this server saw it first.
type observation struct {
	at   time.Time
	done int
}

// observations are those of runs whose files do not say how fast they are.
type observations struct {
	mu  sync.Mutex
	all map[string]observation
}

// rate is what came of a run since it was seen first.
func (s *Server) rate(v *runView) {
	if !v.Live || v.Done == 0 {
		return
	}
	s.seen.mu.Lock()
	defer s.seen.mu.Unlock()
	first, ok := s.seen.all[v.Name]
	if !ok || v.Done < first.done {
		if len(s.seen.all) >= mostRuns {
			clear(s.seen.all)
		}
		s.seen.all[v.Name] = observation{time.Now(), v.Done}
		return
	}
	if took := time.Since(first.at).Seconds(); took > 1 {
		v.pace(float64(v.Done-first.done) / took)
	}
}
