package uci

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plyfit/game"
	"plyfit/internal/protocol"
	"plyfit/internal/session"
	"plyfit/search"
)

// thought is a search in the background.
type thought struct {
	cancel   context.CancelFunc
	finished chan struct{} // closed when bestmove has been told
	released chan struct{} // closed when bestmove may be sent
	once     sync.Once
	ponder   bool          // on the other's time, until ponderhit
	budget   time.Duration // for after ponderhit; 0: none
	broken   bool          // the agent panicked; known once finished
	done     atomic.Bool   // the agent is not used any more, though its move may still be about to be told
}

// release lets a search without an end of its own report its move.
func (t *thought) release() { t.once.Do(func() { close(t.released) }) }

// stop ends the search and waits until its move is reported.
func (t *thought) stop() {
	t.release()
	t.cancel()
	<-t.finished
}

// hit turns pondering into thinking: its time counts from now on. Other searches are not affected.
func (t *thought) hit() {
	if !t.ponder {
		return
	}
	t.release()
	if t.budget > 0 {
		time.AfterFunc(t.budget, t.cancel)
	}
}

// think obeys go: it starts a search, which reports its move by itself. A running search is stopped
// first.
func (sv *Server) think(ctx context.Context, args []string) {
	sv.halt()
	if sv.state == nil {
		sv.say("no position: want one that can be read before go")
		sv.out.printf("bestmove 0000\n")
		return
	}
	limits, odd := readLimits(args)
	for _, what := range odd {
		sv.say("go %s", what)
	}
	begun := time.Now()
	agent := sv.prepare()
	if agent == nil {
		sv.tell(sv.state, game.NoMove)
		return
	}
	depth, nodes, budget := sv.effort(&limits)
	limiter, limited := agent.(search.Limiter)
	if budget > 0 && !limits.Infinite && len(sv.state.Moves(nil)) == 1 { // nothing to choose
		depth, budget = 1, session.LeastTime
	}
	if limited {
		limiter.Limit(depth, nodes)
	} else if limits.Depth > 0 || limits.Nodes > 0 {
		sv.say("this agent keeps to its own depth and number of nodes")
	}
	if budget > 0 { // what was not ready counts, too
		budget = max(session.LeastTime, budget-time.Since(begun))
	}
	t := &thought{finished: make(chan struct{}), released: make(chan struct{}), ponder: limits.Ponder, budget: budget}
	if ends := depth > 0 || nodes > 0 || budget > 0 || !limited || sv.state.Turn() < 0; ends && !limits.Infinite && !limits.Ponder {
		t.release()
	}
	s := sv.state.Clone()
	if root, ok := game.As[interface{ DrawsBelow() game.State }](s); ok { // the search claims draws, though not here
		s = root.DrawsBelow()
	}
	sv.thinking = t
	ctx, t.cancel = context.WithCancel(ctx)
	go func() {
		defer close(t.finished)
		defer t.cancel()
		ctx := ctx
		if budget > 0 && !limits.Ponder && !limits.Infinite {
			var late context.CancelFunc
			ctx, late = context.WithTimeout(ctx, budget)
			defer late()
		}
		sv.watch = &proof{state: s.Clone(), ctx: ctx}
		m := sv.choose(ctx, agent, s)
		t.broken = !sv.thinker.Begun()
		<-t.released
		t.done.Store(true)
		sv.tell(s, m)
	}()
}

// effort is a search's limits: the least of those of go, the options and the server; 0: none.
func (sv *Server) effort(l *limits) (depth int, nodes int64, budget time.Duration) {
	depth = least(l.Depth, sv.settings.Depth)
	nodes = least(l.Nodes, sv.Nodes)
	budget = least(l.budget(sv.state.Turn(), time.Duration(sv.overhead)*time.Millisecond), sv.Time)
	return depth, nodes, budget
}

// least is the lower of two limits; 0: none.
func least[N int | int64 | time.Duration](a, b N) N {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// proof is the state from which a search's goroutine makes its reports.
type proof struct {
	state game.State
	ctx   context.Context
	told  int // depth of the last line
	mate  int // plies to the end that is proven; 0: none is yet
}

// choose has the agent search; it answers with a legal move whatever goes wrong, if there is one.
func (sv *Server) choose(ctx context.Context, agent search.Agent, s game.State) game.Move {
	if s.Turn() < 0 || len(s.Moves(nil)) == 0 {
		return game.NoMove
	}
	r, err := sv.thinker.Choose(ctx, agent, s)
	if err != nil && ctx.Err() == nil {
		sv.say("%v", err)
	}
	if len(r.PV) == 0 || r.PV[0] != r.Move {
		r.PV = []game.Move{r.Move}
	}
	if told := sv.watch.told; told == 0 || err == nil && told < r.Depth {
		sv.report(r)
	}
	return r.Move
}

// tell sends bestmove; 0000 if there is no move.
func (sv *Server) tell(s game.State, m game.Move) {
	name := "0000"
	if m != game.NoMove {
		name = sv.dialect.Move(s, m)
	}
	sv.out.printf("bestmove %s\n", name)
}

func (sv *Server) report(r search.Result) {
	p, g := sv.watch, sv.Game
	if p == nil { // no one asked
		return
	}
	p.told = max(1, r.Depth)
	var line strings.Builder
	s := p.state.Clone()
	for _, m := range r.PV {
		if s.Turn() < 0 {
			break
		}
		line.WriteByte(' ')
		line.WriteString(sv.dialect.Move(s, m))
		s.Play(m)
	}
	score := fmt.Sprintf(" score cp %d", protocol.Centipawns(r.Value, g.Min, g.Max))
	switch won := r.Value >= g.Max; {
	case len(r.Values) == 0: // the agent has none, or no time for one
		score = ""
	case won || r.Value <= g.Min:
		if p.mate == 0 {
			p.mate = sv.distance(p, r, s)
		}
		score = fmt.Sprintf(" score mate %d", (p.mate+1)/2)
		if !won {
			score = fmt.Sprintf(" score mate -%d", max(1, p.mate/2))
		}
	}
	nps := int64(0)
	if r.Elapsed > 0 {
		nps = int64(float64(r.Nodes) / r.Elapsed.Seconds())
	}
	pv := ""
	if line.Len() > 0 {
		pv = " pv" + line.String()
	}
	sv.out.printf("info depth %d%s nodes %d nps %d time %d%s\n", max(1, r.Depth), score, r.Nodes, nps, r.Elapsed.Milliseconds(), pv)
}

// distance is the number of plies to the end that r has proven, whose line leads to last. Where the
// line breaks off, because a table or quiescence knew the rest, a search that knows only ends looks
// for the shortest way; if that takes too long, the searched depth is the answer.
func (sv *Server) distance(p *proof, r search.Result, last game.State) int {
	if last.Turn() == game.Nobody {
		return len(r.PV)
	}
	ctx, stop := context.WithCancel(p.ctx)
	defer stop()
	found := 0
	prover, err := search.NewAlphaBeta(search.Options{Game: sv.Game, Eval: search.Zero(sv.Game), Depth: 2*max(r.Depth, len(r.PV)) + 8, Nodes: 1 << 22, Table: 1,
		Iteration: func(v search.Result) {
			if found == 0 && v.Value == r.Value {
				found = v.Depth
				stop()
			}
		}})
	if err == nil {
		prover.Search(ctx, p.state.Clone()) // what it found is what counts, however it ended
	}
	return cmp.Or(found, max(r.Depth, len(r.PV)))
}
