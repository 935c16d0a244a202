package chess

import (
	"testing"

	"plyfit/features"
	"plyfit/models"
)

// TestOneLine: one more line in the list of chess/classic, as below, is one more
// term: it has a weight in each phase, a value and a line of documentation, and the
// sets that hold chess/classic have it, too.
func TestOneLine(t *testing.T) {
	list := append(classicTerms[:len(classicTerms):len(classicTerms)],
		features.Term[position]{Name: "corner-knights", Doc: "knights in corners", Value: func(b *position) float64 {
			return float64(count(b.us.army.knights&corners) - count(b.them.army.knights&corners))
		}})

	terms := classic
	terms.List = list
	set := terms.Set()
	m := models.New("chess", set.Name(), set.Blocks())
	if first := int32(classic.Len()); m.Len() != classic.Len()+phases || m.Name(first) != "corner-knights@0" || m.Name(first+1) != "corner-knights@1" {
		t.Fatalf("%d features, the last %s: want the new ones behind %d others", m.Len(), m.Name(int32(m.Len()-1)), first)
	}
	docs := set.(features.Documented).Docs()
	if last := docs[len(docs)-1]; last.Name != "corner-knights" || last.Text != "knights in corners" {
		t.Errorf("documented as %v", last)
	}
	// Two knights of white's in corners, one of black's, and no other pieces: nearly
	// the last phase.
	s, err := chessGame(t).Parse("n3k3/8/8/8/8/8/8/N3K2N b - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	base, sum := Classic().Extract(s, 1, nil), float32(0)
	x := set.Extract(s, 1, nil)
	for _, term := range x[len(base):] {
		sum += term.Value
	}
	if len(x) != len(base)+2 || sum != -1 {
		t.Errorf("black's knights in corners less white's: %v in %d terms, want -1 in 2", sum, len(x)-len(base))
	}
}

const corners = 1 | 1<<7 | 1<<56 | 1<<63
