// Package selfplay has agents play episodes from varied openings and writes
// every decision down, with the outcome and what each search thought of it.
//
// The typical steps are:
//
//  1. Say in a [Config] which world is played, by which agents, how many episodes,
//     and in which folder they are kept.
//
//  2. [Run] plays the episodes that the folder still lacks, each from a seed of
//     its own, so that neither workers nor interruptions change a byte.
//
//  3. Read the records with datasets.Open, or have another agent search the same
//     positions again: [Relabel].
//
// Between records and samples, [Returns], [Steps] and [Teaching] make labels and
// positions other than those that were played.
package selfplay
