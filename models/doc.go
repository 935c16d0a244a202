// Package models keeps linear evaluations: weights by feature name, the link that turns their sum
// into a utility, and their provenance.
//
// A position s of a game has features f1(s) ... fn(s), a sparse [Vector], and a model's value of it
// is link(bias + w1*f1(s) + ... + wn*fn(s)).
//
// There are two forms of a model:
//
//  1. A [File] is the form on disk: names and numbers. [Load] and [Read] make one, File.Save writes
//     it. It can be shown, compared ([Diff]) and averaged ([Mean]) without its game. A hand-written
//     evaluation is a file like any other; those that come with plyfit are in [ShippedFiles].
//  2. A [Linear] has an index for each weight, in the order of a feature set. features.Bind makes
//     one of a File, [New] one of zeros; learners write its weights, evaluators read them, and
//     Linear.File makes a File of it again.
//
// An [Export] writes a Linear for other programs: CSV, JSON, Go and C.
package models
