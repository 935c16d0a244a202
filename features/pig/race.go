package pig

import (
	"math"

	"plyfit/game"
	board "plyfit/game/pig"
)

// The terms, in the order of their indices.
const (
	tempo = iota
	lead
	leadSquared
	leadCubed
	race
	raceInitiative
	raceTurn
	raceRisk
	turn
	turnSquared
	turnByScore
	turnByRival
	rolling
	rollingTurn
	holdWins
	rollAtWin
	withinReach
	tempoLate
	tempoBothLate
	leadLate
	size
)

var names = [size]string{
	tempo:          "tempo",
	lead:           "lead",
	leadSquared:    "lead-squared",
	leadCubed:      "lead-cubed",
	race:           "race",
	raceInitiative: "race-initiative",
	raceTurn:       "race-turn",
	raceRisk:       "race-risk",
	turn:           "turn",
	turnSquared:    "turn-squared",
	turnByScore:    "turn-by-score",
	turnByRival:    "turn-by-rival",
	rolling:        "rolling",
	rollingTurn:    "rolling-turn",
	holdWins:       "hold-wins",
	rollAtWin:      "roll-at-win",
	withinReach:    "within-reach",
	tempoLate:      "tempo-late",
	tempoBothLate:  "tempo-both-late",
	leadLate:       "lead-late",
}

// measure works out all terms as p sees them. Scores count in shares of the
// target, the turn total in twenties.
//
// What is the roller's counts 1 for him and, for each of the others, the share
// of one loser against it, so that all together see nothing gained or lost.
func measure(s *board.State, p game.Player, v *[size]float64) {
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

	// What everyone has, the roller with his turn total, and p's against the
	// mean of the others'.
	held, rival := 0.0, 0.0 // the roller's score, and the best of the others
	*v = [size]float64{}
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
		v[lead] += float64(share * score)
		v[leadSquared] += float64(share * ahead * ahead)
		v[leadCubed] += float64(share * ahead * ahead * ahead)
		v[leadLate] += float64(share * ahead)
		v[withinReach] += float64(share * max(0, 1-target*(1-ahead)/25))
	}
	ahead := held + points/target
	v[leadLate] *= max(ahead, rival)

	// The race of the roller with the nearest of the others. What each lacks is
	// made of turns, each of which adds to the variance as it adds to the mean:
	// so a lead is divided by the root of what both lack.
	spread := math.Sqrt(1 + float64(target*(1-ahead)) + float64(target*(1-rival)))
	v[race] = sign * target * (ahead - rival) / spread
	// What it is worth to have the die, from 1 with nothing at stake to -1 with
	// 20 points, which are better held.
	v[raceInitiative] = sign * max(1-points/10, -1) / spread
	v[raceTurn] = sign * points / spread
	// A roll wins 20/6 points on average and loses the turn total in one case
	// of six.
	v[raceRisk] = die * (20 - points) / 6 / spread

	v[tempo] = sign
	v[tempoLate] = sign * max(ahead, rival)
	v[tempoBothLate] = sign * ahead * rival
	v[turn] = sign * points / 20
	v[turnSquared] = v[turn] * points / 20
	v[turnByScore] = v[turn] * held
	v[turnByRival] = v[turn] * rival
	v[rolling] = die
	v[rollingTurn] = die * points / 20
	if s.Score(roller)+s.TurnTotal() >= s.Target() {
		v[holdWins], v[rollAtWin] = sign-die, die
	}
}
