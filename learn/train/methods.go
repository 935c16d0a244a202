package train

import (
	"fmt"
	"slices"
	"strings"

	"plyfit/features"
	"plyfit/learn/online"
)

// methods are all ways of learning while playing that come with plyfit. A new one is
// a file that holds a [method], and an item here. What it reads of the settings of others
// says its name in their tags ([features.Training]).
var methods = []*method{tdMethod, tdLeafMethod, rootStrapMethod, treeStrapMethod, evolutionMethod, cfrMethod}

// method is a way of learning while playing.
type method struct {
	Name string // as recipes, models and the command write it
	Doc  string // a sentence for the command's help

	// Own are the settings that differ from the defaults; Epsilon is that of games without chance.
	Own features.Training

	// Learner makes the learner. Settings that it fills in, and what it tells the plan
	// besides (Depends), go into the recipe.
	Learner func(p *plan) (online.Learner, error)
}

// methodNamed is the method of that name; "" is TD.
func methodNamed(name string) (*method, error) {
	for _, m := range methods {
		if m.Name == name || name == "" {
			return m, nil
		}
	}
	return nil, fmt.Errorf("method %q: want %s", name, strings.Join(Names(), ", "))
}

// Names are the names of the methods, in alphabetical order.
func Names() []string {
	var names []string
	for _, m := range methods {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}
