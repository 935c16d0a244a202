// Package confirm runs a confirmatory study: what is asked, how it is measured and
// how it is decided stands in a file that was written down first.
//
// The typical steps are:
//
//  1. [Read] reads a [Protocol]: matches between agents.
//
//  2. [Guard] checks it against the repository: the file is committed and the tree clean.
//
//  3. [Run] plays.
//
//  4. Hypotheses are decided from the table of batches alone ([Protocol.Decide]), with
//     Holm's correction, so that the table decides them again ([Protocol.Again]).
package confirm
