package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/internal/text"
)

// textbookKeys contains the kinds of agents with a textbook search, and the keys that select this
// search. It tries moves in the game's order and has no transposition table, and therefore no
// iterative deepening and no null windows. With ties=plain, the agents play the first of several
// equal moves, unless the spec contains a different ties=.
var textbookKeys = map[string][]string{
	"greedy": nil, "minimax": nil, "alphabeta": {"order=natural", "table=off"},
	"expectimax": {"prune=none", "order=natural", "table=off"}, "maxn": {"prune=none"},
}

// textbookFree lists the keys that affect what is searched but not how.
var textbookFree = []string{"eval", "leaf", "assume", "ties", "depth"}

// Textbook returns the spec of an agent whose search follows the textbook: the pseudocode of
// Russell and Norvig, Artificial Intelligence, 4th ed., figures 5.3, 5.4 and 5.7 and section 5.5.
// It visits each node once, in the game's order of moves. If agent is empty, the kind is maxn if a
// single number per position is not sufficient at s, expectimax if chance moves are possible at s
// or later, and alphabeta otherwise. Kinds and keys that are not in the textbook cause an error.
func (w *World) Textbook(agent string, s game.State) (string, error) {
	kind, options, _ := strings.Cut(agent, ":")
	shape := game.ShapeOf(w.Game, s)
	switch {
	case agent != "":
	case shape.Players > 2 || shape.Players == 2 && shape.Sum != game.Zero && shape.Sum != game.Constant:
		kind = "maxn"
	case w.chancyAt(s):
		kind = "expectimax"
	default:
		kind = "alphabeta"
	}
	added, ok := textbookKeys[kind]
	if !ok {
		kinds := slices.Sorted(maps.Keys(textbookKeys))
		return "", fmt.Errorf("agent %s: want a textbook search, one of %s%s", agent, strings.Join(kinds, ", "), text.Hint(kind, kinds))
	}
	own := slices.Clone(added)
	if options != "" {
		items, err := spec.List(options)
		if err != nil {
			return "", fmt.Errorf("agent %s: %w", agent, err)
		}
		for _, item := range items {
			if name, _, _ := strings.Cut(item, "="); slices.Contains(added, item) {
				continue
			} else if !slices.Contains(textbookFree, name) {
				return "", fmt.Errorf("agent %s: %s is not part of the textbook search; use only %s", agent, item, strings.Join(append(slices.Clone(textbookFree), added...), ", "))
			}
			own = append(own, item)
		}
	}
	if !slices.ContainsFunc(own, func(item string) bool { return strings.HasPrefix(item, "ties=") }) {
		own = append(own, "ties=plain")
	}
	return kind + ":" + strings.Join(own, ","), nil
}
