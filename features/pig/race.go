// Package pig provides the feature sets of pig.
//
// The default set pig/race describes the points that each player still needs, the certainty of the
// result (race), and the value of the turn total and of having the die. race.go computes the terms.
package pig

import (
	"math"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/pig"
)

// values contains the terms, in order.
type values struct {
	tempo          float64 `doc:"1 for the player whose turn it is"`
	lead           float64 `doc:"score as a fraction of the target, minus the mean fraction of the other players"`
	leadSquared    float64 `doc:"the same with the squares of the fractions, including the turn total"`
	leadCubed      float64 `doc:"the same with the cubes of the fractions, including the turn total"`
	race           float64 `doc:"(h - r) in points, divided by the square root of 1 plus the points that both players still need: the lead in standard deviations of the remaining turns"`
	raceInitiative float64 `doc:"value of having the die, from 1 without a turn total to -1 at 20 points, divided by the same root"`
	raceTurn       float64 `doc:"turn total, divided by the same root"`
	raceRisk       float64 `doc:"expected gain of a roll that has begun, (20 - turn total)/6, divided by the same root"`
	turn           float64 `doc:"turn total in units of twenty points"`
	turnSquared    float64 "doc:\"square of `turn`\""
	turnByScore    float64 "doc:\"`turn` times the roller's score\""
	turnByRival    float64 "doc:\"`turn` times r\""
	rolling        float64 `doc:"1 while the die is rolling"`
	rollingTurn    float64 "doc:\"`rolling` times the turn total in units of twenty points\""
	holdWins       float64 `doc:"1 if the turn total is enough to win and the roller is to decide"`
	rollAtWin      float64 `doc:"1 if the turn total is enough to win and the die is rolling"`
	withinReach    float64 `doc:"1 - (points still needed after the turn total)/25, or 0 if that is negative"`
	tempoLate      float64 "doc:\"`tempo` times the greater of h and r\""
	tempoBothLate  float64 "doc:\"`tempo` times h and r\""
	leadLate       float64 `doc:"lead including the turn total, times the greater of h and r, because leads matter more near the end"`
}

// measure computes all terms from p's point of view. Scores are fractions of the target, and the
// turn total is in units of twenty. A term that belongs to the roller counts 1 for the roller and
// an equal fraction of -1 for each other player, so that the sum over all players is 0.
func (v *values) measure(s *board.State, p game.Player) {
	n := s.Players()
	roller := s.Player()
	target, points := float64(s.Target()), float64(s.TurnTotal())
	sign := 1.0
	if p != roller {
		sign = -1 / float64(n-1)
	}
	die := 0.0
	if s.Turn() == game.Chance {
		die = sign
	}

	// All scores, including the roller's turn total, and p's score relative to the mean of the
	// others.
	held, rival := 0.0, 0.0 // the roller's score, and the best of the others
	*v = values{}
	for q := range game.Player(n) {
		score := float64(s.Score(q)) / target
		ahead := score
		if q == roller {
			held = score
			ahead += points / target
		} else {
			rival = max(rival, score)
		}
		share := 1.0
		if q != p {
			share = -1 / float64(n-1)
		}
		v.lead += float64(share * score)
		v.leadSquared += float64(share * ahead * ahead)
		v.leadCubed += float64(share * ahead * ahead * ahead)
		v.leadLate += float64(share * ahead)
		v.withinReach += float64(share * max(0, 1-target*(1-ahead)/25))
	}
	ahead := held + points/target
	v.leadLate *= max(ahead, rival)

	// The race between the roller and the best of the others. Each turn that a player still needs
	// adds to the variance as well as to the mean. The lead is therefore divided by the square root
	// of the points that both players still need.
	spread := math.Sqrt(1 + float64(target*(1-ahead)) + float64(target*(1-rival)))
	v.race = sign * target * (ahead - rival) / spread
	// The value of having the die: from 1 with nothing at stake to -1 with 20 points at stake, when
	// the player should hold.
	v.raceInitiative = sign * max(1-points/10, -1) / spread
	v.raceTurn = sign * points / spread
	// A roll gains 20/6 points on average, and loses the turn total with probability 1/6.
	v.raceRisk = die * (20 - points) / 6 / spread

	v.tempo = sign
	v.tempoLate = sign * max(ahead, rival)
	v.tempoBothLate = sign * ahead * rival
	v.turn = sign * points / 20
	v.turnSquared = v.turn * points / 20
	v.turnByScore = v.turn * held
	v.turnByRival = v.turn * rival
	v.rolling = die
	v.rollingTurn = die * points / 20
	if s.Score(roller)+s.TurnTotal() >= s.Target() {
		v.holdWins, v.rollAtWin = sign-die, die
	}
}

// sets returns the feature sets of pig, beginning with the default, pig/race. The set pig/scores
// contains only the scores, the turn total, the player whose turn it is and whether the die is
// being rolled. For two players, there is also pig/tiles, which adds tables of positions to the
// terms of pig/race (tiles.go). The terms are the same for any target and, except in pig/tiles, for
// any number of players.
func sets(g *game.Game) []features.Set {
	sets := []features.Set{race.Set(), race.Only("pig/scores", "tempo", "lead", "turn", "rolling").Set()}
	if g.Players == 2 {
		sets = append(sets, newTiles())
	}
	return sets
}

var race = features.Terms[values]{
	Name:          "pig/race",
	Antisymmetric: true,
	View:          func(s game.State) game.Player { return s.(*board.State).Player() }, // also while the die rolls
	Prepare:       func(v *values, s game.State, p game.Player) { v.measure(s.(*board.State), p) },
	Values:        features.Numbers[float64, values],
	List:          features.Fields[values](values{}),
}

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets:   sets,
	Regret: board.Regret, RegretIn: "win probability",
	Recipe: features.Recipe{
		Why:      "tables can represent the turn total at which holding is better, and random moves reach positions that good play avoids",
		Training: []features.Training{{Set: "pig/tiles", Episodes: 2000000, Alpha: 1, Lambda: 0.7, TC: true, Epsilon: 0.15}},
		Rounds:   4, Episodes: 10000, Explore: 0.02, Pairs: 4000, TwinPairs: 10,
		// A planner that treats the die as an adversary never rolls. Under minimax, all evaluations
		// therefore lead to the same play.
		Planners: []string{"expectimax:depth=1", "expectimax:depth=2"},
	},
}
