package confirm

import (
	"fmt"
	"slices"
	"strings"

	"plyfit/study"
	"plyfit/train"
)

func (p *Protocol) check() error {
	if err := p.checkHead(); err != nil {
		return err
	}
	ids := map[string]bool{}
	for i := range p.Worlds {
		if err := p.Worlds[i].check(fmt.Sprintf("worlds[%d]", i), ids); err != nil {
			return err
		}
	}
	clear(ids)
	for i := range p.Errors {
		if err := p.Errors[i].check(fmt.Sprintf("errors[%d]", i), ids); err != nil {
			return err
		}
	}
	clear(ids)
	for i := range p.Hypotheses {
		if err := p.checkHypothesis(fmt.Sprintf("hypotheses[%d]", i), &p.Hypotheses[i], ids); err != nil {
			return err
		}
	}
	return nil
}

func (p *Protocol) checkHead() error {
	if err := among("format", p.Format, format); err != nil {
		return err
	}
	switch r := p.Exclusions.Reliability; {
	case !isName(p.Name):
		return wrong("name", "small letters, digits, dots and hyphens", p.Name)
	case p.Title == "":
		return wrong("title", "the question", p.Title)
	case p.Written == "":
		return wrong("written", "the date at which the protocol was written", p.Written)
	case p.Analysis != analysis && p.Analysis != scattered:
		return wrong("analysis", fmt.Sprintf("%d, the version of the analysis of this program", analysis), p.Analysis)
	case !(p.Alpha > 0 && p.Alpha < 0.5):
		return wrong("alpha", "a probability above 0 and below .5", p.Alpha)
	case len(r) != 0 && (len(r) != 2 || !(r[0] < r[1])):
		return wrong("exclusions.reliability", "two slopes, the smaller one first", r)
	case p.Exclusions.Units < 0 || p.Exclusions.Units == 1 || p.Exclusions.Units > mostDraws:
		return wrong("exclusions.units", "two units at least", p.Exclusions.Units)
	case p.Seed == 0:
		return wrong("seed", "a whole number above 0", p.Seed)
	case len(p.Worlds) == 0:
		return wrong("worlds", "one at least", "")
	case len(p.Hypotheses) == 0:
		return wrong("hypotheses", "one at least", "")
	}
	if err := among("family", p.Family, holm); err != nil {
		return err
	}
	return among("stopping", p.Stopping, noStopping)
}

// isName reports whether text can be part of a file's name on any system.
func isName(text string) bool {
	for _, c := range text {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.') {
			return false
		}
	}
	return text != "" && text[0] != '.' && len(text) <= 60
}

func once(key, id string, ids map[string]bool) error {
	if id == "" || ids[id] {
		return wrong(key+".id", "a name that no other has", id)
	}
	ids[id] = true
	return nil
}

// Bounds of what a protocol may ask, far above what anybody can wait for.
const (
	mostPairs = 10_000_000
	mostPlies = 1000
	mostDepth = 12
	mostDraws = 10_000
)

func (w *World) check(key string, ids map[string]bool) error {
	if err := once(key, w.ID, ids); err != nil {
		return err
	}
	seen := map[uint64]bool{}
	for i, seed := range w.Seeds {
		if seed == 0 || seen[seed] {
			return wrong(fmt.Sprintf("%s.seeds[%d]", key, i), "a seed above 0 that no other unit of the world has", seed)
		}
		seen[seed] = true
	}
	switch {
	case w.Game == "" || strings.Contains(w.Game, "+"):
		return wrong(key+".game", "a game without + (slip has a key of its own)", w.Game)
	case !(w.Slip >= 0 && w.Slip <= 1):
		return wrong(key+".slip", "a probability from 0 to 1", w.Slip)
	case w.Evaluation == "":
		return wrong(key+".evaluation", "fit, train, handwritten, learned or a model file", w.Evaluation)
	case (w.Evaluation == fitted || w.Evaluation == trained) != (w.Games > 0) || w.Games < 0 || w.Games > mostPairs:
		return wrong(key+".games", "how many games a base is fitted to or trained with, where the evaluation is fit or train", w.Games)
	case (w.Evaluation == trained) != (w.Method != ""):
		return wrong(key+".method", strings.Join(train.Names(), ", ")+", where the evaluation is train", w.Method)
	case len(w.Seeds) < 2:
		return wrong(key+".seeds", "two units at least: what differs between units decides", w.Seeds)
	case w.Pairs < 1 || w.Pairs > mostPairs:
		return wrong(key+".pairs", "a whole number from 1 to 10,000,000", w.Pairs)
	case w.Plies < 0 || w.Plies > mostPlies:
		return wrong(key+".plies", "a whole number from 0 to 1,000", w.Plies)
	}
	return nil
}

