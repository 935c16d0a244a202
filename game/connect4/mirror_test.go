package connect4

import (
	"testing"

	"plyfit/game"
	"plyfit/internal/vectors"
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

// Below a root that is not its own image a position folds only if its image has all the
// stones of the root: then the two share a hash, and one of them is turned.
func TestFoldedBelowARoot(t *testing.T) {
	g := make4(t, "connect4")
	root := func(text string) *State {
		s := vectors.Must(g.Parse(text))
		return Of(s)
	}
	if root("17").Mirror() {
		t.Error("17: X lies opposite to O, and an image is promised")
	}
	x, arise, never := uint64(3), 0, 0
	for i := range 3000 {
		b := root([]string{"142", "41"}[i%2]) // X, and O, without a stone opposite
		if !b.Mirror() {
			t.Fatalf("%v: no image", b)
		}
		x0, o0 := b.Stones()
		for range 2 + i%19 {
			moves := b.Moves(nil)
			if len(moves) == 0 {
				break
			}
			x = game.Mix(x)
			b.Play(moves[x%uint64(len(moves))])
		}
		image := mirrorOf(b)
		x1, o1 := image.Stones()
		h, turned := b.Folded()
		if x0&^x1|o0&^o1 != 0 {
			never++
			if turned || h != b.Hash() {
				t.Fatalf("%v: folded, and its image cannot arise", b)
			}
			continue
		}
		arise++
		k, other := image.Folded()
		if symmetric := b.Hash() == image.Hash(); h != k || turned == other && !symmetric {
			t.Fatalf("%v: %x and %x, want one hash, one turned: %v, %v", b, h, k, turned, other)
		}
	}
	if arise < 50 || never < 50 {
		t.Errorf("%d images can arise, %d cannot: too few to tell", arise, never)
	}
}

// mirrorOf is b in the mirror, in a search from the same root.
func mirrorOf(b *State) *State {
	image := b.Clone().(*State)
	for i := range image.line[:image.ply+1] {
		p := &image.line[i]
		p.own, p.all = b.mirrored(p.own), b.mirrored(p.all)
	}
	return image
}
