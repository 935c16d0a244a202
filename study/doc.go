// Package study asks how much the quality of an evaluation matters, under
// minimax and under expectimax, by degrading it on purpose.
//
// The typical steps are:
//
//  1. Write down an [Experiment]: a question, a hypothesis before the first run,
//     and a Run.
//
//  2. Session.Run runs it. In the [Session] stand the effort, the seed, and what
//     the user wants otherwise ([Overrides]).
//
//  3. In its Run, an experiment works in [Cells]: each is computed once, kept in
//     the session's folder, and read from there by any later run.
//
//  4. Claims are decided by 95% intervals alone ([Decide]); tables, figures and
//     each [Finding] are the experiment's [Results].
//
//  5. [RunAll] runs experiments and writes their report: a page for a reader in a hurry
//     first, then a chapter an experiment.
//
// Package evaluation holds the frozen evaluation of a game, what may be done to it, and the planners
// that search through that; package measure plays their games; package ask holds the questions (a new
// one is a file there and an item in its list) with the grid that they share. Package diagnose
// measures one evaluation, package confirm runs hypotheses that were written down first, and package
// lecture computes the Pacman table of a lecture.
package study
