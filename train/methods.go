package train

import (
	"fmt"
	"slices"
	"strings"

	"plyfit/learn/online"
)

// Methods are all ways of learning while playing that come with plyfit. A new one is
// a file that holds a [Method], and an item here: the command's help and what it
// refuses follow from its fields.
var Methods = []*Method{TD, TDLeaf, RootStrap, TreeStrap, Policy, Evolution}

// Method is a way of learning while playing.
type Method struct {
	Name string // as recipes, models and the command write it
	Doc  string // a sentence for the command's help

	// Reads lists the options that it reads and others need not, as the command names
	// them.
	Reads []string

	// Alpha, Epsilon and Batch are what these options are by default; Epsilon is that
	// of games without chance.
	Alpha, Epsilon float64
	Batch          int

	// Learner makes the learner; what its weights depend on beside the options of all
	// methods it tells the plan ([Plan.Depends]).
	Learner func(p *Plan) (online.Learner, error)
}

// String is the method's name.
func (m *Method) String() string { return m.Name }

// MethodNamed is the method of that name; "" is nil, the default.
func MethodNamed(name string) (*Method, error) {
	if name == "" {
		return nil, nil
	}
	for _, m := range Methods {
		if m.Name == name {
			return m, nil
		}
	}
	return nil, fmt.Errorf("method %q: want %s", name, strings.Join(Names(), ", "))
}

// Names are the names of the methods, in alphabetical order.
func Names() []string {
	var names []string
	for _, m := range Methods {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}

// Readers are the names of the methods that read an option which some do not; none
// where all do.
func Readers(option string) (names []string) {
	for _, m := range Methods {
		if slices.Contains(m.Reads, option) {
			names = append(names, m.Name)
		}
	}
	return names
}
