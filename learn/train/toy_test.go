package train

import (
	"fmt"
	"slices"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/models"
)

// Offers is a game for these tests. Twelve offers of 100 to 600 points are made one after another,
// and the player may take four of them. The score of hundreds of points is a frozen term, as in
// 2048 and Pac-Man, so a learner that divides its steps by the size of the score learns nothing.
// Random play scores about 1,400, and perfect play about 2,100.
const (
	offersMade  = 12
	offersTaken = 4
)

type offers struct {
	made, accepted, points int
	offer                  int // in hundreds; 0 if the next offer is still to be drawn
	past                   []offers
}

func newOffers(o *game.Options) (*game.Game, error) {
	return &game.Game{
		Name: "offers", Spec: "offers", Doc: "offers", Players: 1, Sum: game.General, Max: 600 * offersTaken, MaxPlies: 2*offersMade + 1,
		New: func() game.State { return &offers{} },
		Parse: func(text string) (game.State, error) {
			s := &offers{}
			_, err := fmt.Sscan(text, &s.made, &s.accepted, &s.points, &s.offer)
			return s, err
		},
		ParseMove: game.FindMove,
	}, o.Err()
}

func (s *offers) Turn() game.Player {
	switch {
	case s.accepted == offersTaken || s.made == offersMade && s.offer == 0:
		return game.Nobody
	case s.offer == 0:
		return game.Chance
	}
	return 0
}

func (s *offers) Moves(dst []game.Move) []game.Move {
	switch s.Turn() {
	case game.Nobody:
		return dst
	case game.Chance:
		return append(dst, 1, 2, 3, 4, 5, 6)
	}
	return append(dst, 0, 1) // 0 leaves the offer, and 1 takes it
}

func (s *offers) Play(m game.Move) {
	now := *s
	now.past = nil
	s.past = append(s.past, now)
	switch {
	case s.offer == 0:
		s.offer = int(m)
		s.made++
		return
	case m == 1:
		s.points += 100 * s.offer
		s.accepted++
	}
	s.offer = 0
}

func (s *offers) Undo() {
	past := s.past
	*s = past[len(past)-1]
	s.past = past[:len(past)-1]
}

func (s *offers) Prob(game.Move) float64        { return 1. / 6 }
func (s *offers) For() game.Player              { return 0 }
func (s *offers) Score(game.Player) float64     { return float64(s.points) }
func (s *offers) Utility(game.Player) float64   { return float64(s.points) }
func (s *offers) MoveString(m game.Move) string { return fmt.Sprint(uint32(m)) }
func (s *offers) String() string                { return fmt.Sprint(s.made, s.accepted, s.points, s.offer) }
func (s *offers) Hash() uint64 {
	return game.Seed(uint64(s.made), uint64(s.accepted), uint64(s.points), uint64(s.offer))
}
func (s *offers) Clone() game.State { c := *s; c.past = slices.Clone(s.past); return &c }

// offersSet contains the score, the number of offers that may still be taken, the number of offers
// left, and the current offer.
var offersSet = features.Terms[offers]{
	Name:    "offers/left",
	View:    func(game.State) game.Player { return 0 },
	Prepare: func(t *offers, s game.State, _ game.Player) { *t = *s.(*offers) },
	List: []features.Term[offers]{
		{Name: "score", Doc: "the points", Value: func(t *offers) float64 { return float64(t.points) }},
		{Name: "takes", Doc: "offers that may still be taken", Value: func(t *offers) float64 { return float64(offersTaken - t.accepted) }},
		{Name: "offers", Doc: "offers that are still to come", Value: func(t *offers) float64 { return float64(offersMade - t.made) }},
		{Name: "offer", Doc: "the offer at hand, in hundreds", Value: func(t *offers) float64 { return float64(t.offer) }},
	},
}.Set()

// withOffers returns the catalog with the game Offers added.
func withOffers() catalog.Catalog {
	return catalog.All().With(catalog.Entry{Name: "offers", New: newOffers, Profile: features.Profile{
		Sets:   func(*game.Game) []features.Set { return []features.Set{offersSet} },
		Recipe: features.Recipe{Frozen: map[string]float64{"score": 1}},
	}})
}

// columns is a feature set with modified columns. All columns are multiplied by Scale. If Extra is
// not nil, it adds one more column, named extra, at the end. The set can be evaluated only by
// Extract.
type columns struct {
	features.Set
	Scale float32
	Extra func(s game.State) float32
}

func (c columns) Blocks() []features.Block {
	blocks := slices.Clone(c.Set.Blocks())
	if c.Extra != nil {
		blocks = append(blocks, features.Block{Name: "extra", Len: 1})
	}
	return blocks
}

func (c columns) Extract(s game.State, p game.Player, x models.Vector) models.Vector {
	from := len(x)
	x = c.Set.Extract(s, p, x)
	for i := range x[from:] {
		x[from+i].Value *= c.Scale
	}
	if c.Extra != nil {
		n := int32(0)
		for _, b := range c.Set.Blocks() {
			n += int32(b.Len)
		}
		x = append(x, models.Term{Index: n, Value: c.Extra(s)})
	}
	return x
}
