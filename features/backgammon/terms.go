package backgammon

import (
	"math"
	"math/bits"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/internal/elementary"
)

// rich is the set backgammon/rich. Backgammon is a zero-sum game, so every term is a difference
// between the two players. Being on roll counts as an asset for the roller.
var rich = features.Terms[values]{
	Name:          "backgammon/rich",
	Antisymmetric: true,
	View:          view,
	Prepare:       func(v *values, s game.State, p game.Player) { v.measure(board.Of(s), p) },
	Values:        features.Numbers[float64, values],
	List:          features.Fields[values](values{}),
}

// values contains the terms of rich. The race terms are 0 if there is contact, and the other terms
// are 0 if there is none.
type values struct {
	tempo        float64     `doc:"1 for the roller"`
	pipLead      float64     `doc:"lead in pips, in hundreds"`
	pipShare     float64     `doc:"lead in pips as a fraction of both sides' pips"`
	shots        float64     `doc:"probability that the roller's next roll hits a blot, over all 21 rolls, taking combinations and blocked points into account"`
	shotPips     float64     `doc:"expected number of pips that these hits cost the other player, in hundreds"`
	shotsNext    float64     `doc:"probability that the other player hits with the following roll if the position does not change"`
	blotsHome    float64     `doc:"blots on points 1 to 6"`
	blotsOuter   float64     `doc:"blots on points 7 to 18"`
	blotsBack    float64     `doc:"blots on points 19 to 24"`
	bar          float64     `doc:"checkers on the bar"`
	dance        float64     `doc:"probability that a checker on the bar cannot enter"`
	barBlots     float64     `doc:"blots in the home board while the other player has a checker on the bar"`
	back         float64     `doc:"checkers on the bar and on points 19 to 24"`
	trapped      float64     `doc:"sum over these checkers of the probability that the next roll does not free the checker from the other player's home board"`
	anchor       float64     `doc:"1 if a point from 18 to 22 is held"`
	homeBoard    float64     `doc:"if the other player has at least two checkers back, the square of the fraction of home-board points that are closed; half of that for one checker"`
	shotBoard    float64     "doc:\"`shots` times the square of the fraction of the roller's home-board points that are closed, which measures the gain from a hit\""
	prime4       float64     `doc:"1 for at least four consecutive points in front of the other player's rearmost checker"`
	prime5       float64     `doc:"1 for at least five such points"`
	prime6       float64     `doc:"1 for at least six such points"`
	stacked      float64     `doc:"checkers beyond the third on a point"`
	deep         float64     `doc:"checkers on points 1 and 2"`
	builders     float64     `doc:"points 1 to 12 that are held by at least one checker"`
	off          float64     `doc:"fraction of checkers borne off"`
	gammonDanger float64     `doc:"if no checker is off, the fraction of checkers outside the home board, times the square of the fraction of the other player's checkers that are in the home board or borne off"`
	point        [24]float64 `doc:"1 if the point is held by at least two checkers"`
	raceWin      float64     `doc:"lead in pips, including waste and half a roll for the roller, in standard deviations of the remaining rolls, mapped to the range -1 to 1 by the normal distribution"`
	raceTempo    float64     `doc:"1 for the roller"`
	racePips     float64     `doc:"lead in pips, including waste, as a fraction of both sides' pips"`
	raceWaste    float64     `doc:"advantage in waste by Keith's count, in tens of pips"`
	raceGammon   float64     `doc:"probability of a gammon, estimated from the number of rolls that both players need"`
	raceOff      float64     `doc:"fraction of checkers borne off"`
}

func sideOf(s *board.State, p game.Player) (a side) {
	s.Places(p, &a.places)
	a.one, a.two = s.Occupied(p)
	a.back = bits.Len32(a.one) - 1
	for place := 1; place <= bar; place++ {
		a.pips += place * int(a.places[place])
	}
	return a
}

func (v *values) measure(s *board.State, p game.Player) {
	roller := s.Player()
	a, b := sideOf(s, roller), sideOf(s, 1-roller)
	*v = values{}
	if s.Race() {
		race(&a, &b, v)
	} else {
		contact(&a, &b, v)
	}
	if p != roller {
		values := features.Numbers[float64](v)
		for i := range values {
			values[i] = -values[i]
		}
	}
}

// contact sets the terms for a position with contact. a is the side that rolls.
func contact(a, b *side, v *values) {
	v.tempo = 1
	v.pipLead = float64(b.pips-a.pips) / 100
	v.pipShare = float64(b.pips-a.pips) / float64(b.pips+a.pips)
	now := shots(a, b)
	v.shots, v.shotPips = now.hits, now.pips/100
	v.shotsNext = -shots(b, a).hits
	v.shotBoard = now.hits * board6(a)
	structure(a, b, 1, v)
	structure(b, a, -1, v)
}

