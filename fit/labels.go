package fit

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/learn"
	"plyfit/search"
	"plyfit/selfplay"
)

// wantLabel is what a label may be.
const wantLabel = "outcome, search, mix:SHARE or td:LAMBDA"

// label reads the label's name: outcome, what the player got at the end; search,
// what the recorded search thought; mix:SHARE, SHARE of the outcome and the rest
// of search; td:LAMBDA, the TD(lambda) return over the episode's searches. Of
// td the records are to go through returns.
func (c *Options) label(w *catalog.World) (features.Label, error) {
	value := features.SearchValue(w.Game)
	kind, text, numbered := strings.Cut(c.Label, ":")
	x := 0.0
	if numbered {
		var err error
		if x, err = strconv.ParseFloat(text, 64); err != nil || !(x >= 0 && x <= 1) {
			return nil, fmt.Errorf("label %s: want a number from 0 to 1 after the colon", c.Label)
		}
	}
	switch {
	case kind == "outcome" && !numbered:
		return features.Outcome, nil
	case kind == "search" && !numbered:
		return value, nil
	case kind == "mix" && numbered:
		return features.Mixture(features.Outcome, value, x), nil
	case kind == "td" && numbered:
		return value, nil
	}
	return nil, fmt.Errorf("label %q: want %s", c.Label, wantLabel)
}

// records are those of data as the label wants them.
func (c *Options) records(w *catalog.World, data *datasets.Set) (func() iter.Seq2[*datasets.Record, error], error) {
	if lambda, ok := strings.CutPrefix(c.Label, "td:"); ok {
		x, err := strconv.ParseFloat(lambda, 64)
		if err != nil {
			return nil, err
		}
		return selfplay.Returns(w.Game, data.Records, x)
	}
	return data.Records, nil
}

// Rows are the samples of a data set that a fit of c looks at, and their
// feature set, for a table: the games of a group go by one number, so that a fit
// of the table puts them on the same side.
func Rows(ctx context.Context, w *catalog.World, data *datasets.Set, c Options) (datasets.Samples, features.Set, error) {
	if err := c.Complete(w); err != nil {
		return nil, nil, err
	}
	if data.Game != w.Spec {
		return nil, nil, fmt.Errorf("%s: records of %s: want %s", data.Dir, data.Game, w.Spec)
	}
	groups, err := newGroups(w.Game, data)
	if err != nil {
		return nil, nil, err
	}
	rows, set, err := c.rows(ctx, w, data, groups)
	return grouped{rows, groups}, set, err
}

// grouped are samples whose episode is the number of its group.
type grouped struct {
	datasets.Samples
	groups *groups
}

func (g grouped) All() iter.Seq2[*datasets.Sample, error] {
	return func(yield func(*datasets.Sample, error) bool) {
		for s, err := range g.Samples.All() {
			if err == nil {
				s.Episode, _ = g.groups.group(s.Episode)
			}
			if !yield(s, err) {
				return
			}
		}
	}
}

// rows are the samples of a data set that a fit of c, which is complete, looks
// at, and their feature set.
func (c *Options) rows(ctx context.Context, w *catalog.World, data *datasets.Set, groups *groups) (datasets.Samples, features.Set, error) {
	set, err := w.Set(c.Set)
	if err != nil {
		return nil, nil, err
	}
	label, err := c.label(w)
	if err != nil {
		return nil, nil, err
	}
	records, err := c.records(w, data)
	if err != nil {
		return nil, nil, fmt.Errorf("label %s: %w", c.Label, err)
	}
	if records = groups.withoutReplays(records); c.DropProven {
		records = filtered(records, func(r *datasets.Record) bool { return !r.Proven })
	}
	if t := c.Teacher; t != nil {
		if c.Quiet || c.Leaf != "" || c.Distinct || len(c.Weigh) > 0 {
			return nil, nil, fmt.Errorf("teacher %s: looks at the recorded positions as they are: want no quiet positions, leaves, distinct ones or weights", t.Name)
		}
		rows := &selfplay.Teaching{Game: w.Game, Set: set, Teacher: features.NewEvaluator(w.Game, t.Set, t.Model), Records: records, Choices: c.Choices}
		if c.Choices {
			return learn.Centred{Data: rows, Choice: rows.Choice}, set, nil
		}
		return rows, set, nil
	}
	rows := &features.Sampler{Game: w.Game, Set: set, Label: label, Records: records, Leaves: c.Leaves, Distinct: c.Distinct, Workers: c.Workers}
	rows.Prepare, err = c.steps(ctx, w, data)
	return rows, set, err
}

// steps makes the steps between a recorded position and its sample; nil where
// there are none.
func (c *Options) steps(ctx context.Context, w *catalog.World, data *datasets.Set) (func() features.Step, error) {
	weigh, err := weigher(c.Weigh, data.Episodes, data.Records)
	if err != nil {
		return nil, err
	}
	noise, noisy := c.Weigh["quiet"]
	judge := func() (*search.Quiescence, error) {
		j, err := w.Evaluation("")
		if err != nil {
			return nil, err
		}
		return search.NewQuiescence(w.Game, j.New())
	}
	if c.Quiet || noisy || c.Leaf == "quiescence" {
		if _, err := judge(); err != nil {
			return nil, err
		}
	}
	// Agents play the plain game, whose positions the steps see.
	plain := &catalog.World{Game: w.Base(), Entry: w.Entry}
	var player *catalog.Agent
	if c.Leaf != "" && c.Leaf != "quiescence" {
		if player, err = plain.Agent(c.Leaf, catalog.AgentOptions{}); err != nil {
			return nil, fmt.Errorf("leaf: %w", err)
		}
		if player.Unrepeatable {
			return nil, fmt.Errorf("leaf %s: a limit by time or racing threads give other lines each time: want depth, nodes or simulations", c.Leaf)
		}
	}
	if weigh == nil && !c.Quiet && !noisy && c.Leaf == "" {
		return nil, nil
	}
	return func() features.Step {
		l := selfplay.Look{Weigh: weigh}
		if c.Quiet || noisy {
			q, err := judge()
			if err != nil {
				panic("fit: " + err.Error()) // it was made before
			}
			l.Quiet = q.Quiet
			if !c.Quiet {
				l.Noise = noise
			}
		}
		switch {
		case c.Leaf == "quiescence":
			q, err := judge()
			if err != nil {
				panic("fit: " + err.Error())
			}
			l.Leaf = selfplay.QuietLeaf(q)
		case player != nil:
			agent, err := player.New()
			if err != nil {
				panic("fit: " + err.Error())
			}
			l.Leaf = selfplay.SearchLeaf(ctx, agent)
		}
		return l.Step()
	}, nil
}
