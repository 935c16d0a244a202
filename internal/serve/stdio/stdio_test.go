package stdio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/session"
	"plyfit/internal/vectors"
)

// A client communicates with a server in the same process.
type client struct {
	t     *testing.T
	in    *io.PipeWriter
	lines *bufio.Scanner
}

func dial(t *testing.T) *client {
	in, ours := io.Pipe()
	theirs, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		server := &Server{Catalog: catalog.All()}
		done <- server.Serve(context.Background(), in, out)
		out.Close()
	}()
	t.Cleanup(func() {
		ours.Close()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	lines := bufio.NewScanner(theirs)
	lines.Buffer(nil, 16<<20)
	return &client{t, ours, lines}
}

// ask sends a request and decodes the result. It returns the error in the answer.
func (c *client) ask(method string, params, result any) error {
	c.t.Helper()
	line, err := json.Marshal(map[string]any{"id": 7, "method": method, "params": params})
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		c.t.Fatal(err)
	}
	if !c.lines.Scan() {
		c.t.Fatalf("no answer to %s: %v", line, c.lines.Err())
	}
	var answer struct {
		ID     int
		Result json.RawMessage
		Error  string
	}
	if err := json.Unmarshal(c.lines.Bytes(), &answer); err != nil {
		c.t.Fatalf("%s: %v", c.lines.Text(), err)
	}
	if answer.ID != 7 {
		c.t.Errorf("%s: want the id 7", c.lines.Text())
	}
	if answer.Error != "" {
		return errors.New(answer.Error)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		c.t.Fatalf("%s: %v", answer.Result, err)
	}
	return nil
}

func (c *client) must(method string, params, result any) {
	c.t.Helper()
	if err := c.ask(method, params, result); err != nil {
		c.t.Fatalf("%s %v: %v", method, params, err)
	}
}

type values map[string]any

// TestGames plays random games of every kind both through the server and directly. At every ply, it
// compares positions, moves, probabilities, scores and utilities.
func TestGames(t *testing.T) {
	c := dial(t)
	all := catalog.All()
	specs := []string{"connect4+slip=0.2", "2048+adversary", "pacman"}
	for _, e := range all {
		specs = append(specs, e.Name)
	}
	for _, spec := range specs {
		w := vectors.Must(all.World(spec))
		rng := rand.New(rand.NewPCG(1, 2))
		for range 2 {
			s := w.New()
			var got position
			c.must("new", values{"game": spec}, &got)
			for plies := 0; ; plies++ {
				agree(t, w, s, plies, &got)
				moves := s.Moves(nil)
				if len(moves) == 0 || plies >= 60 {
					break
				}
				k := rng.IntN(len(moves))
				s.Play(moves[k])
				params := values{"state": got.State, "moves": got.Moves[k : k+1]}
				got = position{}
				c.must("apply", params, &got)
			}
			c.must("free", values{"state": got.State}, &freeResult{})
		}
	}
	var left freeResult
	var last position
	c.must("new", values{"game": "pig"}, &last)
	c.must("free", values{"state": last.State}, &left)
	if left.States != 0 {
		t.Errorf("%d states kept after all were freed", left.States)
	}
}

// agree compares a position received from the server with the directly computed one.
func agree(t *testing.T, w *catalog.World, s game.State, plies int, got *position) {
	t.Helper()
	turn := Turn(s)
	if n, ok := turn.(int); ok {
		turn = float64(n)
	}
	var moves []string
	var probabilities, scores, utility []float64
	chancer, _ := game.As[game.Chancer](s)
	for _, m := range s.Moves(nil) {
		moves = append(moves, s.MoveString(m))
		if s.Turn() == game.Chance {
			probabilities = append(probabilities, chancer.Prob(m))
		}
	}
	scorer, points := game.As[game.Scorer](s)
	for p := range game.Player(game.ShapeOf(w.Game, s).Players) {
		if points {
			scores = append(scores, scorer.Score(p))
		}
		if s.Turn() == game.Nobody {
			utility = append(utility, s.Utility(p))
		}
	}
	if got.Position != s.String() || got.Turn != turn || got.Plies != plies || !slices.Equal(got.Moves, moves) ||
		!slices.Equal(got.Probabilities, probabilities) || !slices.Equal(got.Scores, scores) || !slices.Equal(got.Utility, utility) || got.Truncated {
		t.Fatalf("%s: got %+v\nwant %s, turn %v, moves %v, probabilities %v, scores %v, utility %v", w.Spec, *got, s, turn, moves, probabilities, scores, utility)
	}
}

