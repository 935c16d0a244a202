package nboard

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/internal/lines"
	"plyfit/search"
)

// Server is an engine for a game that has a [game.Dialect] of NBoard: its agent
// plays for whoever speaks NBoard to it. It thinks in the background and, as the
// protocol has it, stops when the next command comes; of a search stopped so no
// move is told, since the board is about to change. What it does not understand it
// passes over.
type Server struct {
	Name  string // what the board calls it, the depth behind it
	Game  *game.Game
	Agent search.Agent
	Depth int // the most that set depth can ask for; 0: no limit

	dialect  *game.Dialect
	state    game.State
	depth    int // as set; 0: the agent's own
	games    uint64
	thinking *thought
	out      io.Writer
	failed   error // of writing
}

// thought is a search under way.
type thought struct {
	cancel   context.CancelFunc
	finished chan struct{}
}

const mostLine = 1 << 16

// commands by name. Each gets what follows its name.
var commands = map[string]func(sv *Server, ctx context.Context, rest string){
	"nboard": func(*Server, context.Context, string) {}, // whatever the version
	"set":    (*Server).set,
	"move":   (*Server).move,
	"hint":   (*Server).hint,
	"go":     (*Server).choose,
	"ping":   func(sv *Server, _ context.Context, rest string) { sv.say("pong %s", rest) },
	"learn":  func(sv *Server, _ context.Context, _ string) { sv.say("learned") }, // nothing is
}

// Serve speaks NBoard until quit, ctx's end, or that of in, when a search under way
// tells its move first. It returns an error where in or out fail, or ctx's.
func (sv *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if sv.dialect = sv.Game.Dialect(Protocol); sv.dialect == nil {
		return fmt.Errorf("nboard: no dialect of %s", sv.Game.Spec)
	}
	sv.out = out
	sv.begin(sv.Game.New())
	defer sv.halt()
	input, failed := lines.Read(ctx, in, mostLine)
	for sv.failed == nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, ok := <-input:
			if !ok {
				if err := <-failed; err != nil || sv.thinking == nil {
					return err
				}
				<-sv.thinking.finished
				return sv.failed
			}
			word, rest, _ := strings.Cut(strings.TrimSpace(line.Text), " ")
			if word == "quit" {
				return nil
			}
			sv.obey(ctx, word, strings.TrimSpace(rest), line.Cut)
		}
	}
	return sv.failed
}

func (sv *Server) obey(ctx context.Context, word, rest string, cut bool) {
	do, ok := commands[word]
	switch {
	case cut:
		sv.halt()
		sv.say("status a line of more than %d bytes", mostLine)
	case ok:
		sv.halt()
		do(sv, ctx, rest)
	case len(word) == 2: // NBoard 1.1 says F5 for move F5
		sv.halt()
		sv.move(ctx, word)
	}
}

// say is only called while no search is under way, or by the search.
func (sv *Server) say(format string, args ...any) {
	if _, err := fmt.Fprintf(sv.out, format+"\n", args...); err != nil && sv.failed == nil {
		sv.failed = err
	}
}

// begin begins a game at s, with nothing remembered of another.
func (sv *Server) begin(s game.State) {
	sv.state = s
	sv.games++
	sv.Agent.Begin(sv.games)
}

// set obeys set depth N and set game GGF; there are others, such as contempt.
func (sv *Server) set(_ context.Context, rest string) {
	what, value, _ := strings.Cut(rest, " ")
	switch what {
	case "depth":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			sv.say("status set depth %s: want a whole number of at least 1", value)
			return
		}
		if sv.Depth > 0 {
			n = min(n, sv.Depth)
		}
		if _, ok := sv.Agent.(search.Limiter); !ok {
			sv.say("status this agent keeps to its own depth")
			return
		}
		sv.depth = n
		sv.say("set myname %s%d", sv.Name, n)
	case "game":
		s, err := sv.dialect.Parse(sv.Game, strings.Fields(value))
		if err != nil {
			sv.say("status %v", err)
			return
		}
		sv.begin(s)
	}
}

// move obeys move MOVE[/EVAL[/TIME]].
func (sv *Server) move(_ context.Context, rest string) {
	name, _, _ := strings.Cut(rest, "/")
	m, err := sv.dialect.ParseMove(sv.state, name)
	if err != nil {
		sv.say("status %v", err)
		return
	}
	sv.state.Play(m)
}

