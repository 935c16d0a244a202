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

// textbookKeys are, for each kind that a textbook has, the keys that make its search the textbook's:
// moves in the game's order, no table, and so neither deepening nor null windows. With ties=plain they
// play the first of equal moves; another ties= in the spec takes precedence.
var textbookKeys = map[string][]string{
	"greedy": nil, "minimax": nil, "alphabeta": {"order=natural", "table=off"},
	"expectimax": {"prune=none", "order=natural", "table=off"}, "maxn": {"prune=none"},
}

// textbookFree are the keys that change what is searched and not how.
var textbookFree = []string{"eval", "leaf", "assume", "ties", "depth"}

// Textbook is the spec of the agent whose search is the textbook's: the pseudocode of Russell and
// Norvig, Artificial Intelligence, 4th ed., figures 5.3, 5.4 and 5.7 and section 5.5, which visits
// each node once, in the game's order of moves. An empty spec is alphabeta, expectimax where nature
// moves at s or later, maxn where one number a position is not enough at s. Kinds and keys that no
// textbook has are an error.
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
		return "", fmt.Errorf("agent %s: no textbook has its search: want one of %s%s", agent, strings.Join(kinds, ", "), text.Hint(kind, kinds))
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
				return "", fmt.Errorf("agent %s: %s is not the textbook's: want only %s", agent, item, strings.Join(append(slices.Clone(textbookFree), added...), ", "))
			}
			own = append(own, item)
		}
	}
	if !slices.ContainsFunc(own, func(item string) bool { return strings.HasPrefix(item, "ties=") }) {
		own = append(own, "ties=plain")
	}
	return kind + ":" + strings.Join(own, ","), nil
}