func TestUndoAndClone(t *testing.T) {
	c := dial(t)
	var first, later, copied position
	c.must("new", values{"game": "connect4", "position": "4453"}, &first)
	c.must("apply", values{"state": 1, "moves": []string{"4", "4"}}, &later)
	c.must("clone", values{"state": 1}, &copied)
	if copied.Position != later.Position || copied.State == later.State {
		t.Errorf("clone of %+v: %+v", later, copied)
	}
	if err := c.ask("undo", values{"state": copied.State}, &copied); err == nil || !strings.Contains(err.Error(), "want 0 to 0") {
		t.Errorf("undo in a clone: %v", err)
	}
	if err := c.ask("apply", values{"state": 1, "moves": []string{"1", "9"}}, &later); err == nil {
		t.Error("column 9 was played")
	}
	var again position
	c.must("state", values{"state": 1}, &again)
	if again.Position != copied.Position {
		t.Errorf("after illegal move: %s, want %s", again.Position, copied.Position)
	}
	c.must("undo", values{"state": 1, "plies": 2}, &again)
	if again.Position != first.Position || again.Plies != 0 {
		t.Errorf("after undo: %+v, want %+v", again, first)
	}
}

// TestTruncated checks that a game that exceeds its limit of plies is reported as truncated.
func TestTruncated(t *testing.T) {
	c := dial(t)
	w := vectors.Must(catalog.All().World("pig"))
	var p position
	c.must("new", values{"game": "pig"}, &p)
	for p.Plies < w.MaxPlies {
		if p.Truncated {
			t.Fatalf("truncated after %d plies of %d", p.Plies, w.MaxPlies)
		}
		c.must("apply", values{"state": 1, "moves": []string{"hold"}}, &p)
	}
	if !p.Truncated {
		t.Errorf("not truncated after %d plies", p.Plies)
	}
}

// TestEvaluate compares an evaluation and searches with results computed directly.
func TestEvaluate(t *testing.T) {
	c := dial(t)
	w := vectors.Must(catalog.All().World("othello"))
	set, m, err := w.Model("handwritten")
	if err != nil {
		t.Fatal(err)
	}
	s := w.New()
	s.Play(s.Moves(nil)[0])
	want := features.NewEvaluator(w.Game, set, m).Explain(s, 1)
	var got evaluateResult
	var p position
	c.must("new", values{"game": "othello", "position": s.String()}, &p)
	c.must("evaluate", values{"state": 1}, &got)
	if got.Player != 1 || got.Value != want.Value || got.Sum != want.Sum || !slices.Equal(got.Terms, want.Terms) || len(got.Terms) == 0 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	other := got
	c.must("evaluate", values{"state": 1, "player": 0}, &other)
	if other.Value != -got.Value {
		t.Errorf("for player 0 %v, want %v", other.Value, -got.Value)
	}

	var names featuresResult
	c.must("features", values{"game": "othello", "set": set.Name()}, &names)
	var o observation
	c.must("observe", values{"state": 1, "set": set.Name()}, &o)
	size := len(names.Names)
	for _, table := range names.Tables {
		size += table.Size
	}
	if o.Size != names.Size || size != names.Size {
		t.Errorf("sizes %d, %d, %d", o.Size, names.Size, size)
	}
	if x := set.Extract(s, 1, nil).Merge(); len(o.Indices) == 0 || len(o.Indices) > len(x) {
		t.Errorf("%d features, want at most %d", len(o.Indices), len(x))
	}
	for i, index := range o.Indices {
		if i > 0 && index <= o.Indices[i-1] {
			t.Errorf("indices %v are not increasing", o.Indices)
		}
	}

	agent := vectors.Must(w.Agent("alphabeta:depth=3", catalog.AgentOptions{Complete: true}))
	searcher := vectors.Must(agent.New())
	searcher.Begin(0)
	r := vectors.Must(searcher.Search(t.Context(), s))
	for range 2 { // the second search reuses the cached agent, which keeps no state
		var found session.Answer
		c.must("search", values{"state": 1, "agent": "alphabeta:depth=3"}, &found)
		if *found.Move != s.MoveString(r.Move) || *found.Value != r.Value || found.Nodes != r.Nodes || len(found.PV) != len(r.PV) {
			t.Errorf("got %+v, want %+v", found, r)
		}
	}
}

