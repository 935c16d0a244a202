package learn

import (
	"plyfit/learn/internal/sums"
	"plyfit/work"
)

// Kind sums the rows of fits by [Ridge] and [Newton] in other processes, where the
// context of Learn says so ([work.WithExecutor]). A unit is an aligned subtree of a
// binary tree over blocks of rows; the bits are those of a fit without other processes.
func Kind() work.Kind { return sums.Kind() }
