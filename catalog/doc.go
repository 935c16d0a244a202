// Package catalog is the one list of games, with their feature sets and shipped
// models, and the place where the specs that users write become worlds,
// evaluators and agents.
//
// The typical steps are:
//
//  1. Take [All], plyfit's own list, or [Catalog.With] an [Entry] of one's own.
//     Nothing registers itself: a new game is one more item in the list.
//     [Catalog.WithKinds] gives it kinds of agents, such as programs of others.
//
//  2. [Catalog.World] reads a game with its options and wrappers, such as
//     "2048:size=3+slip=0.1".
//
//  3. [World.Agent] reads an agent for that world, such as
//     "expectimax:depth=2,eval=learned". What it gives is an [Agent], which makes
//     as many agents as there are workers, all playing alike.
//
//  4. [World.Model] joins a model file to its feature set, where the evaluation
//     is wanted without an agent.
//
// [World.Recipe] is how plyfit learn goes about a game unless a user says
// otherwise.
package catalog
