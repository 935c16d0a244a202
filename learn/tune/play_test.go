package tune

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"

	"github.com/google/go-cmp/cmp"
)

// strength returns the assumed Elo strength of the given weights. It is 0 at the target and
// decreases with the distance from it.
func strength(w *models.Weights) (elo float64) {
	for i, c := range w.Columns {
		target := float64(100 + 40*i)
		d := (c.Middlegame - target) / (0.3 * target)
		elo -= 150 * d * d / float64(len(w.Columns))
	}
	return elo
}

// weightsOf returns n weights with the given strength in Elo, which must not be positive.
func weightsOf(n int, elo float64) *models.Weights {
	w := &models.Weights{}
	for i := range n {
		x := float64(100+40*i) * (1 + 0.3*math.Sqrt(-elo/150)*float64(1-i%2*2))
		w.Columns = append(w.Columns, models.Weight{Name: fmt.Sprint("w", i), Middlegame: x, Endgame: x})
	}
	return w
}

// pair returns the result of a pair for a player who is stronger by the given Elo difference. The
// parameter draws is the fraction of draws.
func pair(elo, draws float64, seed, salt uint64) (points [2]float64) {
	rng := rand.New(rand.NewPCG(seed, salt))
	share, _ := stats.Share(elo)
	for i := range points {
		switch x := rng.Float64(); {
		case x < draws:
			points[i] = 0.5
		case x < share+draws/2:
			points[i] = 1
		}
	}
	return points
}

// fakeField is a field without programs. The function elo returns the strength of a weight file.
type fakeField struct {
	elo   func(path string) float64
	draws float64
}

func (f fakeField) Match(_ context.Context, _ string, _ int, a, b *Candidate) (cfg arena.Config, err error) {
	x, y := f.elo(a.Weights), f.elo(b.Weights)
	cfg.Game = &game.Game{Spec: "imagined"}
	cfg.A, cfg.B = search.Factory{Name: a.Name, Identity: fmt.Sprint(x)}, search.Factory{Name: b.Name, Identity: fmt.Sprint(y)}
	cfg.Referee = func() (arena.Referee, error) { return drawing{x - y, f.draws, math.Float64bits(x)}, nil }
	return cfg, nil
}

type drawing struct {
	elo, draws float64
	salt       uint64
}

func (d drawing) Pair(_ context.Context, seed uint64) ([2]float64, error) {
	return pair(d.elo, d.draws, seed, d.salt), nil
}
func (drawing) Close() error { return nil }

// runs returns the given number in the long form of the tests, and a small number otherwise.
func runs(long int) int {
	if vectors.Long() {
		return long
	}
	return long / 5
}

// usualRace returns a race with the command's settings.
func usualRace(seed int) Race {
	return Race{Pairs: 150, Test: &stats.SPRT{High: 20, Scale: stats.Normalised}, Confirm: 1000, Seed: uint64(seed)}
}

// winRates returns the fractions of races won by the candidate "0" and by any candidate.
func winRates(t *testing.T, n int, race func(seed int) (*Race, []*Candidate)) (right, any float64) {
	for seed := range n {
		r, list := race(seed)
		r.Dir = t.TempDir()
		o := vectors.Must(r.Run(t.Context(), list))
		if o.Winner != nil {
			any += 1 / float64(n)
			if o.Winner == list[0] {
				right += 1 / float64(n)
			}
		}
	}
	return right, any
}

// fakeRace returns a race of n candidates, of which the first is better than all others by gain.
func fakeRace(n int, gain, draws float64) func(seed int) (*Race, []*Candidate) {
	return func(seed int) (*Race, []*Candidate) {
		r := usualRace(seed)
		r.Field = fakeField{func(path string) float64 { return map[string]float64{"0": gain}[path] + 1e-9*float64(len(path)) }, draws}
		r.Start = &Candidate{Name: "start", Weights: "start"}
		var list []*Candidate
		for i := range n {
			list = append(list, &Candidate{Name: fmt.Sprint(i), Weights: strings.Repeat("0", i+1)})
		}
		return &r, list
	}
}