// structure adds the terms for the arrangement of a's checkers on the board, multiplied by sign.
func structure(a, o *side, sign float64, v *values) {
	add := func(term *float64, value float64) { *term += float64(sign * value) }
	blots := a.one &^ a.two & points
	add(&v.blotsHome, float64(bits.OnesCount32(blots&home)))
	add(&v.blotsOuter, float64(bits.OnesCount32(blots>>7&(1<<12-1))))
	add(&v.blotsBack, float64(bits.OnesCount32(blots>>19)))
	if n := float64(a.places[bar]); n > 0 {
		add(&v.bar, n)
		closed := float64(bits.OnesCount32(o.two & home))
		add(&v.dance, closed*closed/36)
	}
	if o.places[bar] > 0 {
		add(&v.barBlots, float64(bits.OnesCount32(blots&home)))
	}
	if n := men(a); n > 0 {
		add(&v.back, float64(n))
		for place := 19; place <= bar; place++ {
			if k := a.places[place]; k > 0 {
				add(&v.trapped, float64(k)*(1-escape(place, o)))
			}
		}
	}
	if a.two>>18&(1<<5-1) != 0 {
		add(&v.anchor, 1)
	}
	add(&v.homeBoard, board6(a)*float64(min(men(o), 2))/2)
	prime(a, o, sign, v)
	crowd, low, near := 0, 0, uint32(0)
	for point := 1; point <= 24; point++ {
		crowd += max(int(a.places[point])-3, 0)
	}
	low = int(a.places[1]) + int(a.places[2])
	near = a.one & (1<<13 - 2)
	add(&v.stacked, float64(crowd))
	add(&v.deep, float64(low))
	add(&v.builders, float64(bits.OnesCount32(near)))
	add(&v.off, float64(a.places[board.Off])/board.Checkers)
	if a.places[board.Off] == 0 {
		inside, outside := int(o.places[board.Off]), board.Checkers
		for point := 1; point <= 6; point++ {
			inside += int(o.places[point])
			outside -= int(a.places[point])
		}
		add(&v.gammonDanger, float64(inside*inside*outside)/(board.Checkers*board.Checkers*board.Checkers))
	}
	for two := a.two & points; two != 0; two &= two - 1 {
		add(&v.point[bits.TrailingZeros32(two)-1], 1)
	}
}

// men returns the number of checkers on the bar and in the other player's home board.
func men(a *side) int {
	n := 0
	for place := 19; place <= bar; place++ {
		n += int(a.places[place])
	}
	return n
}

// board6 returns the square of the fraction of the home board that is closed.
func board6(a *side) float64 {
	n := float64(bits.OnesCount32(a.two & home))
	return n * n / 36
}

// prime adds the terms for a's longest row of consecutive points in front of o's rearmost checker.
func prime(a, o *side, sign float64, v *values) {
	ahead := a.two & points &^ (1<<(bar-o.back+1) - 1) // points in front of o's rearmost checker
	length := 0
	for run := ahead; run != 0; run &= run >> 1 {
		length++
	}
	if length >= 4 {
		v.prime4 += sign
	}
	if length >= 5 {
		v.prime5 += sign
	}
	if length >= 6 {
		v.prime6 += sign
	}
}

// A roll moves 8.17 pips on average (49/6). The variance used is 18.6, and the exact one is 18.47.
const perRoll, variance = 49. / 6, 18.6

// race sets the terms for a race. a is the side that rolls.
func race(a, b *side, v *values) {
	x, y := float64(a.pips)+waste(a), float64(b.pips)+waste(b)
	// Both the mean and the variance of the pips grow with the number of rolls still to come. Being
	// on roll is worth half a roll.
	spread := math.Sqrt(variance * (x + y + 2*perRoll) / perRoll)
	v.raceWin = elementary.Erf((y - x + perRoll/2) / spread / math.Sqrt2)
	v.raceTempo = 1
	v.racePips = (y - x) / (x + y)
	v.raceWaste = (waste(b) - waste(a)) / 10
	v.raceGammon = gammon(a, b, true) - gammon(b, a, false)
	v.raceOff = float64(a.places[board.Off]-b.places[board.Off]) / board.Checkers
}

// waste returns the pips added by the Keith count (Tom Keith, "The Keith Count", 2004): 2 for each
// checker beyond the first on the ace-point, 1 for each checker beyond the first on the 2-point and
// beyond the third on the 3-point, and 1 for each gap on the points 4, 5 and 6.
func waste(a *side) float64 {
	w := 2*max(int(a.places[1])-1, 0) + max(int(a.places[2])-1, 0) + max(int(a.places[3])-3, 0)
	for point := 4; point <= 6; point++ {
		if a.places[point] == 0 {
			w++
		}
	}
	return float64(w)
}

// gammon estimates the probability that a bears off all checkers before o bears off one. It
// compares the numbers of rolls needed by the two players.
func gammon(a, o *side, onRoll bool) float64 {
	if o.places[board.Off] > 0 {
		return 0
	}
	toHome := 0
	for place := 7; place <= bar; place++ {
		toHome += (place - 6) * int(o.places[place])
	}
	men := 15 - float64(a.places[board.Off])
	mine := max((float64(a.pips)+waste(a))/perRoll+0.3, men/2*0.93)
	theirs := (float64(toHome)+3)/perRoll + 0.3 // includes some waste for the last checker to come home, and one checker to be borne off
	turns := mine
	if onRoll {
		turns--
	}
	sigma := math.Sqrt(0.4 + float64(0.28*(mine+theirs)/4))
	return 0.5 * (1 + elementary.Erf((theirs-turns)/sigma/math.Sqrt2))
}
