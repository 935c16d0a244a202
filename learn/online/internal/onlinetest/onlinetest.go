// Package onlinetest contains helpers for tests of learners: games with feature sets, short runs,
// and general tests that learners are repeatable and reject invalid tasks.
package onlinetest

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"plyfit/features"
	f2048 "plyfit/features/2048"
	fbackgammon "plyfit/features/backgammon"
	fconnect4 "plyfit/features/connect4"
	fdoudizhu "plyfit/features/doudizhu"
	fothello "plyfit/features/othello"
	fpig "plyfit/features/pig"
	fpoker "plyfit/features/poker"
	"plyfit/features/textbook"
	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/game/backgammon"
	"plyfit/game/connect4"
	"plyfit/game/doudizhu"
	"plyfit/game/othello"
	"plyfit/game/pig"
	"plyfit/game/poker"
	"plyfit/game/tictactoe"
	"plyfit/learn/online"
	"plyfit/models"
)

// Set returns a game and one of its feature sets.
func Set(t testing.TB, text, set string) (*game.Game, features.Set) {
	t.Helper()
	s, err := game.ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := map[string]func(*game.Options) (*game.Game, error){
		"2048": g2048.New, "backgammon": backgammon.New, "connect4": connect4.New, "doudizhu": doudizhu.New, "kuhn": poker.NewKuhn, "leduc": poker.NewLeduc, "othello": othello.New, "pig": pig.New, "tictactoe": tictactoe.New,
	}[s.Name](s.Options)
	if err != nil {
		t.Fatal(err)
	}
	world, err := s.Wrap(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range map[string]func(*game.Game) []features.Set{
		"2048": f2048.Profile.Sets, "backgammon": fbackgammon.Profile.Sets, "connect4": fconnect4.Profile.Sets, "doudizhu": fdoudizhu.Profile.Sets, "kuhn": fpoker.Kuhn.Sets, "leduc": fpoker.Leduc.Sets, "othello": fothello.Profile.Sets, "pig": fpig.Profile.Sets, "tictactoe": textbook.TicTacToe.Sets,
	}[s.Name](g) {
		if found.Name() == set {
			return world, found
		}
	}
	t.Fatalf("%s has no set %s", text, set)
	return nil, nil
}

// Task returns a temporal-difference task whose model has zero weights. Tests may change it.
func Task(t testing.TB, world, set string) online.Task {
	t.Helper()
	g, s := Set(t, world, set)
	m := models.New(g.Base().Name, s.Name(), s.Blocks())
	if g.Players >= 2 {
		m.Link = models.Link{Kind: models.Tanh, Scale: 1}
	}
	return online.Task{Training: features.Training{Alpha: 0.1, Batch: 1}, Game: g, Set: s, Model: m, Seed: 1}
}

// Repeats checks that a learner is repeatable. The result must be bit-identical with one and three
// workers, whether the episodes are played in one call to Advance or in several, with a snapshot
// restored into another learner after each call. A different seed must change the result, except
// for cfr, which uses no random numbers. The parameter episodes is the number of calls to Advance,
// each of which plays unit(l) episodes.
func Repeats[L online.Learner](t *testing.T, c online.Task, create func(online.Task) (L, error), episodes int, unit func(L) int) {
	t.Helper()
	fresh := func(workers int, seed uint64) L {
		c := c
		c.Model, c.Workers, c.Seed = c.Model.Clone(), workers, seed
		l, err := create(c)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	whole, other := fresh(1, c.Seed), fresh(1, c.Seed+1)
	step, begun := unit(whole), digest(t, whole)
	Advance(t, whole, 0, episodes*step)
	want := Snapshot(t, whole)
	if digest(t, whole) == begun {
		t.Error("nothing was learned")
	}
	for _, workers := range []int{1, 3} {
		l := fresh(workers, c.Seed)
		for e := range episodes {
			Advance(t, l, e*step, (e+1)*step)
			snapshot := Snapshot(t, l)
			l = fresh(workers, c.Seed)
			if err := online.ReadSnapshot(bytes.NewReader(snapshot), l); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(Snapshot(t, l), snapshot) {
				t.Fatalf("%d workers, cut %d: a restored learner's snapshot differs", workers, e)
			}
		}
		if !bytes.Equal(Snapshot(t, l), want) || digest(t, l) != digest(t, whole) || l.Tally() != whole.Tally() {
			t.Errorf("%d workers, restored after each cut: the weights differ", workers)
		}
		if err := online.ReadSnapshot(bytes.NewReader(want[:len(want)-1]), l); err == nil {
			t.Error("a truncated snapshot was restored")
		}
	}
	Advance(t, other, 0, episodes*step)
	if same := bytes.Equal(Snapshot(t, other), want); same != (c.Method == "cfr") {
		t.Errorf("another seed gives the same weights: %v", same)
	}
}

// digest returns a digest of the model that l has learned.
func digest(t *testing.T, l online.Learner) string {
	t.Helper()
	d, err := l.Model().File().Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Refuses checks that invalid tasks are rejected. Each function in refused makes the task invalid,
// and the error must be a single line that contains the function's key.
func Refuses[L online.Learner](t *testing.T, task func() online.Task, create func(online.Task) (L, error), refused map[string]func(c *online.Task)) {
	t.Helper()
	if _, err := create(task()); err != nil {
		t.Fatalf("nothing is changed: %v", err)
	}
	for want, change := range refused {
		c := task()
		change(&c)
		if _, err := create(c); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, want)
		}
	}
}

// Advance plays and learns from episodes [from, to).
func Advance(t testing.TB, l online.Learner, from, to int) {
	t.Helper()
	if err := l.Advance(context.Background(), from, to); err != nil {
		t.Fatal(err)
	}
}

// Snapshot returns the complete state of a learner.
func Snapshot(t testing.TB, l online.Learner) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := online.WriteSnapshot(&b, l); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