// TestHidden checks that an observation in a game of imperfect information contains only what the
// player knows, and that a search that uses hidden information is rejected.
func TestHidden(t *testing.T) {
	c := dial(t)
	var p position
	c.must("new", values{"game": "kuhn", "position": "2 0 pb"}, &p)
	var o observation
	c.must("observe", values{"state": 1, "player": 0}, &o)
	if o.Information != "2 ? pb" {
		t.Errorf("player 0 knows %q", o.Information)
	}
	if err := c.ask("search", values{"state": 1, "agent": "maxn:depth=2"}, &session.Answer{}); err == nil || !strings.Contains(err.Error(), "hides") {
		t.Errorf("a search with hidden information: %v", err)
	}
}

// TestErrors checks that invalid lines get one-line answers that describe the errors.
func TestErrors(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{`nonsense`, `want a JSON object`},
		{`[1]`, `want a JSON object`},
		{`{"id":1`, `want the rest of the JSON`},
		{`{"id":1,"method":"hello"} {}`, `nothing after`},
		{`{"id":{"a":1},"method":"hello"}`, `id is not a number or a string`},
		{`{"id":1,"method":"hello","protocol":1}`, `want one of the keys id, method, params, found "protocol"`},
		{`{"id":1,"method":"hello","params":[1]}`, `want a JSON object`},
		{`{"id":1,"method":"hello","params":{"protocol":2}}`, `hello: protocol 2: want 1`},
		{`{"id":1,"method":"bye"}`, `unknown method "bye"; want one of apply, clone`},
		{`{"id":1,"method":"new","params":{"game":"ludo"}}`, `unknown game "ludo"`},
		{`{"id":1,"method":"new","params":{"game":"2048:size=x"}}`, `size`},
		{`{"id":1,"method":"new","params":{"game":"connect4","position":"99"}}`, `new: `},
		{`{"id":1,"method":"apply","params":{"state":9}}`, `no state 9`},
		{`{"id":1,"method":"apply","params":{"state":"1"}}`, `key state: want a whole number, found "1"`},
		{`{"id":1,"method":"free","params":{"state":-1}}`, `no state -1`},
		{`{"id":1,"method":"features","params":{"game":"pig","set":"no"}}`, `unknown feature set "no"`},
		{strings.Repeat("x", mostLine+1), `line has more than 1048576 bytes`},
	} {
		var out bytes.Buffer
		server := &Server{Catalog: catalog.All()}
		err := server.Serve(t.Context(), strings.NewReader(test.line+"\n\n"+`{"id":"after","method":"hello"}`), &out)
		if err != nil {
			t.Fatal(err)
		}
		answers := strings.SplitAfter(out.String(), "\n")
		if len(answers) != 3 || !strings.Contains(answers[0], `"error":`) || !strings.Contains(strings.ReplaceAll(answers[0], `\"`, `"`), test.want) {
			t.Errorf("%.80s: got %.300q, want an error with %q and one answer", test.line, answers, test.want)
			continue
		}
		if !strings.HasPrefix(answers[1], `{"id":"after","result":{"protocol":1`) {
			t.Errorf("%.80s: afterwards %s", test.line, answers[1])
		}
	}
}

