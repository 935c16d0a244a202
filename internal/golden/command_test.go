package golden

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/cli"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// plyfit runs the command in this process and returns its standard output.
func plyfit(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := cli.Run(context.Background(), catalog.All(), args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("plyfit %s: exit code %d\n%s", strings.Join(args, " "), code, errs.Bytes())
	}
	return out.Bytes()
}

// digest returns the first 16 hexadecimal digits of the SHA-256 of data.
func digest(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data))[:16] }

// decode decodes JSON into v, which has only the fields that the test needs.
func decode(t *testing.T, data []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
}

// modelFigures returns separate digests of a model file and of its weights. If only the file's
// digest changes, the weights are the same. The file's digest covers all lines except the one that
// contains it.
func modelFigures(t *testing.T, path string) string {
	t.Helper()
	data := vectors.Must(os.ReadFile(path))
	file := vectors.Must(models.Load(path))
	whole := vectors.Must(file.Digest())
	var m struct {
		Bias  float64
		Terms []struct {
			Name   string
			Weight float64
		}
		Table struct{ Digest string }
	}
	decode(t, data, &m)
	return fmt.Sprintf("file %s weights %s", whole[:16], digest(fmt.Append(nil, m)))
}

// selfPlays lists worlds with the flags for self-play. The field brief marks those that are also
// checked with -short.
var selfPlays = []struct {
	world, flags string
	brief        bool
}{
	{"2048", "--games 6", false},
	{"2048:size=3", "--games 20 --agent expectimax:depth=1", true},
	{"2048:size=3+adversary", "--games 10 --agent expectimax:depth=1", true},
	{"connect4", "--games 60 --agent alphabeta:depth=2,ties=random", true},
	{"connect4", "--games 10", false},
	{"connect4", "--games 60 --agent alphabeta:depth=3,eval=zero,ties=random", true},
	{"connect4+slip=0.2", "--games 20 --agent expectimax:depth=2", true},
	{"connect4:dice=on", "--games 20 --agent expectimax:depth=2", true},
	{"connect4:dice=on", "--games 60 --agent expectimax:depth=2,eval=zero", true}, // draws have the value 0, not -0
	{"othello", "--games 6", false},
	{"othello+slip=0.1", "--games 6 --agent expectimax:depth=1", true},
	{"checkers", "--games 10", false},
	{"checkers", "--games 4 --agent alphabeta:depth=1", true},
	{"chess", "--games 3 --agent alphabeta:depth=2,quiescence=on", false},
	{"chess", "--games 2 --agent alphabeta:depth=1", true},
	{"pig", "--games 20", true},
	{"pig:target=30,players=3", "--games 20 --agent maxn:depth=2", true},
	{"backgammon", "--games 6", true},
	{"backgammon+adversary", "--games 2 --agent alphabeta:depth=1", false},
	{"pacman", "--games 6", false},
	{"pacman+adversary", "--games 2 --agent expectimax:depth=1", true},
	{"minesweeper:rows=4,columns=4,mines=4", "--games 20", true},
	{"minesweeper", "--games 4", false},
	{"tictactoe", "--games 20", false},
	{"tictactoe", "--games 20 --agent mcts:simulations=50", true},
	{"tree", "--games 4", true},
}

func TestSelfPlay(t *testing.T) {
	t.Chdir(t.TempDir())
	r := begin(t, "selfplay")
	for i, s := range selfPlays {
		if testing.Short() && !s.brief {
			continue
		}
		dir := fmt.Sprint(i)
		plyfit(t, append([]string{"selfplay", s.world, "-o", dir, "--quiet"}, strings.Fields(s.flags)...)...)
		var set struct {
			Records int
			Digest  string
		}
		decode(t, vectors.Must(os.ReadFile(filepath.Join(dir, "dataset.json"))), &set)
		r.add(s.world+" "+s.flags, "digest %s, %d records", set.Digest[:16], set.Records)
	}
}

