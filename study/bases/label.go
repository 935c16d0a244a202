package bases

import (
	"fmt"
	"slices"
	"strings"

	"plyfit/catalog"
	"plyfit/game"
)

// Label is what a position is said to be worth.
type Label string

const (
	Outcome Label = ""       // what came of the game
	Search  Label = "search" // what a search two decisions deep makes of it, with the evaluation that played
	Ranks   Label = "ranks"  // the order of those search values alone: from -1 to 1 in even steps
	Points  Label = "points" // by how much the game was won, in half ranges of that: not how likely a win is
)

// Labels are all of them, as files name them.
var Labels = []Label{Outcome, Search, Ranks, Points}

// deepLabel is how far the search of a label looks, in decisions.
const deepLabel = 2

// scores are the games that count either wins or points, by what their option score
// is where they count points.
var scores = map[string]string{"connect4": "distance", "othello": "discs"}

// scored is the same game with points in place of wins: the notation of a position
// is the same.
func scored(w *catalog.World) (*game.Game, error) {
	by, ok := scores[w.Base().Name]
	name, options, _ := strings.Cut(w.Spec, ":")
	all := slices.DeleteFunc(strings.Split(options, ","), func(o string) bool { return o == "" || strings.HasPrefix(o, "score=") })
	spec := name + ":" + strings.Join(append(all, "score="+by), ",")
	if ok {
		g, err := catalog.Catalog{*w.Entry}.World(spec)
		if err != nil {
			return nil, err
		}
		if g.Spec != w.Spec {
			return g.Game, nil
		}
	}
	return nil, fmt.Errorf("game %s: want one that counts wins and could count points, for labels of points", w.Spec)
}

// CheckLabel says why the game's positions cannot have such labels.
func CheckLabel(w *catalog.World, label Label) error {
	if label != Points {
		return nil
	}
	_, err := scored(w)
	return err
}

// rank puts the rank of each label in its place, from -1 for the smallest to 1 for
// the greatest; equal ones have their mean rank (Kendall 1948).
func (l rows) rank() {
	order := make([]int, len(l))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case l[a].Y < l[b].Y:
			return -1
		case l[a].Y > l[b].Y:
			return 1
		}
		return 0
	})
	ranks := make([]float64, len(l))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && l[order[to]].Y == l[order[from]].Y {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to)/float64(len(l)) - 1
		}
		from = to
	}
	for i := range l {
		l[i].Y = ranks[i]
	}
}
