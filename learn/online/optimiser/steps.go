// Package optimiser moves the weights of a model while it learns: the step sizes,
// their decay, temporal coherence and averages that all online learners share.
//
//  1. [Steps] says how far the weights move, by a [StepRule].
//  2. [Weights] takes a step for each position, as temporal differences want it:
//     sparse, and in tables of millions of weights.
//  3. [Gradient] adds up what many positions say, from several workers in one order,
//     and [Descent] takes one step for all of them.
//  4. [Average] is the mean of the weights over time.
//
// All of them tell what they would go on with to an [online.Encoder].
package optimiser

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// StepRule is a way to choose how far the weights move by a gradient g.
type StepRule string

const (
	// Plain is alpha g.
	Plain StepRule = "plain"
	// TC is alpha g times |sum of g|/sum of |g|, a step of its own for each weight: full
	// while its changes agree, less and less when they come and go (temporal coherence:
	// Beal and Smith, "Temporal coherence and prediction decay in TD learning", IJCAI
	// 1999; in this form Jaskowski, "Mastering 2048", 2016).
	TC StepRule = "tc"
	// AdaGrad is alpha g/sqrt(sum of g^2) (Duchi, Hazan and Singer 2011).
	AdaGrad StepRule = "adagrad"
	// Adam is alpha m/sqrt(v), m and v decaying means of g and g^2 (Kingma and
	// Ba 2015): about alpha where the samples agree, whatever a feature's units.
	Adam StepRule = "adam"
)

// Steps says how far the weights move, whatever the method.
type Steps struct {
	Rule StepRule // "": the method's own
	// Alpha is the step size: of [Weights] the share of its error that an update takes
	// from a position's sum, where no weight's step is cut by TC; of [Descent] the
	// factor of the rule.
	Alpha float64
	// Bounded keeps an update of [Weights] from taking more than Alpha of the error of a
	// position whose vector is longer than others: with Alpha near 1 such steps overshoot,
	// and now and then weights never come back (as normalised least mean squares have it;
	// Dabney and Barto, "Adaptive step-size for online temporal difference learning",
	// AAAI 2012, bound alpha so for TD).
	Bounded bool
	// Coherence, above 0, has TC of [Weights] leave a weight exp(Coherence (c-1)) of its
	// step where its changes agree to the share c, in place of c: full where they agree,
	// and never less than exp(-Coherence), so that no weight stops learning
	// (Bagheri, Thill, Koch and Konen, "Online adaptable learning rates for the game
	// Connect-4", IEEE TCIAIG 8, 2016, with 2.7).
	Coherence float64
	// Decay is the time after which Alpha is halved, after twice as much it is a third,
	// and so on (alpha/(1+t/Decay), whose sum diverges and whose sum of squares does
	// not: Robbins and Monro 1951); 0: it stays. Time is counted in episodes that were
	// learned from.
	Decay float64
	// AverageFrom is the episode from which on the weights are averaged: one sample an
	// episode by temporal differences, one a round by the others; negative: never.
	AverageFrom int
}

// Complete fills in the rule and the step size, and finds what cannot be. rules are
// those that the method knows, the first being its own.
func (s *Steps) Complete(alpha float64, rules ...StepRule) error {
	if s.Rule == "" {
		s.Rule = rules[0]
	}
	if s.Alpha == 0 {
		s.Alpha = alpha
	}
	switch {
	case !slices.Contains(rules, s.Rule):
		return fmt.Errorf("step=%s: want %s", s.Rule, alternatives(rules))
	case !(s.Alpha > 0) || math.IsInf(s.Alpha, 0):
		return fmt.Errorf("alpha=%v: want a number above 0", s.Alpha)
	case !(s.Coherence >= 0) || math.IsInf(s.Coherence, 0):
		return fmt.Errorf("coherence=%v: want a number above 0, 0 for the share itself", s.Coherence)
	case s.Coherence > 0 && s.Rule != TC:
		return fmt.Errorf("coherence=%v: want temporal coherence, which step=%s is not", s.Coherence, s.Rule)
	case !(s.Decay >= 0) || math.IsInf(s.Decay, 0):
		return fmt.Errorf("decay=%v: want a number of games, 0 for none", s.Decay)
	}
	return nil
}

func alternatives(rules []StepRule) string {
	names := make([]string, len(rules))
	for i, r := range rules {
		names[i] = string(r)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Size is the step size at a time.
func (s *Steps) Size(time float64) float64 {
	if s.Decay > 0 {
		return s.Alpha / (1 + time/s.Decay)
	}
	return s.Alpha
}

// coherence is the share of its step that TC leaves a weight whose changes so far have
// this sum and this sum of sizes. The change that it is to make joins them.
func coherence[F float32 | float64](sum, total *F, change float64) float64 {
	share := 1.0
	if *total > 0 {
		share = math.Abs(float64(*sum)) / float64(*total)
	}
	*sum += F(change)
	*total += F(math.Abs(change))
	return share
}
