package learn

// Report is what a fit has to say for itself.
type Report struct {
	Rows, HeldOutRows         int64
	Episodes, HeldOutEpisodes int
	Loss, HeldOutLoss         float64 // mean, of the fitted weights
	Steps                     int     // passes or iterations taken
	Notes                     []string
}
