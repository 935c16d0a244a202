package chess

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestLosing asks for captures whose outcome is plain, the last four from the
// chess programming wiki or with a twist of theirs.
func TestLosing(t *testing.T) {
	for _, c := range []struct {
		text, move string
		want       bool
		why        string
	}{
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", false, "pawn takes pawn"},
		{"4k3/8/4p3/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", true, "a knight for a guarded pawn"},
		{"4k3/8/8/3p4/8/2N5/8/4K3 w - - 0 1", "c3d5", false, "the pawn is alone"},
		{"4k3/8/4p3/3n4/8/2N5/8/4K3 w - - 0 1", "c3d5", false, "knight for knight"},
		{"3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", false, "the second rook stands behind the first"},
		{"3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", true, "they have one more behind"},
		{"8/8/4k3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", true, "their king takes"},
		{"8/8/4k3/3p4/8/5B2/8/3RK3 w - - 0 1", "d1d5", false, "their king may not take"},
		{"1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", false, "an open pawn"},
		{"1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", true, "a knight for a pawn, after all exchanges"},
	} {
		s := read(t, c.text)
		m, err := parseMove(s, c.move)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.line[s.ply].losing(m, s.side()); got != c.want {
			t.Errorf("%s %s: losing %v, want %v: %s", c.text, c.move, got, c.want, c.why)
		}
	}
}

// TestLosingByDefinition compares with the exchanges played out one after the other,
// in positions of random games.
func TestLosingByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	asked, losing := 0, 0
	for range 60 {
		s := start()
		for range 80 {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			p, side := &s.line[s.ply], s.side()
			for _, m := range moves {
				taken := p.taken(m)
				if taken == NoPiece || m&promotes != 0 || m>>kindShift&3 == enPassant {
					continue
				}
				want := worth[taken]-p.retake(int(m>>toShift&63), 1-side, mover(m), p.occupied()&^(1<<(m&63))) < 0
				if got := p.losing(m, side); got != want {
					t.Fatalf("%s %s: losing %v, want %v", s, s.MoveString(m), got, want)
				}
				if asked++; want {
					losing++
				}
			}
			s.Play(moves[rng.IntN(len(moves))])
		}
	}
	if losing < 100 || asked-losing < 100 {
		t.Errorf("%d captures, %d of them losing: want many of both", asked, losing)
	}
}

// retake is the most that side gets by taking a piece of that kind on sq with its least
// valuable piece of occupied, or by not taking; a king takes only what nobody guards.
func (p *position) retake(sq, side int, kind Piece, occupied uint64) int32 {
	takers := p.attackers(sq, 1-side, occupied) & occupied & p.own(side)
	guards := p.attackers(sq, side, occupied) & occupied & p.own(1-side)
	for _, k := range []Piece{Pawn, Knight, Bishop, Rook, Queen, King} {
		for b := takers; b != 0; b &= b - 1 {
			at := bits.TrailingZeros64(b)
			if p.at(uint(at)) != k || k == King && guards != 0 {
				continue
			}
			return max(0, worth[kind]-p.retake(sq, 1-side, k, occupied&^(1<<at)))
		}
	}
	return 0
}
