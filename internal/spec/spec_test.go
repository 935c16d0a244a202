package spec

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"plyfit/internal/vectors"
)

func TestParse(t *testing.T) {
	got := vectors.Must(Parse("connect4:columns=5,score=distance+slip=0.25+adversary"))
	want := Spec{
		Name:     "connect4",
		Keys:     []Pair{{"columns", "5"}, {"score", "distance"}},
		Wrappers: []Pair{{"slip", "0.25"}, {"adversary", ""}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestNestedSpecs(t *testing.T) {
	s := vectors.Must(Parse("expectimax:depth=2,assume=(mix(0.8*alphabeta:depth=2,0.2*random)),eval=(a+b.json)"))
	want := []Pair{{"depth", "2"}, {"assume", "mix(0.8*alphabeta:depth=2,0.2*random)"}, {"eval", "a+b.json"}}
	if !reflect.DeepEqual(s.Keys, want) {
		t.Errorf("%+v, want %+v", s.Keys, want)
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

// TestLimits checks that the error for a spec that is too long or nested too deeply is short and
// contains the limit.
func TestLimits(t *testing.T) {
	nested := func(levels int) string {
		return "a:b=" + strings.Repeat("(a:b=", levels-1) + "(c)" + strings.Repeat(")", levels-1)
	}
	if _, err := Parse(nested(maxNesting)); err != nil {
		t.Errorf("%d levels: %v", maxNesting, err)
	}
	for what, text := range map[string]string{
		"16 levels":   nested(maxNesting + 1),
		"16384 bytes": "a:b=" + strings.Repeat("c", maxLength),
		"at most":     nested(100000),
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), what) || len(err.Error()) > 150 {
			t.Errorf("%.20s...: error %.200v, want a short one with %q", text, err, what)
		}
	}
}
