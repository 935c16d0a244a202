// Package sources runs the protocol about evaluations as they come: what each loses under
// minimax and under expectimax, how much of that is its scale, and whether a law from
// measurable parts predicts it in games that it was not fitted to.
//
// The typical steps are:
//
//  1. [Read] reads a protocol: sources of evaluations, worlds, hypotheses with their
//     margins, exclusions.
//
//  2. [Run] makes the units, a training seed of a source in a world each (units.go), and
//     measures them: on solved boards (boards.go), in games with common luck (games.go),
//     or by regret over positions. What the law needs is measured in one pass over
//     positions (law.go). Worlds that are held out come last, when the law has been
//     fitted and has said what will be found.
//
//  3. Hypotheses are decided from the rows alone (hypotheses.go), so that whoever has the
//     table of rows can decide them again ([Decide]).
package sources
