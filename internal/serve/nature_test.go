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

// endlessGhosts is a game whose nature searches longer than anyone waits.
const endlessGhosts = "pacman:layout=medium,ghost=(minimax:depth=12)"

// serverOf is the server that a visitor asks.
func (v *visitor) serverOf() *Server { return v.Config.Handler.(*Server) }

// Nature that finds nothing in time makes no move, wherever one is asked of it: the game is
// as it was, and one line says why.
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
		if code != http.StatusBadRequest || !strings.Contains(text, "nature found nothing within 50ms, so nothing was moved") || strings.Count(strings.TrimSpace(text), "\n") > 0 {
			t.Errorf("%s: %d %.300s", name, code, text)
		}
		if is := v.want(at, nil); is != was {
			t.Errorf("%s: the game became\n%.1500s\nfrom\n%.1500s", name, is, was)
		}
	}
	v.want(at+"/seats", url.Values{"seat0": {"random"}})
	was = v.want(at, nil)
	if code, text, _ := v.ask(at+"/answer", url.Values{}); code != http.StatusBadRequest || !strings.Contains(text, "so nothing was moved") {
		t.Errorf("an agent's move: %d %.300s", code, text)
	}
	if is := v.want(at, nil); is != was {
		t.Errorf("an agent's move: the game became\n%.1500s\nfrom\n%.1500s", is, was)
	}
	if s := v.serverOf(); len(s.searches) > 0 || len(s.natures) > 0 {
		t.Errorf("%d searches go on", len(s.searches))
	}
	// A search in such a world ends in time, too, and so does its tree.
	for path, form := range map[string]url.Values{"/think": {"agent": {"expectimax:depth=3"}}, "/tree": {"agent": {"expectimax:depth=1"}}} {
		if code, text, _ := v.ask(at+path, form); code != http.StatusBadRequest || !strings.Contains(text, "within 50ms") {
			t.Errorf("%s: %d %.300s", path, code, text)
		}
	}
}

// position is what a move leads to, before nature moves.
func (v *visitor) position(at, move string) string {
	v.Helper()
	s, _ := v.table(at).now()
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

// Ghosts who answer in time move as their agent has them, and take their luck from the
// game's seed: the same move after undo has the same answer.
func TestNatureThatIsAnAgentMoves(t *testing.T) {
	v := visit(t, Config{})
	at := v.open(url.Values{"game": {"pacman:layout=gauntlet,ghost=(mix(0.5*minimax:depth=1,0.5*random))"}, "seed": {"4"}})
	first := movesOf(t, v.want(at, nil))[0].Move
	board := func() string {
		v.want(at+"/move", url.Values{"move": {first}})
		s, _ := v.table(at).now()
		return s.String()
	}
	once := board()
	v.want(at+"/undo", url.Values{})
	if again := board(); again != once {
		t.Errorf("%s and then %s", once, again)
	}
}

// Another request on the game ends nature's search, and the move is not made.
func TestNatureIsStopped(t *testing.T) {
	v := visit(t, Config{Limits: Limits{Time: time.Hour}})
	s := v.serverOf()
	at := v.open(url.Values{"game": {endlessGhosts}})
	thinking := func(is bool) {
		for (len(s.natures) > 0) != is { // until the test's own limit
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
