package sums

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"plyfit/learn/loss"
	"plyfit/models"
	"plyfit/work"
)

// kindSums is the kind of job whose units are aligned subtrees of a [Tree].
const kindSums = "sums"

// unitBlocks is how many blocks a unit has, a power of two.
const unitBlocks = 4

// rest is a [Question] as a job has it.
type rest struct {
	Columns int         `json:"columns"`
	Loss    string      `json:"loss,omitempty"` // logistic, squared; "": least squares
	Link    models.Link `json:"link,omitzero"`
	Scale   float64     `json:"scale,omitempty"`
	Lo      float64     `json:"lo,omitempty"`
	Hi      float64     `json:"hi,omitempty"`
	Weights []byte      `json:"weights,omitempty"` // little-endian numbers of 8 bytes
	Design  bool        `json:"design,omitempty"`
}

// wire is the question as other processes get it; ok is false where its loss is none
// that they know.
func (q *Question) wire() (w rest, ok bool) {
	w = rest{Columns: q.Columns, Design: q.Design}
	switch l := q.Loss.(type) {
	case nil:
		return w, true
	case loss.Logistic:
		w.Loss, w.Scale, w.Lo, w.Hi = "logistic", l.Scale, l.Lo, l.Hi
	case loss.Squared:
		w.Loss, w.Link, w.Lo, w.Hi = "squared", l.Link, l.Lo, l.Hi
	default:
		return w, false
	}
	for _, v := range q.Weights {
		w.Weights = binary.LittleEndian.AppendUint64(w.Weights, math.Float64bits(v))
	}
	return w, !math.IsInf(w.Lo, 0) && !math.IsInf(w.Hi, 0)
}

// question is what wire was made of.
func (w *rest) question() (*Question, error) {
	q := &Question{Columns: w.Columns, Design: w.Design}
	if w.Columns < 1 || w.Columns > math.MaxUint16 {
		return nil, fmt.Errorf("%d columns: want 1 to %d", w.Columns, math.MaxUint16)
	}
	switch w.Loss {
	case "":
		return q, nil
	case "logistic":
		q.Loss = loss.Logistic{Scale: w.Scale, Lo: w.Lo, Hi: w.Hi}
	case "squared":
		q.Loss = loss.Squared{Link: w.Link, Lo: w.Lo, Hi: w.Hi}
	default:
		return nil, fmt.Errorf("loss %q: want logistic or squared", w.Loss)
	}
	if len(w.Weights) != 8*w.Columns {
		return nil, fmt.Errorf("%d bytes of weights: want 8 for each of %d columns", len(w.Weights), w.Columns)
	}
	for k := range w.Columns {
		q.Weights = append(q.Weights, math.Float64frombits(binary.LittleEndian.Uint64(w.Weights[8*k:])))
	}
	return q, nil
}

// Kind sums rows for fits in other processes.
func Kind() work.Kind {
	return work.Kind{Name: kindSums, Open: func(job *work.Job, files work.Files, workers int) (work.Units, error) {
		var w rest
		if err := job.Decode(&w); err != nil {
			return nil, err
		}
		q, err := w.question()
		if err != nil {
			return nil, err
		}
		if job.To != len(job.Files) || job.UnitSize < 1 {
			return nil, fmt.Errorf("%d of %d blocks in units of %d: want all of them", job.To, len(job.Files), job.UnitSize)
		}
		return work.NewUnits(work.Task[struct{}, []byte]{
			Parts: func(int) int { return 1 },
			Do: func(ctx context.Context, _ struct{}, unit, _ int) ([]byte, error) {
				s, err := q.subtree(ctx, job, files, unit)
				if err != nil {
					return nil, err
				}
				return s.pack(), nil
			},
			Join: func(_ int, parts [][]byte) ([]byte, error) { return parts[0], nil },
		}, make([]struct{}, workers), nil), nil
	}}
}

// subtree is the sum of one unit of a job.
func (q *Question) subtree(ctx context.Context, job *work.Job, files work.Files, unit int) (*Sum, error) {
	from, to := unit*job.UnitSize, min((unit+1)*job.UnitSize, job.To)
	if from < 0 || from >= to {
		return nil, fmt.Errorf("unit %d of %d blocks: want one that has some", unit, job.To)
	}
	var t Tree
	for i := from; i < to; i++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		data, err := files.Read(job.Files[blockName(i)])
		if err != nil {
			return nil, err
		}
		b, err := unpack(data, q.Columns)
		if err != nil {
			return nil, err
		}
		t.Add(q.Of(b))
	}
	return t.Total(), nil
}

// blockName is what a job calls a block.
func blockName(i int) string { return fmt.Sprintf("rows-%d", i) }
