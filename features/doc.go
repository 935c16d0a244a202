// Package features turns positions into vectors of named terms, and vectors into evaluations.
//
// The typical steps are:
//
//  1. Get a [Set] of a game from the subpackage with the game's name, or create one. [Terms]
//     creates a Set from a list in which each term has a name, a line of documentation and a
//     value. [With] adds terms to an existing Set.
//  2. [Bind] creates a model from a model file by matching names. [New] creates a model in
//     which all weights are 0.
//  3. [NewEvaluator] creates an evaluator for a search. Its method Explain shows the contribution
//     of each term.
//  4. For learning, a [Sampler] extracts the same features from the records of a data set, and
//     labels the samples with a [Label].
//
// The package also supports weights that change during the game ([Phased]), tables of patterns
// ([Pattern], [Orbit]) and products of terms ([Products]). Package featuretest checks that a set
// meets the requirements.
package features
