package game

import (
	"fmt"

	"plyfit/internal/spec"
	"plyfit/internal/text"
)

// Spec is how users name a game or an agent, read: a name, its options and the
// wrappers around it, from the inside out.
type Spec struct {
	Name     string
	Options  *Options
	Wrappers []SpecWrapper
}

// SpecWrapper is one +Name or +Name=Value after a game's name.
type SpecWrapper struct{ Name, Value string }

// ParseSpec reads NAME[:key=value,...][+wrapper[=value]]..., such as "2048:size=3+adversary" or
// "pig:target=50,players=3+slip=0.1". Parentheses enclose a value with a comma or a plus sign, as
// in nested specs. A name has letters, digits, - and _; text may be 16384 bytes long and 16
// parentheses deep. The error names the column at fault and what was expected there.
//
// Names and keys are not checked: a game's package does that when it asks the Options.
func ParseSpec(text string) (Spec, error) {
	parsed, err := spec.Parse(text)
	if err != nil {
		return Spec{}, err
	}
	s := Spec{Name: parsed.Name, Options: NewOptions(parsed.Name)}
	for _, k := range parsed.Keys {
		s.Options.set(k.Name, k.Value)
	}
	for _, w := range parsed.Wrappers {
		s.Wrappers = append(s.Wrappers, SpecWrapper(w))
	}
	return s, nil
}

// Wrap puts the wrappers of the spec around g, the game that Name and Options
// make: +slip=P is [WithSlip], +adversary is [WithAdversary].
func (s Spec) Wrap(g *Game) (*Game, error) {
	for _, w := range s.Wrappers {
		var err error
		switch w.Name {
		case "slip":
			p, bad := spec.Number(w.Value)
			if bad != nil {
				return nil, fmt.Errorf("%s+slip=%s: want a probability above 0 and at most 1", s.Name, w.Value)
			}
			if g, err = WithSlip(g, p); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name, err)
			}
		case "adversary":
			if w.Value != "" {
				return nil, fmt.Errorf("%s+adversary=%s: +adversary takes no value", s.Name, w.Value)
			}
			if g, err = WithAdversary(g); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("%s: unknown wrapper +%s: want +slip=P or +adversary%s", s.Name, w.Name, text.Hint(w.Name, []string{"slip", "adversary"}))
		}
	}
	return g, nil
}
