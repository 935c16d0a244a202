package catalog

import (
	"slices"
	"testing"

	"plyfit/game"
)

// FuzzMoves reads moves as users may write them, in every game and in its
// slippery world: what is taken is a legal move.
func FuzzMoves(f *testing.F) {
	var worlds []*World
	for _, e := range All() {
		for _, slip := range []string{"", "+slip=0.1"} {
			if w, err := All().World(e.Name + slip); err == nil { // chance has no slip everywhere
				worlds = append(worlds, w)
			}
		}
	}
	for i, w := range worlds {
		s := w.New()
		for range 12 {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			f.Add(uint8(i), s.String(), s.MoveString(moves[0]))
			s.Play(moves[len(moves)/2])
		}
	}
	f.Add(uint8(0), "", "LL")
	f.Fuzz(func(t *testing.T, number uint8, position, text string) {
		w := worlds[int(number)%len(worlds)]
		s, err := w.Parse(position)
		if err != nil {
			return
		}
		before := s.String()
		m, err := w.ParseMove(s, text)
		if s.String() != before {
			t.Fatalf("%s: reading %q leaves %s, found %s", w.Spec, text, s, before)
		}
		if err != nil {
			worded(t, err)
			return
		}
		if s.Turn() == game.Nobody || !slices.Contains(s.Moves(nil), m) {
			t.Fatalf("%s: %s: %q is read as %d, which is not legal", w.Spec, before, text, m)
		}
	})
}
