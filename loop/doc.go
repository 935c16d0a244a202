// Package loop is the main job from end to end: self-play, labels, fit, export,
// learned against hand-written.
//
// [Run] takes a world and its recipe through these steps, and each of them goes on
// from what an interrupted run left:
//
//  1. Self-play: agents play a data set ([selfplay.Run]).
//
//  2. Fit: the weights of a model are fitted to it ([fit.Run]). The next round
//     plays with them; steps 1 and 2 are repeated as often as the recipe says.
//
//  3. Contests: the last model meets the hand-written evaluation and the one that
//     knows nothing, under each planner, in the world and in its twin ([Contest]).
//
//  4. Report: all of it is left in a run folder with a page ([Outcome.Page]).
package loop
