package validate

import (
	"context"
	"math"

	"plyfit/datasets"
	"plyfit/game"
	"plyfit/learn"
	"plyfit/learn/internal/design"
	"plyfit/models"
)

// CurvePoint is a fit on part of the training episodes.
type CurvePoint struct {
	Share       float64 `json:"share"` // of the training episodes, in (0, 1]
	Rows        int64   `json:"rows"`
	Episodes    int     `json:"episodes"`
	Loss        float64 `json:"loss"`
	HeldOutLoss float64 `json:"held_out_loss"`
}

// LearningCurve fits on growing shares of the training episodes and measures each
// fit on all held-out ones: where the curve is flat, more games would not help.
// Every share holds the smaller ones. The learner must hold out the episodes
// that held tells, and leaves out whole groups (see [Options].Group; nil: episodes);
// each fit starts from a copy of m. Shares of nil are 1/16, 1/8,
// 1/4, 1/2 and 1. Standard errors are best switched off.
func LearningCurve(ctx context.Context, m *models.Linear, data datasets.Samples, l learn.Learner, held func(episode uint64) bool, group func(episode uint64) (id uint64, alone bool), shares []float64) ([]CurvePoint, error) {
	if held == nil {
		panic("learn: LearningCurve without held-out episodes")
	}
	if shares == nil {
		shares = []float64{1. / 16, 1. / 8, 1. / 4, 1. / 2, 1}
	}
	var curve []CurvePoint
	groups := design.Split{Group: group}
	for _, share := range shares {
		part := learn.Filter{Data: data, Keep: func(s *datasets.Sample) bool {
			id, _ := groups.GroupOf(s.Episode)
			return held(s.Episode) || share >= 1 || float64(game.Mix(id^0x1ea2)) < share*math.MaxUint64
		}}
		r, err := l.Learn(ctx, m.Clone(), part)
		if err != nil {
			return curve, err
		}
		curve = append(curve, CurvePoint{share, r.Rows, r.Episodes, r.Loss, r.HeldOutLoss})
	}
	return curve, nil
}
