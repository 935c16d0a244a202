package rules_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/features"
	"plyfit/features/tuples"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/game/rules"
	"plyfit/internal/vectors"
	"plyfit/learn/fit"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
)

// TestMain runs this program as the rules of a game if its arguments are the word rules, the spec of
// a game in the catalog, and a mistake.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "rules" {
		serve(os.Args[2], os.Args[3])
		return
	}
	os.Exit(m.Run())
}

type object = map[string]any

// serve answers questions about the positions of a game in the catalog.
func serve(spec, mistake string) {
	w := vectors.Must(catalog.All().World(spec))
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	described := describe(w)
	for asked := 0; in.Scan(); asked++ {
		var q struct {
			ID        int
			Positions []string
		}
		vectors.Check(json.Unmarshal(in.Bytes(), &q))
		reply := described
		if q.Positions != nil {
			var answers []object
			for _, text := range q.Positions {
				answers = append(answers, answer(w, described, text, true))
				if f := mistakes[mistake]; f.change != nil {
					f.change(w, answers[len(answers)-1], asked)
				}
			}
			reply = object{"answers": answers}
		} else if f := mistakes[mistake]; f.describe != nil {
			f.describe(reply)
		}
		reply["id"] = q.ID
		fmt.Printf("%s\n", vectors.Must(json.Marshal(reply)))
	}
}

// describe describes a game with its cells and the terms of its default set.
func describe(w *catalog.World) object {
	s := game.Base(w.New())
	d := object{
		"protocol": 1, "name": w.Name, "version": "1", "players": w.Players, "min": w.Min, "max": w.Max,
		"sum": [...]string{"zero", "constant", "general"}[w.Sum], "max_plies": w.MaxPlies, "chance": w.Chancy(),
	}
	_, d["scores"] = s.(game.Scorer)
	if set, err := w.Set(""); err == nil && !set.Blocks()[len(set.Blocks())-1].Table {
		var names []string
		for _, b := range set.Blocks() {
			for i := range b.Len {
				names = append(names, strings.NewReplacer("@", "-", "[", "-", "]", "").Replace(b.FeatureName(i)))
			}
		}
		d["terms"] = names
	}
	if c, ok := s.(game.Celled); ok && c.Cells().States == 3 && len(c.Cells().Extra) == 0 && w.Players == 2 {
		d["board"] = object{"rows": c.Cells().Rows, "columns": c.Cells().Columns, "symbols": "-XO", "swap": "-OX", "symmetries": []string{"columns", "rows", "diagonal"}[:bits.Len(uint(len(c.Cells().Symmetries)))-1]}
	}
	return d
}

// answer describes a position of the game, with its moves if full is set.
func answer(w *catalog.World, d object, text string, full bool) object {
	s := w.New()
	if text != "" {
		var err error
		if s, err = w.Parse(text); err != nil {
			return object{"error": err.Error()}
		}
	}
	a := object{"position": s.String(), "turn": s.Turn()}
	over := s.Turn() == game.Nobody
	if s.Turn() < 0 {
		a["turn"] = map[game.Player]string{game.Chance: "chance", game.Nobody: "over"}[s.Turn()]
	}
	each := func(f func(p game.Player) float64) (all []float64) {
		for p := range game.Player(w.Players) {
			all = append(all, f(p))
		}
		return all
	}
	if over {
		a["utility"] = each(s.Utility)
	}
	if sc, ok := s.(game.Scorer); ok {
		a["scores"] = each(sc.Score)
	}
	if d["board"] != nil {
		layout := s.(game.Celled).Cells()
		cells := make([]byte, layout.Len())
		s.(game.Celled).Fill(0, cells)
		for i := range cells {
			cells[i] = "-XO"[cells[i]]
		}
		a["cells"] = string(cells)
	}
	if names, ok := d["terms"].([]string); ok {
		var lists [][]float64
		set := vectors.Must(w.Set(""))
		for p := range game.Player(w.Players) {
			values := make([]float64, len(names))
			for _, t := range set.Extract(s, p, nil) {
				values[t.Index] += float64(t.Value)
			}
			lists = append(lists, values)
		}
		if a["terms"] = lists; w.Players == 1 || w.Players == 2 && w.Sum == game.Zero {
			a["terms"] = lists[0]
		}
	}
	if !full || over {
		return a
	}
	var moves []string
	var after []object
	for _, m := range s.Moves(nil) {
		moves = append(moves, s.MoveString(m))
		s.Play(m)
		after = append(after, answer(w, d, s.String(), false))
		s.Undo()
	}
	a["moves"], a["after"] = moves, after
	if s.Turn() == game.Chance {
		c := s.(game.Chancer)
		var probabilities []float64
		for _, m := range s.Moves(nil) {
			probabilities = append(probabilities, c.Prob(m))
		}
		a["probabilities"], a["luck"] = probabilities, c.For()
	}
	return a
}

// source returns this program as the rules of a game.
func source(spec, mistake string) rules.Source {
	return rules.Source{Program: []string{os.Args[0], "rules", spec, mistake}, Timeout: 2 * time.Second}
}