// TestFiles checks a race of five files over at most 4,000 games with 30% draws. It must usually
// find the file that is better by 30 Elo, and if all files are equal, one may win only rarely.
func TestFiles(t *testing.T) {
	r := usualRace(0)
	if games := r.games(4); games > 4000 {
		t.Errorf("%d games, want 4,000 at most", games)
	}
	n := runs(200)
	right, _ := winRates(t, n, fakeRace(4, 30, 0.3))
	_, any := winRates(t, n, fakeRace(4, 0, 0.3))
	t.Logf("of %d races the better one of five wins in %.3f, one of five equals in %.3f", n, right, any)
	slip := 2 / math.Sqrt(float64(n)) * 0.36
	if right < 0.85-slip || any > 0.07+slip {
		t.Errorf("the better of five files wins in %.3f of %d races, want .85; one of five equals in %.3f, want .07 at most", right, n, any)
	}
}

// TestPower checks that a gain that should be found in 9 of 10 runs is found in 85 to 95 of 100
// runs. The bounds are wider in the short form, which has fewer runs.
func TestPower(t *testing.T) {
	n := runs(200)
	slip := 0.05 + 2*math.Sqrt(0.09/float64(n)) - 2*math.Sqrt(0.09/200)
	for _, candidates := range []int{1, 4, 5} {
		if candidates != 4 && !vectors.Long() {
			continue
		}
		r := usualRace(0)
		p := r.Power(candidates, 0, 0)
		right, _ := winRates(t, n, fakeRace(candidates, p.Gain, 0))
		t.Logf("%d candidates: %.1f Elo in %.3f of %d races (%v)", candidates, p.Gain, right, n, p)
		if math.Abs(right-0.9) > slip {
			t.Errorf("%d candidates: a gain of %.1f Elo is found in %.3f of %d races, want .9", candidates, p.Gain, right, n)
		}
	}
	for _, weights := range []int{2, 8} {
		if !vectors.Long() {
			break
		}
		const games = 4000
		r := usualRace(0)
		p := r.Power(3, weights, games)
		w, wins := weightsOf(weights, -p.Gain), 0
		w.Widths = map[string]float64{}
		for i, c := range w.Columns {
			w.Widths[c.Name] = math.Abs(c.Middlegame - float64(100+40*i))
		}
		for seed := range n {
			play := Play{Race: usualRace(seed), Weights: w, Games: games, File: "w.csv", Name: "eval"}
			play.Field, play.Dir = fakeField{elo: func(path string) float64 { return strength(vectors.Must(models.ReadWeights(path))) }}, t.TempDir()
			if o := vectors.Must(play.Run(t.Context())); o.Winner != nil {
				wins++
			}
		}
		share := float64(wins) / float64(n)
		t.Logf("%d weights: %.1f Elo in %.3f of %d runs (%v)", weights, p.Gain, share, n, p)
		if math.Abs(share-0.9) > slip {
			t.Errorf("%d weights: a gain of %.1f Elo is found in %.3f of %d runs, want .9", weights, p.Gain, share, n)
		}
	}
}

// TestMain turns this program into an engine or a referee if its arguments are "engine MODE",
// "referee", or "referee A B SEED". The contents of a file named bad specify how the referee fails.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "engine" {
		fake(os.Args[2])
		return
	}
	if len(os.Args) < 2 || os.Args[1] != "referee" {
		os.Exit(m.Run())
	}
	data, _ := os.ReadFile("bad")
	mode, args := string(data), os.Args[2:]
	if len(args) > 0 {
		referee(mode, args)
		return
	}
	if mode == "start" {
		time.Sleep(time.Minute)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		referee(mode, strings.Fields(in.Text()))
	}
}

var asked int

// referee prints the result of a pair.
func referee(mode string, args []string) {
	seed := vectors.Must(strconv.ParseUint(args[2], 10, 64))
	switch {
	case mode == "" || seed%5 != 0 && mode != "start" && mode != "input" && mode != "unstable": // pairs whose seed is not a multiple of five have correct results
	case mode == "silent":
		os.Exit(0)
	case mode == "slow" || mode == "start":
		time.Sleep(time.Minute)
	case mode == "crash":
		fmt.Fprintln(os.Stderr, "index out of range")
		os.Exit(3)
	case mode == "fork":
		child := exec.Command("sleep", "60")
		child.Stdout = os.Stdout
		vectors.Check(child.Start())
		fmt.Println("1 0")
		os.Exit(0)
	case mode == "nonsense":
		fmt.Println("White wins")
		return
	case mode == "nan":
		fmt.Println("NaN 1")
		return
	case mode == "unstable":
		asked++
		fmt.Println(asked%2, "1")
		return
	case mode == "exit":
		fmt.Println("1")
		os.Exit(0)
	case mode == "flood":
		for range 20000 {
			fmt.Println("1 0")
		}
		return
	case mode == "input":
		if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
			fmt.Fprintln(os.Stderr, "no input:", err)
			os.Exit(1)
		}
	case mode == "writes":
		vectors.Check(os.WriteFile(args[0], []byte("name,weight\nw0,0\n"), 0o666))
	case mode == "third":
		fmt.Println("1 0 1")
		return
	}
	points := pair(strength(vectors.Must(models.ReadWeights(args[0])))-strength(vectors.Must(models.ReadWeights(args[1]))), 0, seed, 0)
	fmt.Println(points[0], points[1])
}

