package grade

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/arena"
	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/program"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// assignmentOf returns an assignment with the given exercises.
func assignmentOf(t *testing.T, seconds, exercises string) *Assignment {
	t.Helper()
	return vectors.Must(decode("test", []byte(`{"format": "plyfit-assignment/1", "name": "test", "title": "Test", "text": "", "accepts": "program", "seed": 3, "pass": 1, "seconds": `+seconds+`, "exercises": [`+exercises+`]}`)))
}

// grades grades submissions and returns the grades and their JSON.
func grades(t *testing.T, a *Assignment, workers int, submissions []*Submission) (*Grades, string) {
	t.Helper()
	g := vectors.Must(Run(t.Context(), Config{Catalog: catalog.All(), Assignment: a, Submissions: submissions, Workers: workers}))
	text := vectors.Must(json.Marshal(g))
	return g, string(text)
}

// withPython sets the paths of the Python interpreter and the plyfit package.
func withPython(t *testing.T) {
	t.Helper()
	own, err := exec.Command("python3", "-c", "import os, sys; print(os.path.dirname(sys.executable), end='')").Output()
	if err != nil {
		t.Skip("no python3 here")
	}
	t.Setenv("PATH", string(own)+string(filepath.ListSeparator)+os.Getenv("PATH")) // a shim would take as long to start as the program itself
	path := vectors.Must(filepath.Abs("../../python"))
	t.Setenv("PYTHONPATH", path)
}

// class returns the submissions in a folder of testdata.
func class(t *testing.T, folder string) []*Submission {
	t.Helper()
	return vectors.Must(FindAll(filepath.Join("testdata", folder)))
}

// without returns all submissions except those with the given names.
func without(all []*Submission, names ...string) []*Submission {
	return slices.DeleteFunc(slices.Clone(all), func(s *Submission) bool { return slices.Contains(names, s.Name) })
}

// result returns the result of the submission with the given name.
func (g *Grades) result(t *testing.T, name string) Result {
	t.Helper()
	for _, r := range g.Submissions {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("%s was not graded", name)
	return Result{}
}

// TestClass checks that twelve submissions (right, wrong, slow, crashing, cheating and unreadable)
// get the right grades, and that the others get the same grades if seven of them are left out.
func TestClass(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for programs that hang")
	}
	withPython(t)
	t.Setenv("A_SECRET", "of the teacher")
	startLimit = 20 * time.Second
	defer func() { startLimit = 0 }()
	// The limit is far more than a good program needs on a busy machine.
	a := assignmentOf(t, "3", `{"name": "value", "points": 2, "ask": "value", "by": "minimax", "trees": ["(max (min 3 12 8) (min 2 4 6) (min 14 5 2))"]},
		{"name": "move", "points": 2, "ask": "move", "by": "minimax", "trees": ["(max (min 3 12 8) (min 2 4 6) (min 14 5 2))"]}`)
	all := class(t, "trees")
	if len(all) < 12 {
		t.Fatalf("%d submissions, want twelve", len(all))
	}
	original := vectors.Must(os.ReadFile("testdata/trees/peeking.py"))
	first, text := grades(t, a, 3, all)
	quiet, _ := grades(t, a, 1, without(all, "slow", "forking", "wrong", "chatty", "stale", "huge", "crashing"))
	for _, r := range quiet.Submissions {
		other := first.result(t, r.Name)
		if other.Rank, r.Rank = 0, 0; !reflect.DeepEqual(other, r) {
			t.Errorf("%s: %+v beside programs that hang, else %+v", r.Name, other, r)
		}
	}
	for name, c := range map[string]struct {
		points float64
		faults arena.FaultCounts
		said   string
	}{
		"right":     {4, arena.FaultCounts{}, ""},
		"wrong":     {0, arena.FaultCounts{}, ""},
		"shell":     {2, arena.FaultCounts{Unreadable: 1}, "want a number"},
		"slow":      {0, arena.FaultCounts{Time: 1}, "did not read its input within 20s after the start"},
		"forking":   {0, arena.FaultCounts{Time: 2}, "no answer to value in time"},
		"crashing":  {0, arena.FaultCounts{Crash: 2}, `ended (exit status 1), saying "ValueError: no idea"`},
		"chatty":    {0, arena.FaultCounts{Unreadable: 2}, `says "let me think about`},
		"stale":     {0, arena.FaultCounts{Unreadable: 2}, `{\"id\": 7`},
		"huge":      {0, arena.FaultCounts{Unreadable: 2}, `xxx..."`},
		"peeking":   {0, arena.FaultCounts{Unreadable: 1}, `"found \"`},
		"malformed": {0, arena.FaultCounts{}, "want a program"},
		"notes":     {0, arena.FaultCounts{}, "notes.txt: want an executable program"},
	} {
		r := first.result(t, name)
		var faults arena.FaultCounts
		said := r.Fault
		for _, p := range r.Exercises {
			faults = faults.Plus(p.Faults)
			for _, i := range p.Items {
				said += i.Why
			}
		}
		if faults.All() > 0 && !strings.Contains(said, faults.First) {
			t.Errorf("%s: the first fault is %q, not one of %s", name, faults.First, said)
		}
		faults.First = ""
		if r.Points != c.points || faults != c.faults || !strings.Contains(strings.ReplaceAll(said, `\\`, ""), c.said) {
			t.Errorf("%s: %v points, faults %+v, %s; want %v, %+v, %s", name, r.Points, faults, said, c.points, c.faults, c.said)
		}
	}
	if got := first.result(t, "peeking").Exercises[1].Items[0].Got; got != "found " {
		t.Errorf("a program that looks around %s", got)
	}
	if now, err := os.ReadFile("testdata/trees/peeking.py"); err != nil || !bytes.Equal(now, original) {
		t.Errorf("%v: a program has changed what was handed in", err)
	}
	if strings.Contains(text, os.TempDir()+string(filepath.Separator)) {
		t.Error("the grades name a folder of this machine")
	}
	if first.result(t, "right").Rank != 1 || first.result(t, "shell").Rank != 2 || first.result(t, "wrong").Rank != 3 || first.result(t, "slow").Rank != 3 {
		t.Errorf("ranks:\n%s", first.Text())
	}
	if left, err := exec.Command("pgrep", "-f", "left-behind-by-a-fork").Output(); err == nil {
		t.Errorf("a fork is left: %s", left)
	}
	checkPages(t, first)
}

