// Package loop is the main job from end to end: an evaluation is learned from
// self-play, and set against the hand-written one.
//
// [Run] takes a world and its recipe through these steps, and each of them goes on
// from what an interrupted run left:
//
//  1. Learning. Where the recipe has training, the evaluation learns while it plays
//     against itself, stage after stage ([train.Run]); then it plays games that its
//     predictions are tested on ([Test]). Else there are rounds of self-play
//     ([selfplay.Run]) and regression ([fit.Run]), and the model of a round is
//     accepted by a match against the best one before it ([Round]).
//
//  2. Contests: the model meets the hand-written evaluation and the one that
//     knows nothing, under each planner, in the world and in its twin ([Contest]).
//
//  3. Report: all of it is left in a run folder with a page ([Result.Page]).
//
// Nothing is chosen by the contests: what accepts a round are other games.
package loop
