// Package serve implements the page: games, evaluations, search trees and runs in a browser.
//
// A request passes through these steps:
//
//  1. [New] creates a [Server] from a [Config]: the games, the access control and the
//     [Limits] on the work that a page may request.
//
//  2. auth.go checks every request: the host that it names, the token if one is set, the
//     origin of a form, and the size of the request.
//
//  3. An open game is a session. It stays in memory at least until it has been unused for a
//     while. Specs and positions go through the same parsers as those of a command, after
//     [Limits] has been applied. A page cannot open a file or start a program unless the
//     person who started the server has allowed it.
//
//  4. A search is cancelled when its request ends, for example because the page was closed.
//     The same applies to an agent that plays nature's moves. Neither holds the lock of a game,
//     and no response is written while a game's lock is held.
//
//  5. Each [route] is declared next to the function that computes its answer. A new page needs
//     an answer, a route and a template. Answers are pages, or fragments that the browser
//     inserts into a page. All of them are rendered on the server, so they are tested without
//     a browser.
package serve
