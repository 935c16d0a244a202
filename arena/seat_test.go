package arena

import (
	"math"
	"testing"

	"plyfit/arena/stats"
	"plyfit/game"
)

// TestBySeat: where A gets more than B by so much in each seat, and what the others in
// their seats get or lose by it is no matter, that much is found, seat by seat, and the
// intervals are those of the deals.
func TestBySeat(t *testing.T) {
	gain := []float64{2, -1, 0.5}
	l := layout{mode: Table, shape: game.Shape{Players: 3, Min: -100, Max: 100}, seats: [][]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, least: -100, most: 100}
	count := newTally(Config{}, l)
	for pair := range 20 {
		deal := float64(pair % 5)
		r := PairRecord{Pair: pair, From: Hash(pair)}
		for _, seats := range l.seats {
			g := GameRecord{Seats: seats, Utility: make([]float64, 3), Hash: Hash(pair)}
			for p := range seats {
				g.Utility[p] = deal
				for q, side := range seats {
					switch {
					case side == sideB:
					case q == p:
						g.Utility[p] += gain[p] * (1 + deal/10)
					default:
						g.Utility[p] -= 3 * gain[q] // as if it harmed the others
					}
				}
			}
			r.Games = append(r.Games, g)
		}
		count.add(&r)
	}
	found := count.bySeat()
	if len(found) != 3 {
		t.Fatalf("%d seats, want 3", len(found))
	}
	for seat, s := range found {
		want := gain[seat] * 1.2 // the mean of deal/10 being 0.2
		if s.Seat != seat || math.Abs(s.Difference.Value-want) > 1e-12 || math.Abs(s.UtilityA.Value-s.UtilityB.Value-want) > 1e-12 {
			t.Errorf("seat %d: A gets %v more, %v against %v: want %v more", s.Seat, s.Difference.Value, s.UtilityA.Value, s.UtilityB.Value, want)
		}
		// The deals differ by 0 to 0.4 gains: a deviation of 0.145 over 20 pairs.
		if half, most := (s.Difference.High-s.Difference.Low)/2, 0.08*math.Abs(gain[seat]); !s.Difference.Bounded || half <= 0 || half > most {
			t.Errorf("seat %d: half an interval of %v, want one up to %v", seat, half, most)
		}
	}
	if stats.Anywhere == l.apart() {
		t.Error("differences of bounded utilities have no bounds")
	}
	four := layout{mode: Table, shape: game.Shape{Players: 4}, seats: [][]int{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}}
	if found := newTally(Config{}, four).bySeat(); found != nil {
		t.Errorf("%d seats of a game of four, in whose layout no games differ in one seat alone", len(found))
	}
}
