// Package tune finds better weights for an engine's own evaluation and confirms them in games.
//
//  1. [Games] plays the engine against itself from balanced openings and stores the games as a data
//     set. selfplay.WritePositions writes its quiet positions for the engine's tracer.
//
//  2. The tracer converts the positions to a table of columns, and fit.RunColumns fits weights to them.
//
//  3. A [Ladder] fits the weights with several prior widths and builds the engine with each
//     result. It races the engines against the starting weights and confirms the winner on openings
//     that were not used before.
package tune
