// Package models stores linear evaluations. A model contains weights by feature name, the link that
// converts their sum to a utility, and the provenance of the weights.
//
// A position s of a game has features f1(s) ... fn(s), represented as a sparse [Vector]. The value
// of the position is link(bias + w1*f1(s) + ... + wn*fn(s)).
//
// There are two representations of a model:
//
//  1. A [File] contains names and numbers, as stored on disk. [Load] and [Read] return one, and
//     File.Save writes one. A File can be shown, compared ([Diff]) and averaged ([Mean]) without
//     the implementation of its game. Hand-written evaluations use the same format as learned ones.
//     [ShippedFiles] contains the models that come with plyfit.
//  2. A [Linear] has an index for each weight, in the order of a feature set. features.Bind
//     converts a File to a Linear, and [New] returns a Linear with zero weights. Learners change
//     its weights and evaluators read them. Linear.File converts it back to a File.
//
// An [Export] writes a Linear for other programs as CSV, JSON, Go, C, Python or JavaScript.
package models
