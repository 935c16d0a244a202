package measure

import (
	"context"
	"slices"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
	"plyfit/study"
	"plyfit/study/evaluation"
)

func newTestSubject(t *testing.T, spec, eval string) *evaluation.Subject {
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Over: study.Overrides{Eval: eval}}
	return vectors.Must(evaluation.LoadSubject(context.Background(), s, spec))
}

func playMatch(t *testing.T, u *evaluation.Subject, k Match) Pairs {
	k.Game, k.Eval, k.Plies, k.Seed = u.Base.Spec, u.Digest, OpeningPlies, 1
	return vectors.Must(k.Play(context.Background(), u))
}

// TestOpenings checks that a pair depends only on its number and not on the part in which it is
// played, and that different draws of an error share no openings.
func TestOpenings(t *testing.T) {
	u := newTestSubject(t, "connect4", "handwritten")
	noises := []evaluation.Damage{{Kind: evaluation.Noise, By: 1, Seed: 1}, {Kind: evaluation.Noise, By: 1, Seed: 2}, {Kind: evaluation.Noise, By: 1, Seed: 3}}
	k := Match{Depth: 1, Damage: noises[0], Span: study.Span{Count: 30}}
	whole := playMatch(t, u, k)
	k.Span = study.Span{From: 10, Count: 20}
	if part := playMatch(t, u, k); !slices.Equal(part, whole[10:]) {
		t.Errorf("pairs 10 to 29 are %v alone and %v among 30", part, whole[10:])
	}
	seen := map[uint64]bool{}
	pairs := 0
	for _, m := range (Match{Seed: 1}).Draws(noises, 50) {
		pairs += m.Count
		for i := range m.Count {
			if seed := m.OpeningSeed(i); seen[seed] {
				t.Fatalf("%v: opening %d was played by another draw", m.Damage, i)
			} else {
				seen[seed] = true
			}
		}
	}
	if pairs != 50 {
		t.Errorf("draws play %d pairs, want 50", pairs)
	}
}

// TestYardsticks checks that yardsticks lose against the clean evaluation, and that random moves
// lose most. A search that is one decision shallower must be rejected at depth 1.
func TestYardsticks(t *testing.T) {
	u := newTestSubject(t, "connect4", "")
	score := func(kind evaluation.Kind) float64 {
		return playMatch(t, u, Match{World: study.World{Slip: 0.1}, Assumes: study.World{Slip: 0.1}, Depth: 2, Damage: evaluation.Damage{Kind: kind}, Span: study.Span{Count: 100}}).Tally().Mean()
	}
	ply, random := score(evaluation.OnePly), score(evaluation.Random)
	if !(random < 0.15 && random < ply && ply < 0.5) {
		t.Errorf("random scores %v, one ply less %v; want less than .15, more than that, and less than .5", random, ply)
	}
	if zero := score(evaluation.Blind); !(random < zero && zero < 0.5) {
		t.Errorf("an evaluation of nothing scores %v, want between %v and .5", zero, random)
	}
	if _, err := (Match{Depth: 1, Damage: evaluation.Damage{Kind: evaluation.OnePly}, Span: study.Span{Count: 1}}).Play(context.Background(), u); err == nil {
		t.Error("one ply less than depth 1 is played")
	}
}
