package serve

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"plyfit/internal/vectors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A crowd simulates many visitors of one server.
type crowd struct {
	*visitor
	at []string // paths of the open games
	// number of failed requests
	broke atomic.Int64
}

// crowded lists the games of a crowd and the agents that play them.
var crowded = []struct{ game, agent string }{
	{"chess", "alphabeta:depth=1"}, {"2048", "greedy"}, {"connect4", "minimax:depth=2"}, {"pig", "expectimax:depth=1"}, {"othello", "greedy"}, {"checkers", "alphabeta:depth=2"},
	{"tictactoe", "mcts:simulations=20"}, {"backgammon", "random"}, {"minesweeper:rows=5,columns=5,mines=4", "greedy"}, {"pacman:layout=corridor,ghost=(minimax:depth=1)", "random"},
	{"kuhn", "random"}, {"connect4+slip=0.1", "expectimax:depth=1"}, {"pig:players=3", "maxn:depth=1"}, {"2048:size=3+adversary", "greedy"}, {endlessGhosts, "random"},
}

// request makes a random request and checks the status code of the response.
func (c *crowd) request(rng *rand.Rand) {
	k := rng.IntN(len(c.at))
	at, agent := c.at[k], crowded[k%len(crowded)].agent
	path, form, code := at, url.Values(nil), http.StatusOK
	switch rng.IntN(20) {
	case 0, 1, 2, 3:
		code, board, _ := c.ask(at, nil)
		moves := movesOf(c, board)
		if code != http.StatusOK || len(moves) == 0 {
			path, form = at+"/undo", url.Values{}
			break
		}
		path, form = at+"/move", url.Values{"move": {moves[rng.IntN(len(moves))].Move}}
	case 4:
		path, form = at+"/answer", url.Values{}
	case 5, 6:
		path, form = at+"/think", url.Values{"agent": {agent}}
	case 7:
		path, form = at+"/tree", url.Values{"agent": {agent}, "side": {[]string{"a", "b"}[rng.IntN(2)]}}
	case 8:
		path = fmt.Sprintf("%s/tree/a/%d", at, rng.IntN(5))
	case 9:
		path = at + "/why"
	case 10:
		path = at + "/terms?move=1"
	case 11:
		path, form = at+"/seats", url.Values{"seat0": {""}, "seat1": {[]string{agent, ""}[rng.IntN(2)]}}
	case 12:
		path, form = at+"/position", url.Values{}
	case 13:
		path, form, code = "/tables", url.Values{"game": {"pig"}}, http.StatusServiceUnavailable // the server is full
	case 14:
		path = "/lesson/" + fmt.Sprint(1+rng.IntN(len(tourSteps)))
	case 15:
		path = []string{"/runs", "/models", "/model?game=chess&name=handwritten", "/"}[rng.IntN(4)]
	case 16:
		path, code = "/tables/none", http.StatusNotFound
	case 17:
		path, form, code = "/tables", url.Values{"game": {"chess:" + strings.Repeat("x", rng.IntN(3000))}}, http.StatusBadRequest
	}
	got, text, _ := c.ask(path, form)
	if strings.HasPrefix(path, "/lesson/") && got == http.StatusServiceUnavailable {
		code = got // the searches ran out of time
	}
	if got != code && (got >= 500 || !strings.HasPrefix(path, at) || got != http.StatusBadRequest && got != http.StatusNotFound && got != http.StatusConflict) {
		c.broke.Add(1)
		c.Errorf("%s %v: %d %.300s", path, form, got, text)
	}
}

// TestCrowd sends mixed requests from eight visitors to many games, while another client never
// reads its response. Every request must be answered, including requests for missing games and
// requests that fail because the server is full. At the end, no lock may be held, no search may be
// running, and no goroutine may be left. If PLYFIT_LONG is set, there are 20,000 requests and 200
// games.
func TestCrowd(t *testing.T) {
	requests, games := 600, 30
	if vectors.Long() {
		requests, games = 20_000, 200
	} else if testing.Short() {
		requests, games = 300, 15
	}
	const trees = 16 << 20
	s, v := running(t, Config{Runs: runFolder(t, map[string]string{"run/" + logName: runLog}), Limits: Limits{Tables: games, Time: 200 * time.Millisecond, Nodes: 2000, Trees: trees}})
	c := &crowd{visitor: v}
	for k := range games {
		c.at = append(c.at, c.open(url.Values{"game": {crowded[k%len(crowded)].game}}))
	}
	chess := c.at[0]
	c.want(chess+"/position", url.Values{"position": {manyMoves}})
	if code, text, _ := c.ask("/tables", url.Values{"game": {"pig"}}); code != http.StatusServiceUnavailable {
		t.Errorf("one game more than there is room for: %d %.200s", code, text)
	}
	before := runtime.NumGoroutine()
	read := stuckAt(t, s, chess+"/think", url.Values{"agent": {"greedy"}})
	var left atomic.Int64
	left.Store(int64(requests))
	var group sync.WaitGroup
	for k := range 8 {
		rng := rand.New(rand.NewPCG(uint64(requests), uint64(k)))
		group.Go(func() {
			for left.Add(-1) >= 0 && c.broke.Load() < 10 {
				c.request(rng)
			}
		})
	}
	group.Wait()
	read()
	v.client.CloseIdleConnections()
	for len(s.searches) > 0 || runtime.NumGoroutine() > before { // until the test times out
		time.Sleep(time.Millisecond)
	}
	s.free(t, "at the end", c.at...)
}
