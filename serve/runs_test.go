package serve

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"plyfit/arena"
	"plyfit/models"
	"plyfit/report"
)

const runLog = `{"time":"2026-11-22T16:48:22Z","event":"begin","episodes":0,"games":3000,"recipe":[{"key":"game","value":"pig"}]}
{"time":"2026-11-22T16:48:23Z","event":"point","episodes":0,"seconds":0,"strength":{"value":0.2,"low":0.1,"high":0.3},"of":"share of the points","pairs":20}
{"time":"2026-11-22T16:48:25Z","event":"point","episodes":1000,"seconds":2,"strength":{"value":0.6,"low":0.5,"high":0.7},"of":"share of the points","pairs":20}
{"time":"2026-11-22T16:48:26Z","event":"poi`

// A run that is under way is listed with its rate and what is left, its curve is drawn,
// and goes on when the log does; a line that is half written is left out.
func TestRunUnderWay(t *testing.T) {
	folder := t.TempDir()
	run := filepath.Join(folder, "deep", "pig.train")
	if err := os.MkdirAll(run, 0o755); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(run, logName)
	if err := os.WriteFile(log, []byte(runLog), 0o644); err != nil {
		t.Fatal(err)
	}
	v := visit(t, Config{Runs: folder})
	list := v.want("/runs", nil)
	for _, want := range []string{"deep/pig.train", "under way", "1000 of 3000 episodes", "500 a second"} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in %s", want, list)
		}
	}
	at := "/run?" + url.Values{"name": {"deep/pig.train"}}.Encode()
	page := v.want(at, nil)
	for _, want := range []string{"about 4s left", "strength: share of the points", "data-stream=", "1000 of 3000 episodes", "500 a second"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	if got := strings.Count(page, "<circle"); got != 2 {
		t.Errorf("%d points, want 2", got)
	}
	more := strings.TrimSuffix(runLog, `{"time":"2026-11-22T16:48:26Z","event":"poi`) +
		`{"event":"point","episodes":3000,"seconds":6,"strength":{"value":0.7,"low":0.6,"high":0.8}}` + "\n" + `{"event":"end"}` + "\n"
	if err := os.WriteFile(log, []byte(more), 0o644); err != nil {
		t.Fatal(err)
	}
	page = v.want(at, nil)
	if !strings.Contains(page, "Finished") || strings.Contains(page, "data-stream=") || strings.Count(page, "<circle") != 3 {
		t.Errorf("at its end: %s", page)
	}
}

// A run of learn shows the losses of its rounds, its data sets and its contests with
// their running estimates; a study its cells; a data set its shards. What lies inside of
// a run is not listed beside it.
func TestRunsOfEachKind(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("ttt/"+settingsName, "{}")
	write("ttt/"+logName, `{"event":"begin","game":"tictactoe","seed":1}
{"event":"round","round":1,"held_out_loss":0.5}
{"event":"round","round":2,"held_out_loss":0.4}
`)
	const manifest = `{"format":"plyfit-dataset/1","game":"tictactoe","agents":["random"],"openings":0,"explore":0,"seed":1,"episodes":25,"episodes_per_shard":10,"complete":false}`
	write("ttt/round-1/data/dataset.json", manifest)
	write("ttt/round-1/data/shard-00000.parquet", "x")
	write("ttt/round-1/data/shard-00002.parquet", "x")
	write("ttt/stage-1/"+logName, strings.ReplaceAll(runLog, "pig", "tictactoe"))
	contest := playMatch(t, filepath.Join(folder, "ttt", "matches", "contest-01.jsonl"), "tictactoe", "alphabeta:depth=3", "random", nil)
	write("warp/cells/v1/warp.jsonl", "{}\n{}\n{}\n")
	write("warp/cells/seeds.jsonl", "{}\n")
	write("games/dataset.json", manifest)
	write("games/shard-00000.parquet", "x")
	write("games/shard-00001.parquet", "x")
	now := time.Now()
	for k, at := range []time.Time{now.Add(-20 * time.Second), now} {
		if err := os.Chtimes(filepath.Join(folder, "games", fmt.Sprintf("shard-%05d.parquet", k)), at, at); err != nil {
			t.Fatal(err)
		}
	}

	v := visit(t, Config{Runs: folder})
	list := v.want("/runs", nil)
	if got := strings.Count(list, `<td><a href="/run?`); got != 3 {
		t.Errorf("%d runs are listed, want 3: %s", got, list)
	}
	for name, wants := range map[string][]string{
		"ttt":   {"learning curve of stage 1: 1000 of 3000 episodes, 500 a second, about 4s left", "strength: share of the points", "held-out loss", "share of the points so far", "round-1/data", "15 of 25", contest.Score.Percent(), "data-stream="},
		"warp":  {"3 cells", "warp: 3 cells"},
		"games": {"20 of 25 episodes", "0.5 a second", "about 10s left"},
	} {
		page := v.want("/run?name="+name, nil)
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in %s", name, want, page)
			}
		}
	}
	// What is not in the files is seen by watching.
	v.want("/run?name=warp", nil)
	time.Sleep(1200 * time.Millisecond)
	write("warp/cells/v1/warp.jsonl", strings.Repeat("{}\n", 9))
	if page := v.want("/run?name=warp", nil); !strings.Contains(page, " a second") {
		t.Errorf("no rate of cells: %s", page)
	}
}

