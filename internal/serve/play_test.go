package serve

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/protocol/engines"
	"plyfit/internal/vectors"
	"plyfit/models"
)

// A visitor sends requests to a server as a page does.
type visitor struct {
	testing.TB
	*httptest.Server
	client *http.Client
}

func visit(t testing.TB, c Config) *visitor {
	t.Helper()
	if c.Catalog == nil {
		c.Catalog = catalog.All().WithKinds(engines.Kinds()...)
	}
	server := httptest.NewServer(vectors.Must(New(c)))
	t.Cleanup(server.Close)
	return newVisitor(t, server, http.Client{})
}

// newVisitor returns a visitor that does not follow redirects.
func newVisitor(t testing.TB, server *httptest.Server, c http.Client) *visitor {
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &visitor{TB: t, Server: server, client: &c}
}

// ask sends a request with the headers that htmx sends. It is a GET request if form is nil.
func (v *visitor) ask(path string, form url.Values) (code int, body string, head http.Header) {
	v.Helper()
	htmx := map[string]string{"HX-Request": "true"}
	if form == nil {
		return v.asked(http.MethodGet, path, "", htmx)
	}
	return v.asked(http.MethodPost, path, form.Encode(), htmx)
}

// want is like ask, but fails the test unless the status is OK.
func (v *visitor) want(path string, form url.Values) string {
	v.Helper()
	code, body, _ := v.ask(path, form)
	if code != http.StatusOK {
		v.Fatalf("%s %v: %d %s", path, form, code, body)
	}
	return body
}

// open starts a game and returns its path.
func (v *visitor) open(form url.Values) string {
	v.Helper()
	code, body, head := v.ask("/tables", form)
	if code != http.StatusSeeOther {
		v.Fatalf("open %v: %d %s", form, code, body)
	}
	return head.Get("Location")
}

var movesAttribute = regexp.MustCompile(`data-moves="([^"]*)"`)

// movesOf returns the moves that a board offers to a person, or nil if there are none.
func movesOf(t testing.TB, board string) (moves []clickable) {
	t.Helper()
	m := movesAttribute.FindStringSubmatch(board)
	if m == nil {
		return nil
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(m[1])), &moves); err != nil {
		t.Fatalf("%v in %s", err, m[1])
	}
	return moves
}

// TestEveryGameToItsEnd plays complete games through HTTP requests, with a person in every seat,
// and then undoes all moves.
func TestEveryGameToItsEnd(t *testing.T) {
	v := visit(t, Config{})
	for _, spec := range []string{"2048:size=2", "connect4", "connect4:dice=on", "othello", "checkers", "chess", "pig:target=20", "backgammon",
		"pacman:layout=corridor", "minesweeper:rows=5,columns=5,mines=4", "tictactoe", "tree", "tictactoe+slip=0.3", "2048:size=2+adversary"} {
		t.Run(spec, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(3, 4))
			at := v.open(url.Values{"game": {spec}, "seed": {"5"}})
			board := v.want(at, nil)
			start := board
			played := 0
			for moves := movesOf(t, board); len(moves) > 0 && played < 3000; moves = movesOf(t, board) {
				board = v.want(at+"/move", url.Values{"move": {moves[rng.IntN(len(moves))].Move}})
				played++
			}
			if !strings.Contains(board, `class="status over"`) || played == 0 {
				t.Fatalf("after %d moves the game is not over: %.300s", played, board)
			}
			for range played {
				board = v.want(at+"/undo", url.Values{})
			}
			if got, want := positionOf(board), positionOf(start); got != want {
				t.Errorf("after all moves were undone: %s, want %s", got, want)
			}
		})
	}
}

var positionField = regexp.MustCompile(`readonly value="([^"]*)"`)

func positionOf(board string) string {
	m := positionField.FindStringSubmatch(board)
	if m == nil {
		return ""
	}
	return html.UnescapeString(m[1])
}

// TestAgentAnswers checks that an agent answers, and that the page reports its move with the result
// of its search.
func TestAgentAnswers(t *testing.T) {
	v := visit(t, Config{})
	at := v.open(url.Values{"game": {"tictactoe"}, "position": {"XX.OO.... X"}, "seat0": {"alphabeta:depth=9"}})
	board := v.want(at, nil)
	if !strings.Contains(board, "alphabeta:depth=9") || movesOf(t, board) != nil {
		t.Fatalf("a person can move for the agent: %s", board)
	}
	if code, body, _ := v.ask(at+"/move", url.Values{"move": {"3"}}); code != http.StatusBadRequest {
		t.Errorf("a move for the agent: %d %s", code, body)
	}
	board = v.want(at+"/answer", url.Values{})
	if !strings.Contains(board, ">X</span> wins. You lost.") || !strings.Contains(board, "X, alphabeta depth 9: 3, value 1") {
		t.Errorf("got %s", board)
	}
}