// smallEvolution returns an evolution that uses this program as the referee. The parameter how is
// the kind of failure, or "".
func smallEvolution(t *testing.T, how string, workers int) (p *Play, end func()) {
	t.Helper()
	field, end, err := Referee(os.Args[0]+" referee"+how, false, false, 2*time.Second)
	vectors.Check(err)
	t.Cleanup(end)
	p = &Play{Race: Race{Pairs: 4, Test: &stats.SPRT{High: 20}, Confirm: 10, Seed: 3, Workers: workers, Dir: filepath.Join(t.TempDir(), "run")}, Weights: weightsOf(2, -100), Games: 60, File: "w.csv", Name: "eval"}
	p.Field = field
	return p, end
}

// snapshot returns the outcome and the files of a run as text.
func snapshot(t *testing.T, p *Play, o *Outcome) string {
	t.Helper()
	b := bytes.NewBuffer(vectors.Must(json.Marshal(o)))
	vectors.Check(filepath.WalkDir(p.Dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) != ".jsonl" { // the header contains the path of this program
			fmt.Fprintf(b, "\n%s\n%s", path, vectors.Must(os.ReadFile(path)))
		}
		return err
	}))
	return strings.ReplaceAll(b.String(), filepath.ToSlash(p.Dir), "DIR")
}

// TestBadReferees checks that each failure is reported in one line, and that a repaired referee
// produces the same bytes as in a run without failures. Of the referees that are started for each
// pair, only one is repaired unless PLYFIT_LONG is set.
func TestBadReferees(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many programs")
	}
	t.Chdir(t.TempDir())
	good := map[string]string{}
	for _, how := range []string{"", " {A} {B} {SEED}"} {
		p, _ := smallEvolution(t, how, 1)
		good[how] = snapshot(t, p, vectors.Must(p.Run(t.Context())))
	}
	for _, c := range []struct{ mode, how, want string }{
		{"silent", " {A} {B} {SEED}", "without a result"}, {"silent", "", "before it sent the result"},
		{"slow", "", "no result in time"}, {"slow", " {A} {B} {SEED}", "has not ended after 2s"},
		{"crash", "", "index out of range"},
		{"fork", " {A} {B} {SEED}", "still has the output open"}, {"nonsense", "", "White wins"}, {"nan", "", "NaN 1"},
		{"unstable", "", "the same seed must give the same games"}, {"exit", " {A} {B} {SEED}", "for each of 2 games"}, {"third", "", "for each of 2 games"},
		{"flood", "", "before the question"}, {"flood", " {A} {B} {SEED}", "more than 10000 lines"},
		{"input", " {A} {B} {SEED}", "no input"}, {"writes", "", "must not write to the weight files"}, {"start", "", "no result in time"},
	} {
		name := c.mode + strings.ReplaceAll(c.how, " ", "-")
		vectors.Check(os.WriteFile("bad", []byte(c.mode), 0o666))
		p, end := smallEvolution(t, c.how, 2)
		dir := p.Dir
		_, err := p.Run(t.Context())
		end()
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q, want a line", name, err)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %q, want %q", name, err, c.want)
		}
		vectors.Check(os.Remove("bad"))
		if c.mode == "flood" && c.how == "" || c.mode != "silent" && c.how != "" && !vectors.Long() {
			continue // the second line may be read as the next answer, and starting a program for each pair is slow
		}
		p, _ = smallEvolution(t, c.how, 2)
		p.Dir = dir
		if diff := cmp.Diff(good[c.how], snapshot(t, p, vectors.Must(p.Run(t.Context())))); diff != "" {
			t.Errorf("%s: mended, it leaves other bytes than one that never erred: %s", name, diff)
		}
	}
}
