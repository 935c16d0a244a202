package features

import (
	"cmp"
	"math"
	"slices"
)

// Change is one term's change between two positions, both in one player's view.
type Change struct {
	Name          string
	Before, After float64 // the feature
	Weight        float64
	Difference    float64 // of the products
}

// Changes compares two positions term by term, the greatest difference first. The
// differences sum to that of the two sums.
func Changes(before, after Explanation) (list []Change) {
	at := map[string]int{}
	find := func(name string, weight float64) *Change {
		i, ok := at[name]
		if !ok {
			i, at[name] = len(list), len(list)
			list = append(list, Change{Name: name, Weight: weight})
		}
		return &list[i]
	}
	for _, x := range before.Terms {
		c := find(x.Name, x.Weight)
		c.Before, c.Difference = x.Value, c.Difference-x.Product
	}
	for _, x := range after.Terms {
		c := find(x.Name, x.Weight)
		c.After, c.Difference = x.Value, c.Difference+x.Product
	}
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference)) })
	return list
}

// Endings are [Explanation.Ending] of two positions side by side, their Before and After:
// as many rows as the longer has, in which the last of the other stays as it is.
func Endings(before, after Explanation, number func(float64) string) (list []Change) {
	names, x := before.Ending(number)
	more, y := after.Ending(number)
	if len(more) > len(names) {
		names = more
	}
	for i, name := range names {
		c := Change{Name: name, Before: x[min(i, len(x)-1)], After: y[min(i, len(y)-1)]}
		c.Difference = c.After - c.Before
		list = append(list, c)
	}
	return list
}
