package svg_test

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"plyfit/internal/svg"
)

// A picture is well-formed XML, whatever its labels hold.
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
