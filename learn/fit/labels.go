package fit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/learn"
	"plyfit/selfplay"
)

// A Label selects the value that a fit predicts for a recorded position. The zero value is the
// outcome.
type Label struct {
	kind  labelKind
	share float64
}

type labelKind int8

const (
	byOutcome labelKind = iota
	bySearch
	byMixture
	byReturn
	byTable
)

// OutcomeLabel is the player's utility at the end of the episode.
func OutcomeLabel() Label { return Label{} }

// SearchLabel is the value returned by the recorded search.
func SearchLabel() Label { return Label{kind: bySearch} }

// ReturnLabel is the TD(lambda) return computed from the episode's search values. lambda is between
// 0 and 1.
func ReturnLabel(lambda float64) Label { return Label{byReturn, lambda} }

// String returns the label in the form used in a model's provenance and in --label.
func (l Label) String() string {
	switch l.kind {
	case bySearch:
		return "search"
	case byMixture:
		return fmt.Sprintf("mix:%v", l.share)
	case byReturn:
		return fmt.Sprintf("td:%v", l.share)
	case byTable:
		return "table"
	}
	return "outcome"
}

func (l Label) check() error {
	if !(l.share >= 0 && l.share <= 1) {
		return fmt.Errorf("label %s: want a number from 0 to 1 after the colon", l)
	}
	return nil
}

// of returns the label as a function of a record. For td, the records must already contain returns
// instead of search values.
func (l Label) of(w *catalog.World) features.Label {
	value := features.SearchValue(w.Game)
	switch l.kind {
	case bySearch, byReturn:
		return value
	case byMixture:
		return features.Mixture(features.Outcome, value, l.share)
	}
	return features.Outcome
}

// records returns the records in data without replays. For td, it replaces the search values with
// returns.
func (l Label) records(w *catalog.World, data *recordSource, g *groups) (func() iter.Seq2[*datasets.Record, error], error) {
	records := data.records
	if l.kind == byReturn {
		var err error
		if records, err = selfplay.Returns(w.Game, records, l.share); err != nil {
			return nil, fmt.Errorf("label %s: %w", l, err)
		}
	}
	if g == nil || g.replays == 0 {
		return records, nil
	}
	return filtered(records, func(r *datasets.Record) bool { return !g.replay[r.Episode] }), nil
}

// Rows returns the samples that a fit with the options c would use, and their feature set, for
// writing a table. All episodes in a group get the same number, so that a fit of the table keeps
// them on the same side of the split.
func Rows(ctx context.Context, w *catalog.World, data *datasets.Set, c Options) (datasets.Samples, features.Set, error) {
	rows, set, groups, err := c.read(ctx, w, data)
	return grouped{rows, groups}, set, err
}

// read completes c for w and returns the samples of the data set, their feature set and their
// groups.
func (c *Options) read(ctx context.Context, w *catalog.World, data *datasets.Set) (rows datasets.Samples, set features.Set, groups *groups, err error) {
	if err = c.Complete(w); err != nil {
		return nil, nil, nil, err
	}
	if data.Game != w.Spec {
		return nil, nil, nil, fmt.Errorf("%s: the data set is for %s; want a data set for %s", data.Dir, data.Game, w.Spec)
	}
	if set, err = w.Set(c.Set); err != nil {
		return nil, nil, nil, err
	}
	if groups, err = newGroups(w.Game, set, newRecordSource(data)); err != nil {
		return nil, nil, nil, err
	}
	rows, err = c.rows(ctx, w, data, set, groups)
	return rows, set, groups, err
}

// grouped replaces each sample's episode number with its group number.
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

func (c *Options) rows(ctx context.Context, w *catalog.World, data *datasets.Set, set features.Set, groups *groups) (datasets.Samples, error) {
	data = data.In(w.Game)
	records, err := c.Label.records(w, newRecordSource(data), groups)
	if err != nil {
		return nil, err
	}
	if c.Proven == dropProven {
		records = filtered(records, func(r *datasets.Record) bool { return !r.Proven })
	}
	if t := c.Teacher; t != nil {
		if c.selects() {
			return nil, fmt.Errorf("teacher %s: a teacher labels positions exactly as recorded, so it cannot be combined with quiet or distinct positions or with leaves", t.Name)
		}
		rows := &selfplay.Teaching{Game: w.Game, Set: set, Teacher: features.NewEvaluator(w.Game, t.Set, t.Model), Records: records, Choices: c.Choices}
		if c.Choices {
			return learn.Centred{Data: rows, Choice: rows.Choice}, nil
		}
		return rows, nil
	}
	rows := &features.Sampler{Game: w.Game, Set: set, Label: c.Label.of(w), Records: records, Leaves: c.Leaves, Distinct: c.Distinct, Workers: c.Workers}
	rows.Prepare, err = c.preparation(ctx, w)
	return rows, err
}

// Type returns the type of the flag's value.
func (*Label) Type() string { return "string" }

// Set parses a label: outcome, search, mix:SHARE or td:LAMBDA. The empty string means outcome.
func (l *Label) Set(text string) error {
	kind, number, numbered := strings.Cut(text, ":")
	share := 0.0
	if numbered {
		var err error
		if share, err = strconv.ParseFloat(number, 64); err != nil || !(share >= 0 && share <= 1) {
			return errors.New("want a number from 0 to 1 after the colon")
		}
	}
	switch {
	case text == "", text == "outcome":
		*l = OutcomeLabel()
	case text == "search":
		*l = SearchLabel()
	case kind == "mix" && numbered:
		*l = Label{byMixture, share}
	case kind == "td" && numbered:
		*l = ReturnLabel(share)
	default:
		return errors.New("want outcome, search, mix:SHARE or td:LAMBDA")
	}
	return nil
}
