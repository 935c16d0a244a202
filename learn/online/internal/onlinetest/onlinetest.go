// Package onlinetest is what the tests of learners share: games with their feature
// sets, and short runs.
package onlinetest

import (
	"bytes"
	"context"
	"testing"

	"plyfit/features"
	f2048 "plyfit/features/2048"
	fbackgammon "plyfit/features/backgammon"
	fconnect4 "plyfit/features/connect4"
	fdoudizhu "plyfit/features/doudizhu"
	fkuhn "plyfit/features/kuhn"
	fleduc "plyfit/features/leduc"
	fothello "plyfit/features/othello"
	fpig "plyfit/features/pig"
	ftictactoe "plyfit/features/tictactoe"
	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/game/backgammon"
	"plyfit/game/connect4"
	"plyfit/game/doudizhu"
	"plyfit/game/kuhn"
	"plyfit/game/leduc"
	"plyfit/game/othello"
	"plyfit/game/pig"
	"plyfit/game/tictactoe"
	"plyfit/learn/online"
)

// Set makes a game and finds one of its feature sets.
func Set(t testing.TB, text, set string) (*game.Game, features.Set) {
	t.Helper()
	s, err := game.ParseSpec(text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := map[string]func(*game.Options) (*game.Game, error){
		"2048": g2048.New, "backgammon": backgammon.New, "connect4": connect4.New, "doudizhu": doudizhu.New, "kuhn": kuhn.New, "leduc": leduc.New, "othello": othello.New, "pig": pig.New, "tictactoe": tictactoe.New,
	}[s.Name](s.Options)
	if err != nil {
		t.Fatal(err)
	}
	world, err := s.Wrap(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range map[string]func(*game.Game) []features.Set{
		"2048": f2048.Sets, "backgammon": fbackgammon.Sets, "connect4": fconnect4.Sets, "doudizhu": fdoudizhu.Sets, "kuhn": fkuhn.Sets, "leduc": fleduc.Sets, "othello": fothello.Sets, "pig": fpig.Sets, "tictactoe": ftictactoe.Sets,
	}[s.Name](g) {
		if found.Name() == set {
			return world, found
		}
	}
	t.Fatalf("%s has no set %s", text, set)
	return nil, nil
}

// Advance plays and learns from episodes [from, to).
func Advance(t testing.TB, l online.Learner, from, to int) {
	t.Helper()
	if err := l.Advance(context.Background(), from, to); err != nil {
		t.Fatal(err)
	}
}

// Snapshot is all that a learner would go on with.
func Snapshot(t testing.TB, l online.Learner) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := l.Snapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
