package connect4

import (
	"testing"

	"plyfit/game"
)

// Below a root that is its own image every position folds with its image, and one of
// the two is turned; below one that no image is below, none does; in between those do
// that have the stones opposite to the root's.
func TestFolded(t *testing.T) {
	x := uint64(7)
	for _, text := range []string{"connect4", "connect4:score=distance", "connect4:columns=8,rows=5", "connect4:columns=5,rows=4"} {
		g := make4(t, text)
		folds, own := 0, 0
		for i := range 300 {
			s, image := g.New(), g.New()
			b, c := Of(s), Of(image)
			if !b.Mirror() || !c.Mirror() {
				t.Fatalf("%s: the empty board has no image", text)
			}
			for range i % 20 {
				moves := s.Moves(nil)
				if len(moves) == 0 {
					break
				}
				x = game.Mix(x)
				s.Play(moves[x%uint64(len(moves))])
			}
			for ply := 1; ply <= b.ply; ply++ { // the same game in the mirror
				p, q := b.line[ply-1], b.line[ply]
				for m := range b.columns {
					if (p.all^q.all)&b.column[m] != 0 {
						image.Play(b.Image(game.Move(m)))
					}
				}
			}
			h, turned := b.Folded()
			k, other := c.Folded()
			if h != k {
				t.Fatalf("%s: %v and %v are images and have the hashes %x and %x", text, s, image, h, k)
			}
			want := s.Hash()
			if turned {
				want = image.Hash()
			}
			if h != want {
				t.Fatalf("%s: %v: folded %x, want %x (turned: %v)", text, s, h, want, turned)
			}
			switch symmetric := s.Hash() == image.Hash(); {
			case symmetric && (turned || other):
				t.Fatalf("%s: %v is its own image, and turned", text, s)
			case !symmetric && turned == other:
				t.Fatalf("%s: %v and its image are turned both or neither", text, s)
			case symmetric:
				own++
			default:
				folds++
			}
		}
		if folds < 100 || own < 10 {
			t.Errorf("%s: %d positions fold, %d are their own image: too few to tell", text, folds, own)
		}
	}
}

// What a root has on one side only, a position must have on the other to fold.
func TestFoldedBelowARoot(t *testing.T) {
	g := make4(t, "connect4")
	at := func(text string) *State {
		s, err := g.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return Of(s)
	}
	if at("17").Mirror() {
		t.Error("17: X lies opposite to O, and an image is promised")
	}
	b := at("142")
	if !b.Mirror() {
		t.Fatal("142: no image")
	}
	play := func(moves ...game.Move) {
		for _, m := range moves {
			b.Play(m)
		}
	}
	play(3)      // O above O: X at 1 and 2 has no X opposite
	plain(t, b)  // 1424
	play(6, 3)   // X at 7, opposite to 1
	plain(t, b)  // and none opposite to 2
	play(5)      // X at 6
	folded(t, b) // now it and its image have the root's stones
	play(0)      // O above 1
	folded(t, b) // still
	b.Undo()     // and back
	b.Undo()     // X away from 6
	plain(t, b)
}

func plain(t *testing.T, b *State) {
	t.Helper()
	if h, turned := b.Folded(); turned || h != b.Hash() {
		t.Errorf("%v: folded, and its image cannot arise", b)
	}
}

// folded wants the two images of b and what the mirror makes of it to share a hash.
func folded(t *testing.T, b *State) {
	t.Helper()
	image := b.Clone().(*State)
	for i := range image.line[:image.ply+1] {
		p := &image.line[i]
		p.own, p.all = b.mirrored(p.own), b.mirrored(p.all)
	}
	h, turned := b.Folded()
	k, other := image.Folded()
	if h != k || turned == other && image.Hash() != b.Hash() {
		t.Errorf("%v: %x and %x, want one hash, one turned: %v, %v", b, h, k, turned, other)
	}
}