// fits lists the flags of the fit command for each data set. TestFit creates the data sets.
var fits = []struct{ data, flags string }{
	{"plain", "--method ridge"},
	{"plain", "--method ridge --penalty auto"},
	{"plain", "--method elastic --penalty 0.01"},
	{"plain", "--method logistic"},
	{"plain", "--method logistic --link tanh --scale 0.5"},
	{"plain", "--method newton"},
	{"plain", "--method newton --loss squared --scale prior"},
	{"plain", "--method lbfgs --steps 30"},
	{"plain", "--method lbfgs --loss squared --label mix:0.5"},
	{"plain", "--method lstd --lambda 0.5"},
	{"plain", "--method ridge --features connect4/lines --distill handwritten --choices"},
	{"plain", "--leaf alphabeta:depth=2 --distinct"},
	{"patterns", "--method lbfgs --features othello/patterns --steps 5"},
	{"score", "--method lstd --lambda 0.5 --penalty 0.01 --freeze score=1"},
	{"score", "--method ridge"},
}

func TestFit(t *testing.T) {
	t.Chdir(t.TempDir())
	r := begin(t, "fit")
	plyfit(t, "selfplay", "connect4", "-o", "plain", "--games", "80", "--agent", "alphabeta:depth=2,ties=random", "--quiet")
	plyfit(t, "selfplay", "othello", "-o", "patterns", "--games", "12", "--agent", "random", "--quiet")
	plyfit(t, "selfplay", "2048:size=3", "-o", "score", "--games", "20", "--agent", "random", "--quiet")
	for _, f := range fits {
		plyfit(t, append([]string{"fit", f.data, "-o", "m.json"}, strings.Fields(f.flags)...)...)
		r.add(f.data+" "+f.flags, "%s", modelFigures(t, "m.json"))
	}
}

// trains lists the flags of train.
var trains = []struct {
	flags string
	brief bool
}{
	{"connect4 --games 100 --batch 4 --lambda 0.5", true},
	{"connect4 --games 100 --batch 4 --lambda 0.5 --tc --alpha 0.5", true},
	{"othello --features othello/2-tuples --games 40 --lambda 0.7", true},
	{"2048:size=3 --games 100 --alpha 0.01", true},
	{"2048 --features 2048/4x5 --games 20", false},
	{"backgammon --features backgammon/pubeval --games 30 --lambda 0.7", true},
	{"connect4 --method tdleaf --lambda 0.7 --init random --agent alphabeta:depth=2 --games 40", true},
	{"connect4 --method rootstrap --init random --agent alphabeta:depth=2 --games 40", true},
	{"connect4 --method treestrap --init random --agent alphabeta:depth=2 --games 40", true},
	{"connect4 --method treestrap --init random --agent alphabeta:depth=2 --games 40 --tc --loss squared", true},
	{"pig:target=20 --method treestrap --agent expectimax:depth=2 --games 40", true},
	{"connect4 --method evolution --games 160 --batch 4", true},
	{"pig:target=20 --method evolution --games 300", true},
	{"kuhn --method cfr --features kuhn/hand --games 100", true},
	{"leduc --method cfr --features leduc/infosets --games 100", false},
}

func TestTrain(t *testing.T) {
	t.Chdir(t.TempDir())
	r := begin(t, "train")
	for i, f := range trains {
		if testing.Short() && !f.brief {
			continue
		}
		path := fmt.Sprintf("%d.json", i)
		plyfit(t, append([]string{"train", "-o", path, "--curve-pairs", "0", "--quiet"}, strings.Fields(f.flags)...)...)
		r.add(f.flags, "%s", modelFigures(t, path))
	}
}

func TestLearn(t *testing.T) {
	t.Chdir(t.TempDir())
	r := begin(t, "learn")
	for i, flags := range []string{
		"tictactoe --games 60 --pairs 4",
		"pig:target=30 --games 100 --rounds 2 --pairs 6",
		"2048:size=3 --games 40 --rounds 2 --pairs 6",
		"backgammon --games 30 --pairs 2",
	} {
		if testing.Short() && i > 0 {
			break
		}
		dir := fmt.Sprint(i)
		plyfit(t, append([]string{"learn", "-o", dir, "--quiet"}, strings.Fields(flags)...)...)
		r.add(flags, "%s contests %s", modelFigures(t, filepath.Join(dir, "model.json")), digest(vectors.Must(os.ReadFile(filepath.Join(dir, "match.json")))))
	}
}