// Every shipped model is drawn, and compared with its counterpart; chess has boards.
func TestModelPages(t *testing.T) {
	v := visit(t, Config{})
	list := v.want("/models", nil)
	for _, game := range []string{"chess", "2048", "pig"} {
		if !strings.Contains(list, game) {
			t.Errorf("%s is not listed", game)
		}
		page := v.want("/model?game="+game+"&name=learned&beside=handwritten", nil)
		if !strings.Contains(page, "<svg") || !strings.Contains(page, "What sets them apart") {
			t.Errorf("%s: %.300s", game, page)
		}
	}
	if page := v.want("/model?game=chess&name=learned", nil); strings.Count(page, `aria-label="pawn`) < 1 || strings.Count(page, "<svg") < 7 {
		t.Errorf("%d pictures of weights", strings.Count(page, "<svg"))
	}
	if code, _, _ := v.ask("/model?game=chess&name=../../x", nil); code != 404 {
		t.Errorf("a name that leads away: %d", code)
	}
}

// Patterns are drawn with the fillings of the highest and the lowest weights, those of a
// file in the folder of models too; two models of one set by what sets them apart.
func TestPatternPictures(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"othello-2-tuples.json"} {
		data, err := fs.ReadFile(models.ShippedFiles(), "learned/"+name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	v := visit(t, Config{Limits: Limits{Models: folder}})
	page := v.want("/model?game=othello&name=learned", nil)
	for _, want := range []string{`aria-label="edge"`, `aria-label="diagonal4"`, "of 59049 weights are not 0", "own disc, - the opponent"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %.300s", want, page)
		}
	}
	if !strings.Contains(v.want("/models", nil), "othello-2-tuples.json") {
		t.Error("the file is not listed")
	}
	file := filepath.Join(folder, "othello-2-tuples.json")
	page = v.want("/model?"+url.Values{"game": {"othello"}, "name": {file}}.Encode(), nil)
	if got := strings.Count(page, "of 9 weights are not 0"); got != mostPatterns {
		t.Errorf("%d patterns of pairs are drawn, want %d", got, mostPatterns)
	}
	// A model less itself is 0 everywhere.
	page = v.want("/model?"+url.Values{"game": {"othello"}, "name": {file}, "beside": {file}}.Encode(), nil)
	if got := strings.Count(page, "0 of 9 weights are not 0"); got != mostPatterns || !strings.Contains(page, "Patterns, ") {
		t.Errorf("%d patterns without a difference, want %d", got, mostPatterns)
	}
	for _, name := range []string{"/etc/passwd", folder + "/../x.json", "models/learned/README.md", file + "x"} {
		if code, text, _ := v.asked("GET", "/model?"+url.Values{"game": {"othello"}, "name": {name}}.Encode(), "", nil); code != 404 || strings.Count(strings.TrimSpace(text), "\n") > 0 {
			t.Errorf("%s: %d %.200s", name, code, text)
		}
	}
	if code, text, _ := v.asked("GET", "/model?"+url.Values{"game": {"chess"}, "name": {file}}.Encode(), "", nil); code != 404 || !strings.Contains(text, "a model of othello: want one of chess") {
		t.Errorf("of another game: %d %s", code, text)
	}
}

