// Package features turns positions into vectors of named terms, and vectors into evaluations.
//
// The typical steps are:
//
//  1. Take a [Set] of a game, from the package below this one with the game's name, or write one:
//     [Terms] makes a Set of a list in which each term is a name, a line of documentation and a
//     value, and [With] adds terms to an existing Set.
//  2. [Bind] joins a model file to the Set by the names of its terms; [New] is a model of zeros.
//  3. [NewEvaluator] gives a search its values. Explain splits a value into terms.
//  4. To learn, a [Sampler] walks the records of a data set over the same terms and gives a learner
//     its samples, labelled by a [Label].
//
// Sets share weights that change along the game ([Phased]), tables of patterns ([Pattern], [Orbit])
// and products of terms ([Products]). Package featuretest checks every set against one law.
package features
