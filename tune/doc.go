// Package tune fits weights to columns that another program computed: the terms
// of an engine's own evaluation, traced over its games. It needs no game and no
// feature set; the columns mean what the table's author says.
//
//  1. [Layout] says which column is the label and in what [Unit], which one clusters
//     rows, and which one is the phase.
//
//  2. [Open] reads a [Table]: CSV, LIBSVM, Parquet or NPZ. A cell that cannot be
//     is told with its line and column.
//
//  3. [Options] hold starting weights, priors, frozen columns, loss and scale.
//
//  4. [Run] fits the table. With a phase, column c has two weights, and a row of phase
//     p (1 middlegame, 0 endgame) is worth x_c * (p*mg_c + (1-p)*eg_c).
//
//  5. [Result.Write] writes the weights as source or as a list, in the order of the
//     columns; [Describe] shows what they are worth.
//
// What is predicted is the expected share of the point, 1/(1+exp(-scale*z)) of the
// weighted sum z: logistic regression, or with the squared loss what engine authors
// call Texel's tuning method (P. Österlund, 2014).
package tune
