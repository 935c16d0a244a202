package train

import (
	"plyfit/features"
	"plyfit/learn/online"
	"plyfit/learn/online/cfr"
	"plyfit/models"
)

// cfrMethod is counterfactual regret minimisation; see [cfr.Learner].
var cfrMethod = &method{
	Name: "cfr",
	Doc: "cfr, in a small game of two with hidden cards, comes near an equilibrium by counterfactual regret minimisation " +
		"over all deals, an iteration a game, and fits what softmax plays it by.",
	Own: features.Training{Link: models.Identity, Episodes: 1000},
	Learner: func(p *plan) (online.Learner, error) {
		p.Chunk = 100 // a fit to a thousand columns takes as long
		return cfr.New(p.Task)
	},
}
