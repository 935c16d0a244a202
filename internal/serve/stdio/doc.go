// Package stdio makes the games, evaluations and searches available to other programs, through
// lines of JSON on standard input and output. The protocol's reference is docs/engines.md.
//
// A line is processed in these steps:
//
//  1. [Server.Serve] reads the line as a request. It consists of a method, the method's
//     parameters, and an id, which is returned with the answer.
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
