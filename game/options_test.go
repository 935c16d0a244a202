package game

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"plyfit/internal/vectors"
)

func options(t *testing.T, text string) *Options {
	t.Helper()
	s := vectors.Must(ParseSpec("game:" + text))
	return s.Options
}

func TestValues(t *testing.T) {
	o := options(t, "i=-3,f=1/4,big=1e+9,b=on,d=100ms,s=x")
	if i, f, big := o.Int("i", 0, -5, 5), o.Float("f", 0, 0, 1), o.Float("big", 0, 0, 1e10); i != -3 || f != 0.25 || big != 1e9 {
		t.Errorf("%v %v %v", i, f, big)
	}
	if !o.Bool("b", false) || o.Duration("d", 0) != 100*time.Millisecond || o.String("s", "") != "x" {
		t.Error("b, d or s")
	}
	if o.Int("none", 7, 0, 9) != 7 || o.Float("none", 0.5, 0, 1) != 0.5 || !o.Bool("none", true) || o.Duration("none", 3) != 3 || o.String("none", "y") != "y" {
		t.Error("defaults")
	}
	if !o.Has("i") || o.Has("none") || o.Err() != nil {
		t.Error(o.Err())
	}
}

// TestSpec checks that a spec contains the values that differ from the defaults, in canonical form
// and in the order in which they were read.
func TestSpec(t *testing.T) {
	o := options(t, "a=07,b=on,f=1/4,s=y,same=1")
	if o.Int("same", 1, 0, 9); o.Spec("game") != "game" {
		t.Errorf("%s without a difference", o.Spec("game"))
	}
	o.String("s", "x", "x", "y")
	o.Bool("b", false)
	o.Float("f", 0, 0, 1)
	o.Int("a", 1, 0, 9)
	if got, want := o.Spec("game"), "game:s=y,b=on,f=0.25,a=7"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestUnder(t *testing.T) {
	o := options(t, "option.Skill Level=3,option.Hash=16,depth=1")
	names, values := o.Under("option")
	if !reflect.DeepEqual(names, []string{"Hash", "Skill Level"}) || !reflect.DeepEqual(values, []string{"16", "3"}) {
		t.Errorf("%q %q", names, values)
	}
	if err := o.Err(); err == nil || !strings.Contains(err.Error(), "option.NAME") {
		t.Errorf("error %v", err)
	}
	for _, bad := range []string{"a:.x=1", "a:option.=1", "a:opt ion.x=1"} {
		if _, err := ParseSpec(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestBadValues(t *testing.T) {
	for text, want := range map[string]string{
		"n=2.5":                  "n=2.5: want a whole number from 0 to 9",
		"n=10":                   "n=10: want a whole number from 0 to 9",
		"n=99999999999999999999": "want a whole number",
		"x=nan":                  "x=nan: want a number from 0 to 1",
		"x=1/0":                  "x=1/0: want a number",
		"x=0x1p-2":               "x=0x1p-2: want a number",
		"x=2":                    "x=2: want a number from 0 to 1",
		"b=true":                 "b=true: want on or off",
		"d=-1s":                  "d=-1s: want a positive time",
		"d=5":                    "d=5: want a positive time",
		"c=purple":               "c=purple: want one of red, green",
		"m=3":                    `unknown key "m": want b, c, d, n, x`,
		"n=77,zz=3":              "n=77",
	} {
		o := options(t, text)
		o.Int("n", 0, 0, 9)
		o.Float("x", 0, 0, 1)
		o.Bool("b", false)
		o.Duration("d", time.Second)
		o.String("c", "red", "red", "green")
		if err := o.Err(); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "game: ") {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	o := options(t, "k=1")
	if err := o.Err(); err == nil || !strings.Contains(err.Error(), "want no keys") {
		t.Error(err)
	}
	o = options(t, "n=-1")
	if o.Int("n", 0, 0, math.MaxInt); !strings.Contains(o.Err().Error(), "at least 0") {
		t.Error(o.Err())
	}
}

// TestNewOptions checks that options created in Go equal those parsed from a spec.
func TestNewOptions(t *testing.T) {
	o := NewOptions("game", "n=7", "text=(a,b)=c")
	if n, text := o.Int("n", 0, 0, 9), o.String("text", ""); n != 7 || text != "(a,b)=c" || o.Err() != nil {
		t.Errorf("n %d, text %q: %v", n, text, o.Err())
	}
	for want, pairs := range map[string][]string{
		`game: option "n": want key=value`:  {"n"},
		`game: option "=7": want key=value`: {"=7"},
		`game: option "n=": want key=value`: {"n="},
		`game: key "n" is given twice`:      {"n=7", "n=8"},
	} {
		o := NewOptions("game", pairs...)
		o.Int("n", 0, 0, 9)
		if err := o.Err(); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", pairs, err, want)
		}
	}
}

// TestZeroOptions checks that the zero value has no keys and works without maps.
func TestZeroOptions(t *testing.T) {
	var o Options
	if o.Has("n") || o.Int("n", 5, 0, 9) != 5 || o.Err() != nil {
		t.Error(o.Err())
	}
	o.Drop("n")
	if names, _ := o.Under("option"); names != nil {
		t.Errorf("names %q", names)
	}
}

func TestParseSpec(t *testing.T) {
	s := vectors.Must(ParseSpec("connect4:columns=5,score=distance+slip=0.25+adversary"))
	if s.Name != "connect4" || !reflect.DeepEqual(s.Wrappers, []SpecWrapper{{"slip", "0.25"}, {"adversary", ""}}) {
		t.Errorf("%+v", s)
	}
	if n := s.Options.Int("columns", 7, 4, 12); n != 5 {
		t.Errorf("columns %d", n)
	}
	if v := s.Options.String("score", "win", "win", "distance"); v != "distance" {
		t.Errorf("score %s", v)
	}
	if err := s.Options.Err(); err != nil {
		t.Error(err)
	}
}
