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

// Whose checkers are back decides the phase, and both see the same of it.
func TestPhases(t *testing.T) {
	g := gametest.New(t, board.New, "backgammon")
	for text, want := range map[string][2]string{
		"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10": {"mutual", "mutual"}, // the start
		"XGID=---BBCCBC---------cdcbba--:0:0:1:00:0:0:0:0:10": {"race", "race"},     // all have passed
		"XGID=-b-BBCCBBA--------cdcba---:0:0:1:00:0:0:0:0:10": {"chased", "behind"}, // player 1 holds player 0's ace-point
		"XGID=a--BBCCBC---------cdcbb---:0:0:1:00:0:0:0:0:10": {"chased", "behind"}, // he is on the bar
		"XGID=---BBCCBA---------cdccb-B-:0:0:1:00:0:0:0:0:10": {"behind", "chased"}, // the same turned round
		"XGID=---BBCCBA-b-----B-cdcba---:0:0:1:00:0:0:0:0:10": {"clear", "clear"},   // contact outside
	} {
		s := parsed(t, g, text)
		for p, want := range want {
			p := game.Player(p)
			if got := phaseNames[phase(s, p)]; got != want {
				t.Errorf("%s: player %d sees phase %s, want %s", text, p, got, want)
			}
		}
	}
}

// The inputs of a phase are the checkers counted one by one, and no others,
// under the phase's name; before them stand the terms of rich.
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
			t.Errorf("no position of phase %s was seen", name)
		}
	}
}

// countCheckers adds to x what p's checkers count for, one by one.
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
