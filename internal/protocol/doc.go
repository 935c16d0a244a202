// Package protocol lets programs of others play as our agents, and our agents
// play as engines in programs of others.
//
// The life of an engine of others:
//
//  1. A [Command] is read from what a user wrote ([ReadCommand]) and found on this
//     machine.
//
//  2. A [Launcher] starts it and waits until it is ready.
//
//  3. An [Engine] is sent lines and answers lines, each with a deadline, until it
//     is closed, whereupon nothing of it is left.
//
// What an engine does wrong is an [EngineError], of a kind that a match counts.
//
// Two languages are here: GNU Backgammon's ([NewGnubg]), and for programs that know no other
// a line of JSON for a line of JSON ([NewAnswerer], [Once]), whose reference is
// docs/grade.md. The packages inside know the rest: uci and gtp, each with the agent that
// speaks to an engine and the server that is one.
package protocol
