package features

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"plyfit/internal/list"
	"plyfit/models"
)

// Training contains the settings of learning by playing. It is one stage of a recipe, or the
// settings of plyfit train. The tags of each field contain its flag, help, default and limits, and
// the methods of plyfit/learn/train that use it, in the format of plyfit/internal/settings. If the
// tags contain no default, the method or the game determines the meaning of the zero value.
type Training struct {
	Method string `json:",omitempty" flag:"method" default:"td" help:"learning method"`
	Set    string `json:",omitempty" flag:"features" recipe:"-" help:"feature set; default: the game's"`

	// Init selects the initial weights. In a recipe, later stages begin with the weights that the
	// previous stage learned for the same set, and Random selects random initial weights.
	Init   string `json:"-" flag:"init" default:"zero" help:"initial weights: zero, random or a model file"`
	Random bool   `json:",omitempty"`
	// Optimism is divided equally among the weights that a position uses, so that unknown positions
	// seem good (Guei, Chen and Wu, "Optimistic temporal difference learning for 2048", IEEE
	// Transactions on Games 14, 2022).
	Optimism float64 `json:",omitempty" flag:"optimism" of:"td" help:"initial value of every position, for --init zero and pattern tables"`

	Episodes int           `flag:"games" default:"10000" in:"of at least 0" recipe:"-" help:"games to learn from; evolution always completes the generation"`
	Time     time.Duration `json:"-" flag:"time" recipe:"-" help:"stop playing and learning after this time; the result then depends on the machine"`

	// Alpha is the step size. For td, it is the fraction of the error that an update removes. For
	// the methods with search, it is the step size of Adam or TC.
	Alpha  float64 `json:",omitempty" flag:"alpha" but:"cfr" default:"0.1" in:"above 0" help:"step size; td: share of the error corrected per update; default: 0.02 with searches, 0.5 for evolution"`
	Lambda float64 `json:",omitempty" flag:"lambda" of:"td tdleaf rootstrap treestrap" default:"0" in:"from 0 to 1" help:"weight of later values, from 0 (next position only) to 1 (outcome only)"`
	TC     bool    `json:",omitempty" flag:"tc" of:"td tdleaf rootstrap treestrap" default:"false" help:"temporal coherence: adapt the step size of each weight"`
	// Coherence changes the factor c by which TC reduces a step to exp(Coherence (c-1)), which is at
	// least exp(-Coherence), so no weight stops learning (Bagheri, Thill, Koch and Konen, "Online
	// adaptable learning rates for the game Connect-4", IEEE TCIAIG 8, 2016; they use 2.7).
	Coherence float64 `json:",omitempty" flag:"coherence" of:"td" in:"of at least 0" help:"with --tc: reduce steps by exp(N(c-1)) instead of the coherence c; 0: by c"`
	// Bounded limits the effect of an update to Alpha times the error in positions whose vectors
	// are longer than usual. With Alpha near 1, such steps would overshoot, and the weights might
	// never recover. (This is normalised least mean squares. Dabney and Barto, "Adaptive step-size
	// for online temporal difference learning", AAAI 2012, bound alpha in this way for TD.)
	Bounded bool    `json:",omitempty" flag:"bounded" of:"td" help:"limit steps so that positions with a long feature vector do not overshoot"`
	Average float64 `json:",omitempty" flag:"average" but:"cfr" default:"0.5" in:"from 0 to 1" recipe:"-" help:"average the weights over this final share of the games, 0 to 1; default for pattern tables: 0"`

	Epsilon     float64 `json:",omitempty" flag:"epsilon" but:"cfr" default:"0" in:"from 0 to 1" help:"probability of a random move; default: 0 with chance, otherwise set by the method (0.1 for td)"`
	EpsilonFade int     `json:",omitempty" flag:"epsilon-fade" of:"td" in:"of at least 0" help:"reduce epsilon linearly to 0 over this number of games; 0: constant epsilon"`
	Openings    int     `json:",omitempty" flag:"openings" but:"cfr" default:"0" in:"of at least 0" help:"maximum number of random opening decisions; default: depends on the game"`

	Link   models.LinkKind    `json:",omitempty" flag:"link" among:"identity tanh logistic" help:"default: the initial model's; without one, tanh for two players and bounded utilities, otherwise identity"`
	Scale  float64            `json:",omitempty" flag:"scale" in:"above 0" help:"scale of the link; default: the initial model's, or 1"`
	Wins   WinsShare          `json:",omitempty" flag:"label" of:"td evolution" default:"outcome" in:"from 0 to 1" help:"target: outcome, wins (ignores the margin) or wins:SHARE (a mixture of both)"`
	Leaves models.Leaves      `json:",omitempty" flag:"leaves" among:"decision afterstate" help:"positions to evaluate in games with chance; td learns afterstates"`
	Freeze map[string]float64 `json:",omitempty" flag:"freeze" recipe:"frozen" help:"TERM=WEIGHT: keep the weight of a term, or of all terms of a group, fixed; default: depends on the game"`

	Population int    `json:",omitempty" flag:"population" of:"evolution" in:"from 4 to 1048576" help:"candidates per generation, each playing --batch games; default: 4 + 3 ln n for n weights"`
	Agent      string `json:",omitempty" flag:"agent" of:"tdleaf rootstrap treestrap evolution" help:"agent to learn from, without eval; default: depends on the game; depth 1 for evolution"`
	// Decay reduces the step size to alpha/(1+t/Decay) after t episodes. The sum of these steps
	// diverges, and the sum of their squares converges (Robbins and Monro 1951).
	Decay float64 `json:",omitempty" flag:"decay" of:"td tdleaf rootstrap treestrap" in:"of at least 0" help:"divide alpha by 1+g/N after g games; 0: constant alpha"`
	Loss  string  `json:",omitempty" flag:"loss" of:"tdleaf rootstrap treestrap" among:"logistic squared" help:"default: logistic if the link is bounded"`
	Root  float64 `json:",omitempty" flag:"root" of:"treestrap" default:"1" in:"above 0" help:"weight of the root, compared with 1 for other searched positions"`
	Batch int     `json:",omitempty" flag:"batch" but:"cfr" default:"1" in:"from 1 to 4096" help:"games per update or candidate; default: 16 with searches, 10 for evolution"`

	OnPolicy bool `json:",omitempty" flag:"on-policy" of:"td" default:"false" help:"also learn from random moves, so that values include exploration"`
	Forward  bool `json:",omitempty" flag:"forward" of:"td" default:"false" help:"learn during the game, as soon as the next move is chosen; needs lambda 0"`
	Threads  int  `json:",omitempty" flag:"threads" of:"td" in:"from 1 to 1024" help:"threads that train the same pattern tables without locks; results then vary from run to run"`

	// Starts is the number of times that a stage is run, each time with a different seed. The
	// resulting models play matches, and the winner is used. 0 means 1.
	Starts int `json:",omitempty"`
}

