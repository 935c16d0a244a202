// Package doudizhu evaluates dou dizhu: few plays left, unbeatable cards, the lead, and others with
// many cards are good. All terms are of what the player sees.
//
// The journey: [Profile] has doudizhu/hand and doudizhu/tables; shape.go counts the plays that a hand
// needs, and those that can be beaten; rule.go has an agent that plays by rules of thumb.
package doudizhu

import (
	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/doudizhu"
	"plyfit/models"
	"plyfit/search"
)

// Profile is what is known of the game besides its rules.
var Profile = features.Profile{
	Sets: sets,
	Recipe: features.Recipe{
		Why:      "the landlord and the farmers learn from the same games, each from what he sees",
		Training: []features.Training{{Set: "doudizhu/tables", Episodes: 100000, Alpha: 1, Lambda: 0.7, TC: true, Epsilon: 0.05, Link: models.Tanh}},
		Planner:  "pimc:samples=1", First: "pimc:samples=1,ties=random", Planners: []string{"pimc:samples=1"},
		Twin: "none", Rounds: 2, Episodes: 2000, Explore: 0.05, Pairs: 300,
	},
}

// Agents are kinds of agents that play dou dizhu alone.
var Agents = map[string]func(o *game.Options) (func() (search.Agent, error), error){"rule": rule}

// sets are the feature sets of the game: doudizhu/hand, in which the landlord, the
// farmers and those who bid have weights of their own, and doudizhu/tables.
func sets(*game.Game) []features.Set { return []features.Set{hand.Set(), newTables()} }

// The roles that have weights of their own.
const (
	landlord = iota
	farmer
	bidder
	roles
)

// The terms of each role.
const (
	plays = iota
	cards
	high
	bombs
	jokers
	twos
	lead
	holding
	partnerHolding
	tempo
	rivalCards
	rivalOne
	rivalTwo
	partnerCards
	partnerOne
	one
	size
)

var docs = [size]features.Term[view]{
	plays:          {Name: "plays", Doc: "plays that the hand needs, as a simple count has it"},
	cards:          {Name: "cards", Doc: "cards in the hand, in tens"},
	high:           {Name: "high", Doc: "own cards above all that the player has not seen"},
	bombs:          {Name: "bombs", Doc: "own bombs, the rocket counting as one"},
	jokers:         {Name: "jokers", Doc: "own jokers"},
	twos:           {Name: "twos", Doc: "own twos"},
	lead:           {Name: "lead", Doc: "to move with nothing to beat"},
	holding:        {Name: "holding", Doc: "the play to beat is the player's own"},
	partnerHolding: {Name: "partner-holding", Doc: "it is the other farmer's"},
	tempo:          {Name: "tempo", Doc: "1 where it is the player's move"},
	rivalCards:     {Name: "rival-cards", Doc: "cards of the opponent who has fewest, in tens"},
	rivalOne:       {Name: "rival-one", Doc: "he has one"},
	rivalTwo:       {Name: "rival-two", Doc: "he has two"},
	partnerCards:   {Name: "partner-cards", Doc: "cards of the other farmer, in tens"},
	partnerOne:     {Name: "partner-one", Doc: "he has one"},
	one:            {Name: "one", Doc: "1: the role itself"},
}

// view is a position as one player sees it.
type view struct {
	role   int
	values [size]float64
}

var hand = features.Terms[view]{
	Name:    "doudizhu/hand",
	Prepare: (*view).prepare,
	List:    list(),
}

// list has the terms once for each role.
func list() (out []features.Term[view]) {
	for role, name := range [roles]string{"landlord", "farmer", "bidder"} {
		for i, term := range docs {
			if role != farmer && (i == partnerHolding || i == partnerCards || i == partnerOne) {
				continue
			}
			if role == bidder && i >= lead && i < one {
				continue
			}
			out = append(out, features.Term[view]{
				Name: name + "-" + term.Name, Doc: name + ": " + term.Doc,
				Value: func(v *view) float64 {
					if v.role != role {
						return 0
					}
					return v.values[i]
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
	x[one], x[plays], x[cards] = 1, float64(playsOf(own)), float64(own.Count())/10
	unseen := s.Unseen(p)
	top := 0
	for r, n := range unseen {
		if n > 0 {
			top = r
		}
	}
	for r, n := range own {
		if r > top {
			x[high] += float64(n)
		}
	}
	x[bombs] = float64(fours(own))
	x[twos], x[jokers] = float64(own[board.Two]), float64(own[board.Black]+own[board.Red])
	if s.Landlord() >= 0 {
		v.others(s, p)
	}
}

// others computes what depends on who plays with whom.
func (v *view) others(s *board.State, p game.Player) {
	x := &v.values
	v.role = farmer
	l, rival := s.Landlord(), s.Fewest(p)
	if p == l {
		v.role = landlord
	} else {
		partner := s.Hand(board.Players - l - p).Count()
		x[partnerCards], x[partnerOne] = float64(partner)/10, features.Truth(partner == 1)
	}
	x[rivalCards], x[rivalOne], x[rivalTwo] = float64(rival)/10, features.Truth(rival == 1), features.Truth(rival == 2)
	last, by := s.Last()
	x[tempo] = features.Truth(s.Turn() == p)
	switch {
	case last.Kind == board.Other:
		x[lead] = x[tempo]
	case by == p:
		x[holding] = 1
	case v.role == farmer && by != l:
		x[partnerHolding] = 1
	}
}
