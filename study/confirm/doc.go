// Package confirm runs a confirmatory study: what is asked, how it is measured and
// how it is decided stands in a file that was written down first.
//
// The typical steps are:
//
//  1. [Read] reads a [Protocol]: hypotheses, worlds, errors, seeds, sizes. A
//     contrast in which planner and world change together is refused.
//
//  2. [Guard] holds it against the repository and the run folder: the file is
//     committed and the tree clean, no seed was used before, no cell is of another
//     protocol.
//
//  3. [Run] plays it as package page runs any experiment: cells that carry the
//     protocol's digest, pair by pair, a [Tested] for each hypothesis with Holm's
//     correction over all of them, and what deviates from the file.
//
// [Cost] says beforehand what that will take.
package confirm