// TestFinished checks that methods that need an unfinished game return an error once the game is
// over.
func TestFinished(t *testing.T) {
	c := dial(t)
	var p position
	c.must("new", values{"game": "tictactoe"}, &p)
	c.must("apply", values{"state": 1, "moves": strings.Fields("1 4 2 5 3")}, &p)
	if p.Turn != "over" || !slices.Equal(p.Utility, []float64{1, -1}) || len(p.Moves) != 0 {
		t.Errorf("a finished game: %+v", p)
	}
	for _, method := range []string{"observe", "evaluate"} {
		if err := c.ask(method, values{"state": 1}, &p); err == nil || !strings.Contains(err.Error(), "the game is over") {
			t.Errorf("%s: %v", method, err)
		}
	}
	if err := c.ask("apply", values{"state": 1, "moves": []string{"6"}}, &p); err == nil || !strings.Contains(err.Error(), "the game is over") {
		t.Errorf("apply: %v", err)
	}
	var found session.Answer
	c.must("search", values{"state": 1, "agent": "minimax:depth=2"}, &found)
	if found.Move != nil || *found.Value != 1 {
		t.Errorf("search: %+v", found)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	in, ours := io.Pipe()
	defer ours.Close()
	done := make(chan error)
	go func() { done <- (&Server{Catalog: catalog.All()}).Serve(ctx, in, io.Discard) }()
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestStops checks that a search that would take hours ends both when the program sends the method
// stop and when its input ends. Requests after the search must be answered in order.
func TestStops(t *testing.T) {
	for said, want := range map[string][]string{
		"": {`{"id":2,"error":"the input has ended"}`},
		`{"id":3,"method":"stop"}` + "\n" + `{"id":4,"method":"free","params":{"state":1}}` + "\n": {
			`{"id":2,"error":"stopped"}`, `{"id":3,"result":{}}`, `{"id":4,"result":{"states":0}}`},
	} {
		c := dial(t)
		c.must("new", values{"game": "chess"}, &position{})
		io.WriteString(c.in, `{"id":2,"method":"search","params":{"state":1,"agent":"alphabeta:depth=100"}}`+"\n"+said)
		c.in.Close()
		for _, line := range want {
			if !c.lines.Scan() || c.lines.Text() != line {
				t.Errorf("%s: %s, want %s", said, c.lines.Text(), line)
			}
		}
	}
}

// FuzzServe checks arbitrary input. Every line that is not blank must get one line of output, which
// is an object with a result or an error.
func FuzzServe(f *testing.F) {
	f.Add("{\"id\":1,\"method\":\"games\"}\n")
	f.Add("{\"id\":1,\"method\":\"new\",\"params\":{\"game\":\"pig\"}}\n{\"method\":\"apply\",\"params\":{\"state\":1,\"moves\":[\"roll\",\"6\"]}}\n{\"id\":\"u\",\"method\":\"undo\",\"params\":{\"state\":1,\"plies\":1}}")
	f.Add("{\"id\":1,\"method\":\"new\",\"params\":{\"game\":\"tree\",\"position\":\"(max (min 3 12) 2)\"}}\n{\"method\":\"clone\",\"params\":{\"state\":1}}\n{\"method\":\"draw\",\"params\":{\"state\":2}}\n{\"method\":\"free\",\"params\":{\"state\":2}}")
	f.Add("{\"id\":1,\"method\":\"new\",\"params\":{\"game\":\"kuhn\"}}\n{\"method\":\"observe\",\"params\":{\"state\":1,\"player\":1}}\n{\"method\":\"evaluate\",\"params\":{\"state\":1,\"eval\":\"handwritten,tempo=1\"}}")
	f.Add("{\"id\":null,\"method\":\"game\",\"params\":null}\r\n\x00\n[]{}\n  \n\"\n{\"ID\":-0}")
	f.Add("{\"id\":1,\"method\":\"features\",\"params\":{\"game\":\"2048:size=3+slip=0.1\"}}")
	f.Fuzz(func(t *testing.T, input string) {
		want := 0
		for line := range strings.SplitSeq(input, "\n") {
			var r request
			if json.Unmarshal([]byte(line), &r) == nil && r.Method == "search" {
				t.Skip() // such a request may take arbitrarily long or start a program
			}
			if strings.TrimSpace(line) != "" {
				want++
			}
		}
		var out bytes.Buffer
		server := &Server{Catalog: catalog.All()}
		vectors.Check(server.Serve(t.Context(), strings.NewReader(input+"\n{\"id\":\"end\",\"method\":\"hello\"}\n"), &out))
		answers := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(answers) != want+1 {
			t.Fatalf("%d answers, want %d: %q", len(answers), want+1, answers)
		}
		for _, a := range answers {
			var m map[string]json.RawMessage
			if err := json.Unmarshal([]byte(a), &m); err != nil {
				t.Fatalf("%q: %v", a, err)
			}
			_, result := m["result"]
			_, failed := m["error"]
			if _, id := m["id"]; !id || result == failed || len(m) != 2 {
				t.Fatalf("%q: want an id and a result or an error", a)
			}
		}
		if !strings.HasPrefix(answers[want], `{"id":"end","result":`) {
			t.Fatalf("after the input: %s", answers[want])
		}
	})
}