func (p *Protocol) checkHypothesis(key string, h *Hypothesis, ids map[string]bool) error {
	if err := once(key, h.ID, ids); err != nil {
		return err
	}
	if h.Claim == "" {
		return wrong(key+".claim", "a sentence", h.Claim)
	}
	if err := among(key+".estimand", h.Estimand, planners, anyOf, fade); err != nil {
		return err
	}
	if err := among(key+".test", h.Test, greater, less, differs, equivalent); err != nil {
		return err
	}
	m := h.Margin
	switch {
	case m.Points < 0 || m.Points >= 1 || m.Plies < 0 || m.Plies > mostPlies:
		return wrong(key+".margin", "points from 0 to 1, plies from 0 up", m)
	case (h.Test == equivalent) != (m != Margin{}):
		return wrong(key+".margin", "points or plies where the test is equivalent, and none elsewhere", m)
	}
	if h.Estimand == fade {
		return p.checkFade(key, h)
	}
	return p.checkPlanners(key, h)
}

func (p *Protocol) checkPlanners(key string, h *Hypothesis) error {
	if h.Treatment == nil || h.Control == nil || h.World != "" || h.Depths != nil || h.Planners != nil {
		return wrong(key, "treatment and control, and neither world, depths nor planners", h.ID)
	}
	switch {
	case h.Estimand == planners && h.Errors != nil:
		return wrong(key+".errors", "none beside those of treatment and control", h.Errors)
	case h.Estimand == anyOf && (len(h.Errors) < 2 || len(slices.Compact(slices.Sorted(slices.Values(h.Errors)))) < len(h.Errors)):
		return wrong(key+".errors", "two errors at least, each once", h.Errors)
	case h.Estimand == anyOf && (h.Treatment.Error != "" || h.Control.Error != ""):
		return wrong(key+".treatment.error", "none beside errors", h.Treatment.Error)
	case h.Estimand == anyOf && h.Test == equivalent:
		return wrong(key+".test", "greater, less, differs", h.Test)
	}
	for _, c := range h.contrasts() {
		if err := p.checkContrast(key, c[0], c[1]); err != nil {
			return err
		}
	}
	if h.Margin.Plies > 0 && h.Treatment.Depth < 2 {
		return wrong(key+".treatment.depth", "2 at least, where a margin counts plies", h.Treatment.Depth)
	}
	return nil
}

func (p *Protocol) checkContrast(key string, treatment, control Arm) error {
	if err := p.checkArm(key+".treatment", treatment); err != nil {
		return err
	}
	if err := p.checkArm(key+".control", control); err != nil {
		return err
	}
	if err := study.SameWorld(p.sideOf(treatment), p.sideOf(control)); err != nil {
		return fmt.Errorf("key %s: %w", key, err)
	}
	// One game and slip may stand there as two worlds with units of their own.
	if treatment.World != control.World {
		return wrong(key+".control.world", "the treatment's, "+treatment.World, control.World)
	}
	if treatment.Planner == control.Planner {
		return wrong(key+".control.planner", "another planner than the treatment's", control.Planner)
	}
	return nil
}

func (p *Protocol) checkFade(key string, h *Hypothesis) error {
	switch {
	case h.Treatment != nil || h.Control != nil:
		return wrong(key, "world, errors, depths and planners, and neither treatment nor control", h.ID)
	case h.Test == equivalent:
		return wrong(key+".test", "greater, less, differs", h.Test)
	case len(h.Errors) != 2 || h.Errors[0] == h.Errors[1]:
		return wrong(key+".errors", "two errors", h.Errors)
	case len(h.Depths) != 2 || !(h.Depths[0] < h.Depths[1]):
		return wrong(key+".depths", "two depths, the smaller one first", h.Depths)
	case len(h.Planners) == 0 || len(h.Planners) > 2 || len(h.Planners) == 2 && h.Planners[0] == h.Planners[1]:
		return wrong(key+".planners", "minimax, expectimax or both", h.Planners)
	}
	for _, a := range h.fadeArms() {
		if err := p.checkArm(key, a); err != nil {
			return err
		}
	}
	return nil
}

// contrasts are treatment and control of each error, of hypotheses other than fade.
func (h *Hypothesis) contrasts() (out [][2]Arm) {
	if h.Estimand == planners {
		return [][2]Arm{{*h.Treatment, *h.Control}}
	}
	for _, e := range h.Errors {
		a, b := *h.Treatment, *h.Control
		a.Error, b.Error = e, e
		out = append(out, [2]Arm{a, b})
	}
	return out
}

// fadeArms are the cells of a hypothesis of fade: by planner, error and depth.
func (h *Hypothesis) fadeArms() (arms []Arm) {
	for _, planner := range h.Planners {
		for _, e := range h.Errors {
			for _, d := range h.Depths {
				arms = append(arms, Arm{h.World, planner, e, d})
			}
		}
	}
	return arms
}

func (p *Protocol) checkArm(key string, a Arm) error {
	if p.world(a.World) == nil {
		return wrong(key+".world", "the id of a world", a.World)
	}
	e := p.error(a.Error)
	if e == nil {
		return wrong(key+".error", "the id of an error", a.Error)
	}
	if kindNamed(e.Kind).fitted && p.world(a.World).Evaluation != fitted {
		return wrong(key+".error", "an error that a base which was not fitted can have", a.Error)
	}
	if a.Depth < 1 || a.Depth > mostDepth {
		return wrong(key+".depth", "decisions, 1 to 12", a.Depth)
	}
	return among(key+".planner", a.Planner, minimax, expectimax)
}
