package gametest

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"plyfit/game"
)

// pictures checks the picture, if the game has one, including that it contains the places to click
// for each move.
func (j *checker) pictures(s game.State, at snapshot) {
	d, ok := game.As[game.Illustrator](s)
	if !ok {
		return
	}
	below := game.Player(s.Hash() & 1) // only one view per position, to save time
	text := d.SVG(below)
	places, err := placesOf(text)
	switch {
	case err != nil:
		j.errorf("%q: picture: %v", s, err)
	case text != d.SVG(below):
		j.errorf("%q: the picture differs between two calls", s)
	}
	j.same("pictured", s, at)
	if err != nil || s.Turn() < 0 {
		return
	}
	for _, m := range s.Moves(nil) {
		for _, chain := range d.Clicks(m) {
			for _, place := range chain {
				if !places[place] {
					j.errorf("%q: move %s needs a click on %q, which is not in the picture", s, s.MoveString(m), place)
				}
			}
		}
	}
}

// placesOf returns the places of a picture. It returns an error unless the picture is a single svg
// element without scripts, links, styles or event handlers.
func placesOf(text string) (map[string]bool, error) {
	places, first := map[string]bool{}, true
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if first {
				return nil, errors.New("is empty")
			}
			return places, nil
		}
		if err != nil {
			return nil, err
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if first && e.Name.Local != "svg" {
			return nil, errors.New("begins with " + e.Name.Local + ", want svg")
		}
		first = false
		switch e.Name.Local {
		case "script", "style", "a", "image", "use", "foreignObject":
			return nil, errors.New("holds the element " + e.Name.Local)
		}
		for _, a := range e.Attr {
			switch name := a.Name.Local; {
			case name == "style", name == "href", strings.HasPrefix(name, "on"):
				return nil, errors.New("holds the attribute " + name)
			case name == "data-place":
				places[a.Value] = true
			}
		}
	}
}
