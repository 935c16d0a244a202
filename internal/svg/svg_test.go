package svg_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"plyfit/internal/svg"
)

// TestPictureIsWellFormed checks that a picture is well-formed XML despite quotes and tags in it.
func TestPictureIsWellFormed(t *testing.T) {
	p := svg.New(10, 20, `a "label" <with> marks & more`)
	p.Rect(0, 0, 1.005, 2, 0, "#fff", "stroke", `"><script>`)
	p.Begin(1, 2)
	p.Circle(1, 1, 1, "none")
	p.Path("M"+svg.Point(-0.001, 1.239), "red")
	p.End()
	p.Text(1, 2, 3, "#000", "<&>", "text-anchor", "start")
	p.Line(0, 0, 1, 1, 2, "black")
	p.Place("e4", 0, 0, 1, 1)
	text := p.String()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "script" {
			t.Errorf("a value became an element: %s", text)
		}
	}
	for _, want := range []string{`d="M0 1.2"`, `data-place="e4"`, `text-anchor="start"`, "&lt;&amp;&gt;"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
}

// TestTree checks that every node is above the middle of its children, that leaves are side by
// side, and that a pruned subtree is drawn as a cross.
func TestTree(t *testing.T) {
	root := &svg.Node{Shape: svg.Up, Value: "3", Below: []*svg.Node{
		{Shape: svg.Down, Text: "min", Place: "1", Window: "(3, +inf)", Labels: []string{"1", "alpha 3"}, Below: []*svg.Node{{Text: "3"}, {Shape: svg.Cross, Labels: []string{"2"}}}},
		{Shape: svg.Disc, Labels: []string{"2"}},
	}}
	text := svg.Tree(root, 60, "a tree")
	for _, want := range []string{
		`viewBox="0 0 260 296"`,         // three columns of 60, three levels of 108
		`x="145" y="12"`,                // value of the root, between 100 and 190
		`data-place="1"`, `x="100" y="`, // its first child, between 70 and 130
		`<circle cx="190"`, `>alpha 3</text>`, `>(3, +inf)</text>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if n := strings.Count(text, "stroke-dasharray"); n != 1 {
		t.Errorf("%d dashed lines, want 1", n)
	}
}

// TestDie checks that a face has as many dots as its number, and that the dots do not overlap and
// are on the die.
func TestDie(t *testing.T) {
	for face := range 7 {
		var p svg.Picture
		p.Die(0, 0, 50, face, "#fff", "#000", "#000")
		seen := map[string]bool{}
		for _, dot := range strings.Split(p.Elements(), "<circle ")[1:] {
			seen[dot] = true
			var x, y float64
			if _, err := fmt.Sscanf(dot, `cx="%g" cy="%g"`, &x, &y); err != nil || min(x, y) < 6 || max(x, y) > 44 {
				t.Errorf("%d: a dot %s (%v), want it on the die", face, dot, err)
			}
		}
		if len(seen) != face {
			t.Errorf("%d has %d dots: %s", face, len(seen), p.Elements())
		}
	}
}

// TestTreeStyle checks that each class in a picture of a tree, except place, has a rule.
func TestTreeStyle(t *testing.T) {
	root := &svg.Node{Shape: svg.Up, Text: "3", Value: "= 3", Window: "(2, 5)", Below: []*svg.Node{
		{Text: "3", Labels: []string{"1"}, Window: "(2, 5)", Chosen: true}, {Text: "4", Faint: true}, {Shape: svg.Cross}, {Shape: svg.Disc, Text: "½"},
	}}
	classes := regexp.MustCompile(`class="([a-z-]+)"`).FindAllStringSubmatch(svg.Tree(root, 60, "a tree"), -1)
	seen := map[string]bool{}
	for _, m := range classes {
		if seen[m[1]] = true; m[1] != "place" && !strings.Contains(svg.TreeStyle, "."+m[1]+"{") {
			t.Errorf("class %s has no style", m[1])
		}
	}
	if len(seen) < 8 {
		t.Errorf("classes %v: the picture has more", seen)
	}
}
