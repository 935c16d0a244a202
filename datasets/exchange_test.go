package datasets

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sjwhitworth/golearn/base"

	"plyfit/game"
	"plyfit/models"
)

type sampleList []Sample

func (l sampleList) All() iter.Seq2[*Sample, error] {
	return func(yield func(*Sample, error) bool) {
		for i := range l {
			if !yield(&l[i], nil) {
				return
			}
		}
	}
}

// someSamples have numbers with all their digits, huge ones and tiny ones.
func someSamples(features, n int) (names []string, out sampleList) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range features {
		names = append(names, []string{"corner", "it's, 100% \"x\"", "two words", "{a}", "@data"}[i%5]+strings.Repeat("i", i/5))
	}
	for range n {
		s := Sample{Y: rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20)), Weight: rng.Float64(), Kind: game.Bound(rng.IntN(3)), Episode: rng.Uint64() >> 12}
		s.X = append(s.X, models.Term{Index: models.Bias, Value: float32(1 - 2*rng.IntN(2))})
		for i := range features {
			if rng.IntN(2) == 0 {
				s.X = append(s.X, models.Term{Index: int32(i), Value: float32(rng.NormFloat64() * math.Pow(10, float64(rng.IntN(60)-30)))})
			}
		}
		out = append(out, s)
	}
	return names, out
}

func collect(t *testing.T, s Samples) (out sampleList) {
	t.Helper()
	for x, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		y := *x
		y.X = slices.Clone(x.X)
		out = append(out, y)
	}
	return out
}

type textForm struct {
	write func(io.Writer, []string, Samples) error
	read  func(io.Reader, string) (*Grid, error)
}

var formats = map[string]textForm{
	"csv":  {WriteCSV, ReadCSV},
	"arff": {func(w io.Writer, names []string, s Samples) error { return WriteARFF(w, "some game's", names, s) }, ReadARFF},
}

// TestExchange: what is written reads back to the last bit, with more columns
// than golearn keeps in one group of its own, too.
func TestExchange(t *testing.T) {
	for name, f := range formats {
		for _, features := range []int{0, 1, 7, 700} {
			names, want := someSamples(features, 50)
			var text bytes.Buffer
			if err := f.write(&text, names, want); err != nil {
				t.Fatal(err)
			}
			g, err := f.read(&text, name)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := collect(t, g); !slices.Equal(g.Features, names) || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %d features: read\n%+v, want\n%+v", name, features, got[0], want[0])
			}
			direct, err := NewGrid(names, want)
			if err != nil {
				t.Fatal(err)
			}
			if got := collect(t, direct); direct.Len() != 50 || !reflect.DeepEqual(got, want) {
				t.Errorf("%d features: the grid gives %+v, want %+v", features, got[0], want[0])
			}
		}
	}
}

