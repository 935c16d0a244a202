// Package trees measures what linearity costs: bagged regression trees over the same
// features as a fit ([Forest]), compared with least squares on the same folds.
package trees

// Forest is bagged regression trees (Breiman 1996), golearn's, as the baseline
// without linearity: what the same features could say if they were not summed.
// It is slow and made for a few thousand rows.
//
// Trees are bagged here, over episodes drawn with replacement: golearn's own
// bagging votes on classes, draws rows apart that belong together, and takes its
// chances from a source that no one can seed. Features are cut into 32 ranks
// first, since its trees try every threshold from the beginning.
type Forest struct {
	Trees   int    // 0: 20
	Depth   int    // of a tree, 0: 6
	Rows    int    // at most, whole episodes drawn from all training rows; 0: 4,000
	Folds   int    // 0: 5
	Repeats int    // of the division into folds; 0: 3
	Seed    uint64 // of episodes drawn and folds
}

// Comparison is what linearity costs: mean squared errors on the same folds.
type Comparison struct {
	Rows     int `json:"rows"`
	Episodes int `json:"episodes"`
	// Constant, Linear and Trees are means over folds and repeats.
	Constant     float64 `json:"constant"`
	Linear       float64 `json:"linear"`
	Trees        float64 `json:"trees"`
	LinearSpread float64 `json:"linear_spread"` // standard deviation over folds and repeats
	TreesSpread  float64 `json:"trees_spread"`
	// Cost is Linear - Trees: positive where trees do better. Error is its standard error by Nadeau
	// and Bengio (2003), for folds that share training rows: sqrt((1/J + test/train) s^2).
	Cost  float64 `json:"cost"`
	Error float64 `json:"error"`
}