// checkPages checks that the teacher's page lists all students, and that one student's page lists
// no others.
func checkPages(t *testing.T, g *Grades) {
	t.Helper()
	pages := vectors.Must(g.Pages())
	var all, one bytes.Buffer
	vectors.Check(pages["index.html"].HTML(&all))
	vectors.Check(pages["crashing.html"].HTML(&one))
	for _, r := range g.Submissions {
		if !strings.Contains(all.String(), `<a href="`+r.Name+`.html">`+r.Name+"</a>") || pages[r.Name+".html"] == nil {
			t.Errorf("the page of the class does not lead to that of %s", r.Name)
		}
		if r.Name != "crashing" && strings.Contains(one.String(), r.Name+": ") {
			t.Errorf("%s is on another one's page", r.Name)
		}
	}
	if !strings.Contains(one.String(), "ValueError: no idea") {
		t.Error("a student is not told how his program ended")
	}
}

// TestGames checks that the number of workers does not affect the grades of matches, that faults
// lose games, and that an invalid model is reported in one line.
func TestGames(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a program for each game")
	}
	withPython(t)
	a := assignmentOf(t, "15", `{"name": "match", "points": 2, "game": "connect4", "planner": "alphabeta:depth=2", "against": "random", "pairs": 1, "plies": 4, "terms": true, "none": 0.1, "full": 0.5}`)
	a.Accepts = ""
	all := without(class(t, "connect4"), "late")
	g, text := grades(t, a, 3, all)
	if _, again := grades(t, a, 1, all); again != text {
		t.Errorf("graded twice:\n%s\n%s", text, again)
	}
	for name, said := range map[string]string{
		"illegal":    `First fault: python3: answers "9" at`,
		"othello":    "othello", // the exercise is connect four
		"misspelled": "threees",
	} {
		r := g.result(t, name)
		if r.Points != 0 || !strings.Contains(r.Exercises[0].Said, said) {
			t.Errorf("%s: %v points: %s", name, r.Points, r.Exercises[0].Said)
		}
	}
	if r := g.result(t, "illegal").Exercises[0]; r.Faults.Illegal != 2 || *r.Measured != 0 {
		t.Errorf("illegal moves: %+v", r)
	}
	if r := g.result(t, "center"); r.Points < 1 {
		t.Errorf("an evaluation against random moves: %+v", r)
	}
	if r := g.result(t, "wins"); r.Points == 0 || r.Exercises[0].Faults.All() != 0 {
		t.Errorf("a program that is given terms: %+v", r)
	}
	a.Weights = 1
	g, _ = grades(t, a, 1, slices.DeleteFunc(all, func(s *Submission) bool { return s.Name != "center" }))
	if said := g.Submissions[0].Exercises[0].Said; g.Submissions[0].Points != 0 || said != "2 weights are not 0; want at most 1" {
		t.Errorf("two weights where one is allowed: %s", said)
	}
}

