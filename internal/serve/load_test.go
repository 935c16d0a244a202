package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/connect4"
	"plyfit/internal/vectors"
)

// nodes is the number of moves made by searches of [counted].
var nodes atomic.Int64

// counted is Connect Four with a counter of moves.
var counted = catalog.Entry{Name: "counted", New: func(o *game.Options) (*game.Game, error) {
	g, err := connect4.New(o)
	if err != nil {
		return nil, err
	}
	own := *g
	own.Name, own.Spec = "counted", "counted"
	own.New = func() game.State { return counter{g.New()} }
	own.Parse = func(text string) (game.State, error) {
		s, err := g.Parse(text)
		return counter{s}, err
	}
	return &own, nil
}}

type counter struct{ game.State }

func (c counter) Play(m game.Move) {
	nodes.Add(1)
	c.State.Play(m)
}

func (c counter) Clone() game.State { return counter{c.State.Clone()} }

// TestClosedPageEndsItsSearch checks that closing a page cancels its search through the context of
// the request. The search must then visit no more nodes and release its slot.
func TestClosedPageEndsItsSearch(t *testing.T) {
	s := vectors.Must(New(Config{Catalog: catalog.All().With(counted), Limits: Limits{Time: time.Hour, Depth: 40, Simulations: 1e9}}))
	v := newVisitor(t, httptest.NewServer(s), http.Client{})
	defer v.Close()
	for _, c := range []struct{ game, agent string }{
		{"counted", "minimax:depth=30,eval=zero"}, {"counted", "alphabeta:depth=30,eval=zero,table=off"}, {"counted+slip=0.1", "expectimax:depth=30,eval=zero"},
		{"counted", "mcts:simulations=1000000000,eval=zero"}, {"chess", "alphabeta:depth=30"}, {"2048", "expectimax:depth=30"}, {"pig:players=3", "maxn:depth=30"},
	} {
		t.Run(c.agent+" in "+c.game, func(t *testing.T) {
			begun := nodes.Load()
			var pages sync.WaitGroup
			var close []context.CancelFunc
			for range 2 * cap(s.searches) { // twice the number of search slots
				ctx, closePage := context.WithCancel(t.Context())
				close = append(close, closePage)
				at := v.open(url.Values{"game": {c.game}, "seat0": {c.agent}})
				pages.Go(func() {
					r, err := http.NewRequestWithContext(ctx, "POST", v.URL+at+"/answer", nil)
					if err != nil {
						t.Error(err)
						return
					}
					if answer, err := v.client.Do(r); err == nil {
						answer.Body.Close()
						t.Errorf("%s: an endless search ended", at)
					}
				})
			}
			counts := strings.HasPrefix(c.game, "counted")
			for len(s.searches) != cap(s.searches) || counts && nodes.Load() == begun {
				time.Sleep(time.Millisecond) // until the test times out
			}
			closed := time.Now()
			for _, closePage := range close {
				closePage()
			}
			for len(s.searches) > 0 { // Without the cancellation, the searches would run until the test times out.
				time.Sleep(time.Millisecond)
			}
			left := nodes.Load()
			t.Logf("ended %v after their pages were closed", time.Since(closed))
			pages.Wait()
			if n := nodes.Load(); n != left {
				t.Errorf("%d nodes were searched after that", n-left)
			}
		})
	}
}
