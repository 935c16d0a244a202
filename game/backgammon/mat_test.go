package backgammon

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

var matHalf = regexp.MustCompile(`([1-6])([1-6]):((?: \d+/\d+\*?)*)`)

// TestMAT reads both columns of the file and moves the checkers on a board without rules. It checks
// that the games end in the right positions and that the scores add up.
func TestMAT(t *testing.T) {
	world := gametest.New(t, New, "backgammon")
	var file bytes.Buffer
	write := mat.New(&file, world)
	rng := rand.New(rand.NewPCG(4, 4))
	var ends []*State
	var sides []int // player in seat 0 of each game
	for i := range 12 {
		g, s := gametest.Record(world, rng, "", math.MaxInt)
		g.Names = []string{"x:depth=1", "random"}
		if i%2 == 1 {
			g.Names, g.Sides = []string{"random", "x:depth=1"}, []int{1, 0}
		}
		vectors.Check(write(g))
		ends, sides = append(ends, s.(*State)), append(sides, g.Sides[0])
	}
	games := strings.Split(file.String(), "\n Game ")
	if len(games) != len(ends)+1 || !strings.Contains(games[0], " 0 point match") {
		t.Fatalf("%d games, want %d", len(games)-1, len(ends))
	}
	points := [2]int{}
	for i, text := range games[1:] {
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		var score [2]int
		if _, err := fmt.Sscanf(strings.Join(strings.Fields(lines[1]), " "), "x_depth=1 : %d random : %d", &score[0], &score[1]); err != nil || score != points {
			t.Fatalf("game %d: %q, want the score %v", i, lines[1], points)
		}
		var board [2][26]int // number of checkers on each place, for each column and in that player's numbering
		for c := range board {
			board[c] = [26]int{6: 5, 8: 3, 13: 5, 24: 2}
		}
		for _, line := range lines[2 : len(lines)-1] {
			for _, at := range matHalf.FindAllStringSubmatchIndex(line, -1) {
				c := 0
				if at[0] >= matColumn-1 || strings.TrimSpace(line[5:at[0]]) == "" && at[0] > 10 {
					c = 1
				}
				for _, way := range strings.Fields(line[at[6]:at[7]]) {
					var from, to int
					fmt.Sscanf(way, "%d/%d", &from, &to)
					board[c][from]--
					board[c][to]++
					if strings.HasSuffix(way, "*") {
						board[1-c][25-to]--
						board[1-c][25]++
					}
				}
			}
		}
		for c := range board {
			seat := c ^ sides[i]
			for place, n := range board[c] {
				if want := ends[i].at().sides[seat].count(place); n != want {
					t.Fatalf("game %d, column %d: %d checkers on %d, want %d\n%s", i, c, n, place, want, text)
				}
			}
		}
		last := lines[len(lines)-1]
		var won int
		fmt.Sscanf(strings.TrimSpace(last), "Wins %d", &won)
		winner := 0
		if strings.Index(last, "Wins") >= matColumn {
			winner = 1
		}
		points[winner] += won
		if u := ends[i].Utility(game.Player(winner ^ sides[i])); int(u) != won {
			t.Errorf("game %d: %q, but that seat got %v", i, last, u)
		}
	}
	if points[0] == 0 || points[1] == 0 {
		t.Errorf("points %v: want both to have won", points)
	}
	if err := write(&game.Transcript{Names: []string{"a", "b"}, Sides: []int{0, 2}}); err == nil {
		t.Error("a third player was written")
	}
}
