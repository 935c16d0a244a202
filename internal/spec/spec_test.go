package spec

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	s, err := Parse("connect4:columns=5,score=distance+slip=0.25+adversary")
	if err != nil {
		t.Fatal(err)
	}
	if s.Name != "connect4" || !reflect.DeepEqual(s.Wrappers, []Wrapper{{"slip", "0.25"}, {"adversary", ""}}) {
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

func TestNestedSpecs(t *testing.T) {
	s, err := Parse("expectimax:depth=2,assume=(mix(0.8*alphabeta:depth=2,0.2*random)),eval=(a+b.json)")
	if err != nil {
		t.Fatal(err)
	}
	if v := s.Options.String("assume", ""); v != "mix(0.8*alphabeta:depth=2,0.2*random)" {
		t.Errorf("assume %q", v)
	}
	if v := s.Options.String("eval", ""); v != "a+b.json" {
		t.Errorf("eval %q", v)
	}
	parts, err := List("0.8*alphabeta:(a,b),0.2*random")
	if err != nil || !reflect.DeepEqual(parts, []string{"0.8*alphabeta:(a,b)", "0.2*random"}) {
		t.Errorf("%q, %v", parts, err)
	}
	for value, want := range map[string]string{"(a)": "a", "(a)(b)": "(a)(b)", "((a))": "(a)", "()": "", "a": "a", "(": "(", ")(": ")("} {
		if got := Unwrap(value); got != want {
			t.Errorf("Unwrap(%q) is %q, want %q", value, got, want)
		}
	}
}

func TestFaults(t *testing.T) {
	for text, at := range map[string]int{
		"":                 0,
		":depth=2":         0,
		"a b":              1,
		"a:":               2,
		"a:depth":          2,
		"a:depth=":         2,
		"a:x=1,x=2":        6,
		"a:x=1,,y=2":       6,
		"a:x=(1":           6,
		"a:x=1)":           5,
		"a+":               2,
		"a:x=1+slip!=2":    6,
		"a:(x=1),y=2":      2,
		"a:mode=(b,c),d=)": 15,
	} {
		_, err := Parse(text)
		var fault *Error
		if !errors.As(err, &fault) || fault.At != at || fault.Text != text {
			t.Errorf("%q: %v, want a fault at byte %d", text, err, at)
		}
	}
}

func options(t *testing.T, text string) *Options {
	t.Helper()
	s, err := Parse("game:" + text)
	if err != nil {
		t.Fatal(err)
	}
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
		if _, err := Parse(bad); err == nil {
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
	if err := o.Err(); err == nil || !strings.Contains(err.Error(), "it takes none") {
		t.Error(err)
	}
	o = options(t, "n=-1")
	if o.Int("n", 0, 0, math.MaxInt); !strings.Contains(o.Err().Error(), "at least 0") {
		t.Error(o.Err())
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"2048:size=3+adversary", "a:x=(b,c+d),y=1e+9+slip=.1", "mix(0.8*a,0.2*b)", "a:=,", "((", "a+b=c=d"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			var fault *Error
			if !errors.As(err, &fault) || fault.At < 0 || fault.At > len(text) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if s.Name == "" || !strings.HasPrefix(text, s.Name) {
			t.Errorf("%q has the name %q", text, s.Name)
		}
		List(text)
		Number(text)
	})
}

// TestLimits: a spec that is too long, or nested too deeply, is refused in a
// line that does not repeat all of it.
func TestLimits(t *testing.T) {
	nested := func(levels int) string {
		return "a:b=" + strings.Repeat("(a:b=", levels-1) + "(c)" + strings.Repeat(")", levels-1)
	}
	if _, err := Parse(nested(maxNesting)); err != nil {
		t.Errorf("%d levels: %v", maxNesting, err)
	}
	for what, text := range map[string]string{
		"16 parentheses": nested(maxNesting + 1),
		"16384 bytes":    "a:b=" + strings.Repeat("c", maxLength),
		"at most":        nested(100000),
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), what) || len(err.Error()) > 150 {
			t.Errorf("%.20s...: error %.200v, want a short one with %q", text, err, what)
		}
	}
}