// slowly is an agent whose answers are always late.
type slowly struct{ begun, asked int }

func (s *slowly) Begin(uint64) { s.begun++ }

// TestPatience checks that an agent receives no more questions after three late answers.
func TestPatience(t *testing.T) {
	w := vectors.Must(catalog.All().World("connect4"))
	inner := &slowly{}
	p := &patience{left: mostLate}
	for range 5 {
		one := &patient{Agent: inner, patience: p} // a new agent, as in each lost game
		one.Begin(1)
		if _, err := one.Search(t.Context(), w.New()); err == nil {
			t.Error("a late answer is one")
		}
	}
	if inner.begun != mostLate || inner.asked != mostLate {
		t.Errorf("begun %d times and asked %d times, want %d", inner.begun, inner.asked, mostLate)
	}
}

// TestShipped checks that the shipped exercises are valid and that their answers agree with the
// lecture.
func TestShipped(t *testing.T) {
	wants := map[string]any{
		"trees-minimax values":    3.0,
		"trees-minimax moves":     "1",
		"trees-expectimax values": 54.5,
		"trees-expectimax moves":  "2",
		"alphabeta-order lecture": []float64{3, 12, 8, 2, 14, 5, 2},
		"pacman-table corridor":   []float64{483, 483, -303, 0.99*503 - 0.01*303},
	}
	for _, a := range Shipped() {
		g := &grader{assignment: a}
		if err := g.prepare(t.Context(), catalog.All()); err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		if _, err := shipped.ReadFile("assignments/" + a.Name + ".json"); err != nil {
			t.Error(err)
		}
		for i, e := range a.Exercises {
			want, ok := wants[a.Name+" "+e.Name]
			if !ok {
				continue
			}
			delete(wants, a.Name+" "+e.Name)
			q := g.questions[i][0]
			if spelled(q.want) != spelled(want) {
				t.Errorf("%s, %s: %v, want %v", a.Name, e.Name, q.want, want)
			}
			got := q.newAnswer()
			text, err := json.Marshal(want)
			if err == nil {
				err = json.Unmarshal(text, got)
			}
			if err != nil || !q.right(got) {
				t.Errorf("%s, %s: %v: the right answer %v is wrong", a.Name, e.Name, err, want)
			}
			wrong := map[byte]string{'"': `"9"`, '[': `[1]`, '3': "9", '5': "9"}[text[0]]
			if err := json.Unmarshal([]byte(wrong), got); err != nil || q.right(got) {
				t.Errorf("%s, %s: %v: a wrong answer is right", a.Name, e.Name, err)
			}
		}
	}
	if len(wants) > 0 {
		t.Errorf("not shipped: %v", wants)
	}
}

