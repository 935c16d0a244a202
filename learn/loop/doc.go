// Package loop runs the complete process: it learns an evaluation from self-play and compares it
// with the hand-written one.
//
// [Run] takes a world and its recipe through these steps. An interrupted run can be resumed.
//
//  1. Learning. If the recipe has training stages, the evaluation learns while it plays against
//     itself, stage by stage ([train.Run]). It then plays games that test its predictions ([Test]).
//     Otherwise each round consists of self-play ([selfplay.Run]), a fit ([fit.Run]) and a match
//     against the best earlier model, if there is one, which decides whether the new model is
//     accepted ([Round]). A recipe may also let several learners compete ([Trial]).
//
//  2. Contests. The model is compared with the hand-written evaluation, if there is one. It is also
//     compared with the zero evaluation, except in single-player worlds that have a hand-written
//     evaluation. If the recipe names a twin of the world, there are contests in both ([Contest]).
//
//  3. Report. The run directory contains a page ([Result.Page]).
//
// No choice depends on the contests, because models are accepted on the basis of other games.
package loop
