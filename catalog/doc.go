// Package catalog is the one list of games, with their feature sets and shipped models, and turns
// the specs that users write into worlds, evaluators and agents.
//
// The typical steps are:
//
//  1. Take [All], plyfit's own list, or [Catalog.With] an [Entry] of your own. Nothing registers
//     itself: a new game is one more item in the list. [Catalog.WithKinds] adds kinds of agents,
//     such as external programs.
//  2. [Catalog.World] reads a game with its options and wrappers, such as "2048:size=3+slip=0.1".
//  3. [World.Agent] reads an agent for that world, such as "expectimax:depth=2,eval=learned". The
//     result is an [Agent], which makes one for each worker, all playing alike.
//  4. [World.Model] joins a model file to its feature set, for an evaluation without an agent.
//
// [World.Recipe] is how plyfit learn learns a game by default.
package catalog