// WinsShare is the weight of winning in the learned target. The rest of the target is the margin. 0
// means the plain outcome. A model that learns only from wins may play carelessly in games that it
// is losing anyway.
type WinsShare float64

// String returns the label in the form used by users: outcome, wins or wins:SHARE.
func (w WinsShare) String() string {
	switch w {
	case 0:
		return "outcome"
	case 1:
		return "wins"
	}
	return fmt.Sprintf("wins:%v", float64(w))
}

// Set parses the output of String.
func (w *WinsShare) Set(text string) error {
	switch share, ok := strings.CutPrefix(text, "wins:"); {
	case text == "outcome":
		*w = 0
		return nil
	case text == "wins":
		*w = 1
		return nil
	case ok:
		if x, err := strconv.ParseFloat(share, 64); err == nil && x >= 0 && x <= 1 {
			*w = WinsShare(x)
			return nil
		}
	}
	return errors.New("want outcome, wins, or wins:SHARE with a share from 0 to 1")
}

// String returns a short description of the stage.
func (t Training) String() string {
	method := cmp.Or(t.Method, "td")
	if t.Lambda != 0 {
		method += fmt.Sprintf("(%v)", t.Lambda)
	}
	var with []string
	if t.TC {
		with = append(with, "temporal coherence")
	}
	if t.Agent != "" {
		with = append(with, t.Agent)
	}
	if len(with) > 0 {
		method += " with " + strings.Join(with, " and ")
	}
	set := ""
	if t.Set != "" {
		set = " over " + t.Set
	}
	text := fmt.Sprintf("%s%s, %d games", method, set, t.Episodes)
	if t.Starts > 1 {
		text += fmt.Sprintf(" from each of %d starts", t.Starts)
	}
	return text
}

// Learner returns a short description of how a model is learned: by the recipe's training if there
// is any, and otherwise by rounds of regression.
func (r *Recipe) Learner() string {
	if len(r.Trials) > 0 {
		return fmt.Sprintf("a tournament of %d learners", len(r.Trials))
	}
	if len(r.Training) > 0 {
		return strings.Join(list.Map(r.Training, Training.String), ", then ")
	}
	method := cmp.Or(r.Method, "regression")
	if method == "lstd" {
		method = fmt.Sprintf("lstd(%v)", r.Lambda)
	}
	from := ""
	if r.Prior != "" {
		from = " starting from " + r.Prior
	}
	if r.Chain {
		from += ", each regularised towards the previous round"
	}
	games := fmt.Sprintf("%d rounds of %d games", r.Rounds, r.Episodes)
	if r.Rounds == 1 {
		games = fmt.Sprintf("1 round of %d games", r.Episodes)
	}
	if r.EarlyEpisodes > 0 {
		games = fmt.Sprintf("%d rounds of %d games and %d of %d", r.EarlyRounds, r.EarlyEpisodes, r.Rounds-r.EarlyRounds, r.Episodes)
	}
	return fmt.Sprintf("%s, %s%s", method, games, from)
}
