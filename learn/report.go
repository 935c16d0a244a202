package learn

import (
	"fmt"
	"strings"

	"plyfit/arena/stats"
	"plyfit/internal/elementary"
)

// Report is the result of a fit. Losses are means over rows, weighted as the samples are; fields
// not estimated are zero, never NaN.
type Report struct {
	Rows            int64 `json:"rows"`
	HeldOutRows     int64 `json:"held_out_rows"`
	Episodes        int   `json:"episodes"`
	HeldOutEpisodes int   `json:"held_out_episodes"`
	// Positions is the number of distinct feature vectors among all rows, so positions with equal
	// features count once: exact up to a million, beyond that an estimate good to half a percent.
	Positions int64 `json:"positions"`

	Loss        float64 `json:"loss"` // mean, of the fitted weights
	HeldOutLoss float64 `json:"held_out_loss"`
	// HeldOutError is the standard error of HeldOutLoss by the jackknife, clustered by group of
	// episodes; 0 for fewer than two. It covers the variation of held-out games, not of training
	// games.
	HeldOutError float64 `json:"held_out_error"`
	// HeldOutFreedom is HeldOutError's degrees of freedom of Student's t, by Satterthwaite's
	// approximation: G-1 for G groups of equal weight, fewer if weights differ.
	HeldOutFreedom float64 `json:"held_out_df,omitempty"`
	Overlap        Overlap `json:"overlap"`
	// Constant, Zero and Baselines are measured by the same loss on the same rows: the training
	// rows' best constant, weights of zero (frozen ones kept), and the caller's baselines.
	Constant  Measure   `json:"constant"`
	Zero      Measure   `json:"zero"`
	Baselines []Measure `json:"baselines"`
	// R2 is the share of the constant's loss that the fit removes, 1 - Loss/Constant.Loss: the
	// coefficient of determination for the squared loss, McFadden's for the logistic one.
	// HeldOutR2 is that of held-out rows against the training rows' constant.
	R2        float64 `json:"r2"`
	HeldOutR2 float64 `json:"held_out_r2"`
	// Alike means that all labels are equal, seen by player 0, so that R2 is undefined.
	Alike bool `json:"labels_alike,omitempty"`

	Steps   int      `json:"steps"`   // passes or iterations taken
	Weights []Weight `json:"weights"` // the bias first, then all features outside of tables
	Notes   []string `json:"notes"`   // what was dropped, skipped or limited, and why
}

// Overlap counts held-out rows whose position is also in training rows: a fit may have memorised
// them.
type Overlap struct {
	Rows     int64   `json:"rows"`
	Share    float64 `json:"share"`     // of the held-out rows
	Loss     float64 `json:"loss"`      // on these rows
	RestLoss float64 `json:"rest_loss"` // on the other held-out ones
	// Apart means that all other held-out figures exclude these rows and cover unseen positions
	// only. They cover all held-out rows if too few games have unseen ones, or if the fit asks for
	// it.
	Apart bool `json:"apart"`
}

// Text is a sentence on how many of the held-out rows, called what, occur in training.
func (o *Overlap) Text(what string) string {
	switch {
	case o.Rows == 0:
		return fmt.Sprintf("None of the held-out %s stands in training.", what)
	case o.Share == 1:
		return fmt.Sprintf("All held-out %s stand in training, too.", what)
	}
	return fmt.Sprintf("Of the held-out %s %.1f%% stand in training, too: loss %.6g on these, %.6g on the others.", what, 100*o.Share, o.Loss, o.RestLoss)
}

// Measure is a name with its mean loss.
type Measure struct {
	Name        string  `json:"name"`
	Loss        float64 `json:"loss"`
	HeldOutLoss float64 `json:"held_out_loss"`
}

// Weight is a fitted weight and what supports it.
type Weight struct {
	Name  string  `json:"name"`
	Index int32   `json:"index"` // models.Bias for the bias
	Value float64 `json:"value"`
	// Error is the standard error clustered by episode, by the jackknife (Hansen 2023; MacKinnon,
	// Nielsen and Webb 2023), or, if that would take too long, by the sandwich (Liang and Zeger
	// 1986). It is 0 if none was estimated or the weight is not identified. Samples of one game
	// share its outcome: errors that assume independence are 1.5 to 1.8 times too small.
	Error float64 `json:"error"`
	// Freedom is Error's degrees of freedom of Student's t: the number of episodes of equal weight
	// that would determine this weight as well.
	Freedom float64 `json:"df,omitempty"`
	Prior   float64 `json:"prior"`
	// VIF is the variance inflation factor: the ratio of this weight's variance to that with a
	// feature uncorrelated with all others.
	VIF     float64 `json:"vif"`
	Support int64   `json:"support"`        // training rows in which the feature is not zero
	Note    string  `json:"note,omitempty"` // why the weight was not fitted, or means little
	// Separated means that the weight has no finite estimate: its feature separates results
	// (quasi-complete separation; Albert and Anderson 1984), so the likelihood grows with it
	// without bound. Value is then where the penalty or the last step left it, and Error is 0.
	Separated bool `json:"separated,omitempty"`
}

