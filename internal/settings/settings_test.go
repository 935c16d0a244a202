package settings

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

type sample struct {
	Name  string              `flag:"name" among:"one two" help:"a word"`
	Inner struct{ X float64 } // not a setting
	Count int                 `flag:"count-of" default:"3" in:"of at least 1" help:"how many"`
	Share float64             `flag:"share" of:"a b" in:"above 0 and at most 1" help:"how much"`
	Wait  time.Duration       `flag:"wait" help:"how long" recipe:"-"`
	On    bool                `flag:"on" help:"whether"`
	Fixed map[string]float64  `flag:"fix" recipe:"fixed" help:"terms"`
}

func find(s *sample, name string) Setting {
	for _, found := range Of(s) {
		if found.Name == name {
			return found
		}
	}
	panic(name)
}

// TestSet checks that a parsed value is formatted as it was written, and that an invalid value is
// reported with the allowed values.
func TestSet(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"name", "two", ""}, {"name", "three", "want one or two"},
		{"count-of", "7", ""}, {"count-of", "0", "want a whole number of at least 1"}, {"count-of", "x", "want a whole number of at least 1"},
		{"share", "1", ""}, {"share", "1e-06", ""}, {"share", "0", "want a number above 0 and at most 1"}, {"share", "NaN", "want a number above 0 and at most 1"},
		{"wait", "1m0s", ""}, {"wait", "-1s", "want a time such as 500ms or 2m"},
		{"on", "true", ""}, {"on", "maybe", "want true or false"},
		{"fix", "a=b=2", ""}, {"fix", "a", "want TERM=WEIGHT"},
	} {
		s := find(&sample{}, c.name)
		err := s.Set(c.text)
		if c.want == "" && (err != nil || s.String() != c.text) {
			t.Errorf("--%s %s: %v, comes back as %s", c.name, c.text, err, s)
		}
		if c.want != "" && (err == nil || err.Error() != c.want) {
			t.Errorf("--%s %s: %v, want %q", c.name, c.text, err, c.want)
		}
	}
}

// TestCheck checks that zero values without a default are allowed, and that only settings that the
// method reads are accepted.
func TestCheck(t *testing.T) {
	for want, s := range map[string]sample{
		"":                                {Count: 1, Share: 0.5},
		"count-of=0: want a whole number": {},
		"share=2: want a number above 0":  {Count: 1, Share: 2},
		"name=three: want one or two":     {Count: 1, Name: "three"},
		"share: applies only to method a, b, not to guess": {Count: 1, Share: 0.5, Name: "guess"},
	} {
		method := "a"
		if s.Name == "guess" {
			s.Name, method = "", "guess"
		}
		if err := Check(&s, method); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", s, err, want)
		}
	}
}

// TestRecipe checks that defaults are filled in and listed, and that other zero values are not
// listed.
func TestRecipe(t *testing.T) {
	s := sample{Wait: 5, Fixed: map[string]float64{"b": 1, "a": 2}, Share: 0.5}
	Fill(&s, "c")
	Under(&s, sample{Name: "one", Count: 9})
	var listed []string
	for _, found := range Of(&s) {
		if key := found.Key("c"); key != "" {
			listed = append(listed, fmt.Sprintf("%s %s", key, found))
		}
	}
	if got := strings.Join(listed, "; "); got != "name one; count of 3; fixed a=2, b=1" {
		t.Errorf("the recipe is %q", got)
	}
}
