// Package catalog contains the list of all games with their feature sets and shipped models. It
// converts the specs that users write to worlds, evaluators and agents.
//
// The typical steps are:
//
//  1. Start with [All], the games of plyfit, and add an [Entry] of your own with [Catalog.With].
//     There is no registration: a new game is an additional element of the list.
//     [Catalog.WithKinds] adds kinds of agents, such as external programs.
//  2. [Catalog.World] parses the spec of a game with options and wrappers, such as
//     "2048:size=3+slip=0.1".
//  3. [World.Agent] parses the spec of an agent for that world, such as
//     "expectimax:depth=2,eval=learned". It returns an [Agent], which creates an agent for each
//     worker. All of them play identically.
//  4. [World.Model] binds a model file to its feature set if only the evaluation is needed.
//
// [World.Recipe] returns the recipe by which plyfit learn learns a game by default.
package catalog