// Frozen is the note of a weight that was not fitted since it was given.
const Frozen = "frozen"

// Interval is the weight's 95% interval; ok is false if there is none.
func (w *Weight) Interval() (low, high float64, ok bool) {
	if !(w.Error > 0 && w.Freedom > 0) {
		return 0, 0, false
	}
	half := float64(w.Error * stats.TQuantile95(w.Freedom))
	return w.Value - half, w.Value + half, true
}

// HeldOutInterval is the 95% interval of HeldOutLoss for these weights on fresh games of the same
// players; ok is false if there is none, as when nearly all held-out rows are of one game.
//
// It is an interval of the loss's logarithm, since losses of games are skewed to the right.
// Student's t of the loss itself covered the truth in 92 of 100 at 8 games and missed above in 7,
// 1.96 standard errors covered 84; the logarithm's, with the number of games of equal weight less
// one as degrees of freedom, covered 92 to 93 of 100 squared losses below 50 games.
// internal/reliability checks the coverage.
func (r *Report) HeldOutInterval() (low, high float64, ok bool) {
	return LossInterval(r.HeldOutLoss, r.HeldOutError, r.HeldOutFreedom)
}

// LossInterval is [Report.HeldOutInterval] of a mean loss with a standard error and its degrees of
// freedom; ok is false if there is none.
func LossInterval(loss, err, freedom float64) (low, high float64, ok bool) {
	if !(err > 0 && freedom >= 1 && loss > 0) {
		return 0, 0, false
	}
	t := stats.TQuantile95(freedom)
	factor := elementary.Exp(float64(t*err) / loss)
	return loss / factor, loss * factor, true
}

// Figures is a report in JSON: null for a figure over no rows, and for R2 if all labels are equal.
type Figures struct {
	Report
	HeldOutLoss  *float64         `json:"held_out_loss"`
	HeldOutError *float64         `json:"held_out_error"`
	Constant     measureFigures   `json:"constant"`
	Zero         measureFigures   `json:"zero"`
	Baselines    []measureFigures `json:"baselines"`
	R2           *float64         `json:"r2"`
	HeldOutR2    *float64         `json:"held_out_r2"`
}

type measureFigures struct {
	Measure
	HeldOutLoss *float64 `json:"held_out_loss"`
}

// Figures are the report's.
func (r *Report) Figures() Figures {
	over := func(known bool, x float64) *float64 {
		if !known {
			return nil
		}
		return &x
	}
	held := r.HeldOutRows > 0
	measure := func(m Measure) measureFigures { return measureFigures{m, over(held, m.HeldOutLoss)} }
	f := Figures{
		Report: *r, HeldOutLoss: over(held, r.HeldOutLoss), HeldOutError: over(held, r.HeldOutError),
		Constant: measure(r.Constant), Zero: measure(r.Zero), R2: over(!r.Alike, r.R2), HeldOutR2: over(held && !r.Alike, r.HeldOutR2),
	}
	for _, m := range r.Baselines {
		f.Baselines = append(f.Baselines, measure(m))
	}
	return f
}

// FigureText is a figure as tables have it, or a dash where there is none.
func FigureText(x *float64) string {
	if x == nil {
		return "–"
	}
	return fmt.Sprintf("%.3f", *x)
}

// lowSupport is the number of training rows below which a weight is flagged.
const lowSupport = 100

// against sets the losses of the constant, and what the fit removes of them.
func (r *Report) against(constant Measure) {
	r.Constant = constant
	if constant.Loss > 0 {
		r.R2 = 1 - r.Loss/constant.Loss
	}
	if constant.HeldOutLoss > 0 {
		r.HeldOutR2 = 1 - r.HeldOutLoss/constant.HeldOutLoss
	}
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// noteMany lists names under one heading, the first twenty of them.
func (r *Report) noteMany(heading string, names []string) {
	if len(names) == 0 {
		return
	}
	rest := ""
	if len(names) > 20 {
		rest = fmt.Sprintf(" and %d more", len(names)-20)
		names = names[:20]
	}
	r.note("%s: %s%s", heading, strings.Join(names, ", "), rest)
}
