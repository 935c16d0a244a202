package gametest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"plyfit/game"
)

// veiled checks that the wrappers reject g if it is a game of imperfect information.
func veiled(t *testing.T, g *game.Game) {
	t.Helper()
	if _, err := game.WithSlip(g, 0.25); err == nil {
		t.Errorf("%s: +slip is accepted, although the game has hidden information; want an error", g.Spec)
	}
	if _, err := game.WithAdversary(g); err == nil {
		t.Errorf("%s: +adversary is accepted, although the game has hidden information; want an error", g.Spec)
	}
}

// hides checks the contract of [game.HiddenState] for each player. A sample must be a position from
// the same information set with the same moves in the same order, and must not depend on anything
// that is hidden from the player.
func (j *checker) hides(s game.State, at snapshot, players int) {
	h, ok := s.(game.HiddenState)
	if ok != j.g.Hidden {
		j.errorf("%q: implements HiddenState: %v, but the game's Hidden is %v", s, ok, j.g.Hidden)
	}
	if !ok || !j.g.Hidden {
		return
	}
	for p := range game.Player(players) {
		info := h.Info(p)
		if info == "" || strings.ContainsAny(info, "\n\r") || info != h.Info(p) {
			j.errorf("%q: Info(%d) is %q: want one line, the same on each call", s, p, info)
		}
		seed := j.rng.Uint64()
		drawn := h.Sample(p, rand.New(rand.NewPCG(seed, 1)))
		j.same("after a sample", s, at)
		j.alone("sampled", drawn)
		j.samples(h, drawn, p)
		again := drawn.(game.HiddenState).Sample(p, rand.New(rand.NewPCG(seed, 1)))
		if again.String() != drawn.String() {
			j.errorf("%q: player %d draws %q here and %q at %q, which is in the same information set", s, p, drawn, again, drawn)
		}
	}
}

// samples compares a position with a sample drawn from it for player p.
func (j *checker) samples(s game.HiddenState, drawn game.State, p game.Player) {
	if got, want := drawn.(game.HiddenState).Info(p), s.Info(p); got != want {
		j.errorf("%q: player %d draws %q with Info %q; want %q", s, p, drawn, got, want)
	}
	if a, ok := game.As[game.Illustrator](s); ok {
		if b, _ := game.As[game.Illustrator](drawn); a.SVG(p) != b.SVG(p) {
			j.errorf("%q: player %d can distinguish it from %q by the picture", s, p, drawn)
		}
	}
	if drawn.Turn() != s.Turn() {
		j.errorf("%q: player %d draws %q, but player %d is to move there", s, p, drawn, drawn.Turn())
		return
	}
	if drawn.String() != s.String() {
		j.hidden = true
	}
	parsed, err := j.g.Parse(drawn.String())
	if err != nil || parsed.Hash() != drawn.Hash() {
		j.errorf("%q: player %d draws %q, which Parse does not read as the same position (error %v)", s, p, drawn, err)
	}
	if s.Turn() != p {
		return
	}
	moves, others := s.Moves(nil), drawn.Moves(nil)
	if len(moves) != len(others) {
		j.errorf("%q: player %d has %d moves, but %d at %q, which is in the same information set", s, p, len(moves), len(others), drawn)
		return
	}
	ranker, ranks := game.As[game.Ranker](s)
	other, _ := game.As[game.Ranker](drawn)
	for i, m := range moves {
		if others[i] != m || s.MoveString(m) != drawn.MoveString(m) {
			j.errorf("%q: move %d of player %d differs at %q, which is in the same information set", s, i, p, drawn)
			return
		}
		if ranks && ranker.Rank(m) != other.Rank(m) {
			j.errorf("%q: %s has a different rank at %q, which is in the same information set of player %d", s, s.MoveString(m), drawn, p)
		}
	}
}