// TestTable checks that the table contains the values that searches return if the assumption is
// true.
func TestTable(t *testing.T) {
	w := vectors.Must(catalog.All().World("tree"))
	a := assignmentOf(t, "1", `{"name": "drawn", "points": 1, "ask": "table", "random": {"trees": 20, "levels": ["max", "chance", "min", "max", "chance"], "branching": 2}}`)
	questions := vectors.Must(a.Exercises[0].questions(t.Context(), w, 1))
	differ := 0
	for _, q := range questions {
		s := vectors.Must(w.Parse(q.Position))
		table := q.want.([]float64)
		for k, by := range map[int]string{0: "minimax", 3: "expectimax"} {
			r, err := ask(t.Context(), w, oracles[by], s, &leaves{})
			if err != nil || !near(table[k], r.Values[0]) {
				t.Errorf("%v: %s has %v, the table %v at %s", err, by, r.Values, table, q.Position)
			}
		}
		if table[0] < table[2] || table[3] < table[1]-1e-9 {
			t.Errorf("a wrong assumption does better: %v at %s", table, q.Position)
		}
		if table[0] > table[2] {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the assumption never matters")
	}
}

// TestSeed checks that the seed determines the questions and that different seeds lead to different
// questions.
func TestSeed(t *testing.T) {
	w := vectors.Must(catalog.All().World("tree"))
	e := Shipped()[0].Exercises[1]
	texts := func(seed uint64) (out []string) {
		questions := vectors.Must(e.questions(t.Context(), w, seed))
		for _, q := range questions {
			out = append(out, q.Position)
		}
		return out
	}
	if a, b := texts(1), texts(1); !slices.Equal(a, b) {
		t.Error("one seed, two kinds of questions")
	}
	if a, b := texts(1), texts(2); slices.Equal(a, b) {
		t.Error("two seeds, one kind of questions")
	}
	if game.Seed(1, streamOf("a")) == game.Seed(1, streamOf("b")) {
		t.Error("two exercises share their luck")
	}
}

// TestBadAssignments checks that the error for an invalid assignment names the fault and the
// expected value.
func TestBadAssignments(t *testing.T) {
	const good = `{"format": "plyfit-assignment/1", "name": "a", "title": "A", "text": "", "accepts": "program", "seed": 3, "pass": 1, "seconds": 1, "exercises": [{"name": "e", "points": 2, "ask": "value", "by": "minimax", "trees": ["(max 1 2)"]}]}`
	prepared := func(text string) error {
		a, err := decode("a.json", []byte(text))
		if err == nil {
			err = (&grader{assignment: a}).prepare(t.Context(), catalog.All())
		}
		return err
	}
	vectors.Check(prepared(good))
	for _, c := range [][3]string{
		{"assignment/1", "assignment/9", `want "plyfit-assignment/1"`},
		{`"seconds": 1`, `"seconds": 0`, "above 0"},
		{`"seed": 3`, `"sead": 3`, `want one of the keys accepts, exercises, format, name, pass, seconds, seed, text, title, weights, found "sead"`},
		{`"pass": 1`, `"pass": 3`, "want a number of points from 0 to 2"},
		{`"accepts": "program"`, `"accepts": "evaluation"`, "an evaluation cannot answer"},
		{`"points": 2`, `"points": -2`, "want more than 0"},
		{`"value"`, `"worth"`, "want one of move, table, value, visited"},
		{`"minimax"`, `"negamax"`, "want minimax, expectimax or alphabeta"},
		{"(max 1 2)", "(max 1 2", "tree 1:"},
		{"(max 1 2)", "7", "no player moves"},
		{`, "trees": ["(max 1 2)"]`, ``, `want "trees" or "random"`},
		{`"trees": ["(max 1 2)"]`, `"random": {"trees": 1, "levels": ["max", "moo"], "branching": 2}`, `level "moo"`},
		{`"trees": ["(max 1 2)"]`, `"random": {"trees": 1, "levels": ["max","min","max","min","max","min","max"], "branching": 9}`, "at most 4096 leaves"},
		{`"ask": "value", "by": "minimax", "trees": ["(max 1 2)"]`, `"game": "connect4", "against": "random", "pairs": 1`, "want two results that differ"},
		{`"ask": "value", "by": "minimax", "trees": ["(max 1 2)"]`, `"game": "connect4", "against": "random", "pairs": 9223372036854775807, "full": 1`, "want 1 to 1000000"},
		{`"ask": "value", "by": "minimax", "trees": ["(max 1 2)"]`, `"game": "connect5", "against": "random", "pairs": 1, "full": 1`, `unknown game "connect5"`},
		{`"ask": "value", "by": "minimax", "trees": ["(max 1 2)"]`, `"game": "connect4", "against": "alphabeta:time=1s", "pairs": 1, "full": 1`, "plays the same on every machine"},
		{`{"name": "e", "points": 2, `, `{"name": "e", "points": 2, "pairs": 3, `, "combined with the keys of games"},
	} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if err := prepared(bad); bad == good || err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v, want %s", c[1], err, c[2])
		}
	}
}

// TestFind checks that empty folders are reported and that the teacher's files are skipped.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	if _, err := FindAll(dir); err == nil || !strings.Contains(err.Error(), "contains no submissions") {
		t.Errorf("an empty folder: %v", err)
	}
	write := func(name, text string) {
		vectors.Check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("_teacher.py", "")
	write("a.json", "{}")
	if all, err := FindAll(dir); err != nil || len(all) != 1 || all[0].Kind != Evaluation {
		t.Errorf("%v, %v", all, err)
	}
	folder := filepath.Join(dir, "b")
	vectors.Check(os.Mkdir(folder, 0o755))
	if _, err := Find(folder); err == nil || !strings.Contains(err.Error(), "want a folder with command, agent.py, agent or model.json") {
		t.Errorf("a folder of nothing: %v", err)
	}
}

// TestInside checks that programs are passed as arguments to the sandbox command, together with
// their folder.
func TestInside(t *testing.T) {
	withPython(t)
	s := vectors.Must(Find("testdata/trees/right.py"))
	d := vectors.Must(newWorkspace(s, []string{"env", "WHERE={}"}))
	defer d.clear()
	want := []string{"WHERE=" + d.folder, "python3", "right.py"}
	if filepath.Base(d.command.Path) != "env" || !slices.Equal(d.command.Args, want) {
		t.Errorf("%+v, want env with %q", d.command, want)
	}
}

var _ search.Agent = (*slowly)(nil)

func (s *slowly) Search(context.Context, game.State) (search.Result, error) {
	s.asked++
	return search.Result{}, &program.EngineError{Kind: program.Time, What: "late"}
}
