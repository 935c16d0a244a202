package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/game/gametest"
	"plyfit/internal/serve"
	"plyfit/internal/vectors"
)

// someDecision returns a random position of w in which a player is to move.
func someDecision(w *catalog.World, rng *rand.Rand) game.State {
	left := 1 + rng.IntN(20)
	for s := range gametest.Games(w.Game, 1000, rng.Uint64()) {
		if left--; left > 0 || s.Turn() < 0 {
			continue
		}
		if again, err := w.Parse(s.String()); err == nil && again.Hash() == s.Hash() { // drop the effects of earlier moves
			return again
		}
	}
	panic("no position of " + w.Spec)
}

// TestSums checks the explanation of values in every game. The bias and the products must add up to
// the sum, the named link must map the sum to the value, and the last row must contain the value
// that a search uses. The test covers the hand-written model and the best shipped model (all models
// with PLYFIT_LONG), as explained by the eval command in text and JSON, by the JSON protocol and,
// in games without hidden information, by the page.
func TestSums(t *testing.T) {
	positions := 1
	if vectors.Long() {
		positions = 3
	}
	beyond := map[string][]string{"backgammon": {"learned,tempo=90"}, "tree": {"handwritten,random-play=-5"}, "2048": {"handwritten,empty=-9999"}} // values beyond the range of utilities
	worlds := map[string]string{"tictactoe": "+slip=0.2", "2048": "+adversary", "othello": ":score=win"}
	for _, e := range catalog.All() {
		for _, more := range []string{"", worlds[e.Name]} {
			w := vectors.Must(catalog.All().World(e.Name + more))
			names := beyond[e.Name]
			for _, m := range e.Shipped() {
				if m.Best || m.Name == "handwritten" || vectors.Long() {
					names = append(names, e.Name+"/"+m.Name)
				}
			}
			for _, name := range names {
				set, model, err := w.Model(name)
				if err != nil {
					if more == "" {
						t.Errorf("%s: %v", name, err)
					}
					continue // the model was made for another range
				}
				rng := rand.New(rand.NewPCG(uint64(len(name)), 7))
				evaluator := features.NewEvaluator(w.Game, set, model)
				for range positions {
					s := someDecision(w, rng)
					t.Run(fmt.Sprintf("%s %s %s", w.Spec, name, s), func(t *testing.T) { addsUp(t, w, name, evaluator, s) })
				}
			}
			if more == "" && worlds[e.Name] == "" {
				break
			}
		}
	}
}

var lastNumber = regexp.MustCompile(`(-?[0-9.]+(?:e[-+]?[0-9]+)?)</td></tr>$|(-?[0-9.]+(?:e[-+]?[0-9]+)?)$`)

// lastRow returns the number in the last row of the table that text contains.
func lastRow(t *testing.T, text string) float64 {
	t.Helper()
	m := lastNumber.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		t.Fatalf("no number at the end of %q", text)
	}
	return vectors.Must(strconv.ParseFloat(m[1]+m[2], 64))
}

func addsUp(t *testing.T, w *catalog.World, name string, evaluator *features.Evaluator, s game.State) {
	near := func(what string, got, want, share float64) {
		t.Helper()
		if !(math.Abs(got-want) <= share*max(1e-3, math.Abs(want))) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	decoded := func(text string) (x features.Explanation) {
		t.Helper()
		vectors.Check(json.Unmarshal([]byte(text), &x))
		return x
	}
	x := decoded(Must(t, "eval", w.Spec, "--model", name, "--position", s.String(), "--json"))
	sum := x.Bias
	for _, term := range x.Terms {
		sum += term.Product
	}
	near("sum", x.Sum, sum, 1e-9)
	value := map[string]func(z float64) float64{
		"identity": func(z float64) float64 { return z },
		"logistic": func(z float64) float64 { return x.Range[0] + (x.Range[1]-x.Range[0])/(1+math.Exp(-x.Scale*z)) },
		"tanh": func(z float64) float64 {
			return (x.Range[0]+x.Range[1])/2 + (x.Range[1]-x.Range[0])/2*math.Tanh(x.Scale*z)
		},
	}[string(x.Link)](x.Sum)
	near("the link of the sum", x.Value, value, 1e-9)
	near("the evaluator's", x.Value, evaluator.Evaluate(s, s.Turn()), 1e-6)
	if a, err := w.Agent(catalog.WithEval("expectimax:nodes=1", name), catalog.AgentOptions{Complete: true}); err == nil {
		agent := vectors.Must(a.New())
		found := vectors.Must(agent.Search(t.Context(), s))
		if found.Depth == 0 && !found.Exact {
			near("what a search takes it for", x.Leaf, found.Value, 1e-6)
		}
	} else if !w.Hidden && w.Players < 3 {
		t.Errorf("no search: %v", err)
	}

	near("the last row of eval", lastRow(t, Must(t, "eval", w.Spec, "--model", name, "--position", s.String())), x.Leaf, 1e-5)
	line := func(method string, params map[string]any) string {
		text, _ := json.Marshal(map[string]any{"id": method, "method": method, "params": params})
		return string(text) + "\n"
	}
	requests := line("new", map[string]any{"game": w.Spec, "position": s.String()}) + line("evaluate", map[string]any{"state": 1, "eval": name})
	_, said, _ := Try(requests, "serve", "--stdio")
	answers := strings.Split(said, "\n")
	var answer struct{ Result json.RawMessage }
	if err := json.Unmarshal([]byte(answers[1]), &answer); err != nil {
		t.Fatalf("%v: %s", err, answers)
	}
	if there := decoded(string(answer.Result)); fmt.Sprint(there) != fmt.Sprint(x) {
		t.Errorf("for other programs %+v, want %+v", there, x)
	}
	if !w.Hidden {
		onPage(t, w, name, evaluator, s, near)
	}
}

// onPage checks the value that the page shows for the position after the first move.
func onPage(t *testing.T, w *catalog.World, name string, evaluator *features.Evaluator, s game.State, near func(what string, got, want, share float64)) {
	server := vectors.Must(serve.New(serve.Config{Catalog: catalog.All()}))
	page := httptest.NewServer(server)
	defer page.Close()
	body := func(answer *http.Response, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != 200 {
			t.Fatalf("%s: %v, %d: %s", answer.Request.URL, err, answer.StatusCode, data)
		}
		return string(data)
	}
	opened, err := http.PostForm(page.URL+"/tables", url.Values{"game": {w.Spec}, "position": {s.String()}})
	body(opened, err)
	m := s.Moves(nil)[0]
	x, over := evaluator.After(s, m)
	text := body(http.Get(page.URL + opened.Request.URL.Path + "/terms?" + url.Values{"move": {s.MoveString(m)}, "a": {name}}.Encode()))
	if over {
		return
	}
	text, _, _ = strings.Cut(text, "</tbody>")
	text, _, _ = strings.Cut(text, "<tr><td>pawns")
	near("the page's value", lastRow(t, text), x.Leaf, 6e-3) // the page shows three digits
}
