package serve

import (
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"plyfit/arena"
	"plyfit/datasets"
	"plyfit/internal/progress"
	"plyfit/internal/report"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/work"
)

const runLog = `{"time":"2026-11-22T16:48:22Z","event":"begin","episodes":0,"games":3000,"recipe":[{"key":"game","value":"pig"}]}
{"time":"2026-11-22T16:48:23Z","event":"point","episodes":0,"seconds":0,"strength":{"value":0.2,"low":0.1,"high":0.3},"of":"share of the points","pairs":20}
{"time":"2026-11-22T16:48:25Z","event":"point","episodes":1000,"seconds":2,"strength":{"value":0.6,"low":0.5,"high":0.7},"of":"share of the points","pairs":20}
{"time":"2026-11-22T16:48:26Z","event":"poi`

// runFolder creates a folder with the given files.
func runFolder(t *testing.T, files map[string]string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		vectors.Check(os.MkdirAll(filepath.Dir(path), 0o755))
		vectors.Check(os.WriteFile(path, []byte(text), 0o644))
	}
	return folder
}

// TestRunUnderWay checks that a run in progress is listed first, with the text of its terminal
// line.
func TestRunUnderWay(t *testing.T) {
	folder := runFolder(t, map[string]string{"deep/pig.train/" + logName: runLog, "other/" + logName: runLog, "killed/" + logName: runLog,
		"killed/.plyfit.lock": `{"pid":2147483646,"host":"` + vectors.Must(os.Hostname()) + `","since":"","progress":{"done":1,"total":2,"text":"half"}}`})
	run := filepath.Join(folder, "deep", "pig.train")
	v := visit(t, Config{Runs: folder})
	err := work.Alone(run, func() error {
		bar := progress.New(io.Discard, "games of pig", 3000, true)
		bar.OnProgress(work.ProgressWriter(run))
		if bar.Set(0); !strings.Contains(v.want("/runs", nil), `value="0"`) {
			t.Error("no progress bar at the start")
		}
		bar.Set(3000)
		list := v.want("/runs", nil)
		for _, want := range []string{"deep/pig.train", `<progress max="100" value="100"`, "games of pig: ", "3000 of 3000", "share of the points 0.6 (0.5 to 0.7)"} {
			if !strings.Contains(list, want) {
				t.Errorf("no %q in %s", want, list)
			}
		}
		if strings.Index(list, "deep/pig.train") > strings.Index(list, "other") || strings.Contains(list, "half") || strings.Count(list, "interrupted; run") != 2 {
			t.Errorf("the run in progress is not listed first, or not once: %s", list)
		}
		return os.WriteFile(filepath.Join(run, reportName), []byte("<p>done"), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	if list := v.want("/runs", nil); !strings.Contains(list, "/report?name=deep%2Fpig.train") {
		t.Errorf("at its end: %s", list)
	}
}

// TestFolderThatIsARun checks that each kind of run is one row under the name of its folder, even
// if it is the folder that is shown. A report alone does not make that folder a run.
func TestFolderThatIsARun(t *testing.T) {
	for marks, rows := range map[string]int{logName: 1, logName + " " + settingsName: 1, cellsName + "/a.jsonl": 1, datasets.ManifestFile: 1, reportName: 2} {
		files := map[string]string{"inner/" + logName: runLog, "other/" + logName: runLog}
		for _, mark := range strings.Fields(marks) {
			files[mark] = "{}"
		}
		folder := runFolder(t, files)
		list := visit(t, Config{Runs: folder}).want("/runs", nil)
		if got := strings.Count(list, `<span class="doc">`); got != rows || strings.Contains(list, "<td>"+filepath.Base(folder)+"<") != (rows == 1) {
			t.Errorf("%s in the folder: %d rows, want %d: %s", marks, got, rows, list)
		}
	}
}

// TestModelPages checks that the page draws shipped models and compares them with their
// counterparts. Chess must also have pictures of boards.
func TestModelPages(t *testing.T) {
	v := visit(t, Config{})
	list := v.want("/models", nil)
	for _, game := range []string{"chess", "2048", "pig"} {
		if !strings.Contains(list, game) {
			t.Errorf("%s is not listed", game)
		}
		page := v.want("/model?game="+game+"&name=learned&beside=handwritten", nil)
		if !strings.Contains(page, "<svg") || !strings.Contains(page, "<h2>Differences</h2>") {
			t.Errorf("%s: %.300s", game, page)
		}
	}
	if page := v.want("/model?game=chess&name=learned", nil); strings.Count(page, `aria-label="pawn`) < 1 || strings.Count(page, "<svg") < 7 {
		t.Errorf("%d pictures of weights", strings.Count(page, "<svg"))
	}
	if code, _, _ := v.ask("/model?game=chess&name=../../x", nil); code != 404 {
		t.Errorf("a name outside the folder: %d", code)
	}
}

// TestPatternPictures checks that patterns are drawn with the fillings that have the highest and
// the lowest weights, including those of a file in the models folder. It also checks that a model
// does not differ from itself.
func TestPatternPictures(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "othello-2-tuples.json")
	vectors.Check(os.WriteFile(file, vectors.Must(fs.ReadFile(models.ShippedFiles(), "learned/othello-2-tuples.json")), 0o644))
	v := visit(t, Config{Limits: Limits{Models: folder}})
	page := v.want("/model?game=othello&name=learned", nil)
	for _, want := range []string{`aria-label="edge"`, `aria-label="diagonal4"`, "of 59049 weights are not 0", "own disc, - opponent"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %.300s", want, page)
		}
	}
	if !strings.Contains(v.want("/models", nil), "othello-2-tuples.json") {
		t.Error("the file is not listed")
	}
	page = v.want("/model?"+url.Values{"game": {"othello"}, "name": {file}}.Encode(), nil)
	if got := strings.Count(page, "of 9 weights are not 0"); got != mostPatterns {
		t.Errorf("%d patterns of pairs are drawn, want %d", got, mostPatterns)
	}
	// A model minus itself is 0 everywhere.
	page = v.want("/model?"+url.Values{"game": {"othello"}, "name": {file}, "beside": {file}}.Encode(), nil)
	if got := strings.Count(page, "0 of 9 weights are not 0"); got != mostPatterns || !strings.Contains(page, "Patterns, ") {
		t.Errorf("%d patterns without a difference, want %d", got, mostPatterns)
	}
	for _, name := range []string{"/etc/passwd", folder + "/../x.json", "models/learned/README.md", file + "x"} {
		if code, text, _ := v.asked("GET", "/model?"+url.Values{"game": {"othello"}, "name": {name}}.Encode(), "", nil); code != 404 || strings.Count(strings.TrimSpace(text), "\n") > 0 {
			t.Errorf("%s: %d %.200s", name, code, text)
		}
	}
	if code, text, _ := v.asked("GET", "/model?"+url.Values{"game": {"chess"}, "name": {file}}.Encode(), "", nil); code != 404 || !strings.Contains(text, "is a model for othello; want a model for chess") {
		t.Errorf("of another game: %d %s", code, text)
	}
}

// TestExtremes checks that extremes returns the largest and smallest weights in order.
func TestExtremes(t *testing.T) {
	x := []float64{0, 3, -1, 7, 7, 2, -5, 9, -2, -3}
	name := func(i int) report.Entry { return report.Entry{Symbols: strconv.Itoa(i), Value: x[i]} }
	for sign, want := range map[float64]string{1: "[{7 9 } {3 7 } {4 7 }]", -1: "[{6 -5 } {9 -3 } {8 -2 }]"} {
		if got := fmt.Sprint(extremes(x, name, sign)); got != want {
			t.Errorf("sign %v: %s, want %s", sign, got, want)
		}
	}
}

// TestResultsInTheList checks that the list describes five runs and their results.
func TestResultsInTheList(t *testing.T) {
	const manifest = `{"format":"plyfit-dataset/1","game":"tictactoe","agents":["random"],"openings":0,"explore":0,"seed":1,"episodes":25,"episodes_per_shard":10,"complete":true,"records":99}`
	folder := runFolder(t, map[string]string{
		"pig/" + logName:       runLog,
		"c4/" + logName:        `{"event":"begin","game":"connect4"}` + "\n" + `{"event":"end"}` + "\n",
		"c4/" + settingsName:   `{}`,
		"c4/" + matchName:      `{"contests":[{"game":"connect4","planner":"alphabeta:depth=1","a":"learned","b":"handwritten","result":{"measure":"wins","score":{"value":0.6,"low":0.5,"high":0.7}}}]}`,
		"c4/data/dataset.json": manifest, "games/dataset.json": manifest,
		"s/cells/v/warp.jsonl": "{}\n",
		"s/report.md":          "# Which errors cost more?\n\nThese.\n",
	})
	playMatch(t, filepath.Join(folder, "m.jsonl"), "connect4", "alphabeta:depth=2", "random", func(c *arena.Config) { c.Pairs = 2 })
	playMatch(t, filepath.Join(folder, "c4", "matches", "contest-01.jsonl"), "connect4", "random", "random", func(c *arena.Config) { c.Pairs = 1 })
	list := visit(t, Config{Runs: folder}).want("/runs", nil)
	for _, want := range []string{
		"match: alphabeta depth 2 against random", "won, ", "learned against hand-written, both under alphabeta depth 1: 60.0% ± 10.0% of the points",
		"share of the points 0.6 (0.5 to 0.7)", "Which errors cost more?", "25 episodes, 99 records", "name=m.jsonl&amp;pair=1", "name=c4%2Fmatches%2Fcontest-01.jsonl",
	} {
		if !strings.Contains(list, want) {
			t.Errorf("no %q in %s", want, list)
		}
	}
	if got := strings.Count(list, "<tr><td>"); got != 5 { // runs inside other runs are not listed
		t.Errorf("%d runs are listed, want 5: %s", got, list)
	}
}

// TestModelsSideBySide checks that two models are shown side by side and that a term has its
// description. The page must not offer to compare them again.
func TestModelsSideBySide(t *testing.T) {
	page := visit(t, Config{}).want("/model?game=connect4&name=handwritten&beside=learned", nil)
	for _, want := range []string{`aria-label="handwritten: weight of one unit of the term"`, `aria-label="learned: weight of one unit of the term"`, "1 if the player is to move", "difference", "Show only this one", "The weights of handwritten are multiplied by 2.", `<td class="n">6</td><td class="n">3.34</td><td class="n">-2.66</td>`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %.3000s", want, page)
		}
	}
	if strings.Contains(page, "Compare with") || strings.Contains(page, "tall") {
		t.Error("the comparison is offered again, or the table scrolls within its panel")
	}
}
