//go:build !js

package measure

import "embed"

// benches contains a file NAME.csv for each bench, which docs/results/bench/bench.py has written. Its
// first row contains the game and the planner. The others contain the number of the game played,
// a position, and the moves with their values, as in 3=1 4=0.
//
//go:embed bench/*.csv
var benches embed.FS
