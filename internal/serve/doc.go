// Package serve is the page: games, evaluations, search trees and runs in a browser.
//
// The journey of a request:
//
//  1. [New] makes a [Server] of a [Config]: the games, who may ask, and the [Limits]
//     within which a page may make this machine work.
//
//  2. What every request must pass is in auth.go: the host that it names, a token
//     where one is set, where a form comes from, how large it is.
//
//  3. A game at play is a session, kept in memory until it was not asked for for a
//     while. Specs and positions go through the same parsers as a command's, and before
//     that through [Limits]: nothing from a page opens a file or starts a program that
//     the person who started the server did not allow.
//
//  4. A search runs as long as its request: anyone who closes the page ends it. So does
//     nature that is an agent. Neither holds the lock of a game, and no answer is
//     written under one.
//
//  5. What can be asked for is a [route], declared next to what computes its answer: a
//     new page is an answer with its route, and a template. Answers are pages, or fragments of one that the browser puts in place. All of
//     them are rendered here, so they are tested without a browser.
package serve
