package backgammon

import "math/bits"

const (
	points = 1<<25 - 2 // bits of points 1 to 24
	home   = 1<<7 - 2
	bar    = 25
)

// A side describes one player's checkers, whose places are in that player's numbering.
type side struct {
	places   [26]int8
	one, two uint32 // places with at least one checker, and places with at least two
	pips     int    // number of pips needed to bear off all checkers
	back     int    // place of the rearmost checker
}

// mirror converts a set of one player's points to the other player's numbering. It does not use
// bits.Reverse32, because Go 1.26 would then compile shots incorrectly for arm64, and shots would
// find no hits in any position.
func mirror(b uint32) uint32 { return uint32(bits.Reverse64(uint64(b&points)) >> 38) }

// A volley describes the effect of a roll on the other player's blots.
type volley struct {
	hits float64 // probability that at least one blot is hit
	pips float64 // expected loss of pips; if a roll hits one of several blots, the most expensive blot counts
}

// shots returns the effect of a's next roll on o's blots.
func shots(a, o *side) (v volley) {
	blots, open := mirror(o.one&^o.two), points&^mirror(o.two)
	if blots == 0 {
		return v
	}
	onBar := int(a.places[bar])
	own := a.one & points
	for hi := 1; hi <= 6; hi++ {
		for lo := 1; lo <= hi; lo++ {
			chance := 2. / 36
			var hit uint32
			switch {
			case hi == lo:
				chance = 1. / 36
				hit = quadruple(own, blots, open, onBar, hi)
			case onBar > 1:
				hit = blots & (1<<(bar-hi) | 1<<(bar-lo))
			case onBar == 1:
				for _, d := range [2][2]int{{hi, lo}, {lo, hi}} {
					if enter := uint32(1) << (bar - d[0]); enter&open != 0 {
						hit |= blots & (enter | (own|enter)>>d[1])
					}
				}
			default:
				between := (own>>hi | own>>lo) & open
				hit = blots & (own>>hi | own>>lo | between>>lo&(own>>(hi+lo)) | between>>hi&(own>>(hi+lo)))
			}
			if hit != 0 {
				v.hits += chance
				v.pips += float64(chance * float64(bits.Len32(hit)-1))
			}
		}
	}
	return v
}

// quadruple returns the blots that a double of the number d can hit.
func quadruple(own, blots, open uint32, onBar, d int) (hit uint32) {
	steps := 4
	if onBar > 0 {
		enter := uint32(1) << (bar - d)
		if enter&open == 0 {
			return 0
		}
		hit = blots & enter
		if steps -= onBar; steps <= 0 {
			return hit
		}
		own |= enter
	}
	for ; steps > 0; steps-- {
		own = own >> d & open
		hit |= blots & own
	}
	return hit
}

// escape returns the probability that a's checker on place leaves o's home board with the next roll
// if no other checker moves. The place is the bar or a point of that home board.
func escape(place int, o *side) float64 {
	open := points &^ mirror(o.two)
	outside := open & (1<<19 - 1)
	rolls := 0
	for hi := 1; hi <= 6; hi++ {
		for lo := 1; lo <= hi; lo++ {
			at := uint32(1) << place
			switch {
			case hi == lo:
				for range 4 {
					at = at >> hi & open
					if at&outside != 0 {
						rolls++
						break
					}
				}
			case (at>>hi|at>>lo)&outside != 0,
				((at>>hi|at>>lo)&open != 0) && at>>(hi+lo)&outside != 0:
				rolls += 2
			}
		}
	}
	return float64(rolls) / 36
}
