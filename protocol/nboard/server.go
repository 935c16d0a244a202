package nboard

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/internal/lines"
	"plyfit/protocol"
	"plyfit/search"
	"plyfit/session"
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
	thinker  protocol.Thinker
	thinking *protocol.Thought // nil: none
	out      io.Writer
	failed   error // of writing
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
	ended := true
	err := lines.Serve(ctx, in, mostLine, func(line lines.Line) (quit bool, err error) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line.Text), " ")
		if word == "quit" {
			ended = false
			return true, nil
		}
		sv.obey(ctx, word, strings.TrimSpace(rest), line.Cut)
		return false, sv.failed
	})
	if err == nil && ended {
		sv.thinking.Wait()
		err = sv.failed
	}
	return err
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
	sv.thinker.NewGame()
	sv.thinker.Begin(sv.Agent)
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
			sv.say("search %s %.2f 0 %d", strings.Join(session.Line(s, r.PV, sv.dialect.Move), ""), r.Value, r.Depth)
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
	slices.SortStableFunc(found, func(a, b search.Result) int { return cmp.Compare(b.Value, a.Value) })
	return found, nil
}

// search has the agent search, so many decisions less deep than was set.
func (sv *Server) search(ctx context.Context, s game.State, less int) (search.Result, error) {
	if l, ok := sv.Agent.(search.Limiter); ok && sv.depth > 0 {
		l.Limit(max(1, sv.depth-less), 0)
	}
	begun := time.Now()
	r, err := sv.thinker.Search(ctx, sv.Agent, s)
	r.Elapsed = time.Since(begun)
	if err == nil && len(r.PV) == 0 {
		r.PV = []game.Move{r.Move}
	}
	return r, err
}

// think has do think about a copy of the board, in the background.
func (sv *Server) think(ctx context.Context, do func(context.Context, game.State) error) {
	if sv.state.Turn() == game.Nobody {
		sv.say("status the game is over")
		return
	}
	sv.say("status %s is thinking", sv.Name)
	sv.thinking = protocol.Think(ctx, func(ctx context.Context) {
		sv.thinker.Begin(sv.Agent)
		if err := do(ctx, sv.state.Clone()); err != nil && ctx.Err() == nil {
			sv.say("status the search failed: %v", err)
			return
		}
		sv.say("status %s is waiting", sv.Name)
	})
}

// halt stops the search under way, if there is one.
func (sv *Server) halt() {
	sv.thinking.Stop()
	sv.thinking = nil
}
