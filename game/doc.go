// Package game says what a game is: positions that are changed in place by Play
// and Undo, moves that only their game can read, and nature as one more player.
//
// The typical steps are:
//
//  1. Make a [Game]: pig.New(game.NewOptions("pig", "target=50")), or by the
//     catalog's World from the line in which a user names it ([ParseSpec]).
//
//  2. Take a position, a [State], from Game.New, or from Game.Parse in the
//     field's own notation.
//
//  3. Ask whose Turn it is. A player chooses among Moves; at a [Chance] node
//     nature draws one of Moves by the probabilities of [Chancer]; at [Nobody]
//     the game is over and Utility says what each player got.
//
//  4. Play a move to go on, Undo it to go back. Neither allocates: a search
//     walks a single State up and down, and Clones it for another goroutine.
//
// What only some games have stands in small interfaces of its own: [Chancer],
// [Ranker], [Noisy], [Bounder], [Scorer], [Shaper] and others. [As] finds one in
// a State, through the wrappers [Slip] and [Adversary] around it.
//
// These are the six parts of the textbook's definition (Russell and Norvig, Artificial
// Intelligence, 4th ed., section 5.1): S0 is Game.New, To-Move(s) is Turn, Actions(s) is Moves,
// Result(s, a) is Play, Is-Terminal(s) is Turn() == Nobody, Utility(s, p) is Utility.
//
// A game of one's own is a package with a type that is a State and a function New(*Options) (*Game,
// error); package gametest holds it to the law that all games face.
package game
