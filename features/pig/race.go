package pig

import (
	"math"

	"plyfit/game"
	board "plyfit/game/pig"
)

// values are the terms, in their order.
type values struct {
	tempo          float64 `doc:"whose turn it is"`
	lead           float64 `doc:"the score, as a share of the target, less the mean of the others'"`
	leadSquared    float64 `doc:"the same of the squares, the turn total counted"`
	leadCubed      float64 `doc:"the same of the cubes, the turn total counted"`
	race           float64 `doc:"(h - r) in points, over the root of 1 + what both lack: the lead in standard deviations of what is to come"`
	raceInitiative float64 `doc:"having the die, over the same root: from 1 with nothing at stake to -1 at 20 points"`
	raceTurn       float64 `doc:"the turn total over that root"`
	raceRisk       float64 `doc:"the gain to be expected from a roll in the air, (20 - turn total)/6, over that root"`
	turn           float64 `doc:"the turn total in twenties"`
	turnSquared    float64 `doc:"its square"`
	turnByScore    float64 "doc:\"`turn` times the roller's score\""
	turnByRival    float64 "doc:\"`turn` times r\""
	rolling        float64 `doc:"the die is in the air"`
	rollingTurn    float64 `doc:"the same times the turn total in twenties"`
	holdWins       float64 `doc:"the turn total is enough, and the roller decides"`
	rollAtWin      float64 `doc:"the turn total is enough, and the die is in the air"`
	withinReach    float64 `doc:"how far inside 25 points of the target"`
	tempoLate      float64 "doc:\"`tempo` times the greater of h and r\""
	tempoBothLate  float64 "doc:\"`tempo` times h and r\""
	leadLate       float64 `doc:"the lead, the turn total counted, times the greater of h and r: leads matter more near the end"`
}

// measure computes all terms as p sees them. Scores count in shares of the target, the turn total
// in twenties. What is the roller's counts 1 for him and, for each of the others, the share of one
// loser against it, so that the sum over all is 0.
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

	// All scores, the roller's with his turn total, and p's against the others' mean.
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

	// The race of the roller with the nearest of the others. Each turn that a player still needs
	// adds to the variance as it adds to the mean: so a lead is divided by the root of what both
	// lack.
	spread := math.Sqrt(1 + float64(target*(1-ahead)) + float64(target*(1-rival)))
	v.race = sign * target * (ahead - rival) / spread
	// What it is worth to have the die, from 1 with nothing at stake to -1 with
	// 20 points, which are better held.
	v.raceInitiative = sign * max(1-points/10, -1) / spread
	v.raceTurn = sign * points / spread
	// A roll wins 20/6 points on average and loses the turn total with probability 1/6.
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
