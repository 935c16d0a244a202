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

// A thought is a search in the background.
type thought struct {
	cancel   context.CancelFunc
	finished chan struct{} // closed after bestmove has been sent
	released chan struct{} // closed when bestmove may be sent
	once     sync.Once
	ponder   bool          // whether the search uses the opponent's time, until ponderhit
	budget   time.Duration // time after ponderhit; 0 means no limit
	broken   bool          // whether the agent panicked; valid once finished is closed
	done     atomic.Bool   // whether the agent is no longer in use; bestmove may still be unsent
}

// release allows the search to send its move. Searches with limits are released from the start,
// unless they are infinite or pondering.
func (t *thought) release() { t.once.Do(func() { close(t.released) }) }

// stop ends the search and waits until its move has been sent.
func (t *thought) stop() {
	t.release()
	t.cancel()
	<-t.finished
}

// hit turns pondering into a normal search and starts its clock. It does nothing for other
// searches.
func (t *thought) hit() {
	if !t.ponder {
		return
	}
	t.release()
	if t.budget > 0 {
		time.AfterFunc(t.budget, t.cancel)
	}
}

// think handles go. It stops any running search and starts a new one, which sends its move when it
// ends.
func (sv *Server) think(ctx context.Context, args []string) {
	sv.halt()
	if sv.state == nil {
		sv.say("no position is set; send a valid position before go")
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
	if budget > 0 && !limits.Infinite && len(sv.state.Moves(nil)) == 1 { // the only move needs no search
		depth, budget = 1, session.LeastTime
	}
	if limited {
		limiter.Limit(depth, nodes)
	} else if limits.Depth > 0 || limits.Nodes > 0 {
		sv.say("this agent uses its own depth and node limits")
	}
	if budget > 0 { // preparing the agent counts, too
		budget = max(session.LeastTime, budget-time.Since(begun))
	}
	t := &thought{finished: make(chan struct{}), released: make(chan struct{}), ponder: limits.Ponder, budget: budget}
	if ends := depth > 0 || nodes > 0 || budget > 0 || !limited || sv.state.Turn() < 0; ends && !limits.Infinite && !limits.Ponder {
		t.release()
	}
	s := sv.state.Clone()
	if root, ok := game.As[interface{ DrawsBelow() game.State }](s); ok { // draws end a game within the search, but not at the root
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

// effort returns the limits of a search. Each is the lowest of the limits set by go, the options
// and the server. 0 means no limit.
func (sv *Server) effort(l *limits) (depth int, nodes int64, budget time.Duration) {
	depth = least(l.Depth, sv.settings.Depth)
	nodes = least(l.Nodes, sv.Nodes)
	budget = least(l.budget(sv.state.Turn(), time.Duration(sv.overhead)*time.Millisecond), sv.Time)
	return depth, nodes, budget
}

// least returns the lower of two limits, where 0 means no limit.
func least[N int | int64 | time.Duration](a, b N) N {
	if a == 0 || b > 0 && b < a {
		return b
	}
	return a
}

// A proof is the state of a search's reports. It is used only by the search's goroutine.
type proof struct {
	state     game.State
	ctx       context.Context
	lastDepth int // depth of the last report
	mate      int // number of plies to the proven end; 0 if nothing is proven
}

// choose lets the agent search. If there is a legal move, it returns one, even if the agent fails.
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
	if told := sv.watch.lastDepth; told == 0 || err == nil && told < r.Depth {
		sv.report(r)
	}
	return r.Move
}

// tell sends bestmove, with 0000 if there is no move.
func (sv *Server) tell(s game.State, m game.Move) {
	name := "0000"
	if m != game.NoMove {
		name = sv.dialect.Move(s, m)
	}
	sv.out.printf("bestmove %s\n", name)
}

func (sv *Server) report(r search.Result) {
	p, g := sv.watch, sv.Game
	if p == nil { // searching for warm
		return
	}
	p.lastDepth = max(1, r.Depth)
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
	case len(r.Values) == 0: // the agent has no value, or no time to compute one
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

// distance returns the number of plies to the end of the game that r has proven. The parameter last
// is the position at the end of r's line. If the line stops early, because the rest comes from the
// transposition table or from quiescence search, distance performs another search, without
// evaluation, for the shortest way to the end. If this takes too long, distance returns the
// searched depth.
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
		prover.Search(ctx, p.state.Clone()) // the result is in found, even after an error
	}
	return cmp.Or(found, max(r.Depth, len(r.PV)))
}
