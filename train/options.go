package train

import (
	"fmt"
	"time"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/features"
	"plyfit/learn/online/bootstrap"
	"plyfit/learn/online/optimiser"
	"plyfit/learn/online/runner"
	"plyfit/models"
	"plyfit/search"
)

// Options say what is learned while playing, and how. They begin as [Defaults] has
// them, which are the game's own choices.
type Options struct {
	Method *Method
	Set    string // feature set; "": the game's default
	Init   Init   // weights to begin with

	Episodes int           // to learn from; of Evolution rounded up to whole generations
	Time     time.Duration // of playing and learning, after which the run ends early; 0: as long as it takes. The result then depends on the machine

	// Alpha is the step size: of TD the share of its error that an update takes from a
	// position; of the searching methods see [optimiser.Steps], of Policy
	// [policy.Options]; of Evolution it is the Sigma to begin with
	// ([evolution.Options]).
	Alpha  float64
	Decay  float64 // episodes after which Alpha is halved, after twice as many a third; 0: it stays
	Lambda float64 // how far an outcome reaches back at once, 0 to 1
	TC     bool    // temporal coherence: a step size of its own for each weight
	// Coherence is of TC; see [optimiser.Steps].
	Coherence float64
	Bounded   bool    // td: no step overshoots where a vector is longer than others
	Average   float64 // share of the episodes, the last ones, over which the weights are averaged, 0 to 1

	Openings int     // at most so many random decisions at an episode's beginning
	Epsilon  float64 // probability of a random move
	Batch    int     // episodes played with the same weights, as many as can be played at once; of Evolution by each candidate

	Link   models.LinkKind    // "": that of the model to begin with, else Tanh in games of two whose utilities have bounds, else Identity
	Scale  float64            // of the link; 0: 1, or that of the model to begin with
	Wins   float64            // share of who wins in what is learned, by how much being the rest
	Leaves models.Leaves      // which positions the model is to evaluate, where nature moves between; "": the method's own choice
	Frozen map[string]float64 // terms that keep this weight

	Offline     bool // of TD: all values of an episode by the weights that it was played with
	OnPolicy    bool // of TD: random moves teach like any others
	EpsilonFade int  // of TD: games over which Epsilon falls to 0, at an even pace; 0: it stays
	Restart     int  // of TD: an episode of more than so many decisions is played again from its middle, and again from the middle of that; 0: none is
	Threads     int  // of TD: so many goroutines learn at once on the same weights, without locks: nothing is repeatable then; 0: 1

	Agent string             // of the searching methods and Evolution: who plays and is learned from, without eval; "": the game's own choice, of Evolution one decision ahead
	Step  optimiser.StepRule // of the searching methods; "": Adam
	Loss  bootstrap.LossKind // of the searching methods; "": logistic where the link has bounds
	Root  float64            // of TreeStrap: how many searched positions the position at hand counts for

	Sharp  float64 // of Policy: how much more the weights decide while learning than as they stand in the model
	Jitter float64 // of Policy: the most noise in the other side's weights, in their root mean square

	Population int // of Evolution: candidates a generation, each of which plays Batch episodes; 0: 4 + 3 ln n for n weights

	Seed    uint64
	Workers int // never changes a result

	Dir             string        // the run's folder: checkpoint, log and report
	CheckpointEvery time.Duration // least time between checkpoints; 0: a minute
	Curve           Curve

	Command string // what repeats the run, for the model and the report
	// Middle is given the model as it is after half of the episodes; see [runner.Options].
	Middle func(m *models.Linear) error

	Progress func(episodes int)   // told now and then; nil: nobody
	Measured func(p runner.Point) // told of each point as it is measured; nil: nobody
}

// Init is the model that learning begins with. The zero value has weights of zero.
type Init struct {
	Random bool    // weights drawn from a normal distribution
	Noise  float64 // its standard deviation

	// Optimism is what the tables of a [features.Placer] say of every position at first,
	// in units of z, each of the weights that count the same share: what was not tried
	// yet seems better than what was (Guei, Chen and Wu, "Optimistic temporal difference
	// learning for 2048", IEEE Transactions on Games 14, 2022). 0: nothing.
	Optimism float64

	// Model is a model of Set to begin with, in place of zeros; nil: none. Name is what
	// the recipe calls it.
	Name  string
	Set   features.Set
	Model *models.Linear
}

// String is the beginning as recipes have it.
func (i Init) String() string {
	switch {
	case i.Model != nil:
		return i.Name
	case i.Random:
		return "random"
	case i.Optimism != 0:
		return fmt.Sprintf("zero, optimism %v", i.Optimism)
	}
	return "zero"
}

// Curve is how the learning curve is measured.
type Curve struct {
	Every    int           // episodes between points; 0: a tenth of the episodes
	Pairs    int           // pairs of games at each point; 0: none
	Openings int           // random decisions at the beginning of a pair
	Planner  string        // who plays by the learned evaluation; "": one decision ahead
	Measure  arena.Measure // "": as a match chooses it
	// Against is the opponent; nil: the planner with the hand-written evaluation where
	// the game has one, else random moves.
	Against *search.Factory
}

// Defaults are the game's own choices for a method (nil: TD) and a feature set ("": the
// game's default). The folder of the run is left to the caller.
func Defaults(w *catalog.World, m *Method, set string) (Options, error) {
	if m == nil {
		m = TD
	}
	o := Options{Method: m, Set: set, Init: Init{Noise: 0.01}, Episodes: 10000, Root: 1, Sharp: 15, Jitter: 4, Average: 0.5, CheckpointEvery: time.Minute}
	s, err := w.Set(set)
	if err != nil {
		return o, err
	}
	recipe, chancy := w.Recipe(), w.Chancy()
	o.Alpha, o.Batch, o.Openings = m.Alpha, m.Batch, recipe.Openings
	o.Curve.Pairs = 100
	if !chancy {
		o.Epsilon = m.Epsilon
		o.Curve.Openings = max(6, o.Openings)
	}
	if len(features.New(s, w.Game).Table) > 0 {
		o.Average = 0
	}
	o.Frozen, err = w.FrozenIn(s.Name())
	return o, err
}
