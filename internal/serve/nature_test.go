package serve

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"plyfit/catalog"
)

// endlessGhosts is a game in which nature's search takes longer than any test.
const endlessGhosts = "pacman:layout=medium,ghost=(minimax:depth=12)"

// serverOf returns the server that the visitor uses.
func (v *visitor) serverOf() *Server { return v.Config.Handler.(*Server) }

// TestNatureInTime checks that no move is made if nature's search exceeds the time limit. The game
// must stay unchanged, and the error must give the reason in one line.
func TestNatureInTime(t *testing.T) {
	v := visit(t, Config{Limits: Limits{Time: 50 * time.Millisecond}})
	at := v.open(url.Values{"game": {endlessGhosts}})
	was := v.want(at, nil)
	ghosts := v.position(at, "Stop")
	for name, c := range map[string]struct {
		path string
		form url.Values
	}{
		"a person's move":   {at + "/move", url.Values{"move": {"Stop"}}},
		"a position of its": {at + "/position", url.Values{"position": {ghosts}}},
		"a new game of its": {"/tables", url.Values{"game": {endlessGhosts}, "position": {ghosts}}},
	} {
		code, text, _ := v.ask(c.path, c.form)
		if code != http.StatusBadRequest || !strings.Contains(text, "nature found no move within 50ms, so no move was made") || strings.Count(strings.TrimSpace(text), "\n") > 0 {
			t.Errorf("%s: %d %.300s", name, code, text)
		}
		if is := v.want(at, nil); is != was {
			t.Errorf("%s: the game became\n%.1500s\nfrom\n%.1500s", name, is, was)
		}
	}
	v.want(at+"/seats", url.Values{"seat0": {"random"}})
	was = v.want(at, nil)
	if code, text, _ := v.ask(at+"/answer", url.Values{}); code != http.StatusBadRequest || !strings.Contains(text, "so no move was made") {
		t.Errorf("an agent's move: %d %.300s", code, text)
	}
	if is := v.want(at, nil); is != was {
		t.Errorf("an agent's move: the game became\n%.1500s\nfrom\n%.1500s", is, was)
	}
	if s := v.serverOf(); len(s.searches) > 0 || len(s.natures) > 0 {
		t.Errorf("%d searches go on", len(s.searches))
	}
	// In such a world, searches and search trees must also end in time.
	for path, form := range map[string]url.Values{"/think": {"agent": {"expectimax:depth=3"}}, "/tree": {"agent": {"expectimax:depth=1"}}} {
		if code, text, _ := v.ask(at+path, form); code != http.StatusBadRequest || !strings.Contains(text, "within 50ms") {
			t.Errorf("%s: %d %.300s", path, code, text)
		}
	}
}

// position returns the position after a move, before nature moves.
func (v *visitor) position(at, move string) string {
	v.Helper()
	s, _ := v.table(at).snapshot()
	w, err := catalog.All().World(endlessGhosts)
	if err != nil {
		v.Fatal(err)
	}
	m, err := w.ParseMove(s, move)
	if err != nil {
		v.Fatal(err)
	}
	s.Play(m)
	return s.String()
}

// TestNatureThatIsAnAgentMoves checks that ghosts controlled by an agent move in time. Their random
// choices must come from the game's seed: if the same move is made again after undoing it, the
// answer must be the same.
func TestNatureThatIsAnAgentMoves(t *testing.T) {
	v := visit(t, Config{})
	at := v.open(url.Values{"game": {"pacman:layout=gauntlet,ghost=(mix(0.5*minimax:depth=1,0.5*random))"}, "seed": {"4"}})
	first := movesOf(t, v.want(at, nil))[0].Move
	board := func() string {
		v.want(at+"/move", url.Values{"move": {first}})
		s, _ := v.table(at).snapshot()
		return s.String()
	}
	once := board()
	v.want(at+"/undo", url.Values{})
	if again := board(); again != once {
		t.Errorf("%s and then %s", once, again)
	}
}

// TestNatureIsStopped checks that another request on the game cancels nature's search, and that the
// pending move is not made.
func TestNatureIsStopped(t *testing.T) {
	v := visit(t, Config{Limits: Limits{Time: time.Hour}})
	s := v.serverOf()
	at := v.open(url.Values{"game": {endlessGhosts}})
	thinking := func(is bool) {
		for (len(s.natures) > 0) != is { // until the test times out
			time.Sleep(time.Millisecond)
		}
	}
	var pages sync.WaitGroup
	pages.Go(func() {
		if code, text, _ := v.ask(at+"/move", url.Values{"move": {"Stop"}}); code != http.StatusOK || strings.Contains(text, "1 move played") {
			t.Errorf("a move that another request ended: %d %.300s", code, text)
		}
	})
	thinking(true)
	v.want(at+"/seats", url.Values{"seat0": {""}})
	thinking(false)
	pages.Wait()
}

func (v *visitor) table(at string) *openGame {
	return v.serverOf().games.Get(strings.TrimPrefix(at, "/tables/"))
}