// choose obeys go: === MOVE/EVAL/TIME, with the value in the mover's discs and
// seconds. The board stays as it is, since it is for the other side to make the move.
func (sv *Server) choose(ctx context.Context, _ string) {
	sv.think(ctx, func(ctx context.Context, s game.State) error {
		r, err := sv.search(ctx, s, 0)
		if err == nil && ctx.Err() == nil {
			sv.say("nodestats %d %.2f", r.Nodes, r.Elapsed.Seconds())
			sv.say("%s %s/%.2f/%.2f", move, sv.dialect.Move(s, r.Move), r.Value, r.Elapsed.Seconds())
		}
		return err
	})
}

// hint obeys hint N: search PV EVAL 0 DEPTH for the N best moves, the best first.
// The best is the search's; the values of more come from searches behind each move.
func (sv *Server) hint(ctx context.Context, rest string) {
	n, err := strconv.Atoi(rest)
	if err != nil || n < 1 {
		n = 1
	}
	sv.think(ctx, func(ctx context.Context, s game.State) error {
		found, err := sv.best(ctx, s, n)
		if err != nil || ctx.Err() != nil {
			return err
		}
		for _, r := range found[:min(n, len(found))] {
			sv.say("search %s %.2f 0 %d", sv.line(s, r.PV), r.Value, r.Depth)
		}
		return nil
	})
}

// best searches s, and where more than one move is wanted what each leads to, as
// deep as what the whole search sees behind it. Values are the mover's.
func (sv *Server) best(ctx context.Context, s game.State, n int) ([]search.Result, error) {
	moves := s.Moves(nil)
	if n == 1 || len(moves) == 1 {
		r, err := sv.search(ctx, s, 0)
		return []search.Result{r}, err
	}
	mover := s.Turn()
	var found []search.Result
	for _, m := range moves {
		s.Play(m)
		r := search.Result{Value: s.Utility(mover), Exact: true}
		if s.Turn() != game.Nobody {
			var err error
			if r, err = sv.search(ctx, s, 1); err != nil {
				return nil, err
			}
			if s.Turn() != mover {
				r.Value = -r.Value
			}
		}
		s.Undo()
		r.Move, r.PV, r.Depth = m, append([]game.Move{m}, r.PV...), r.Depth+1
		found = append(found, r)
	}
	slices.SortStableFunc(found, func(a, b search.Result) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return 0
	})
	return found, nil
}

// search has the agent search, so many decisions less deep than was set.
func (sv *Server) search(ctx context.Context, s game.State, less int) (search.Result, error) {
	if l, ok := sv.Agent.(search.Limiter); ok && sv.depth > 0 {
		l.Limit(max(1, sv.depth-less), 0)
	}
	begun := time.Now()
	r, err := sv.Agent.Search(ctx, s)
	r.Elapsed = time.Since(begun)
	if err == nil && len(r.PV) == 0 {
		r.PV = []game.Move{r.Move}
	}
	return r, err
}

// line is a principal variation as one word.
func (sv *Server) line(s game.State, pv []game.Move) string {
	s = s.Clone()
	var b strings.Builder
	for _, m := range pv {
		if s.Turn() < 0 {
			break
		}
		b.WriteString(sv.dialect.Move(s, m))
		s.Play(m)
	}
	return b.String()
}

// think has do think about a copy of the board, in the background.
func (sv *Server) think(ctx context.Context, do func(context.Context, game.State) error) {
	if sv.state.Turn() == game.Nobody {
		sv.say("status the game is over")
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	t := &thought{cancel: cancel, finished: make(chan struct{})}
	sv.thinking = t
	sv.say("status %s is thinking", sv.Name)
	go func() {
		defer close(t.finished)
		defer cancel()
		err := sv.guard(func() error { return do(ctx, sv.state.Clone()) })
		if err != nil && ctx.Err() == nil {
			sv.say("status the search failed: %v", err)
			return
		}
		sv.say("status %s is waiting", sv.Name)
	}()
}

// guard turns a panic of the agent into an error.
func (sv *Server) guard(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			sv.Agent.Begin(sv.games)
			err = fmt.Errorf("%v", p)
		}
	}()
	return do()
}

// halt stops the search under way, if there is one.
func (sv *Server) halt() {
	if t := sv.thinking; t != nil {
		t.cancel()
		<-t.finished
		sv.thinking = nil
	}
}