// TestGolearnReadsIt: golearn's own parser finds our numbers in our ARFF.
func TestGolearnReadsIt(t *testing.T) {
	names := []string{"corner", "edge"}
	_, samples := someSamples(2, 20)
	path := filepath.Join(t.TempDir(), "x.arff")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteARFF(f, "x", names, samples); err != nil {
		t.Fatal(err)
	}
	f.Close()
	theirs, err := base.ParseDenseARFFToInstances(path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewGrid(names, samples)
	if err != nil {
		t.Fatal(err)
	}
	ours := g.Instances()
	if _, rows := theirs.Size(); rows != 20 {
		t.Fatalf("golearn found %d rows, want 20", rows)
	}
	class := ours.AllClassAttributes()
	if len(class) != 1 || class[0].GetName() != "label" {
		t.Errorf("class attributes %v, want the label", class)
	}
	for i, a := range theirs.AllAttributes() {
		their := base.ResolveAttributes(theirs, []base.Attribute{a})[0]
		our := base.ResolveAttributes(ours, []base.Attribute{ours.AllAttributes()[i]})[0]
		for row := range 20 {
			x, y := base.UnpackBytesToFloat(theirs.Get(their, row)), base.UnpackBytesToFloat(ours.Get(our, row))
			if x != y && float32(x) != float32(y) || x != y && a.GetName() == "label" {
				t.Errorf("row %d, %s: golearn has %v, want %v", row, a.GetName(), x, y)
			}
		}
	}
}

func TestTablesByHand(t *testing.T) {
	g, err := ReadCSV(strings.NewReader("a,label,b\n1,0.5,0\n0, -1 ,2e3\n"), "x.csv")
	if err != nil {
		t.Fatal(err)
	}
	want := sampleList{
		{X: models.Vector{{Index: 0, Value: 1}}, Y: 0.5, Weight: 1, Episode: 0},
		{X: models.Vector{{Index: 1, Value: 2000}}, Y: -1, Weight: 1, Episode: 1},
	}
	if got := collect(t, g); !reflect.DeepEqual(got, want) || !slices.Equal(g.Features, []string{"a", "b"}) {
		t.Errorf("read %+v of %v, want %+v", got, g.Features, want)
	}
	g, err = ReadARFF(strings.NewReader("% a comment\n@RELATION x\n@Attribute\t'a b'\tNUMERIC\n@attribute label real\n\n@DATA\n1,2\n% no row\n3,4\n"), "x.arff")
	if err != nil || g.Len() != 2 || g.Features[0] != "a b" {
		t.Errorf("read %+v, %v", g, err)
	}
}

func TestBadTables(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "x.csv:1: want a header",
		"a,b\n":                 "x.csv:1: want a column named label",
		"a,a,label\n":           `x.csv:1: column 2: "a" comes twice`,
		"a,,label\n":            "x.csv:1: column 2 has no name",
		"a,label\n1,2\n1,x\n":   `x.csv:3: column 2: want a number, not "x"`,
		"a,label\n1,2,3\n":      "x.csv:2: want as many cells",
		"a,label\n1,NaN\n":      "x.csv:2: column 2: want a finite number, not NaN",
		"a,label\n1e300,1\n":    "x.csv:2: column 1: want a number that a float32 can hold",
		"episode,label\n-1,1\n": "x.csv:2: column 1: want a whole number",
		"weight,label\n-1,1\n":  "x.csv:2: column 1: want a number of at least 0",
		"kind,label\n3,1\n":     "x.csv:2: column 1: want 0 (exact)",
		"a,label\n\"1,2\n":      "x.csv:2: want quoted cells to end",
	} {
		_, err := ReadCSV(strings.NewReader(text), "x.csv")
		wantError(t, err, want)
	}
	for text, want := range map[string]string{
		"":                                    "x.arff:1: want @data",
		"@relation x\nhello\n":                "x.arff:2: want @relation, @attribute or @data",
		"@attribute label\n":                  "x.arff:1: want @attribute NAME TYPE",
		"@attribute 'label real\n":            "x.arff:1: want @attribute NAME TYPE",
		"@attribute label {a,b}\n":            "x.arff:1: want an attribute that is real",
		"@attribute label real\n@data\n?\n":   `x.arff:3: column 1: want a number, not "?"`,
		"@attribute label real\n@data\n{0 1}": "x.arff:3: want dense rows",
		"@attribute label real\n@data\n1,2\n": "x.arff:3: want 1 cells, not 2",
		"@attribute a real\n@data\n":          "x.arff:2: want a column named label",
	} {
		_, err := ReadARFF(strings.NewReader(text), "x.arff")
		wantError(t, err, want)
	}
	for _, f := range formats {
		wantError(t, f.write(io.Discard, []string{"label"}, sampleList{}), `"label" comes twice`)
		wantError(t, f.write(io.Discard, []string{"a"}, sampleList{{Episode: 1 << 60}}), "2^53")
		_, samples := someSamples(2, 1000)
		if err := f.write(fullDisk{}, []string{"a", "b"}, samples); !errors.Is(err, errFull) {
			t.Errorf("on a full disk: error %v", err)
		}
	}
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func FuzzReadCSV(f *testing.F)  { fuzzTable(f, formats["csv"]) }
func FuzzReadARFF(f *testing.F) { fuzzTable(f, formats["arff"]) }

// fuzzTable: whatever can be read can be written, and then reads the same.
func fuzzTable(f *testing.F, form textForm) {
	names, samples := someSamples(4, 3)
	var text bytes.Buffer
	if err := form.write(&text, names, samples); err != nil {
		f.Fatal(err)
	}
	f.Add(text.String())
	f.Add("a,label\n1,2\n")
	f.Add("@attribute 'a' real\n@attribute label real\n@data\n1,2\n")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := form.read(strings.NewReader(text), "x")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x:") {
				t.Errorf("error %q does not name the file", err)
			}
			return
		}
		var again bytes.Buffer
		if err := form.write(&again, g.Features, g); err != nil {
			t.Fatal(err)
		}
		h, err := form.read(&again, "x")
		if err != nil {
			t.Fatalf("%v in what was written", err)
		}
		if a, b := collect(t, g), collect(t, h); !reflect.DeepEqual(a, b) || !slices.Equal(g.Features, h.Features) {
			t.Errorf("%v of %q became %v of %q", a, g.Features, b, h.Features)
		}
	})
}
