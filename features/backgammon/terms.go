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
// between the two players. Being on roll counts as an asset of the roller.
var rich = features.Terms[values]{
	Name:          "backgammon/rich",
	Antisymmetric: true,
	View:          view,
	Prepare:       func(v *values, s game.State, p game.Player) { v.measure(board.Of(s), p) },
	Values:        features.Numbers[float64, values],
	List:          features.Fields[values](values{}),
}

// values has the terms of rich. The terms of the race are 0 if there is contact, and the other terms
// are 0 if there is none.
type values struct {
	tempo        float64     `doc:"whose roll it is"`
	pipLead      float64     `doc:"pips ahead, in hundreds"`
	pipShare     float64     `doc:"pips ahead, as a share of both sides' pips"`
	shots        float64     `doc:"the probability that the roller hits a blot with his next roll, over all 21 rolls with their combinations and blocked points"`
	shotPips     float64     `doc:"the pips that the other then loses, expected, in hundreds"`
	shotsNext    float64     `doc:"the probability that the other hits with his roll after that, as the position stands"`
	blotsHome    float64     `doc:"blots on the points 1 to 6"`
	blotsOuter   float64     `doc:"blots on the points 7 to 18"`
	blotsBack    float64     `doc:"blots on the points 19 to 24"`
	bar          float64     `doc:"checkers on the bar"`
	dance        float64     `doc:"the probability that a checker on the bar finds no entry"`
	barBlots     float64     `doc:"blots in the home board while the other is on the bar"`
	back         float64     `doc:"checkers on the bar and on 19 to 24"`
	trapped      float64     `doc:"the sum of their probabilities not to get out of there with the next roll"`
	anchor       float64     `doc:"1 where a point is held among 18 to 22"`
	homeBoard    float64     `doc:"the square of the closed share of the home board, where the other has two checkers back or more; half where one"`
	shotBoard    float64     "doc:\"`shots` times the square of the share of the roller's home board that is closed: what a hit wins\""
	prime4       float64     `doc:"1 where four points in a row or more are held before the other's rearmost checker"`
	prime5       float64     `doc:"the same of five or more"`
	prime6       float64     `doc:"the same of six"`
	stacked      float64     `doc:"checkers beyond the third on a point"`
	deep         float64     `doc:"checkers on the points 1 and 2"`
	builders     float64     `doc:"points up to the 12 with a checker"`
	off          float64     `doc:"the share of checkers borne off"`
	gammonDanger float64     `doc:"with none off: the share of checkers not home, times the square of the share that the other has home or off"`
	point        [24]float64 `doc:"1 where the point is held by two or more"`
	raceWin      float64     `doc:"from -1 to 1, the lead in pips with waste and half a roll for the roller, in standard deviations of the rolls to come, through the normal distribution"`
	raceTempo    float64     `doc:"whose roll it is"`
	racePips     float64     `doc:"pips ahead, waste counted, as a share of both sides' pips"`
	raceWaste    float64     `doc:"less waste by Keith's count, in tens of pips"`
	raceGammon   float64     `doc:"the probability of a gammon, guessed by the rolls that both need"`
	raceOff      float64     `doc:"the share of checkers borne off"`
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

// contact sets the terms for a position with contact, from the view of the roller a.
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

// structure adds the terms for a's position on the board, multiplied by sign.
func structure(a, o *side, sign float64, v *values) {
	add := func(term *float64, value float64) { *term += float64(sign * value) }
	blots := a.one &^ a.two & points
	add(&v.blotsHome, float64(bits.OnesCount32(blots&home)))
	add(&v.blotsOuter, float64(bits.OnesCount32(blots>>7&(1<<12-1))))
	add(&v.blotsBack, float64(bits.OnesCount32(blots>>19)))
	if n := float64(a.places[bar]); n > 0 {
		add(&v.bar, n)
		add(&v.dance, dance(o))
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

// board6 returns the square of the share of the home board that is closed.
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

// A roll moves 8.17 pips on average (49/6), with a variance of 18.6.
const perRoll, variance = 49. / 6, 18.6

// race sets the terms for a race, from the view of the roller a.
func race(a, b *side, v *values) {
	x, y := float64(a.pips)+waste(a), float64(b.pips)+waste(b)
	// Both the mean and the variance of the pips grow with the number of rolls that are left. Being
	// on roll is worth half a roll.
	spread := math.Sqrt(variance * (x + y + 2*perRoll) / perRoll)
	v.raceWin = elementary.Erf((y - x + perRoll/2) / spread / math.Sqrt2)
	v.raceTempo = 1
	v.racePips = (y - x) / (x + y)
	v.raceWaste = (waste(b) - waste(a)) / 10
	v.raceGammon = gammon(a, b, true) - gammon(b, a, false)
	v.raceOff = float64(a.places[board.Off]-b.places[board.Off]) / board.Checkers
}

// waste returns the pips that Tom Keith's count adds ("The Keith Count", 2004): 2 for each checker
// beyond the first on the ace-point, 1 for each checker beyond the first on the 2-point and beyond
// the third on the 3-point, and 1 for each gap on the points 4, 5 and 6.
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
// compares the numbers of rolls that the two players need.
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
	theirs := (float64(toHome)+3)/perRoll + 0.3 // includes some waste for the last checker to come home, and bearing off one checker
	turns := mine
	if onRoll {
		turns--
	}
	sigma := math.Sqrt(0.4 + float64(0.28*(mine+theirs)/4))
	return 0.5 * (1 + elementary.Erf((theirs-turns)/sigma/math.Sqrt2))
}
