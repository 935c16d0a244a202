package features

import (
	"fmt"
	"strings"

	"plyfit/models"
)

// Training is one stage of learning while playing: a method of plyfit/train with its
// settings, whose documentation stands there. The zero value of a field is the
// method's own choice for the game, unless the field says otherwise.
type Training struct {
	Method   string `json:",omitempty"` // as plyfit/train names it; "": td
	Set      string `json:",omitempty"` // feature set; "": the game's default
	Episodes int    // to learn from

	Alpha  float64 `json:",omitempty"`
	Decay  float64 `json:",omitempty"` // 0: the step size stays
	Lambda float64 `json:",omitempty"` // as it stands
	TC     bool    `json:",omitempty"` // temporal coherence
	// Coherence is how sharply temporal coherence cuts steps; 0: by the share itself.
	Coherence float64         `json:",omitempty"`
	Bounded   bool            `json:",omitempty"` // no step overshoots where a vector is long
	Epsilon   float64         `json:",omitempty"`
	OnPolicy  bool            `json:",omitempty"` // random moves teach like any others
	Openings  int             `json:",omitempty"`
	Batch     int             `json:",omitempty"`
	Wins      float64         `json:",omitempty"` // as it stands: the share of who wins in what is learned
	Link      models.LinkKind `json:",omitempty"`
	Scale     float64         `json:",omitempty"`

	// Starts is how many times the stage is run, each with a seed of its own; the model
	// that wins the matches among them goes on. 0: once.
	Starts int `json:",omitempty"`

	// Random begins with random weights of standard deviation 0.01. Otherwise the
	// first stage begins with zeros, and each later one with what the stage before it
	// learned, over the same set.
	Random bool `json:",omitempty"`

	Agent         string  `json:",omitempty"` // of the searching methods
	Root          float64 `json:",omitempty"` // of treestrap
	Sharp, Jitter float64 `json:",omitempty"` // of policy

	Leaves     models.Leaves `json:",omitempty"` // of the searching methods and evolution: which positions are evaluated
	Population int           `json:",omitempty"` // of evolution
	Average    float64       `json:",omitempty"` // share of the episodes, the last ones, over which the weights are averaged
}

// String says in a few words what the stage is.
func (t Training) String() string {
	method := t.Method
	if method == "" {
		method = "td"
	}
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

// Learner says in a few words how a model is learned: by the training where the recipe
// has one, else by its rounds of regression.
func (r *Recipe) Learner() string {
	if len(r.Trials) > 0 {
		return fmt.Sprintf("a tournament of %d learners", len(r.Trials))
	}
	if len(r.Training) > 0 {
		stages := make([]string, len(r.Training))
		for i, t := range r.Training {
			stages[i] = t.String()
		}
		return strings.Join(stages, ", then ")
	}
	method := r.Method
	switch method {
	case "":
		method = "regression"
	case "lstd":
		method = fmt.Sprintf("lstd(%v)", r.Lambda)
	}
	from := ""
	if r.Prior != "" {
		from = " on from " + r.Prior
	}
	if r.Chain {
		from += ", each drawn to the round before"
	}
	games := fmt.Sprintf("%d rounds of %d games", r.Rounds, r.Episodes)
	if r.Rounds == 1 {
		games = fmt.Sprintf("1 round of %d games", r.Episodes)
	}
	if r.EarlyEpisodes > 0 {
		games = fmt.Sprintf("%d rounds of %d games and %d of %d", r.EarlyRounds, r.EarlyEpisodes, r.Rounds-r.EarlyRounds, r.Episodes)
	}
	if r.Mean > 0 {
		from += fmt.Sprintf(", and the mean of the last %d", r.Mean)
	}
	return fmt.Sprintf("%s, %s%s", method, games, from)
}
