// Package selfplay lets agents play episodes from varied openings. It records the players'
// decisions after the opening, with the outcome of the episode and the values reported by the
// searches.
//
// The typical steps are:
//
//  1. Fill in a [Config] with the world, the agents, the number of episodes and the directory of
//     the data set.
//
//  2. Call [Run]. It plays the episodes that the directory does not yet contain. Each episode has
//     its own seed, so that neither the number of workers nor an interruption changes the data.
//
//  3. Read the records with datasets.Open, or use [Relabel] to search the same positions with
//     another agent.
//
// [Returns], [Steps] and [Teaching] derive training data whose labels or positions differ from
// those in the records.
package selfplay
