package backgammon

import (
	"fmt"
	"math"
	"math/bits"

	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/internal/elementary"
)

// The terms. Those of the race are 0 where there is contact, and the others 0
// where there is none.
const (
	tempo       = iota // who is to roll, or to move
	pipLead            // pips ahead, in hundreds
	pipShare           // pips ahead, as a share of both
	shotsNow           // the probability that the roller hits a blot of the other
	shotPips           // the pips that the other then loses, in hundreds
	shotsNext          // the same for the one who rolls afterwards, if all stays as it is
	blotsHome          // blots on the points 1 to 6,
	blotsOuter         // 7 to 18,
	blotsBack          // 19 to 24
	onBar              // checkers on the bar
	dancing            // the probability that one of them finds no entry
	barBlots           // blots in the home board that one on the bar may hit
	backMen            // checkers on the bar and in the other's home board
	trapped            // of them, how many would not leave it with the next roll
	anchored           // they hold a point there, beyond the other's three lowest: 18 to 22
	homeBoard          // points made in the home board, squared, where the other has two men back (half where one)
	shotBoard          // the roller's hits by the points of his home board: what a hit wins
	primeFour          // four points in a row or more, before one of the other's,
	primeFive          // five or more,
	primeSix           // six
	stacked            // checkers beyond the third of a point
	deep               // checkers on the points 1 and 2
	smoothness         // points with at least one checker within 12 pips of the end
	borneOff           // checkers borne off
	gammonDread        // none is off: the share not home, by the square of the other's share home or off
	made               // 24 terms: points held by two or more
)

const (
	raceWin    = made + 24 + iota // from -1 to 1: the chances, by pips, waste and their spread
	raceTempo                     // who is to roll, or to move
	racePips                      // pips ahead, as a share of both
	raceWaste                     // less waste, in tens of pips
	raceGammon                    // the chances of a gammon
	raceOff                       // checkers borne off
	size
)

var names = func() (n [size]string) {
	for i, name := range map[int]string{
		tempo: "tempo", pipLead: "pip-lead", pipShare: "pip-share", shotsNow: "shots", shotPips: "shot-pips",
		shotsNext: "shots-next", blotsHome: "blots-home", blotsOuter: "blots-outer", blotsBack: "blots-back",
		onBar: "bar", dancing: "dance", barBlots: "bar-blots", backMen: "back", trapped: "trapped", anchored: "anchor",
		homeBoard: "home-board", shotBoard: "shot-board", primeFour: "prime-4", primeFive: "prime-5", primeSix: "prime-6", stacked: "stacked",
		deep: "deep", smoothness: "builders", borneOff: "off", gammonDread: "gammon-danger",
		raceWin: "race-win", raceTempo: "race-tempo", racePips: "race-pips", raceWaste: "race-waste",
		raceGammon: "race-gammon", raceOff: "race-off",
	} {
		n[i] = name
	}
	for p := 1; p <= 24; p++ {
		n[made+p-1] = fmt.Sprintf("point-%d", p)
	}
	return n
}()

func sideOf(s *board.State, p game.Player) (a side) {
	s.Places(p, &a.places)
	a.one, a.two = s.Occupied(p)
	a.back = bits.Len32(a.one) - 1
	for place := 1; place <= bar; place++ {
		a.pips += place * int(a.places[place])
	}
	return a
}

// measure works out all terms as p sees them.
func measure(s *board.State, p game.Player, v *[size]float64) {
	roller := s.Player()
	a, b := sideOf(s, roller), sideOf(s, 1-roller)
	*v = [size]float64{}
	if s.Race() {
		race(&a, &b, v)
	} else {
		contact(&a, &b, v)
	}
	if p != roller {
		for i := range v {
			v[i] = -v[i]
		}
	}
}

// contact is what the roller a has more than b while they can still hit.
func contact(a, b *side, v *[size]float64) {
	v[tempo] = 1
	v[pipLead] = float64(b.pips-a.pips) / 100
	v[pipShare] = float64(b.pips-a.pips) / float64(b.pips+a.pips)
	now := shots(a, b)
	v[shotsNow], v[shotPips] = now.hits, now.pips/100
	v[shotsNext] = -shots(b, a).hits
	v[shotBoard] = now.hits * board6(a)
	structure(a, b, 1, v)
	structure(b, a, -1, v)
}

