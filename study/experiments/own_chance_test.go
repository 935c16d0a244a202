package experiments

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// diceGame is a small game with chance of its own.
const diceGame = "connect4:columns=5,rows=4,dice=on"

// TestOwnChance: depth, effort and calibration play a game with chance of its own as it
// is, their instrument checks pass, and the planners are not one.
func TestOwnChance(t *testing.T) {
	for _, c := range []struct {
		e      study.Experiment
		checks int
		rows   int // of the first table
	}{{depth, 1, 3 * 2}, {effort, 0, 4}, {calibration, 2, 1}} {
		t.Run(c.e.Name, func(t *testing.T) {
			s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
			s.Over.Games, s.Over.Pairs, s.Over.Depths = []string{diceGame}, 30, []int{2}
			f, err := s.Run(context.Background(), c.e)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Checks) != c.checks {
				t.Errorf("%d checks, want %d", len(f.Checks), c.checks)
			}
			for _, check := range f.Checks {
				if !check.Passed || strings.HasSuffix(check.Figure, " in 0 cells") {
					t.Errorf("%s: %s", check.Name, check.Figure)
				}
			}
			if n := len(f.Tables[0].Rows); n != c.rows {
				t.Errorf("%d rows, want %d", n, c.rows)
			}
			if f.Headline == "" {
				t.Error("no headline")
			}
			world := 0 // cells of data that name the game as it is
			for _, row := range f.Data[0].Rows {
				if text := fmt.Sprint(row); strings.Contains(text, "connect4:") && strings.Contains(text, "dice=on") && !strings.Contains(text, "slip=") {
					world++
				}
			}
			if world == 0 || world != len(f.Data[0].Rows) {
				t.Errorf("%d of %d rows are of the game as it is", world, len(f.Data[0].Rows))
			}
		})
	}
}

// TestOwnChanceRefusals: one line says why a game or a slip is not taken.
func TestOwnChanceRefusals(t *testing.T) {
	for _, c := range []struct {
		e     study.Experiment
		game  string
		slips []float64
		want  string
	}{
		{depth, diceGame, []float64{0.1}, "has chance of its own: takes no --slip"},
		{effort, diceGame, []float64{0.1}, "has chance of its own: takes no --slip"},
		{effort, "2048", nil, "want a game of two"},
		{calibration, "tictactoe", nil, "want a game of two with chance of its own"},
	} {
		s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
		s.Over.Games, s.Over.Slips = []string{c.game}, c.slips
		if _, err := s.Run(context.Background(), c.e); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("study %s --game %s --slip %v: %v, want one line with %q", c.e.Name, c.game, c.slips, err, c.want)
		}
	}
}

// TestEval: an evaluation of one's own takes the place of the hand-written one, in a
// game that has none and in one that does; results depend on it.
func TestEval(t *testing.T) {
	for _, c := range []struct {
		e          study.Experiment
		game, eval string
		pairs      int
		column     int    // of the data, that the evaluation moves
		says       string // in the report
	}{
		{ghosts, "pacman:layout=lecture,stop=off", "zero", 10, 4, "minimax"},
		{calibration, diceGame, "handwritten", 20, -1, diceGame + ", handwritten"},
		{calibration, "othello", "handwritten", 4, -1, "othello, handwritten"},
	} {
		t.Run(c.e.Name+" "+c.game, func(t *testing.T) {
			run := func(eval string) *study.Results {
				s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
				s.Over.Games, s.Over.Pairs, s.Over.Eval = []string{c.game}, c.pairs, eval
				f, err := s.Run(context.Background(), c.e)
				if err != nil {
					t.Fatal(err)
				}
				return f
			}
			f := run(c.eval)
			for _, check := range f.Checks {
				if !check.Passed {
					t.Errorf("%s: %s", check.Name, check.Figure)
				}
			}
			if text := fmt.Sprint(f); !strings.Contains(text, c.says) {
				t.Errorf("the results do not say %q", c.says)
			}
			if c.column < 0 {
				return
			}
			moved := false
			for i, row := range run("").Data[0].Rows {
				moved = moved || row[c.column] != f.Data[0].Rows[i][c.column]
			}
			if !moved {
				t.Error("the evaluation moves nothing")
			}
		})
	}
}
