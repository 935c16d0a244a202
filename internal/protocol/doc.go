// Package protocol lets external programs play as agents, and lets agents play as engines for
// external programs.
//
// The life of an external engine has three steps:
//
//  1. [ReadCommand] parses the user's command line into a [Command] and finds the program.
//
//  2. A [Launcher] starts the program and waits until it is ready.
//
//  3. An [Engine] exchanges lines with the program. Each answer has a deadline. Closing the
//     Engine also ends the processes in the program's group.
//
// An [EngineError] describes an engine fault. Its kind determines how a match counts it.
//
// This package implements two protocols: that of GNU Backgammon ([NewGnubg]), and lines of JSON for
// programs without a protocol of their own ([NewAnswerer], [Once]; see docs/grade.md for the
// reference). The packages uci and gtp implement the others. Each contains an agent that gets its
// moves from an engine, and a server that acts as an engine.
package protocol
