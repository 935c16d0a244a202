// Package loop runs the main job: it learns an evaluation from self-play and compares it with the
// hand-written one.
//
// [Run] takes a world and its recipe through these steps; each resumes an interrupted run:
//
//  1. Learning. With training in the recipe, the evaluation learns while it plays against itself,
//     stage by stage ([train.Run]), and then plays games that test its predictions ([Test]).
//     Otherwise each round has self-play ([selfplay.Run]) and regression ([fit.Run]), and a
//     match against the best model before accepts its model ([Round]).
//
//  2. Contests: the model meets the hand-written evaluation and the zero evaluation under each
//     planner, in the world and in its twin ([Contest]).
//
//  3. Report: a run folder with a page ([Result.Page]).
//
// Contests choose nothing: rounds are accepted on other games.
package loop
