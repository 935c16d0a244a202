package ask

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"plyfit/arena/stats"
	"plyfit/catalog"
	"plyfit/internal/report"
	"plyfit/internal/vectors"
	"plyfit/study"
	"plyfit/study/lecture"
)

func newSession(t *testing.T, workers int) *study.Session {
	return &study.Session{Catalog: catalog.All(), Seed: 1, Workers: workers, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
}

// found runs an experiment and returns its results.
func found(s *study.Session, name string) *study.Results {
	return vectors.Must(s.Run(context.Background(), vectors.Must(Find(name))))
}

func checksPass(t *testing.T, f *study.Results, want int) {
	t.Helper()
	if len(f.Checks) != want {
		t.Errorf("%d checks, want %d", len(f.Checks), want)
	}
	for _, c := range f.Checks {
		if !c.Passed {
			t.Errorf("%s: %s", c.Name, c.Figure)
		}
	}
}

// TestVerdictsFit checks that the verdicts of grids fit within 100 columns and that the blocks
// contain a definition of each error.
func TestVerdictsFit(t *testing.T) {
	for pairs, name := range map[int]string{4: "crossed", 0: "exact"} {
		s := newSession(t, 2)
		s.Over.Games, s.Over.Pairs, s.Over.Depths = []string{"connect4:columns=4,rows=4"}, pairs, []int{2}
		e := vectors.Must(Find(name))
		r := &study.Report{Experiments: []study.Experiment{e}, Results: []*study.Results{found(s, name)}}
		blocks, rows := r.Verdicts(), 0
		terms := fmt.Sprint(blocks)
		for _, b := range blocks {
			table, ok := b.(report.Table)
			if !ok {
				continue
			}
			rows += len(table.Rows)
			var printed bytes.Buffer
			vectors.Check(table.Print(&printed))
			for line := range strings.Lines(printed.String()) {
				if n := utf8.RuneCountInString(line); n > 101 {
					t.Errorf("%s: %d columns, want at most 100: %s", e.Name, n-1, line)
				}
			}
			for _, row := range table.Rows {
				if kind, _, _ := strings.Cut(row[0], "("); !regexp.MustCompile(`\b` + kind + `( \(|, |;)`).MatchString(terms) {
					t.Errorf("%s: no definition of %s in\n%s", e.Name, kind, terms)
				}
			}
		}
		if want := len(r.Results[0].Findings); rows != want || want < 6 {
			t.Errorf("%s: %d rows for %d claims, want a row for each of at least 6", e.Name, rows, want)
		}
	}
}

// TestCrossedAtDepthOne checks that no claims are made at depth 1 and that the headline reports the
// negative control.
func TestCrossedAtDepthOne(t *testing.T) {
	s := newSession(t, 2)
	s.Over.Games, s.Over.Pairs, s.Over.Depths = []string{"connect4", "connect4:dice=on"}, 10, []int{1}
	f := found(s, "crossed")
	checksPass(t, f, 8)
	if len(f.Findings) > 0 || !strings.Contains(f.Headline, "maximum difference 0.0000 in 18 cells") {
		t.Errorf("%d findings, headline %q", len(f.Findings), f.Headline)
	}
}

// TestPlannerByWorldExactly compares the table of planners and worlds at depth 3 with independently
// computed values for 5x4 connect four, to four digits. Without PLYFIT_LONG=1, it uses 4x4 connect
// four and checks only the number of seeds and that all instrument checks pass.
func TestPlannerByWorldExactly(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Effort: study.Quick, Seed: 1, Workers: 2, Dir: t.TempDir(), Log: io.Discard, Quiet: true}
	s.Over.Slips, s.Over.Assume, s.Over.Depths = []float64{0, 0.3}, []float64{0, 0.3}, []int{3}
	if !vectors.Long() {
		s.Over.Games = []string{"connect4:columns=4,rows=4"}
	}
	f := found(s, "exact")
	for _, c := range f.Checks {
		if !c.Passed {
			t.Errorf("check %s: %s", c.Name, c.Figure)
		}
	}
	if len(f.Checks) != 4 {
		t.Errorf("%d checks, want 4", len(f.Checks))
	}
	got := map[[4]string][]float64{} // keyed by error, world, assumption and depth
	for _, row := range f.Data[0].Rows {
		loss := vectors.Must(strconv.ParseFloat(row[6], 64))
		key := [4]string{row[1], row[3], row[4], row[5]}
		got[key] = append(got[key], loss)
	}
	if n := len(got[[4]string{"noise", "0.3", "0.3", "3"}]); n != 5 {
		t.Errorf("noise has %d seeds, want 5", n)
	}
	if !vectors.Long() {
		return
	}
	for _, c := range []struct {
		key  [4]string
		want float64
	}{
		{[4]string{"cube", "0", "0", "3"}, 0}, {[4]string{"cube", "0", "0.3", "3"}, 0.1224}, {[4]string{"cube", "0.3", "0", "3"}, 0}, {[4]string{"cube", "0.3", "0.3", "3"}, 0.0118},
		{[4]string{"exp(1.19z)", "0", "0", "3"}, 0}, {[4]string{"exp(1.19z)", "0", "0.3", "3"}, 0.0128}, {[4]string{"exp(1.19z)", "0.3", "0", "3"}, 0}, {[4]string{"exp(1.19z)", "0.3", "0.3", "3"}, 0.0103},
		{[4]string{"noise", "0", "0", "3"}, 0.1067}, {[4]string{"noise", "0", "0.3", "3"}, 0.0880}, {[4]string{"noise", "0.3", "0", "3"}, 0.0252}, {[4]string{"noise", "0.3", "0.3", "3"}, 0.0282},
	} {
		if x := stats.Mean(got[c.key]); math.Abs(x-c.want) > 0.00005 || c.want == 0 && x != 0 {
			t.Errorf("%v loses %.5f, want %.4f", c.key, x, c.want)
		}
	}
}

