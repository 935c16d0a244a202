package game

import "plyfit/internal/spec"

// Options are the keys and values that a user wrote after a game's name. A
// game asks for each of its keys (Int, Float, Bool, String) with a default and
// a range, and its maker returns Options.Err, which tells the user about a bad
// value or a key that nobody asked for.
type Options = spec.Options