func TestMatch(t *testing.T) {
	t.Chdir(t.TempDir())
	r := begin(t, "match")
	for _, flags := range []string{
		"connect4 alphabeta:depth=3 mcts:simulations=50 --pairs 10",
		"connect4+slip=0.2 expectimax:depth=2 alphabeta:depth=2 --pairs 10",
		"connect4 alphabeta:depth=2 greedy --sprt 0,40 --pairs 100",
		"connect4 alphabeta:depth=2 greedy --sprt 0,40 --sprt-scale logistic --pairs 100",
		"backgammon expectimax:depth=1 random --measure utility --sprt 0,0.5 --pairs 20",
		"2048:size=3 expectimax:depth=1 greedy --pairs 10",
		"othello alphabeta:depth=2 greedy --pairs 6",
	} {
		out := plyfit(t, append([]string{"match", "--json", "--quiet"}, strings.Fields(flags)...)...)
		type estimate struct{ Value, Low, High float64 }
		var m struct {
			Pairs, Wins, Draws, Losses int
			Conclusion                 string `json:"verdict"`
			Difference, Points         estimate
			Versus                     struct{ Elo, LOS estimate }
		}
		decode(t, out, &m)
		r.add(flags, "%d pairs +%d =%d -%d, verdict %s, points %.17g, difference %.17g (%.12g to %.12g), Elo %.12g, LOS %.12g",
			m.Pairs, m.Wins, m.Draws, m.Losses, m.Conclusion, m.Points.Value, m.Difference.Value, m.Difference.Low, m.Difference.High, m.Versus.Elo.Value, m.Versus.LOS.Value)
	}
	flags := "connect4 random greedy alphabeta:depth=2 mcts:simulations=30 --pairs 8"
	var table struct {
		Standings []struct {
			Name   string
			Points float64
			Rating struct{ Value float64 }
		}
	}
	decode(t, plyfit(t, append([]string{"tournament", "--json", "--quiet"}, strings.Fields(flags)...)...), &table)
	for _, s := range table.Standings {
		r.add("tournament "+flags+", "+s.Name, "%g points, rating %.9g", s.Points, s.Rating.Value)
	}
}

func TestStudy(t *testing.T) {
	if testing.Short() {
		t.Skip("a part of it would be no study")
	}
	t.Chdir(t.TempDir())
	r := begin(t, "study")
	for _, flags := range []string{
		"pacman --quick --pairs 2 --game pacman:layout=ring,stop=off",
		"thrashing --quick --pairs 2",
		"crossed --quick --warp exp:3,sqrt --pairs 4 --depth 2 --slip 0.2",
	} {
		name, _, _ := strings.Cut(flags, " ")
		plyfit(t, append([]string{"study", "-o", name, "--quiet"}, strings.Fields(flags)...)...)
		files, err := filepath.Glob(filepath.Join(name, "data", "*.csv"))
		if err != nil || len(files) == 0 {
			t.Fatalf("study %s: no data (%v)", flags, err)
		}
		for _, f := range files {
			r.add("study "+flags+", "+filepath.Base(f), "%s", digest(vectors.Must(os.ReadFile(f))))
		}
	}
}

// shippedModels returns the names, GAME/NAME, of the shipped models called handwritten or learned.
func shippedModels(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, e := range catalog.All() {
		for _, kind := range []string{"handwritten", "learned"} {
			if e.Ships(kind) {
				names = append(names, e.Name+"/"+kind)
			}
		}
	}
	return names
}

func TestExport(t *testing.T) {
	tables := map[string]bool{"backgammon/learned": true, "othello/learned": true, "checkers/learned": true, "pig/learned": true}
	t.Chdir(t.TempDir())
	r := begin(t, "export")
	for _, model := range shippedModels(t) {
		if tables[model] {
			continue // skip files of many megabytes
		}
		for _, format := range []string{"json", "csv", "go", "c"} {
			r.add(model+" "+format, "%s", digest(plyfit(t, "model", "export", model, "--format", format)))
		}
	}
}

// TestWritesNothing checks that a match leaves no files in the current folder.
func TestWritesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	plyfit(t, "match", "tictactoe", "greedy", "random", "--pairs", "2", "--quiet")
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			t.Errorf("plyfit match left %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
