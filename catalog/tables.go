package catalog

import (
	"math/rand/v2"

	"plyfit/features"
	"plyfit/features/tuples"
	"plyfit/game"
	"plyfit/game/play"
)

// How long automatic tables are trained by default: in plies, by the length of random games. Games
// of points last several times as long.
const (
	tablePlies      = 10_000_000
	tablePliesAlone = 1_500_000
	leastTableGames = 5_000
	// wholeExplored is the share of random moves where one table holds the whole board and dice
	// vary games: without them pig's players, who never hold, had 10.7% against hand-written after
	// 60,000 games, with them 34.8% after 20,000. Backgammon, whose tables share what they learn,
	// gets worse.
	wholeExplored  = 0.15
	mostTableGames = 400_000
)

// Tables are the stages that train the board's automatic tables (package features/tuples); nil
// without such a board, or where learning while playing is impossible.
func (w *World) Tables() []features.Training {
	if !tuples.Suits(w.Base()) {
		return nil
	}
	t := []features.Training{{Set: tuples.Name, Alpha: 1, Lambda: 0.7, TC: true}}
	if w.untrainable(t) != "" {
		return nil
	}
	plies := tablePlies
	if w.Base().Players == 1 {
		plies, t[0].Lambda = tablePliesAlone, 0.5
	}
	if _, chance := game.As[game.Chancer](w.Base().New()); chance && w.Base().Players > 1 && tuples.Whole(w.Base()) {
		t[0].Epsilon = wholeExplored
	}
	t[0].Episodes = max(leastTableGames, min(mostTableGames, round(plies/w.RandomPlies())))
	return t
}

// joinedCost is how many games tables alone learn from in the time in which terms and
// tables learn from one: positions are read as vectors, terms and all.
const joinedCost = 3

// Joined are the stages that train the game's own terms and tables together, in about the time of
// [World.Tables]; nil without such terms. After as many games they are ahead of tables alone (64.5%
// after 20,000 of connect4:columns=5), after as long level.
func (w *World) Joined() []features.Training {
	t := w.Tables()
	if _, err := w.Set(tuples.JoinedName); t == nil || err != nil {
		return nil
	}
	t[0].Set = tuples.JoinedName
	t[0].Episodes = max(leastTableGames, round(t[0].Episodes/joinedCost))
	return t
}

func round(n int) int {
	digit := 1
	for n/digit >= 100 {
		digit *= 10
	}
	return n / digit * digit
}

// RandomPlies is how many plies a random game has, in the mean of a few.
func (w *World) RandomPlies() int {
	const games = 16
	dice := &play.Dice{Random: rand.New(rand.NewPCG(1, 2))}
	e := play.Episode{Luck: dice}
	plies := 0
	for range games {
		for e.Begin(w.New(), 0, w.MaxPlies); e.Next(); plies++ {
			e.Play(dice.Uniform(e.State))
		}
	}
	return max(1, plies/games)
}
