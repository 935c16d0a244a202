// Package stdio makes the games, evaluations and searches available to other programs, through
// lines of JSON on standard input and output. docs/engines.md is the reference of the protocol.
//
// A line is processed in these steps:
//
//  1. [Server.Serve] reads the line as a request. It contains an id, which is returned with
//     the answer, a method and the method's parameters.
//
//  2. The method, an entry of the table in methods.go, decodes its parameters strictly and
//     computes the answer. The server keeps each game in progress, and the program refers to
//     it by number; see states.go.
//
//  3. The answer, which is a result or an error, is one line. The server answers requests in
//     order, and sends one answer for every line that is not blank, whatever the line contains.
//
// The server draws no chance moves. It sends the exact probabilities, and the program applies the
// move that it has drawn, so the program's seed determines the game.
package stdio