// TestLaw checks the contract of package game behind the protocol.
func TestLaw(t *testing.T) {
	for _, spec := range []string{"tictactoe", "pig:target=20", "pig:players=3,target=10", "2048:size=2"} {
		t.Run(spec, func(t *testing.T) {
			r := vectors.Must(rules.New(source(spec, "")))
			vectors.Check(r.Check())
			gametest.Law(t, r.Game(), gametest.Options{Playouts: 20, Reads: 1})
		})
	}
}

// A mistake is a wrong program: tic-tac-toe or pig with a change to its description or its answers.
type mistake struct {
	spec     string
	describe func(d object)
	change   func(w *catalog.World, a object, asked int)
	want     string // part of the error
}

// late applies a change to answers about positions after a few plies, before the first possible
// end of the game.
func late(change func(a object)) func(w *catalog.World, a object, asked int) {
	return func(_ *catalog.World, a object, asked int) {
		if free := strings.Count(a["position"].(string), "."); free <= 6 && free > 4 && a["moves"] != nil {
			change(a)
		}
	}
}

// mistakes contains wrong programs. The error of each must name a position.
var mistakes = map[string]mistake{
	"moves that change": {spec: "tictactoe", want: "when another process is asked again", change: func(_ *catalog.World, a object, asked int) {
		if moves, ok := a["moves"].([]string); ok && asked%7 == 3 {
			slices.Reverse(moves)
			slices.Reverse(a["after"].([]object))
		}
	}},
	"utility missing": {spec: "tictactoe", want: "utility []: want a number for each player", change: func(_ *catalog.World, a object, _ int) { delete(a, "utility") }},
	"utility out of bounds": {spec: "tictactoe", want: "from -1 to 1, not 2", change: func(_ *catalog.World, a object, _ int) {
		if a["utility"] != nil {
			a["utility"] = []float64{2, -2}
		}
	}},
	"utility of no zero sum": {spec: "tictactoe", want: "that sum to 0, not [1 1]", change: func(_ *catalog.World, a object, _ int) {
		if a["utility"] != nil {
			a["utility"] = []float64{1, 1}
		}
	}},
	"probabilities": {spec: "pig", want: "the probabilities sum to 0.89", change: func(_ *catalog.World, a object, _ int) {
		if p, ok := a["probabilities"].([]float64); ok {
			p[0] -= 0.1
		}
	}},
	"equal text": {spec: "tictactoe", want: "but after the move", change: late(func(a object) {
		a["after"].([]object)[0]["position"] = a["after"].([]object)[1]["position"]
	})},
	"endless": {spec: "pig", want: "has not ended within 300 plies", describe: func(d object) { d["max_plies"] = 300 }, change: func(_ *catalog.World, a object, _ int) {
		if moves, ok := a["moves"].([]string); ok && a["turn"] == game.Player(0) {
			a["moves"], a["after"] = moves[:1], []object{{"position": a["position"], "turn": 0, "terms": a["terms"], "scores": a["scores"]}}
			if len(moves) > 1 && moves[0] == "roll" {
				a["moves"] = []string{"wait"}
			}
		}
	}},
	"crash":          {spec: "tictactoe", want: "ended (exit status 3)", change: late(func(object) { os.Exit(3) })},
	"hang":           {spec: "tictactoe", want: "no answer in time", change: late(func(object) { fmt.Print("{"); time.Sleep(time.Hour) })},
	"nonsense":       {spec: "tictactoe", want: "invalid character 'h'", change: late(func(object) { fmt.Println("hello") })},
	"huge line":      {spec: "tictactoe", want: "more than 1048576 bytes", change: late(func(a object) { a["error"] = strings.Repeat("x", 1<<21) })},
	"flood":          {spec: "tictactoe", want: "id ", change: late(func(object) { fmt.Println(strings.Repeat("{\"id\": 1, \"answers\": []}\n", 1000)) })},
	"duplicate move": {spec: "tictactoe", want: "is listed twice", change: late(func(a object) { a["moves"].([]string)[0] = a["moves"].([]string)[1] })},
	"wrong mover":    {spec: "tictactoe", want: "turn 2: want a player from 0 to 1", change: late(func(a object) { a["turn"] = 2 })},
	"same mover": {spec: "tictactoe", want: "but after the move", change: func(_ *catalog.World, a object, _ int) {
		if after, ok := a["after"].([]object); ok && after[0]["utility"] == nil {
			after[0]["turn"] = a["turn"]
		}
	}},
	"move after the end": {spec: "tictactoe", want: `1 moves, but the turn is "over"`, change: func(_ *catalog.World, a object, _ int) {
		if a["utility"] != nil {
			a["moves"], a["after"] = []string{"1"}, []object{}
		}
	}},
	"unknown key": {spec: "tictactoe", want: "key /answers/0/colour", change: late(func(a object) { a["colour"] = "red" })},
}

// TestMistakes checks that each wrong program causes an error of one line that names a position.
func TestMistakes(t *testing.T) {
	for name, m := range mistakes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := rules.New(source(m.spec, name))
			if err == nil {
				err = r.Check()
			}
			if err == nil || !strings.Contains(err.Error(), m.want) || !strings.Contains(err.Error(), "position \"") || strings.Contains(err.Error(), "\n") || len(err.Error()) > 600 {
				t.Errorf("%v; want a line with a position and %q", err, m.want)
			}
		})
	}
}

