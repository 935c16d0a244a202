// Package game defines what a game is: positions that Play and Undo change in place, opaque moves,
// and nature as an additional player.
//
// The typical steps are:
//
//  1. Create a [Game]: call pig.New(game.NewOptions("pig", "target=50")), or pass the
//     user's spec (see [ParseSpec]) to the catalog's World.
//
//  2. Get a position, a [State], from Game.New, or from Game.Parse in the usual
//     notation of the game.
//
//  3. Call Turn to find out who moves. A player chooses one of Moves. At a [Chance] node,
//     nature draws one of Moves with the probabilities of [Chancer]. At [Nobody] the game
//     is over, and Utility returns each player's result.
//
//  4. Call Play to make a move and Undo to undo it. A search changes a single State, and each
//     further goroutine uses a Clone of it.
//
// Features that only some games have are defined by small interfaces: [Chancer], [Ranker], [Noisy],
// [Bounder], [Scorer], [Shaper] and others. [As] finds one of them in a State, including a State
// wrapped in a [Slip] or [Adversary].
//
// These methods correspond to the six elements of the definition by Russell and Norvig (Artificial
// Intelligence, 4th ed., section 5.1): S0 is Game.New, To-Move(s) is Turn, Actions(s) is Moves,
// Result(s, a) is Play, Is-Terminal(s) is Turn() == Nobody, Utility(s, p) is Utility.
//
// To add a game, write a package with a type that implements State and a function New(*Options)
// (*Game, error). Package gametest checks the requirements that apply to every game.
package game
