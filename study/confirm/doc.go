// Package confirm runs a confirmatory study: what is asked, how it is measured and
// how it is decided stands in a file that was written down first.
//
// The typical steps are:
//
//  1. [Read] reads a [Protocol]: matches between agents (matches.go), or sources of
//     evaluations with worlds, hypotheses and their margins (protocol.go). [Cost] says
//     what it will take.
//
//  2. [Guard] holds it against the repository and the run folder: the file is
//     committed and the tree clean, no seed was used before, no cell is of another
//     protocol or of other code.
//
//  3. [Run] measures. Of sources it makes the units, a training seed of a source in a
//     world each (units.go), and says what they lose under minimax and under expectimax:
//     on solved boards (boards.go), in games with common luck (games.go), or by regret
//     over positions. What the law needs is measured in one pass over positions (law.go).
//     Worlds that are held out come last, when the law has been fitted and has said what
//     will be found.
//
//  4. Hypotheses are decided from the table of rows alone ([Protocol.Decide]), with Holm's
//     correction, so that whoever has the table can decide them again. [Protocol.Permute]
//     decides tables in which none of them is true.
package confirm
