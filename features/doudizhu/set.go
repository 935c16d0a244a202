// Package doudizhu provides the feature sets of dou dizhu and an agent that plays by rules of
// thumb. All terms depend only on what the player knows. A position is good for a player who needs
// few more plays, has unbeatable cards and the lead, and faces opponents with many cards.
//
// [Profile] lists the sets doudizhu/hand and doudizhu/tables. shape.go counts the plays that a hand
// needs and the plays that can be beaten. rule.go contains the agent.
package doudizhu

import (
	"slices"
	"strings"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/doudizhu"
	"plyfit/models"
	"plyfit/search"
)

// Profile describes the game to the catalog.
var Profile = features.Profile{
	Sets: func(*game.Game) []features.Set { return []features.Set{hand.Set(), newTables()} },
	Recipe: features.Recipe{
		Why:      "the landlord and the farmers learn from the same games, each from their own point of view",
		Training: []features.Training{{Set: "doudizhu/tables", Episodes: 100000, Alpha: 1, Lambda: 0.7, TC: true, Epsilon: 0.05, Link: models.Tanh}},
		Planner:  "pimc:samples=1", First: "pimc:samples=1,ties=random", Planners: []string{"pimc:samples=1"},
		Twin: "none", Rounds: 2, Episodes: 2000, Explore: 0.05, Pairs: 300,
	},
}

// Agents contains the kinds of agents that can only play dou dizhu.
var Agents = map[string]func(o *game.Options) (func() (search.Agent, error), error){"rule": rule}

// Roles with separate weights.
const (
	landlord = iota
	farmer
	bidder
	roles
)

// terms contains the terms of each role.
type terms struct {
	plays          float64 `doc:"approximate number of plays that the hand needs"`
	cards          float64 `doc:"number of cards in the hand, in tens"`
	high           float64 `doc:"the player's cards that rank above all unseen cards"`
	bombs          float64 `doc:"the player's bombs, including the rocket"`
	jokers         float64 `doc:"the player's jokers"`
	twos           float64 `doc:"the player's twos"`
	lead           float64 `doc:"1 for the player to move with nothing to beat"`
	holding        float64 `doc:"1 if the player made the play to beat"`
	partnerHolding float64 `doc:"1 if the other farmer made the play to beat"`
	tempo          float64 `doc:"1 if the player is to move"`
	rivalCards     float64 `doc:"number of cards of the opponent with the fewest, in tens"`
	rivalOne       float64 `doc:"1 if this opponent has one card"`
	rivalTwo       float64 `doc:"1 if this opponent has two cards"`
	partnerCards   float64 `doc:"number of cards of the other farmer, in tens"`
	partnerOne     float64 `doc:"1 if the other farmer has one card"`
	one            float64 `doc:"1 (constant term for the role)"`
}

// A view is a position from one player's point of view.
type view struct {
	role   int
	values terms
}

var hand = features.Terms[view]{
	Name:    "doudizhu/hand",
	Prepare: (*view).prepare,
	List:    list(),
}

// bidding lists the terms for a bidder, who has no opponents yet.
var bidding = []string{"plays", "cards", "high", "bombs", "jokers", "twos", "one"}

// list returns the terms of each role.
func list() (out []features.Term[view]) {
	for role, name := range [roles]string{"landlord", "farmer", "bidder"} {
		for i, term := range features.Fields[view](terms{}) {
			if role != farmer && strings.HasPrefix(term.Name, "partner-") || role == bidder && !slices.Contains(bidding, term.Name) {
				continue
			}
			out = append(out, features.Term[view]{
				Name: name + "-" + term.Name, Doc: name + ": " + term.Doc,
				Value: func(v *view) float64 {
					if v.role != role {
						return 0
					}
					return features.Numbers[float64](&v.values)[i]
				},
			})
		}
	}
	return out
}

func (v *view) prepare(st game.State, p game.Player) {
	s := st.(*board.State)
	own := s.Hand(p)
	*v = view{role: bidder}
	x := &v.values
	x.one, x.plays, x.cards = 1, float64(playsOf(own)), float64(own.Count())/10
	unseen := s.Unseen(p)
	top := 0
	for r, n := range unseen {
		if n > 0 {
			top = r
		}
	}
	for r, n := range own {
		if r > top {
			x.high += float64(n)
		}
	}
	x.bombs = float64(fours(own))
	x.twos, x.jokers = float64(own[board.Two]), float64(own[board.Black]+own[board.Red])
	if s.Landlord() >= 0 {
		v.others(s, p)
	}
}

// others sets the terms that depend on the other players' roles.
func (v *view) others(s *board.State, p game.Player) {
	x := &v.values
	v.role = farmer
	l, rival := s.Landlord(), s.Fewest(p)
	if p == l {
		v.role = landlord
	} else {
		partner := s.Hand(board.Players - l - p).Count()
		x.partnerCards, x.partnerOne = float64(partner)/10, features.Truth(partner == 1)
	}
	x.rivalCards, x.rivalOne, x.rivalTwo = float64(rival)/10, features.Truth(rival == 1), features.Truth(rival == 2)
	last, by := s.Last()
	x.tempo = features.Truth(s.Turn() == p)
	switch {
	case last.Kind == board.Other:
		x.lead = x.tempo
	case by == p:
		x.holding = 1
	case v.role == farmer && by != l:
		x.partnerHolding = 1
	}
}