// Extremes are the largest and the smallest weights, in their order.
func TestExtremes(t *testing.T) {
	x := []float64{0, 3, -1, 7, 7, 2, -5, 9, -2, -3}
	name := func(i int) report.Entry { return report.Entry{Symbols: strconv.Itoa(i), Value: x[i]} }
	for sign, want := range map[float64]string{1: "[{7 9 } {3 7 } {4 7 }]", -1: "[{6 -5 } {9 -3 } {8 -2 }]"} {
		if got := fmt.Sprint(extremes(x, name, sign)); got != want {
			t.Errorf("sign %v: %s, want %s", sign, got, want)
		}
	}
}

// What is inside of a learning run is told in words, contests by what match.json says of
// them.
func TestInside(t *testing.T) {
	contests := []contest{{Planner: "alphabeta:depth=3,assume=base", A: "learned", B: "handwritten"}, {A: "expectimax:depth=3", B: "alphabeta:depth=3"}}
	for name, want := range map[string]string{
		"matches/contest-01.jsonl":    "contest 1 of 2: learned against hand-written, both under alphabeta depth 3",
		"matches/contest-02.jsonl":    "contest 2 of 2: expectimax depth 3 against alphabeta depth 3",
		"matches/contest-03.jsonl":    "contest 3",
		"matches/accept-2.jsonl":      "round 2 against the best before",
		"matches/stage-1-guard.jsonl": "stage 1 against itself halfway",
		"round-3/data":                "games of round 3",
		"stage-2":                     "learning curve of stage 2",
		"something/else":              "something/else",
	} {
		if got := inside(name, contests); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// The list says what every run is and what came of it.
func TestResultsInTheList(t *testing.T) {
	folder := t.TempDir()
	playMatch(t, filepath.Join(folder, "m.jsonl"), "connect4", "alphabeta:depth=2", "random", func(c *arena.Config) { c.Pairs = 2 })
	for name, text := range map[string]string{
		"pig/" + logName:       runLog,
		"c4/" + logName:        `{"event":"begin","game":"connect4"}` + "\n" + `{"event":"end"}` + "\n",
		"c4/" + settingsName:   `{}`,
		"c4/" + matchName:      `{"contests":[{"game":"connect4","planner":"alphabeta:depth=1","a":"learned","b":"handwritten","result":{"measure":"wins","score":{"value":0.6,"low":0.5,"high":0.7}}}]}`,
		"s/cells/v/warp.jsonl": "{}\n",
		"s/report.md":          "# Which errors cost more?\n\nThese.\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list := visit(t, Config{Runs: folder}).want("/runs", nil)
	for _, want := range []string{
		"match: alphabeta depth 2 against random", "won, ", "learned against hand-written, both under alphabeta depth 1: 60.0% ± 10.0% of the points",
		"share of the points 0.6 (0.5 to 0.7)", "Which errors cost more?",
	} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in %s", want, list)
		}
	}
}

// Two models stand side by side over one axis, every term with its meaning; neither is
// offered to be compared once more.
func TestModelsSideBySide(t *testing.T) {
	page := visit(t, Config{}).want("/model?game=connect4&name=handwritten&beside=learned", nil)
	for _, want := range []string{`aria-label="handwritten: weight of one unit of the term"`, `aria-label="learned: weight of one unit of the term"`, "whose move it is", "difference", "This one alone", "those of handwritten are multiplied by 2.", `<td class="n">6</td><td class="n">3.34</td><td class="n">-2.66</td>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %.3000s", want, page)
		}
	}
	if strings.Contains(page, "Compare with") || strings.Contains(page, "tall") {
		t.Error("it is offered once more, or scrolls within itself")
	}
}
