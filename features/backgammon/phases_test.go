package backgammon

import (
	"slices"
	"strings"
	"testing"

	"plyfit/features"
	"plyfit/game"
	board "plyfit/game/backgammon"
	"plyfit/models"
)

// Whose checkers are back decides the phase, and both see the same of it.
func TestPhases(t *testing.T) {
	g := newGame(t)
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
			if got := phaseNames[1][phase(s, p, true)]; got != want {
				t.Errorf("%s: player %d sees phase %s, want %s", text, p, got, want)
			}
			two := "contact"
			if want == "race" {
				two = want
			}
			if got := phaseNames[0][phase(s, p, false)]; got != two {
				t.Errorf("%s: player %d sees phase %s of two, want %s", text, p, got, two)
			}
		}
	}
}

// The inputs of a phase are those of Raw and no others, under the phase's name;
// before them stand the terms of Rich.
func TestPhasedInputs(t *testing.T) {
	g := newGame(t)
	sets := []features.Set{RawPhases(), FullPhases()}
	linear := []*models.Linear{}
	for _, set := range sets {
		linear = append(linear, models.New(g.Name, set.Name(), set.Blocks()))
	}
	raws := models.New(g.Name, Raw().Name(), Raw().Blocks())
	terms := models.New(g.Name, Rich().Name(), Rich().Blocks())
	seen := map[string]int{}
	seed := uint64(5)
	for range 30 {
		s := board.Of(g.New())
		for s.Turn() != game.Nobody {
			for p := range game.Player(2) {
				for i, set := range sets {
					name := phaseNames[i][phase(s, p, i == 1)]
					var want []string
					if i == 1 {
						for _, x := range Rich().Extract(s, p, nil) {
							want = append(want, terms.Name(x.Index))
						}
					}
					for _, x := range Raw().Extract(s, p, nil) {
						want = append(want, name+"-"+raws.Name(x.Index))
					}
					var got []string
					for _, x := range set.Extract(s, p, nil) {
						got = append(got, linear[i].Name(x.Index))
					}
					if !slices.Equal(got, want) {
						t.Fatalf("%s, %s: terms\n%s\nwant\n%s", set.Name(), s, strings.Join(got, " "), strings.Join(want, " "))
					}
					seen[set.Name()+" "+name]++
				}
			}
			moves := s.Moves(nil)
			seed = game.Mix(seed)
			s.Play(moves[seed%uint64(len(moves))])
		}
	}
	for i, set := range sets {
		for _, name := range phaseNames[i] {
			if seen[set.Name()+" "+name] == 0 {
				t.Errorf("%s: no position of phase %s was seen", set.Name(), name)
			}
		}
	}
}
