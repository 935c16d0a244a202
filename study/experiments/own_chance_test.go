package experiments

import (
	"context"
	"io"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// diceGame is a small game with chance of its own.
const diceGame = "connect4:columns=5,rows=4,dice=on"

// TestOwnChanceRefusals: one line says why a game or a slip is not taken, and what serves
// in the place of an experiment that is gone.
func TestOwnChanceRefusals(t *testing.T) {
	for _, c := range []struct {
		game  string
		slips []float64
		want  string
	}{
		{diceGame, []float64{0.1}, "has chance of its own: takes no --slip"},
		{"connect4", []float64{0}, "want slips above 0"},
		{"2048", nil, "want a game of two"},
	} {
		s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		s.Over.Games, s.Over.Slips = []string{c.game}, c.slips
		if _, err := s.Run(context.Background(), crossed); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("study crossed --game %s --slip %v: %v, want one line with %q", c.game, c.slips, err, c.want)
		}
	}
	for name := range gone {
		if _, err := Find(name); err == nil || !strings.Contains(err.Error(), "commit ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("study %s: %v", name, err)
		}
	}
}

// TestEval: an evaluation of one's own takes the place of the lecture's; results depend on
// it.
func TestEval(t *testing.T) {
	run := func(eval string) *study.Results {
		s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		s.Over.Games, s.Over.Pairs, s.Over.Eval = []string{"pacman:layout=lecture,stop=off"}, 10, eval
		f, err := s.Run(context.Background(), ghosts)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	const score = 4 // column of the data
	moved := false
	before := run("").Data[0].Rows
	for i, row := range run("zero").Data[0].Rows {
		moved = moved || row[score] != before[i][score]
	}
	if !moved {
		t.Error("the evaluation moves nothing")
	}
}
