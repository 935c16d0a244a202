package serve

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// crowd is what many visitors of one server ask for.
type crowd struct {
	*visitor
	at    []string // games
	took  times
	broke atomic.Int64
}

// Games of a crowd, and the agents that sit there.
var crowded = []struct{ game, agent string }{
	{"chess", "alphabeta:depth=1"}, {"2048", "greedy"}, {"connect4", "minimax:depth=2"}, {"pig", "expectimax:depth=1"}, {"othello", "greedy"}, {"checkers", "alphabeta:depth=2"},
	{"tictactoe", "mcts:simulations=20"}, {"backgammon", "random"}, {"minesweeper:rows=5,columns=5,mines=4", "greedy"}, {"pacman:layout=corridor,ghost=(minimax:depth=1)", "random"},
	{"kuhn", "random"}, {"connect4+slip=0.1", "expectimax:depth=1"}, {"pig:players=3", "maxn:depth=1"}, {"2048:size=3+adversary", "greedy"}, {endlessGhosts, "random"},
}

// request makes one request of the crowd, drawn by rng, and notes how long it took.
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
		path, form, code = "/tables", url.Values{"game": {"pig"}}, http.StatusServiceUnavailable // there is no room
	case 14:
		path = "/lesson/" + fmt.Sprint(1+rng.IntN(len(tourSteps)))
	case 15:
		path = []string{"/runs", "/models", "/model?game=chess&name=handwritten", "/"}[rng.IntN(4)]
	case 16:
		path, code = "/tables/none", http.StatusNotFound
	case 17:
		path, form, code = "/tables", url.Values{"game": {"chess:" + strings.Repeat("x", rng.IntN(3000))}}, http.StatusBadRequest
	}
	began := time.Now()
	got, text, _ := c.ask(path, form)
	c.took.add(time.Since(began))
	if strings.HasPrefix(path, "/lesson/") && got == http.StatusServiceUnavailable {
		code = got // its searches had no time
	}
	if got != code && (got >= 500 || !strings.HasPrefix(path, at) || got != http.StatusBadRequest && got != http.StatusNotFound && got != http.StatusConflict) {
		c.broke.Add(1)
		c.Errorf("%s %v: %d %.300s", path, form, got, text)
	}
}

// heldHeap is what is in use after everything that can go is gone.
func heldHeap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Mixed requests of eight visitors to many games, while one connection
// never reads: everything is answered, and at the end memory and goroutines are
// what they were after the first quarter. With PLYFIT_LONG it is 20,000 requests and 200
// games.
func TestCrowd(t *testing.T) {
	requests, games := 1200, 45
	long := os.Getenv("PLYFIT_LONG") != ""
	if long {
		requests, games = 20_000, 200
	} else if testing.Short() {
		requests, games = 300, 15
	}
	folder := t.TempDir()
	log := filepath.Join(folder, "run", logName)
	if err := os.Mkdir(filepath.Dir(log), 0o755); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(log, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
	write(runLog)
	s, v := running(t, Config{Runs: folder, Limits: Limits{Tables: games, Time: 200 * time.Millisecond, Nodes: 2000, Trees: 16 << 20}})
	c := &crowd{visitor: v}
	for k := range games {
		c.at = append(c.at, c.open(url.Values{"game": {crowded[k%len(crowded)].game}}))
	}
	chess := c.at[0]
	c.want(chess+"/position", url.Values{"position": {manyMoves}})
	before := runtime.NumGoroutine()
	if long {
		defer deaf(t, strings.TrimPrefix(c.URL, "http://"), chess+"/think", url.Values{"agent": {"greedy"}}).Close()
	} else {
		defer stuckAt(t, s, chess+"/think", url.Values{"agent": {"greedy"}})()
	}
	var left atomic.Int64
	quarter := func(n int) int64 {
		left.Store(int64(n))
		var group sync.WaitGroup
		for k := range 8 {
			rng := rand.New(rand.NewPCG(uint64(n), uint64(k)))
			group.Go(func() {
				for left.Add(-1) >= 0 && c.broke.Load() < 10 {
					c.request(rng)
				}
			})
		}
		group.Wait()
		write(runLog + strings.Repeat("\n", int(time.Now().UnixNano()%100)))
		held := heldHeap()
		t.Logf("%d MB of heap, %d goroutines, %d KB of trees", held>>20, runtime.NumGoroutine(), s.unfolded.bytes>>10)
		return held
	}
	first := quarter(requests / 4)
	most := first
	for range 3 {
		most = max(most, quarter(requests/4))
	}
	if most > 2*first+32<<20 {
		t.Errorf("%d MB of heap after a quarter of the requests, and then %d MB", first>>20, most>>20)
	}
	v.client.CloseIdleConnections()
	const own = 10 // of the connection that is not read, and what the test itself has
	open := func() int { return len(s.searches) }
	for began := time.Now(); open() > 0 || runtime.NumGoroutine() > before+own; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Errorf("%d searches go on, by %d goroutines, of which %d were there before", open(), runtime.NumGoroutine(), before)
			break
		}
	}
	median, longest := c.took.median()
	t.Logf("%d answers, median %v, most %v; %d goroutines at the end, %d before", len(c.took.all), median, longest, runtime.NumGoroutine(), before)
}