// TestEval checks that a user's evaluation replaces the lecture's evaluation and affects the
// results.
func TestEval(t *testing.T) {
	run := func(eval string) *study.Results {
		s := newSession(t, 2)
		s.Over.Games, s.Over.Pairs, s.Over.Eval = []string{lecture.Board}, 10, eval
		s.Over.Depths = []int{2}
		return found(s, "pacman")
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

// TestPacmanTable compares cells of the experiment with the lecture's table, which the tests of
// package lecture compare with the published figures. It also checks that minimax gives up when it
// is trapped, and that played games agree with the expectation.
func TestPacmanTable(t *testing.T) {
	s := &study.Session{Catalog: catalog.All(), Seed: 1}
	cell := func(k ghostCell) ghostResult {
		k.Game, k.Depth = cmp.Or(k.Game, lecture.Board), cmp.Or(k.Depth, 4)
		return vectors.Must(playGhosts(t.Context(), s, k))
	}
	for _, c := range []struct {
		key        ghostCell
		score, won float64
	}{
		{ghostCell{Assumes: lecture.Minimax, Planned: 1}, 489.11, 1},
		{ghostCell{Assumes: lecture.Expectimax, Planned: 0.8}, 2.12, .5015},
		{ghostCell{Assumes: lecture.Informed, Planned: 0.8}, 421.25, .9238},
		{ghostCell{Game: lecture.Corridor, Assumes: lecture.Minimax, Plain: true}, -502, 0},
	} {
		if got := cell(c.key); math.Abs(got.Score-c.score) > 0.01 || math.Abs(got.Won-c.won) > 6e-5 {
			t.Errorf("%+v: %+v, want %v, won %v", c.key, got.Expectation, c.score, c.won)
		}
	}
	// Four rounds ahead, the planner that knows the ghost scores less than minimax because of its
	// horizon. One round deeper, it scores at least as much.
	ghost := func(h lecture.Planner, depth int) float64 {
		return cell(ghostCell{Assumes: h, Depth: depth, Planned: 0.9}).Score
	}
	if worst, knows := ghost(lecture.Minimax, 4), ghost(lecture.Informed, 4); worst < knows+50 {
		t.Errorf("four rounds ahead minimax scores %.2f and knowing the ghost %.2f: nothing to explain", worst, knows)
	}
	if worst, knows := ghost(lecture.Minimax+deeper, 5), ghost(lecture.Informed+deeper, 5); knows < worst {
		t.Errorf("five rounds ahead minimax scores %.2f and knowing the ghost %.2f", worst, knows)
	}
	if got := cell(ghostCell{Game: lecture.Corridor, Assumes: lecture.Expectimax, Plain: true}); got.Won <= 0 || got.Score <= -502 {
		t.Errorf("trapped, expectimax: %+v; want some games won", got.Expectation)
	}
	got := cell(ghostCell{Assumes: lecture.Expectimax, Planned: 0.8, Games: 2000, Seed: 4})
	if mean := stats.MeanOf(got.Scores); math.Abs(mean.Value-got.Score) > 4*mean.Error() {
		t.Errorf("games score %v, expected %v", mean, got.Score)
	}
}

// TestOpponents checks that, in each of four games, four planners play three pairs against an
// opponent that makes errors. One of the planners must also play against minimax, and the fitted
// model must be close to the true one.
func TestOpponents(t *testing.T) {
	s := newSession(t, 2)
	s.Over.Pairs = 3
	f := found(s, "opponents")
	seen := map[[3]string]int{}
	for _, row := range f.Data[0].Rows {
		seen[[3]string{row[0], row[1], row[2]}]++
		_, model, ok := strings.Cut(row[1], "assume=(softmax:temperature=")
		number, share, _ := strings.Cut(strings.TrimSuffix(model, ")"), ",random=")
		if x, _ := strconv.ParseFloat(number, 64); ok && math.Abs(x-0.01) > 0.004 {
			t.Errorf("%s: a temperature of %v, want about 0.01", row[0], x)
		}
		if x, _ := strconv.ParseFloat(share, 64); ok && math.Abs(x-0.1) > 0.05 {
			t.Errorf("%s: a share of %v, want about 0.1", row[0], x)
		}
	}
	for arm, n := range seen {
		if n != 3 {
			t.Errorf("%v: %d pairs, want 3", arm, n)
		}
	}
	if len(seen) != 20 || len(f.Findings) != 16 || len(f.Tables[0].Rows) != 16 {
		t.Errorf("%d arms, %d findings and %d rows, want 20, 16 and 16", len(seen), len(f.Findings), len(f.Tables[0].Rows))
	}
}
