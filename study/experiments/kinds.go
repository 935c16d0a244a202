package experiments

import (
	"fmt"

	"plyfit/study"
	"plyfit/study/damage"
)

// errorKind is one line of the experiment: damages that are played as one, the seeds
// of a noise or a single damage.
type errorKind struct {
	name    string
	damages []damage.Damage
	own     bool // has an error of its own, not the common one
}

// errorKinds are the kinds of damage of one size, warps of the user's in place of
// the first two where he gave any.
func errorKinds(s *study.Session, u *damage.Subject, noises int) ([]errorKind, *damage.Equalised, error) {
	e, err := u.Equalise(s.Over.Error, s.Over.Feature, noises)
	if err != nil {
		return nil, nil, err
	}
	var kinds []errorKind
	if s.Over.Warps != nil {
		warps, err := damage.WarpsOf(s)
		if err != nil {
			return nil, nil, err
		}
		for _, w := range warps {
			kinds = append(kinds, errorKind{fmt.Sprintf("%v, error %.2f", w, u.Misfit(w)), []damage.Damage{w}, true})
		}
	} else {
		strong := damage.Damage{Kind: damage.Exp, By: 4}
		kinds = []errorKind{
			{e.Power.String(), []damage.Damage{e.Power}, false},
			{e.Exp.String(), []damage.Damage{e.Exp}, false},
			{fmt.Sprintf("%v, error %.2f", strong, u.Misfit(strong)), []damage.Damage{strong}, true},
		}
	}
	return append(kinds,
		errorKind{fmt.Sprintf("noise, %d seeds", len(e.Noises)), e.Noises, false},
		errorKind{fmt.Sprintf("%s x%.2g", e.Term, e.Feature.By), []damage.Damage{e.Feature}, false}), e, nil
}

func (k errorKind) warps() bool { return k.damages[0].Warps() }
