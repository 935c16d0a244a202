// Package protocol lets external programs play as agents, and lets agents play as engines for
// external programs. Package [plyfit/internal/program] starts the programs and exchanges lines with
// them.
//
// This package implements two protocols: that of GNU Backgammon ([NewGnubg]), and lines of JSON for
// programs without a protocol of their own ([NewAnswerer], [Once]; see docs/grade.md for the
// reference). The packages uci and gtp implement the others. Each contains an agent that gets its
// moves from an engine, and a server that acts as an engine.
package protocol
