package confirm

import (
	"slices"
	"strings"

	"plyfit/study/damage"
)

// kind is what an error of a protocol may be, and which of its keys it heeds.
type kind struct {
	name  damage.Kind
	sized bool // misfit or by
	draws bool // depends on a seed
}

var kinds = []kind{
	{damage.Exp, true, false},
	{damage.Power, true, false},
	{damage.Rescaled, true, false},
	{damage.LogOdds, false, false},
	{damage.Noise, true, true},
	{damage.Weights, true, true},
}

// kindNames are the kinds in messages.
func kindNames() string {
	var names []string
	for _, k := range kinds {
		names = append(names, string(k.name))
	}
	return strings.Join(names, ", ")
}

func (e *Error) check(key string, ids map[string]bool) error {
	if err := once(key, e.ID, ids); err != nil {
		return err
	}
	i := slices.IndexFunc(kinds, func(k kind) bool { return string(k.name) == e.Kind })
	if i < 0 {
		return wrong(key+".kind", kindNames(), e.Kind)
	}
	k := kinds[i]
	switch {
	case !(e.Misfit >= 0 && e.Misfit < 1):
		return wrong(key+".misfit", "a number from 0 to 1, in half ranges of utility", e.Misfit)
	case k.sized && (e.Misfit == 0) == (e.By == 0):
		return wrong(key+".misfit", "either misfit or by", e.Misfit)
	case !k.sized && (e.Misfit != 0 || e.By != 0):
		return wrong(key+".misfit", "neither misfit nor by of this kind", e.Misfit)
	case e.By < 0 && k.name != damage.Exp:
		return wrong(key+".by", "a strength above 0", e.By)
	case !(e.Shared >= 0 && e.Shared <= 1) || e.Shared > 0 && k.name != damage.Noise:
		return wrong(key+".shared", "a share from 0 to 1, of noise alone", e.Shared)
	case e.Draws < 0 || e.Draws > mostDraws || e.Draws > 1 && !k.draws:
		return wrong(key+".draws", "a whole number up to 10,000, of random errors alone", e.Draws)
	}
	return nil
}