// structure adds sign times what a has on the board.
func structure(a, o *side, sign float64, v *[size]float64) {
	add := func(term int, value float64) { v[term] += float64(sign * value) }
	blots := a.one &^ a.two & points
	add(blotsHome, float64(bits.OnesCount32(blots&home)))
	add(blotsOuter, float64(bits.OnesCount32(blots>>7&(1<<12-1))))
	add(blotsBack, float64(bits.OnesCount32(blots>>19)))
	if n := float64(a.places[bar]); n > 0 {
		add(onBar, n)
		add(dancing, dance(o))
	}
	if o.places[bar] > 0 {
		add(barBlots, float64(bits.OnesCount32(blots&home)))
	}
	if n := men(a); n > 0 {
		add(backMen, float64(n))
		for place := 19; place <= bar; place++ {
			if k := a.places[place]; k > 0 {
				add(trapped, float64(k)*(1-escape(place, o)))
			}
		}
	}
	if a.two>>18&(1<<5-1) != 0 {
		add(anchored, 1)
	}
	add(homeBoard, board6(a)*float64(min(men(o), 2))/2)
	prime(a, o, sign, v)
	crowd, low, near := 0, 0, uint32(0)
	for point := 1; point <= 24; point++ {
		crowd += max(int(a.places[point])-3, 0)
	}
	low = int(a.places[1]) + int(a.places[2])
	near = a.one & (1<<13 - 2)
	add(stacked, float64(crowd))
	add(deep, float64(low))
	add(smoothness, float64(bits.OnesCount32(near)))
	add(borneOff, float64(a.places[board.Off])/board.Checkers)
	if a.places[board.Off] == 0 {
		inside, outside := int(o.places[board.Off]), board.Checkers
		for point := 1; point <= 6; point++ {
			inside += int(o.places[point])
			outside -= int(a.places[point])
		}
		add(gammonDread, float64(inside*inside*outside)/(board.Checkers*board.Checkers*board.Checkers))
	}
	for two := a.two & points; two != 0; two &= two - 1 {
		add(made+bits.TrailingZeros32(two)-1, 1)
	}
}

// men are the checkers on the bar and in the other's home board.
func men(a *side) int {
	n := 0
	for place := 19; place <= bar; place++ {
		n += int(a.places[place])
	}
	return n
}

// board6 is the square of the share of the home board that is closed.
func board6(a *side) float64 {
	n := float64(bits.OnesCount32(a.two & home))
	return n * n / 36
}

// prime adds a's longest row of points that stands before one of o's checkers.
func prime(a, o *side, sign float64, v *[size]float64) {
	ahead := a.two & points &^ (1<<(bar-o.back+1) - 1) // beyond o's rearmost
	length := 0
	for run := ahead; run != 0; run &= run >> 1 {
		length++
	}
	if length >= 4 {
		v[primeFour] += sign
	}
	if length >= 5 {
		v[primeFive] += sign
	}
	if length >= 6 {
		v[primeSix] += sign
	}
}

// A roll moves 8.17 pips on average (49/6), with a variance of 18.6.
const perRoll, variance = 49. / 6, 18.6

// race is what the roller a has more than b when they have passed each other.
func race(a, b *side, v *[size]float64) {
	x, y := float64(a.pips)+waste(a), float64(b.pips)+waste(b)
	// Each side's rest is made of rolls, each of which adds to the variance as it
	// adds to the mean; being on roll is worth half of one.
	spread := math.Sqrt(variance * (x + y + 2*perRoll) / perRoll)
	v[raceWin] = elementary.Erf((y - x + perRoll/2) / spread / math.Sqrt2)
	v[raceTempo] = 1
	v[racePips] = (y - x) / (x + y)
	v[raceWaste] = (waste(b) - waste(a)) / 10
	v[raceGammon] = gammon(a, b, true) - gammon(b, a, false)
	v[raceOff] = float64(a.places[board.Off]-b.places[board.Off]) / board.Checkers
}

// waste is what Tom Keith's count ("The Keith Count", 2004) adds to the pips:
// checkers beyond the first on the ace-point 2, beyond the first on the 2-point
// 1, beyond the third on the 3-point 1, gaps on 4, 5 and 6 1 each.
func waste(a *side) float64 {
	w := 2*max(int(a.places[1])-1, 0) + max(int(a.places[2])-1, 0) + max(int(a.places[3])-3, 0)
	for point := 4; point <= 6; point++ {
		if a.places[point] == 0 {
			w++
		}
	}
	return float64(w)
}

// gammon is a guess at the probability that a has borne off all before o has
// borne off one: the rolls that each needs for it, set against each other.
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
	his := (float64(toHome)+3)/perRoll + 0.3 // the last one home wastes some, and one comes off
	turns := mine
	if onRoll {
		turns--
	}
	sigma := math.Sqrt(0.4 + float64(0.28*(mine+his)/4))
	return 0.5 * (1 + elementary.Erf((his-turns)/sigma/math.Sqrt2))
}
