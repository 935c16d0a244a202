// Package stdio gives other programs the games, evaluations and searches, by lines of
// JSON on standard input and output. docs/engines.md is its reference.
//
// The journey of a line:
//
//  1. [Server.Serve] reads it as a request: an id, which comes back with the answer, a
//     method and its parameters.
//
//  2. The method, one of the table in methods.go, decodes the parameters strictly and
//     answers. A game at play is a position that the server keeps and the program names
//     by a number: states.go.
//
//  3. The answer, a result or an error, is one line. Requests are answered in their
//     order, one for each line that is not blank, whatever stands in it.
//
// Nature draws nothing here. The program is sent the exact probabilities and applies the
// move that it drew, so that its own seed decides.
package stdio
