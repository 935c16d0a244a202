package pacman

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/vectors"
)

// TestTransitions replays games recorded with Berkeley's code. After each move, it compares the
// legal moves, the places, the timers and the score.
func TestTransitions(t *testing.T) {
	f := vectors.Must(os.Open(vectors.Shared(t, "pacman/transitions.jsonl.gz")))
	defer f.Close()
	z := vectors.Must(gzip.NewReader(f))
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	total := 0
	for lines.Scan() {
		var record struct {
			Layout, Name string
			K            int
			Tr           [][]json.RawMessage
		}
		vectors.Check(json.Unmarshal(lines.Bytes(), &record))
		l := vectors.Must(parseLayout(record.Name, record.Layout))
		r := &rules{Layout: l, starts: l.ghosts[:min(record.K, len(l.ghosts))], stop: true, step: l.steps()}
		r.ghosts = len(r.starts)
		g := r.game("pacman")
		s := g.New().(*State)
		for i, raw := range record.Tr {
			var (
				agent, food, capsules int
				action                string
				legal                 []string
				score                 float64
				positions             [][2]float64
				timers                []int
				won, lost             bool
			)
			for k, field := range []any{&agent, &action, &legal, &score, &positions, &timers, &food, &capsules, &won, &lost} {
				vectors.Check(json.Unmarshal(raw[k], field))
			}
			where := fmt.Sprintf("%s, transition %d, %s", record.Name, i, s)
			if int(s.at().turn) != agent {
				t.Fatalf("%s: agent %d is to move", where, agent)
			}
			var mine []string
			for _, m := range s.Moves(nil) {
				mine = append(mine, s.MoveString(m))
			}
			slices.Sort(mine)
			if !slices.Equal(mine, legal) {
				t.Fatalf("%s: moves %v, want %v", where, mine, legal)
			}
			m, err := g.ParseMove(s, action)
			if err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			before := s.String()
			s.Play(m)
			s.Undo()
			if s.String() != before {
				t.Fatalf("%s after Undo: %s", where, s)
			}
			s.Play(m)
			p := s.at()
			place := func(h int16) [2]float64 {
				return [2]float64{float64(int(h)%l.stride) / 2, float64(int(h)/l.stride) / 2}
			}
			at := [][2]float64{place(p.pacman)}
			var scared []int
			for i := range r.ghosts {
				at, scared = append(at, place(p.ghosts[i].at)), append(scared, int(p.ghosts[i].timer))
			}
			if s.Score(0) != score || !slices.Equal(at, positions) || !slices.Equal(scared, timers) ||
				s.FoodLeft() != food || s.CapsulesLeft() != capsules || s.Won() != won || (s.Turn() == game.Nobody && !s.Won()) != lost {
				t.Fatalf("%s, %s: %s, want score %v, places %v, timers %v, food %d, capsules %d, won %v, lost %v",
					where, action, s, score, positions, timers, food, capsules, won, lost)
			}
			total++
		}
	}
	vectors.Check(lines.Err())
	if total != 32905 {
		t.Errorf("%d transitions, want 32905", total)
	}
}

// TestClassicLayouts checks that all of Berkeley's layouts can be read, and that positions in them
// can be printed and read back.
func TestClassicLayouts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(vectors.Shared(t, "pacman/layouts"), "*.lay"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d layouts, %v", len(files), err)
	}
	for _, file := range files {
		g := gametest.New(t, New, "pacman:layout="+file)
		if strings.Contains(g.Spec, file) || !strings.HasPrefix(g.Spec, "pacman:layout=%") {
			t.Errorf("%s: spec %s: want the layout's rows, not where the file was", filepath.Base(file), g.Spec)
		}
		plies := 0
		for s := range gametest.Games(g, 1, 1) {
			if plies++; plies > 500 {
				break
			}
			again, err := g.Parse(s.String())
			if err != nil || again.String() != s.String() || again.Hash() != s.Hash() {
				t.Fatalf("%s: %v, %v", filepath.Base(file), again, err)
			}
		}
	}
}