// TestEvaluationsOffered checks that the form for a seat offers the shipped models and the files in
// the models folder, and that agents can use each of them.
func TestEvaluationsOffered(t *testing.T) {
	folder := t.TempDir()
	data, _ := fs.ReadFile(models.ShippedFiles(), "handwritten/connect4.json")
	own := filepath.Join(folder, "own.json")
	vectors.Check(os.WriteFile(own, data, 0o644))
	v := visit(t, Config{Limits: Limits{Models: folder}})
	_, page, _ := v.asked(http.MethodGet, v.open(url.Values{"game": {"connect4"}}), "", nil)
	for _, name := range []string{"zero", "handwritten", "learned", "best", "connect4/slip", own} {
		if !strings.Contains(page, "<option>"+name+"</option>") {
			t.Errorf("the form does not offer %s", name)
		}
		agent := "alphabeta:depth=2,time=1s,eval=" + name
		if board := v.want(v.open(url.Values{"game": {"connect4"}, "seat0": {agent}}), nil); !strings.Contains(board, agent) {
			t.Errorf("%s cannot take a seat", agent)
		}
	}
	v.open(url.Values{"game": {"connect4"}, "seat0": {"alphabeta:eval=(handwritten,win-now=4)"}})
}

// TestSecondClick checks that a second click on an outdated board has no effect.
func TestSecondClick(t *testing.T) {
	v := visit(t, Config{})
	at := v.open(url.Values{"game": {"tictactoe"}})
	version := regexp.MustCompile(`data-version="(\d+)"`).FindStringSubmatch(v.want(at, nil))[1]
	first := v.want(at+"/move", url.Values{"move": {"5"}, "version": {version}})
	second := v.want(at+"/move", url.Values{"move": {"1"}, "version": {version}})
	if positionOf(first) != positionOf(second) {
		t.Errorf("%s became %s", positionOf(first), positionOf(second))
	}
}

// TestTermsOfABoardThatIsNoMore requests the terms of a move on an outdated board. The response
// must have no content and must not be an error, because the page then requests the terms for the
// current board.
func TestTermsOfABoardThatIsNoMore(t *testing.T) {
	v := visit(t, Config{})
	at := v.open(url.Values{"game": {"connect4"}})
	link := regexp.MustCompile(`hx-get="(/tables/[^"]*/terms[^"]*)"`)
	terms := func() string {
		t.Helper()
		found := link.FindStringSubmatch(v.want(at+"/why", nil))
		if found == nil {
			t.Fatal("no link to the terms of a move")
		}
		return html.UnescapeString(found[1])
	}
	v.want(at+"/move", url.Values{"move": {"4"}})
	old := terms()
	if text := v.want(old, nil); !strings.Contains(text, "bias") {
		t.Errorf("no terms: %.300s", text)
	}
	v.want(at+"/undo", url.Values{})
	if code, text, _ := v.ask(old, nil); code != http.StatusNoContent || text != "" {
		t.Errorf("terms of an undone move: %d %.300s", code, text)
	}
	if text := v.want(terms(), nil); !strings.Contains(text, "bias") {
		t.Errorf("no terms: %.300s", text)
	}
}

// TestFirstMinute checks what a visitor sees first: readable game titles, the correct number of
// lesson steps, and, in 2048, the score, the arrows and a description of nature's moves.
func TestFirstMinute(t *testing.T) {
	v := visit(t, Config{})
	for _, c := range []struct{ path, want string }{
		{"/", "<h3>Connect four</h3>"}, {"/", "Play Tic-tac-toe"}, {"/", "<h3>2048</h3>"}, {"/", "<h3>Chess</h3>"},
		{"/", fmt.Sprintf("<p>%d short steps lead", len(tourSteps))},
		{v.open(url.Values{"game": {"connect4:dice=on"}}), `<h1 class="small">Connect four, connect4:dice=on</h1>`},
		{v.open(url.Values{"game": {"2048"}, "position": {"3300/0000/0000/0000 player 24"}}), "Score <strong>24</strong>"},
		{v.open(url.Values{"game": {"2048"}, "position": {"3300/0000/0000/0000 player 24"}}), "→ R</button>"},
		{v.open(url.Values{"game": {"2048:size=2"}, "seed": {"3"}}), " appears at row "},
	} {
		r := vectors.Must(v.client.Get(v.URL + c.path)) // the complete page, not a fragment
		body := string(vectors.Must(io.ReadAll(r.Body)))
		r.Body.Close()
		if !strings.Contains(body, c.want) {
			t.Errorf("%s: no %q in\n%s", c.path, c.want, body)
		}
	}
	for _, c := range []struct{ game, position, want string }{
		{"connect4", "445", `aria-label="Evaluation for Red: `}, {"connect4", "445", `data-best="`}, {"chess", "", `max="1" value="0`},
		{"2048", "", `hx-swap-oob="true"></div>`}, {"pig:players=3", "", `hx-swap-oob="true"></div>`},
	} {
		at := v.open(url.Values{"game": {c.game}, "position": {c.position}})
		if body := v.want(at+"/why", nil); !strings.Contains(body, c.want) {
			t.Errorf("%s: no %q in\n%s", c.game, c.want, body)
		}
	}
	for want, values := range map[string][]float64{
		"": {0.5, 0.4}, "All moves have the same value here.": {3, 3, 3},
		"All moves have about the same value here. The values differ by at most 3.": {4822, 4820, 4819},
	} {
		var moves []assessed
		for _, v := range values {
			moves = append(moves, assessed{Values: []float64{v}})
		}
		if got := equalValues(moves); got != want {
			t.Errorf("%v: %q, want %q", values, got, want)
		}
	}
	for _, e := range catalog.All() {
		if e.Heading() == e.Name && e.Name != "2048" {
			t.Errorf("%s has no title", e.Name)
		}
	}
}
