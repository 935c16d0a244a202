// Package tune settles by play what a fit of an engine's own evaluation is worth.
//
//  1. [Games] has the engine play itself from balanced openings, and keeps the games as a
//     data set. [WritePositions] writes the quiet positions of it for the engine's tracer.
//
//  2. The tracer makes columns of them, and fit.RunColumns weights of the columns.
//
//  3. A [Ladder] fits with one width of the prior after another, makes the engine with
//     each set of weights, races them against the start and confirms the winner on
//     openings that decided nothing before.
package tune
