package arena

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"time"

	"plyfit/search"
	"plyfit/work"
)

// kindMatch is the kind of job whose units are batches of pairs.
const kindMatch = "match"

// positionsFile is the name of the job file that contains the listed openings as JSON.
const positionsFile = "openings"

// pairsRest contains the settings of a match that are specific to this kind of job.
type pairsRest struct {
	Match Header `json:"match"`
}

// timeElsewhere is the intended duration of a unit in another process. Units are shorter if the
// match would otherwise have fewer than sharesElsewhere of them. Long units reduce network
// overhead, and many units keep all processes busy.
const (
	timeElsewhere   = 500 * time.Millisecond
	sharesElsewhere = 64
)

// mostPairs is the maximum number of pairs in a unit.
const mostPairs = 512

// pairsElsewhere returns the number of pairs per unit for other processes, given the time that a
// pair takes. Because the result is a power of two, a resumed match is usually divided in the same
// way.
func (m *match) pairsElsewhere(one time.Duration) int {
	n := min(timeElsewhere/max(1, one), mostPairs, time.Duration(m.cfg.Pairs)/sharesElsewhere)
	return 1 << (bits.Len(uint(max(1, n))) - 1)
}

// pack returns a job, with the given number of pairs per unit, and the job's files.
func (m *match) pack(pairs int) (*work.Job, work.Files, error) {
	cfg := m.cfg
	if cfg.Referee != nil {
		return nil, nil, errors.New("referee: a match with a referee can run only on this machine")
	}
	if cfg.MoveTime > 0 {
		return nil, nil, fmt.Errorf("move time limit %v: results would depend on the machine; use agents with nodes= or depth= instead", cfg.MoveTime)
	}
	cfg.NoMoves = cfg.NoMoves || cfg.Out == "" // moves would not be used
	h, files := headerOf(cfg), work.Memory{}
	job := &work.Job{
		Kind: kindMatch, World: h.Game, Agents: []string{h.A, h.B}, Seed: h.Seed, To: cfg.Pairs,
		UnitSize: pairs, Rest: pairsRest{h},
	}
	agents := []search.Factory{cfg.A, cfg.B}
	if cfg.Nature != nil {
		agents = append(agents, *cfg.Nature)
	}
	if err := search.Pack(job, files, agents...); err != nil {
		return nil, nil, err
	}
	if len(cfg.Openings.Positions) > 0 {
		text, err := json.Marshal(cfg.Openings.Positions)
		if err != nil {
			return nil, nil, err
		}
		job.Files[positionsFile] = files.Add(text)
	}
	return job, files, nil
}

// Kind returns the kind of job that plays match pairs in other processes.
func Kind(unpack search.Unpack) work.Kind {
	return work.Kind{Name: kindMatch, Open: func(job *work.Job, files work.Files, workers int) (work.Units, error) {
		var rest pairsRest
		if err := job.Decode(&rest); err != nil {
			return nil, err
		}
		m, err := unpackMatch(job, &rest.Match, files, unpack)
		if err != nil {
			return nil, err
		}
		if job.To < 1 || job.UnitSize < 1 {
			return nil, fmt.Errorf("%d pairs in units of %d: want at least one pair and at least one pair per unit", job.To, job.UnitSize)
		}
		pool := make([]*worker, workers)
		for i := range pool {
			pool[i] = newWorker(m)
			pool[i].spell = !rest.Match.NoMoves
		}
		return work.NewUnits(work.Task[*worker, PairRecord]{
			Parts: func(unit int) int { from, to := m.span(unit, job.UnitSize); return max(0, to-from) },
			Do: func(ctx context.Context, w *worker, unit, part int) (PairRecord, error) {
				from, _ := m.span(unit, job.UnitSize)
				return w.pair(ctx, from+part)
			},
			Join: func(_ int, pairs []PairRecord) ([]byte, error) { return sealedLines(pairs) },
		}, pool, func() error {
			for _, w := range pool {
				w.close()
			}
			return nil
		}), nil
	}}
}

// unpackMatch returns the match to which the pairs of a job belong.
func unpackMatch(job *work.Job, h *Header, files work.Files, unpack search.Unpack) (*match, error) {
	g, agents, err := unpack(job, files)
	switch {
	case err != nil:
		return nil, err
	case len(agents) < 2 || len(agents) > 3:
		return nil, fmt.Errorf("%d agents: want A and B, and optionally a third agent that plays nature", len(agents))
	}
	cfg := h.config(g, agents[0], agents[1])
	cfg.Pairs, cfg.SPRT = job.To, nil // only the coordinating process applies the test
	if len(agents) == 3 {
		cfg.Nature = &agents[2]
	}
	if digest, listed := job.Files[positionsFile]; listed {
		text, err := files.Read(digest)
		if err == nil {
			err = json.Unmarshal(text, &cfg.Openings.Positions)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", positionsFile, err)
		}
	}
	return newMatch(cfg)
}

// span returns the range [from, to) of the pairs in a unit.
func (m *match) span(unit, pairs int) (from, to int) {
	return unit * pairs, min(m.cfg.Pairs, (unit+1)*pairs)
}

// playElsewhere plays one pair in this process to determine the size of the units. Other processes
// play the remaining pairs.
func (s *scorer) playElsewhere(ctx context.Context) error {
	begun := time.Now()
	w := newWorker(s.match)
	defer w.close()
	first, err := w.pair(ctx, s.next())
	if err != nil {
		return err
	}
	size := s.pairsElsewhere(time.Since(begun))
	if err := s.take([]PairRecord{first}); err != nil || s.done() {
		return err
	}
	const ahead = 512 // in units; enough to keep as many processors busy
	r := work.Run{Audit: s.audit(size), Ready: s.ready(size, ahead)}
	if r.Job, r.Files, err = s.pack(size); err != nil {
		return err
	}
	r.Put = func(unit int, lines []byte) error {
		from, to := s.span(unit, size)
		records, err := s.records(from, to, lines)
		if err != nil {
			return fmt.Errorf("unit %d: %w", unit, err)
		}
		return s.take(records)
	}
	const most = 1 << 20
	if n := (s.cfg.Pairs - s.next()) / size; n > most {
		return fmt.Errorf("%d pairs make %d units of %d pairs for the cluster; want at most %d units", s.cfg.Pairs-s.next(), n, size, most)
	}
	for unit := s.next() / size; unit <= (s.cfg.Pairs-1)/size; unit++ {
		r.Units = append(r.Units, unit)
	}
	return work.ExecutorOf(ctx).Run(ctx, r)
}
