package backgammon

import (
	"fmt"
	"maps"
	"testing"

	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/game/gametest"
	"plyfit/models"
)

// TestPhases checks the phases of positions from both players' points of view.
func TestPhases(t *testing.T) {
	g := gametest.New(t, board.New, "backgammon")
	for text, want := range map[string][2]string{
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10": {"mutual", "mutual"}, // start of the game
		"XGID=---BBCCBC---------cdcbba--:0:0:1:00:0:0:0:0:10": {"race", "race"},     // all checkers have passed
		"XGID=-b-BBCCBBA--------cdcba---:0:0:1:00:0:0:0:0:10": {"chased", "behind"}, // player 1 holds player 0's ace-point
		"XGID=a--BBCCBC---------cdcbb---:0:0:1:00:0:0:0:0:10": {"chased", "behind"}, // player 1 is on the bar
		"XGID=---BBCCBA---------cdccb-B-:0:0:1:00:0:0:0:0:10": {"behind", "chased"}, // the same position with the sides exchanged
		"XGID=---BBCCBA-b-----B-cdcba---:0:0:1:00:0:0:0:0:10": {"clear", "clear"},   // contact outside the home boards
	} {
		s := parsed(t, g, text)
		for p, want := range want {
			p := game.Player(p)
			if got := phaseNames[phase(s, p)]; got != want {
				t.Errorf("%s: player %d is in phase %s, want %s", text, p, got, want)
			}
		}
	}
}

// TestPhasedInputs checks that the features of a position are the terms of rich and the inputs for
// the position's phase, which the test counts checker by checker.
func TestPhasedInputs(t *testing.T) {
	g := gametest.New(t, board.New, "backgammon")
	phased := models.New(g.Name, "", phasedBlocks())
	terms := models.New(g.Name, rich.Set().Name(), rich.Set().Blocks())
	seen := map[string]int{}
	for s := range gametest.Games(g, 30, 5) {
		s := board.Of(s)
		for p := range game.Player(2) {
			name := phaseNames[phase(s, p)]
			want := map[string]float32{}
			for _, x := range rich.Set().Extract(s, p, nil) {
				want[terms.Name(x.Index)] += x.Value
			}
			countCheckers(s, p, name+"-own", want)
			countCheckers(s, 1-p, name+"-other", want)
			got := map[string]float32{}
			for _, x := range appendPhased(s, p, nil) {
				got[phased.Name(x.Index)] += x.Value
			}
			if !maps.Equal(got, want) {
				t.Fatalf("%s: terms\n%v\nwant\n%v", s, got, want)
			}
			seen[name]++
		}
	}
	for _, name := range phaseNames {
		if seen[name] == 0 {
			t.Errorf("no position of phase %s was reached", name)
		}
	}
}

// countCheckers adds the inputs for p's checkers to x, one checker at a time.
func countCheckers(s *board.State, p game.Player, side string, x map[string]float32) {
	var places [26]int8
	s.Places(p, &places)
	for point := 1; point <= 24; point++ {
		for k := range places[point] {
			if k < 3 {
				x[fmt.Sprintf("%s-%d-%s", side, point, []string{"one", "two", "three"}[k])]++
			} else {
				x[fmt.Sprintf("%s-%d-more", side, point)] += 0.5
			}
		}
	}
	if n := places[board.Bar]; n > 0 {
		x[side+"-bar"] = float32(n) / 2
	}
	if n := places[board.Off]; n > 0 {
		x[side+"-off"] = float32(n) / 15
	}
}
