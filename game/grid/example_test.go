package grid_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"plyfit/game/grid"
)

var layout = grid.Layout{Width: 3, Left: "%s ", Side: "│", Top: "┌──┐", Bottom: "└──┘", Size: 20, Edge: 10, Back: "#ffffff", Names: "#000000"}

// board returns a board with a piece on b1 that came from a1.
func board() *grid.Board {
	man := grid.Figure{Text: "X", Ink: 16, Art: `<circle r="8"/>`}
	field, last := grid.Figure{Ground: 65}, grid.Figure{Mark: true}
	b := layout.New(2, 2, "a board")
	b.ColumnNames, b.RowNames = []string{"a", "b"}, []string{"2", "1"}
	for i, place := range []string{"a2", "b2", "a1", "b1"} {
		b.Cells[i].Place = place
		b.Cells[i].Add(field, grid.Figure{Text: fmt.Sprintf("%2d", i+1)})
	}
	b.Cells[2].Add(last)
	b.Cells[3].Add(man, last)
	b.Notes[1] = grid.Inline(false, field, man) + " to move"
	return b
}

// The squares of the last move are in brackets. A < follows the text if there is no room for both
// brackets.
func Example() {
	fmt.Print(board().Text(false))
	// Output:
	//     a  b
	//   ┌──────┐
	// 2 │ 1  2 │
	// 1 │ 3<[X]│   X to move
	//   └──────┘
}

// TestNarrowCells checks that brackets go in the gaps between cells one column wide, and that marks
// are shown as backgrounds if there is colour.
func TestNarrowCells(t *testing.T) {
	narrow := grid.Layout{Width: 1, Left: "%s", Right: "%s", Side: " ", Between: " "}
	b := narrow.New(1, 3, "")
	b.RowNames = []string{"7"}
	for i, text := range []string{"a", "b", "c"} {
		b.Cells[i].Add(grid.Figure{Text: text})
	}
	b.Cells[1].Add(grid.Figure{Mark: true, Ground: 65})
	if got := b.Text(false); got != "7 a[b]c 7\n" {
		t.Errorf("%q", got)
	}
	if got := b.Text(true); got != "7 a \x1b[1;48;5;65mb\x1b[0m c 7\n" {
		t.Errorf("in colour: %q", got)
	}
	b.Cells[1], b.Cells[2] = b.Cells[2], b.Cells[1]
	if got := b.Text(false); got != "7 a c[b]7\n" {
		t.Errorf("at the edge: %q", got)
	}
}

// TestTurnedPicture checks that a picture turned by 180 degrees begins with the last cell, and that
// the names are turned too.
func TestTurnedPicture(t *testing.T) {
	for turned, want := range map[bool]string{false: "a b 2 1 a2 b2 a1 b1", true: "b a 1 2 b1 a1 b2 a2"} {
		var got []string
		d := xml.NewDecoder(strings.NewReader(board().SVG(turned)))
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch e := token.(type) {
			case xml.CharData:
				got = append(got, string(e))
			case xml.StartElement:
				for _, a := range e.Attr {
					if a.Name.Local == "data-place" {
						got = append(got, a.Value)
					}
				}
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("turned %v: %s, want %s", turned, text, want)
		}
	}
}
