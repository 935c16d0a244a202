package fit

import "plyfit/learn"

// lstd is least-squares temporal differences over the episodes.
var lstd = &Method{
	Name: "lstd", Doc: "what followed in the episode", Losses: []LossKind{SquaredError},
	Episodes: func(o *Options, p Problem) EpisodeLearner { return learn.LSTD{Options: p.Options, Lambda: o.Lambda} },
}