// TestEqual compares games behind the protocol with the originals: the numbers of paths, the values
// and moves of searches, and the weights that a fit learns from the same games.
func TestEqual(t *testing.T) {
	for _, c := range []struct {
		spec   string
		depth  int // of perft
		agents []string
	}{
		{"connect4", 4, []string{"minimax:depth=2", "alphabeta:depth=3"}},
		{"pig:target=30", 4, []string{"minimax:depth=2", "expectimax:depth=3", "alphabeta:depth=3"}},
		{"othello", 3, []string{"minimax:depth=2", "alphabeta:depth=2"}},
	} {
		t.Run(c.spec, func(t *testing.T) {
			own := vectors.Must(catalog.All().World(c.spec))
			w := external(c.spec)
			for depth := range c.depth + 1 {
				if a, b := game.Perft(w.New(), depth, nil), game.Perft(own.New(), depth, nil); a != b {
					t.Errorf("perft %d is %d, want %d", depth, a, b)
				}
			}
			rng, s := rand.New(rand.NewPCG(1, 2)), own.New()
			for plies := 0; plies < 3 && s.Turn() != game.Nobody; plies++ {
				for _, spec := range c.agents {
					sameSearch(t, w, own, s.String(), spec)
				}
				moves := s.Moves(nil)
				s.Play(moves[rng.IntN(len(moves))])
			}
			sameWeights(t, w, own)
		})
	}
}

// external returns a game of the catalog behind the protocol.
func external(spec string) *catalog.World {
	return vectors.Must(catalog.All().World("rules:cmd=(" + os.Args[0] + " rules " + spec + " '')"))
}

// pairs returns a feature set of each world with the same features: the terms if the protocol
// carries them, and otherwise tables.
func pairs(w, own *catalog.World) [2]features.Set {
	name := ""
	if w.Sets()[0].Name() == tuples.Name {
		name = tuples.Name
	}
	return [2]features.Set{vectors.Must(w.Set(name)), vectors.Must(own.Set(name))}
}

// sameSearch compares the answers of an agent at a position.
func sameSearch(t *testing.T, w, own *catalog.World, position, spec string) {
	t.Helper()
	var results [2]search.Result
	var moves [2]string
	for i, w := range []*catalog.World{w, own} {
		set := pairs(w, own)[i]
		m := features.New(set, w.Game)
		for k := range m.Weights {
			m.Weights[k] = math.Sin(float64(k + 1))
		}
		for k := range m.Table {
			m.Table[k] = float32(math.Sin(float64(k + 1)))
		}
		m.Link = models.Link{Kind: models.Tanh, Scale: 0.01}
		e := vectors.Must(w.EvaluationOf("test", set, m))
		s := vectors.Must(w.Parse(position))
		results[i] = vectors.Must(vectors.Must(vectors.Must(w.Agent(spec+",ties=first", catalog.AgentOptions{Evaluation: e})).New()).Search(t.Context(), s))
		if m := results[i].Move; m != game.NoMove {
			moves[i] = s.MoveString(m)
		}
	}
	a, b := results[0], results[1]
	if math.Abs(a.Value-b.Value) > 1e-12*max(1, math.Abs(b.Value)) || moves[0] != moves[1] {
		t.Errorf("%s, %s: value %v and move %s, want %v and %s", position, spec, a.Value, moves[0], b.Value, moves[1])
	}
}

// sameWeights compares the weights that a fit learns from the same games. Episodes are held out by
// name, because the usual split depends on the hashes of positions.
func sameWeights(t *testing.T, w, own *catalog.World) {
	t.Helper()
	agent := vectors.Must(own.Agent("greedy:eval=zero", catalog.AgentOptions{}))
	cfg := selfplay.Config{Game: own.Game, Agents: []search.Factory{agent.Factory}, Dir: t.TempDir(), Episodes: 30, Openings: 6, Explore: 0.3, Seed: 3, Workers: 2}
	vectors.Must(selfplay.Run(t.Context(), cfg))
	var weights [2][]float64
	for i, w := range []*catalog.World{w, own} {
		data := vectors.Must(datasets.Open(cfg.Dir))
		data.Game = w.Spec
		f := vectors.Must(fit.Run(t.Context(), w, data, fit.Options{Set: pairs(w, own)[i].Name(), HeldOut: fit.HeldOut{OneIn: 5, ByName: true}}))
		weights[i] = append([]float64{f.Model.Bias}, f.Model.Weights...)
		for _, x := range f.Model.Table {
			weights[i] = append(weights[i], float64(x))
		}
		f.Close()
	}
	for k, x := range weights[0] {
		if want := weights[1][k]; len(weights[0]) != len(weights[1]) || math.Abs(x-want) > 1e-9*max(1, math.Abs(want)) {
			t.Fatalf("%d weights, weight %d is %v; want %d, %v", len(weights[0]), k, x, len(weights[1]), want)
		}
	}
}
