package uci

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Tunable is an engine option, with a measurement of how it affects the engine's scores.
type Tunable struct {
	Name                         string
	Now, Default, Min, Max, Step int // Step is the change of the option in the measurement
	// Changed is the fraction of positions whose scores change when the option changes by Step.
	// Linear measures how well half of a step predicts the changes caused by a full step: 1 is
	// exact, and 0 is no better than predicting no change.
	Changed, Linear float64
	Out             string // reason why the option is not tuned, or ""
}

const (
	sampled      = 250  // number of positions in the measurement
	leastChanged = 0.02 // minimum of Changed; with less, a fit would depend on a few games
	leastLinear  = 0.5  // minimum of Linear; in Toga II and Glaurung, it is 0.64 to 1 for weights and at most 0.2 for other options
	mostUnsteady = 0.02 // a fraction of positions; after ucinewgame, Glaurung still remembers some scores
)

// Tunables returns the options of the engine. An option can be tuned if it is a whole number whose
// name matches a pattern of [path.Match], ignoring case. If patterns is nil, all names match.
// Unless p.Options sets the hash size, Tunables sets it to the minimum, because the hash table is
// cleared before each score.
func (p *Probe) Tunables(ctx context.Context, patterns []string) (list []*Tunable, err error) {
	offered, err := Offers(ctx, p.Launcher, p.Timeout)
	if err != nil {
		return nil, err
	}
	found := make([]bool, len(patterns))
	for _, offer := range offered {
		x := &Tunable{Name: offer.Name, Out: "not an integer option"}
		list = append(list, x)
		var number bool
		if x.Default, x.Min, x.Max, number = offer.Spin(); !number {
			continue
		}
		x.Now, x.Out = x.Default, ""
		if i := slices.IndexFunc(p.Options, func(set Option) bool { return strings.EqualFold(set.Name, x.Name) }); i >= 0 {
			if x.Now, err = strconv.Atoi(p.Options[i].Value); err != nil || x.Now < x.Min || x.Now > x.Max {
				return nil, fmt.Errorf("engine %s: option.%s: want a whole number from %d to %d", p.Engine, x.Name, x.Min, x.Max)
			}
		} else if strings.EqualFold(x.Name, "hash") { // it is cleared for each score
			p.Options = append(p.Options, Option{Name: x.Name, Value: strconv.Itoa(x.Min)})
		}
		wanted := patterns == nil
		for i, pattern := range patterns {
			ok, err := path.Match(strings.ToLower(pattern), strings.ToLower(x.Name))
			if err != nil {
				return nil, fmt.Errorf("options %q: %w", pattern, err)
			}
			found[i], wanted = found[i] || ok, wanted || ok
		}
		if x.step(); !wanted {
			x.Out = "not selected"
		} else if x.part() == 0 {
			x.Out = "at most two values"
		}
	}
	if i := slices.Index(found, false); i >= 0 {
		return nil, fmt.Errorf("options %q: no integer option of %s matches this pattern", patterns[i], p.Engine)
	}
	if !slices.ContainsFunc(list, func(x *Tunable) bool { return x.Out == "" }) {
		return nil, fmt.Errorf("engine %s: nothing to tune, because there is no suitable integer option", p.Engine)
	}
	return list, nil
}

// Unit returns the unit for changes to an option: the absolute value of its default or, if the
// default is 0, a quarter of its range.
func (x *Tunable) Unit() int {
	if x.Default != 0 {
		return max(x.Default, -x.Default)
	}
	return max(1, (x.Max-x.Min)/4)
}

// step sets Step to about half of the unit, within the range. The step is negative if there is too
// little room above Now and more room below.
func (x *Tunable) step() {
	up, down := x.Max-x.Now, x.Now-x.Min
	x.Step = max(2, x.Unit()/2)
	if x.Step > up && down > up {
		x.Step = -min(x.Step, down)
	}
	x.Step = min(x.Step, up)
}

// part returns half of the step. If the step is 1, it returns a step in the opposite direction, or
// 0 if the range has no room for that.
func (x *Tunable) part() int {
	if part := x.Step / 2; part != 0 || x.Now-x.Step < x.Min || x.Now-x.Step > x.Max {
		return part
	}
	return -x.Step
}

// Columns returns the scores of the unchanged engine and, for each option that is kept, the scores
// after a step of that option. It sets Out for the other options.
func (p *Probe) Columns(ctx context.Context, positions []string, options []*Tunable) ([][]Score, error) {
	sample := positions[:min(sampled, len(positions))]
	settings, stay := []Setting{{}, {Backward: true}}, []Setting{{}}
	for _, x := range options {
		if x.Out == "" {
			settings = append(settings, Setting{Name: x.Name, Value: x.Now + x.part()}, Setting{Name: x.Name, Value: x.Now + x.Step})
		}
	}
	p.Log("computing the scores of %d positions with %d settings", len(sample), len(settings))
	scores, err := p.Scores(ctx, sample, settings)
	if err != nil {
		return nil, err
	}
	differ := 0
	for i := range sample {
		if scores[0][i] != scores[1][i] {
			differ++
		}
	}
	if float64(differ) > mostUnsteady*float64(len(sample)) {
		return nil, fmt.Errorf("engine %s: the scores of %d of %d positions depend on the order of the positions; want an engine with repeatable scores", p.Engine, differ, len(sample))
	}
	k := 2
	for _, x := range options {
		if x.Out == "" {
			x.measure(scores[0], scores[k], scores[k+1])
			k += 2
		}
		if x.Out == "" {
			stay = append(stay, Setting{Name: x.Name, Value: x.Now + x.Step})
		}
	}
	if len(stay) == 1 {
		return nil, fmt.Errorf("engine %s: nothing to fit, because no selected option has a proportional effect on the scores", p.Engine)
	}
	p.Log("computing the scores of %d positions with %d settings", len(positions), len(stay))
	return p.Scores(ctx, positions, stay)
}

// measure computes Changed and Linear, and sets Out if the option cannot be tuned.
func (x *Tunable) measure(base, part, step []Score) {
	n, changed, all, off := 0, 0, 0.0, 0.0
	for i := range base {
		b, ok := base[i].Number()
		p, had := part[i].Number()
		s, has := step[i].Number()
		if !ok || !had || !has {
			continue
		}
		n++
		if b != p || b != s {
			changed++
		}
		all += math.Abs(float64(s - b))
		off += math.Abs(float64(s-b) - float64(p-b)*float64(x.Step)/float64(x.part()))
	}
	x.Changed = float64(changed) / float64(max(1, n))
	if all > 0 {
		x.Linear = max(0, 1-off/all)
	}
	switch {
	case changed == 0:
		x.Out = "changes no score"
	case x.Changed < leastChanged:
		x.Out = "changes few scores"
	case x.Linear < leastLinear:
		x.Out = "not linear"
	}
}
